"""The canonical form of a text."""
