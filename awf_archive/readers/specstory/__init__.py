"""SpecStory's Markdown histories."""
