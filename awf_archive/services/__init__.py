"""One use case per module: what the commands, hooks and the Python API do."""
