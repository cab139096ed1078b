"""Taxonomies as SKOS, read from and written as RDF. The modules need rdflib, which the extra `skos` brings."""

# The syntaxes of RDF, by rdflib's names for them, and the ends of the names of files in each.
SYNTAXES = {
    ".ttl": "turtle",
    ".turtle": "turtle",
    ".jsonld": "json-ld",
    ".json": "json-ld",
    ".rdf": "xml",
    ".xml": "xml",
    ".owl": "xml",
    ".nt": "nt",
}
