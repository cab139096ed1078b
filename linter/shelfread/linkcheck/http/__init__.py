"""Requests: polite, bounded, never to a private network."""
