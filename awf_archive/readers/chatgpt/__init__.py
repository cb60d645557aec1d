"""ChatGPT's data export: a tree of messages per conversation."""
