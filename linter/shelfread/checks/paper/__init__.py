"""Checks of the family `paper`."""
