"""What readers of several formats need: JSON of a stranger, lines, media, drafts of turns."""
