"""Format Markdown without changing a word or the page."""
