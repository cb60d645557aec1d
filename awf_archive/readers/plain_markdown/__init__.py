"""Plain Markdown with a heading or a name before each message."""
