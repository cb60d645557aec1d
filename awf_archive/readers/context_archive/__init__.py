"""Another archive's `.context` folder, of ours or of the original skill."""
