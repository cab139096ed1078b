"""Inserts entries into a list: in its own dialect, each in its section and at its place."""
