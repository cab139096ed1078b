"""Wrappers of libraries and of Python itself: they know nothing of lists."""
