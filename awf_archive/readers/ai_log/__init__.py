"""AWF's `.ai-log`: prompts and answers noted by hooks."""
