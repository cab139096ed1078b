"""A taxonomy as SKOS with the entries that its concepts are the subjects of, for `shelfread export --format skos`.

An entry is no concept, and SKOS says that every member of a collection is one. So entries are resources of their own:
each has its concepts as `dcterms:subject`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from shelfread.core.support.named_tuple import NamedTuple
from shelfread.core.support.regex import lazy
from shelfread.exports.cited_work import EntryData, plain, url_text
from shelfread.taxonomy.skos.json_ld import json_ld as taxonomy_json_ld
from shelfread.taxonomy.skos.turtle import turtle as taxonomy_turtle
from shelfread.taxonomy.taxonomy import Taxonomy

_PREFIXES = {
    "dcterms": "http://purl.org/dc/terms/",
    "dc": "http://purl.org/dc/elements/1.1/",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
}
_RESOLVERS = {
    "doi": "https://doi.org/",
    "arxiv": "https://arxiv.org/abs/",
    "github": "https://github.com/",
}
_ESCAPED = lazy(r"[\"\\]")
_NO_IRI = lazy(r"[\x00-\x20<>\"{}|^`\\]")
_ABSOLUTE = lazy(r"[A-Za-z][A-Za-z0-9+.-]*:[^\s]")


class Resource(NamedTuple):
    """An entry: its IRI, its texts and years by property, and the IRIs that it leads to by property."""

    iri: str
    texts: Sequence[tuple[str, str]]
    year: int | None
    links: Sequence[tuple[str, str]]


def turtle(taxonomies: Iterable[Taxonomy], entries: Iterable[tuple[EntryData, str]]) -> Iterator[str]:
    """Yield the lines of taxonomies and of entries, each given with the IRI of its concept, as Turtle 1.1."""
    for taxonomy in taxonomies:
        yield from taxonomy_turtle(taxonomy).rstrip("\n").split("\n")
    resources = _resources(entries)
    if resources:
        yield ""
        yield from (f"@prefix {prefix}: <{iri}> ." for prefix, iri in _PREFIXES.items())
    for resource in resources:
        statements = ["a dcterms:BibliographicResource"]
        statements += (f"{name} {_literal(text)}" for name, text in resource.texts)
        if resource.year is not None:
            statements.append(f'dcterms:issued "{resource.year:04}"^^xsd:gYear')
        statements += (f"{name} <{iri}>" for name, iri in resource.links)
        yield ""
        yield f"<{resource.iri}> " + " ;\n    ".join(statements) + " ."


def json_ld(taxonomies: Iterable[Taxonomy], entries: Iterable[tuple[EntryData, str]]) -> dict[str, Any]:
    """Return taxonomies and entries as JSON-LD 1.1, with the same statements as in Turtle."""
    context: dict[str, Any] = {}
    graph: list[Any] = []
    for taxonomy in taxonomies:
        concepts: dict[str, Any] = taxonomy_json_ld(taxonomy)
        context |= concepts["@context"]
        graph += concepts["@graph"]
    resources = _resources(entries)
    for resource in resources:
        node: dict[str, Any] = {"@id": resource.iri, "@type": "dcterms:BibliographicResource"}
        for name, text in resource.texts:
            node.setdefault(name, []).append({"@value": text})
        if resource.year is not None:
            node["dcterms:issued"] = {"@value": f"{resource.year:04}", "@type": "xsd:gYear"}
        for name, iri in resource.links:
            node.setdefault(name, []).append({"@id": iri})
        graph.append(node)
    return {"@context": context | _PREFIXES if resources else context, "@graph": graph}


def _resources(entries: Iterable[tuple[EntryData, str]]) -> list[Resource]:
    """Return the entries, those of one thing as one that has the subjects of all of them."""
    found: dict[str, tuple[EntryData, dict[str, None]]] = {}
    for entry, concept in entries:
        if iri := _iri(entry):
            found.setdefault(iri, (entry, {}))[1].setdefault(_quoted(concept))
    return [_resource(iri, entry, concepts) for iri, (entry, concepts) in found.items()]


def _resource(iri: str, entry: EntryData, concepts: Iterable[str]) -> Resource:
    texts = [("dcterms:title", entry["title"])]
    texts += [("dc:creator", author) for author in entry["authors"]]
    texts += [
        ("dcterms:bibliographicCitation", entry["venue_text"]),
        ("dcterms:description", entry["description"]),
    ]
    texts += [
        ("dcterms:identifier", f"{kind}:{value}") for kind, value in entry["identifiers"].items() if value
    ]
    links = [("dcterms:subject", concept) for concept in concepts]
    urls = dict.fromkeys(_quoted(url_text(link["url"])) for link in entry["links"])
    links += [("rdfs:seeAlso", url) for url in urls if _ABSOLUTE.match(url) and url != iri]
    cleaned = dict.fromkeys((name, plain(text)) for name, text in texts if text)
    return Resource(iri, [(name, text) for name, text in cleaned if text], entry["year"], links)


def _iri(entry: EntryData) -> str:
    """Return the IRI of an entry's DOI, arXiv paper, first link or repository; empty if it has none."""
    identifiers = entry["identifiers"]
    for kind in ("doi", "arxiv"):
        if identifiers.get(kind):
            return _quoted(_RESOLVERS[kind] + url_text(identifiers[kind]))
    urls = (_quoted(url_text(link["url"])) for link in entry["links"])
    first = next(filter(_ABSOLUTE.match, urls), "")
    if not first and identifiers.get("github"):
        return _quoted(_RESOLVERS["github"] + identifiers["github"])
    return first


def _quoted(iri: str) -> str:
    return _NO_IRI.sub(lambda match: f"%{ord(match[0]):02X}", iri)


def _literal(text: str) -> str:
    return '"' + _ESCAPED.sub(r"\\\g<0>", text) + '"'
