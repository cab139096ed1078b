"""Venues, years, people and organisations in running text."""
