"""Documents as entries on shelves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from shelfread.changes.model import ListedEntry, SectionPath
from shelfread.core.diagnostics import Span
from shelfread.document.identity.keys import fold_title, identity_keys
from shelfread.document.model import Document, Entry


def list_entries(documents: Iterable[Document]) -> list[ListedEntry]:
    """The entries of all documents in order."""
    return [one for document in documents for one in _entries(document)]


def list_sections(documents: Iterable[Document]) -> dict[SectionPath, None]:
    """The files and their sections in order; sections of one path are one."""
    shelves: dict[SectionPath, None] = {}
    for document in documents:
        path = document.source.path or ""
        shelves[SectionPath(path)] = None
        for section in document.sections:
            shelves[SectionPath(path, section.path)] = None
    return shelves


def _entries(document: Document) -> Iterator[ListedEntry]:
    path = document.source.path or ""
    nested = _nested(document.entries)
    follows = ""
    for index, entry in enumerate(document.entries):
        section = document.sections[entry.section].path if entry.section is not None else ()
        title = fold_title(entry.title.value)
        text = _own_text(document.source.text, entry, nested.get(index, ()))
        keys = tuple(identity_keys(entry, title))
        yield ListedEntry(document, entry, SectionPath(path, section), text, title, keys, follows)
        follows = text


def _nested(entries: Iterable[Entry]) -> dict[int, list[Span]]:
    """The spans of the entries that stand directly within others, by the outer one's index."""
    found: dict[int, list[Span]] = {}
    around: list[tuple[int, Entry]] = []
    for index, entry in enumerate(entries):
        while around and around[-1][1].span.end <= entry.span.start:
            around.pop()
        if around:
            found.setdefault(around[-1][0], []).append(entry.span)
        around.append((index, entry))
    return found


def _own_text(text: str, entry: Entry, nested: Iterable[Span]) -> str:
    """An entry from its title line on: without its marker, which counts in a numbered list."""
    words: list[str] = []
    at = entry.title_line.start
    for span in nested:
        words += text[at : span.start].split()
        at = max(at, span.end)
    words += text[at : entry.span.end].split()
    return " ".join(words)
