"""Cursor: its database, agent transcripts, exported sessions and Markdown."""
