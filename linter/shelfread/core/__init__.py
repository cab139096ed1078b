"""Words and deeds that every package shares."""
