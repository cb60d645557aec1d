"""Aider's chat history, many runs in one Markdown file."""
