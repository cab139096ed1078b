"""Markdown's syntax with an exact span for every node, on markdown-it-py."""
