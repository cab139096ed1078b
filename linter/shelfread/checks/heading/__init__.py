"""Checks of the family `heading`."""
