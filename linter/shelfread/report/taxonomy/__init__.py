"""Taxonomies for people and programs: the tree of concepts, and what each heading names."""
