"""Renaming of sections and of reference labels, with all that leads to them."""
