"""Gemini CLI's chats, in each generation of its files."""
