"""opencode's storage: folders of JSON, or its database."""
