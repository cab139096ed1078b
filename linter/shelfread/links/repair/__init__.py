"""Finds URLs that can replace a link."""
