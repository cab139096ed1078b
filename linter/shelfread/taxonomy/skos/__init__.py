"""Taxonomies as SKOS, read from and written as RDF. All modules need rdflib, which the extra `skos` brings."""
