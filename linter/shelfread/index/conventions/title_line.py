"""What lists are made of: the parts of an entry's title line and what parts them, labels, sections with entries."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from shelfread.core.diagnostics import Span
from shelfread.core.support.regex import lazy
from shelfread.document.model import Document, Entry, LabelledLink
from shelfread.markdown.node import Link

# Words, a new line or cell: what stands between two parts is then more than blanks and marks.
_MORE = lazy(r"[^\W_]|[\n\r|<>]")
_BLANKS = lazy(r"[ \t]+")
_CLOSING = ",.;:!?)]"
_LONGEST_GAP = 12


class Gap(NamedTuple):
    """What stands between two parts; only blanks and marks."""

    kind: str
    """The parts and the marks between them: `label-label `, `title-text :` ..."""
    form: str
    span: Span


def gaps(entry: Entry, text: str) -> Iterator[Gap]:
    """The gaps of an entry's title line, where nothing but blanks and marks stands between two parts."""
    parts = _parts(entry)
    for (_, start, before), (end, _, after) in pairwise(parts):
        if start <= end <= start + _LONGEST_GAP:
            form = text[start:end]
            marks = _marks_of(form)
            if marks is not None and text[end] not in _CLOSING:
                yield Gap(f"{before}-{after} {marks}", form, Span(start, end))


@lru_cache(maxsize=256)  # there are few
def _marks_of(gap: str) -> str | None:
    """What a gap has beside blanks; None for what is no gap."""
    return None if _MORE.search(gap) else _BLANKS.sub("", gap)


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
    for label in entry.links if main is None else entry.links[1:]:
        start = label.link.start
        if first <= start < last:
            parts.append((start, label.link.end, "label"))
    parts.sort()
    return parts


def main_link(entry: Entry) -> LabelledLink | None:
    """The link that an entry's title is, is in, or begins with: `[Orca](u): A Serving System`."""
    if entry.links:
        first = entry.links[0]
        if first.link.start <= entry.title.span.start < first.link.end:
            return first
    return None


def labels_of(entry: Entry, text: str) -> Iterator[LabelledLink]:
    """The links of an entry that are labels; of a classic one's, whose text is prose, those in brackets."""
    for label in entry.links if main_link(entry) is None else entry.links[1:]:
        if entry.kind == "paper" or _is_bracketed(label.link, text):
            yield label


def _is_bracketed(link: Link, text: str) -> bool:
    """`([Code](u))`, `[[Code]](u)`."""
    return (
        text[link.start - 1 : link.start] in ("[", "(")
        or text[link.end : link.end + 1] in ("]", ")")
        or text[link.text.start : link.text.start + 1] in ("[", "(")
    )


def sections_with_entries(document: Document) -> set[int]:
    """The sections that hold entries, and those above them."""
    found: set[int] = set()
    for entry in document.entries:
        index = entry.section
        while index is not None and index not in found:
            found.add(index)
            index = document.sections[index].parent
    return found
