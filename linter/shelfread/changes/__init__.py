"""Compares two revisions: entries added, removed, moved and changed, and the findings in them."""
