"""Entries that are listed more than once."""
