"""The rules of the archive: pure values and functions, no files, no clock, no chance."""
