"""Claude Code's JSONL: one file a window, records linked into a tree, sub-agents beside it."""
