"""Findings in every output format."""
