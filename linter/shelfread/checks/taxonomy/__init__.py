"""Checks of the family `taxonomy`."""
