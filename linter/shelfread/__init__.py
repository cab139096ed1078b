"""Check, fix and format curated Markdown lists."""

__version__ = "0.1.0"
