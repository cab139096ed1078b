"""A taxonomy as SKOS with its entries, each a resource of its own and no concept, with its concepts as `dcterms:subject`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rdflib import DC, DCTERMS, RDF, RDFS, XSD, Graph, Literal, URIRef

from shelfread.core.patterns import lazy
from shelfread.exports.cited_work import EntryData, plain, url_text
from shelfread.taxonomy.skos.graph import iri_of, taxonomy_graph
from shelfread.taxonomy.taxonomy import Taxonomy

_PREFIXES = {"dcterms": DCTERMS, "dc": DC, "rdfs": RDFS, "xsd": XSD}
_RESOLVERS = {"doi": "https://doi.org/", "arxiv": "https://arxiv.org/abs/", "github": "https://github.com/"}
_ABSOLUTE = lazy(r"[A-Za-z][A-Za-z0-9+.-]*:[^\s]")


def subjects_graph(taxonomies: Iterable[Taxonomy], entries: Iterable[tuple[EntryData, str]]) -> Graph:
    """Return taxonomies and the entries, each given with the IRI of its concept; those of one thing are one resource."""
    graph = taxonomy_graph(*taxonomies)
    known: set[URIRef] = set()
    for entry, concept in entries:
        iri = _iri(entry)
        if iri is None:
            continue
        if iri not in known:
            known.add(iri)
            for property, value in _statements(iri, entry):
                graph.add((iri, property, value))
        graph.add((iri, DCTERMS.subject, iri_of(concept)))
    for prefix, namespace in _PREFIXES.items() if known else ():
        graph.bind(prefix, namespace)
    return graph


def _statements(iri: URIRef, entry: EntryData) -> Iterator[tuple[URIRef, URIRef | Literal]]:
    yield RDF.type, DCTERMS.BibliographicResource
    identifiers = (f"{kind}:{value}" for kind, value in entry["identifiers"].items() if value)
    for property, texts in (
        (DCTERMS.title, [entry["title"]]),
        (DC.creator, entry["authors"]),
        (DCTERMS.bibliographicCitation, [entry["venue_text"]]),
        (DCTERMS.description, [entry["description"]]),
        (DCTERMS.identifier, identifiers),
    ):
        yield from ((property, Literal(text)) for text in map(plain, filter(None, texts)) if text)
    if entry["year"] is not None:
        yield DCTERMS.issued, Literal(f"{entry['year']:04}", datatype=XSD.gYear, normalize=False)
    for link in entry["links"]:
        url = iri_of(url_text(link["url"]))
        if _ABSOLUTE.match(url) and url != iri:
            yield RDFS.seeAlso, url


def _iri(entry: EntryData) -> URIRef | None:
    """Return the IRI of an entry's DOI, arXiv paper, first link or repository; None if it has none."""
    identifiers = entry["identifiers"]
    for kind in ("doi", "arxiv"):
        if identifiers.get(kind):
            return iri_of(_RESOLVERS[kind] + url_text(identifiers[kind]))
    urls = (iri_of(url_text(link["url"])) for link in entry["links"])
    first = next(filter(_ABSOLUTE.match, urls), None)
    if first is None and identifiers.get("github"):
        return iri_of(_RESOLVERS["github"] + identifiers["github"])
    return first
