"""Claude Code's `history.jsonl`: prompts only, for windows whose transcript is gone."""
