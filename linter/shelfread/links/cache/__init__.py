"""Keeps the records of earlier runs."""
