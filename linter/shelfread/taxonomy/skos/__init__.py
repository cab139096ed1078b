"""Taxonomies as SKOS: written as Turtle and JSON-LD, and read from any RDF."""
