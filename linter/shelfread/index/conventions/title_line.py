"""The parts of an entry's title line and the gaps between them, its labels, and the sections that hold entries."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise

from shelfread.core.diagnostics import Span
from shelfread.core.support.named_tuple import NamedTuple
from shelfread.core.support.regex import lazy
from shelfread.document.model import Document, Entry, LabelledLink
from shelfread.markdown.node import Link

# What no gap has: words, a new line, a cell of a table.
_NOT_GAP = lazy(r"[^\W_]|[\n\r|<>]")
_SPACES = lazy(r"[ \t]+")
_CLOSING = ",.;:!?)]"
_LONGEST_GAP = 12


class Gap(NamedTuple):
    """The text between two parts: spaces and punctuation only."""

    kind: str
    """The parts and the punctuation between them: `label-label `, `title-text :` ..."""
    form: str
    span: Span


def gaps(entry: Entry, text: str) -> Iterator[Gap]:
    """Yield the gaps of an entry's title line."""
    for (_, start, before), (end, _, after) in pairwise(_parts(entry)):
        if start <= end <= start + _LONGEST_GAP:
            form = text[start:end]
            punctuation = _punctuation(form)
            if punctuation is not None and text[end] not in _CLOSING:
                yield Gap(f"{before}-{after} {punctuation}", form, Span(start, end))


@lru_cache(maxsize=256)  # few gaps differ
def _punctuation(gap: str) -> str | None:
    """Return a gap without its spaces; None if it has words."""
    return None if _NOT_GAP.search(gap) else _SPACES.sub("", gap)


def _parts(entry: Entry) -> list[tuple[int, int, str]]:
    first, last = entry.title_line
    parts = []
    main = main_link(entry)
    if main is not None:
        parts.append((main.link.start, main.link.end, "link"))
    elif first <= entry.title.span.start < last:
        parts.append((*entry.title.span, "title"))
    if entry.citation is not None and first <= entry.citation.span.start < last:
        parts.append((*entry.citation.span, "venue"))
    if entry.kind == "classic" and entry.description is not None:
        parts.append((*entry.description.span, "text"))
    for _, _, link in entry.links if main is None else entry.links[1:]:
        if first <= link.start < last:
            parts.append((link.start, link.end, "label"))
    return sorted(parts)


def main_link(entry: Entry) -> LabelledLink | None:
    """Return the link that an entry's title is, is in, or begins with: `[Orca](u): A Serving System`."""
    first = entry.links[0] if entry.links else None
    return first if first and first.link.start <= entry.title.span.start < first.link.end else None


def labels_of(entry: Entry, text: str) -> Iterator[LabelledLink]:
    """Yield the links of an entry that are labels; of a classic entry only those in brackets, as others are prose."""
    for label in entry.links if main_link(entry) is None else entry.links[1:]:
        if entry.kind == "paper" or _is_bracketed(label.link, text):
            yield label


def _is_bracketed(link: Link, text: str) -> bool:
    """Return whether a link has brackets around it or in it: `([Code](u))`, `[[Code]](u)`."""
    return (
        text[link.start - 1 : link.start] in ("[", "(")
        or text[link.end : link.end + 1] in ("]", ")")
        or text[link.text.start : link.text.start + 1] in ("[", "(")
    )


def sections_with_entries(document: Document) -> set[int]:
    """Return the indexes of the sections that hold entries, and of their parents."""
    found: set[int] = set()
    for entry in document.entries:
        index = entry.section
        while index is not None and index not in found:
            found.add(index)
            index = document.sections[index].parent
    return found
