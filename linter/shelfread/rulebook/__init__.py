"""Read rule pages, check options, and select rules."""
