"""Feeds of what was added to lists, in each output format."""
