"""The archive on disk: where files lie, how they are written, read and locked (SPEC 1.1, 1.10)."""
