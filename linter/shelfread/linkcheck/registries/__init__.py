"""Registries that answer for many links at a time."""
