"""Facts as JSON, with tuples as lists. What cannot be decoded raises one of `ERRORS`."""

from __future__ import annotations

from collections import Counter
from typing import Any

from shelfread.core.diagnostics import Span
from shelfread.index.anchors import Landmark, Reference
from shelfread.index.conventions.conventions import Observation, question
from shelfread.index.facts import Facts, Listing
from shelfread.index.publication import Publication

ERRORS = (TypeError, ValueError, KeyError, IndexError, AttributeError)
"""What the decoding of other data raises."""


def encode_facts(facts: Facts) -> dict[str, Any]:
    """Return the facts of a file as plain data, without its path."""
    listings = list(facts.listings.values())
    index = {listing.entry: number for number, listing in enumerate(listings)}
    return {
        "entries": facts.entries,
        "papers": facts.papers,
        "awesome": facts.awesome,
        "landmarks": facts.landmarks,
        "references": [(link.page, link.anchor, link.url, link.fragment) for link in facts.references],
        "observations": [(*asked, form, count) for (asked, form), count in facts.observations.items()],
        "listings": [listing[1:] for listing in listings],
        "identities": [(key, index[listing.entry]) for key, listing in facts.identities],
        "used_definitions": sorted(facts.used_definitions),
        "is_generated": facts.is_generated,
        "generated_lists": sorted(facts.generated_lists),
        "material_links": sorted(facts.material_links),
    }


def decode_facts(data: dict[str, Any], path: str) -> Facts:
    """Return the facts of the file at a path."""
    listings = [_listing(path, *fields) for fields in data["listings"]]
    observations: Counter[Observation] = Counter()
    for topic, subject, form, count in data["observations"]:
        observations[question(topic, subject), form] = count
    return Facts(
        path=path,
        entries=data["entries"],
        papers=data["papers"],
        awesome=data["awesome"],
        landmarks=tuple([Landmark(*fields) for fields in data["landmarks"]]),
        references=tuple(
            [
                Reference(page, anchor, url, path, Span(*span))
                for page, anchor, url, span in data["references"]
            ]
        ),
        observations=observations,
        identities=tuple([(key, listings[number]) for key, number in data["identities"]]),
        used_definitions=frozenset([(label, url) for label, url in data["used_definitions"]]),
        is_generated=data["is_generated"],
        generated_lists=frozenset(data["generated_lists"]),
        material_links=frozenset(data["material_links"]),
    )


def _listing(
    path: str,
    entry: int,
    span: list[int],
    line: int,
    section: list[str],
    title: str,
    details: list[Any],
    keys: list[str],
    name: str,
    publication: list[Any] | None,
    *rest: Any,
) -> Listing:
    citation, year, description = details
    return Listing(
        path,
        entry,
        Span(*span),
        line,
        tuple(section),
        title,
        (citation, year, description),
        tuple(keys),
        name,
        None if publication is None else Publication(*publication),
        *rest,
    )
