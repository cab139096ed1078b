"""The headings and entries of all files of a project, by parts of their names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from lsprotocol import types as lsp

from shelfread.core.diagnostics import Span
from shelfread.core.support.named_tuple import NamedTuple
from shelfread.index.facts import Facts
from shelfread.server.features.outline import shown
from shelfread.server.features.places import Place

MOST = 300
"""So many symbols are returned at most: more cannot be looked through."""


class Symbol(NamedTuple):
    """A heading or an entry, and the title of the section that it is in."""

    name: str
    kind: lsp.SymbolKind
    container: str
    place: Place


def find_symbols(files: Iterable[Facts], query: str) -> list[Symbol]:
    """Return the headings and entries whose name has all words of a query, in any case and order."""
    words = query.casefold().split()
    found: list[Symbol] = []
    for facts in files:
        for symbol in _symbols(facts):
            if all(word in symbol.name.casefold() for word in words):
                found.append(symbol)
                if len(found) == MOST:
                    return found
    return found


def _symbols(facts: Facts) -> Iterator[Symbol]:
    for landmark in facts.landmarks:
        if landmark.heading:
            span = Span(landmark.start, landmark.end)
            yield Symbol(shown(landmark.text), lsp.SymbolKind.Namespace, "", Place(facts.path, span))
    last = -1
    for _, listing in facts.identities:
        if listing.entry != last:  # an entry may have several keys
            last = listing.entry
            container = shown(listing.section[-1]) if listing.section else ""
            name = shown(listing.printed_title)
            yield Symbol(name, lsp.SymbolKind.Object, container, Place(facts.path, listing.span))
