"""Checks links on the web: polite requests, never to a private network."""
