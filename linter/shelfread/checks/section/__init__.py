"""Checks of the family `section`."""
