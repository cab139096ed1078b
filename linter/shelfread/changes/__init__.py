"""Compares revisions: entries added, removed, moved and changed, the findings in them, and when each was added."""
