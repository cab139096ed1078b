"""Checks of the family `text`."""
