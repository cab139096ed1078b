"""Checks of the family `awesome`."""
