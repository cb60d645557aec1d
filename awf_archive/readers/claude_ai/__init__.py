"""Claude.ai's data export."""
