"""Completion of what is being written: anchors, labels, venues, sections, settings."""
