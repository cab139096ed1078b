"""Infers a configuration and a taxonomy from lists."""
