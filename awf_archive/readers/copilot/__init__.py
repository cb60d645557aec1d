"""GitHub Copilot: editor sessions, event logs, traces, the change log that is replayed."""
