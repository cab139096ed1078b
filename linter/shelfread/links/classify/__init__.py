"""Derives the verdict on a link from what its host answered."""
