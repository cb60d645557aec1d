"""awf-archive keeps every conversation with AI assistants and makes it useful again."""

__version__ = "0.1.0"
