"""Checks of the family `contents`."""
