"""Entries rewritten in one style."""
