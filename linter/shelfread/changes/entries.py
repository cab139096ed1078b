"""The entries and sections of documents, as they are compared."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from shelfread.changes.model import ListedEntry, SectionPath
from shelfread.core.diagnostics import Span
from shelfread.core.spans import find_parents
from shelfread.document.identity import fold_title, identity_keys
from shelfread.document.model import Document, Entry


def list_entries(documents: Iterable[Document]) -> list[ListedEntry]:
    """Return the entries of all documents in order."""
    found = []
    for document in documents:
        nested = _nested_spans(document.entries)
        previous_text = ""
        for index, entry in enumerate(document.entries):
            titles = document.sections[entry.section].path if entry.section is not None else ()
            title = fold_title(entry.title.value)
            text = _own_text(document.source.text, entry, nested.get(index, ()))
            listed = ListedEntry(
                document=document,
                entry=entry,
                section=SectionPath(document.source.path or "", titles),
                text=text,
                title=title,
                keys=tuple(identity_keys(entry, title)),
                previous_text=previous_text,
            )
            found.append(listed)
            previous_text = text
    return found


def list_sections(documents: Iterable[Document]) -> dict[SectionPath, None]:
    """Return the files and their sections in order; sections of the same path are one."""
    sections: dict[SectionPath, None] = {}
    for document in documents:
        path = document.source.path or ""
        sections[SectionPath(path)] = None
        for section in document.sections:
            sections[SectionPath(path, section.path)] = None
    return sections


def _nested_spans(entries: Sequence[Entry]) -> dict[int, list[Span]]:
    """Return the spans of the entries directly within others, by the outer entry's index."""
    found: dict[int, list[Span]] = {}
    for entry, parent in zip(entries, find_parents([entry.span for entry in entries]), strict=True):
        if parent >= 0:
            found.setdefault(parent, []).append(entry.span)
    return found


def _own_text(text: str, entry: Entry, nested: Iterable[Span]) -> str:
    """Return an entry's text without its list marker, which may be a number, and without nested entries."""
    words: list[str] = []
    start = entry.title_line.start
    for span in nested:
        words += text[start : span.start].split()
        start = max(start, span.end)
    words += text[start : entry.span.end].split()
    return " ".join(words)
