"""Taxonomies beside the lists at hand: what the headings name, what is missing, and writing that down."""
