"""Checks of the family `entry`."""
