"""Taxonomies in SKOS's terms: concepts, venues, affiliations and link roles."""
