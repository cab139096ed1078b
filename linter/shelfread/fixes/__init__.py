"""Fixes: chosen, applied in rounds, verified."""
