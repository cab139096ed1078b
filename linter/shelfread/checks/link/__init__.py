"""Checks of the family `link`."""
