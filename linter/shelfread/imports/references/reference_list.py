"""Reads reference lists."""

from __future__ import annotations

from shelfread.core.source import Source
from shelfread.core.support.regex import lazy
from shelfread.imports.mending import straighten, words_of
from shelfread.imports.model import Import, ImportedEntry, Unread
from shelfread.imports.references.parse import read_reference
from shelfread.imports.references.split import split_references
from shelfread.taxonomy.vocabulary import Vocabulary

KIND = "references"
_MARKED = lazy(r"^[ \t|]*\[(?:\d{1,4}|[A-Za-z][\w+]{1,12}\d{2}[a-z]?)\](?![(:\[])\s*[^\W\d_a-z\"“]", 8)
_LINKED = lazy(r"\]\([^)\s]")


def looks_like(text: str) -> bool:
    """Return whether a text begins its references with marks such as `[1]`, and has no links of Markdown."""
    return _MARKED.search(text) is not None and _LINKED.search(text) is None


def read(source: Source, vocabulary: Vocabulary) -> Import:
    """Return the references of a text. One without a title is left out."""
    text = straighten(source.text.replace("\r\n", "\n").replace("\r", "\n"))
    marked = looks_like(text)
    words = words_of(text, vocabulary)
    entries: list[ImportedEntry] = []
    unread: list[Unread] = []
    for reference in split_references(text):
        entry = read_reference(reference, words, vocabulary, source.path)
        if entry is None:
            unread.append(Unread(reference.line, "a reference without a title"))
        elif not (marked or _states_something(entry)):
            unread.append(
                Unread(reference.line, "neither authors nor venue, year or address: this is no reference")
            )
        else:
            entries.append(entry)
    return Import(entries, unread)


def _states_something(entry: ImportedEntry) -> bool:
    """Return whether an entry has more than words that could be a title."""
    return bool(entry["authors"] or entry["year"] or entry["venue"] or entry["links"])
