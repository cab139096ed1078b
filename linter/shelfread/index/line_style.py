"""How entries lay out their title line: the gaps between its parts, and the spelling and the order of its labels."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations, pairwise
from typing import Final, NamedTuple

from shelfread.core.diagnostics import Span
from shelfread.core.patterns import lazy
from shelfread.document.model import Document, Entry, LabelledLink
from shelfread.index.conventions import LABEL, Observation, Topic, question
from shelfread.markdown.node import Link

# What no gap has: words, a new line, a cell of a table.
_NOT_GAP = lazy(r"[^\W_]|[\n\r|<>]")
_SPACES = lazy(r"[ \t]+")
_CLOSING = ",.;:!?)]"
_LONGEST_GAP = 12

_COMPOUND = lazy(r"([^\W\d_][\w.+-]*)\s?[(（].+")
# The last link of a row is its label: `| [Official](u) |`.
LABEL_ORDER: Final = Topic("label-order")

_MAX_LABELS = 6  # at most so many labels of an entry are compared with each other


class Gap(NamedTuple):
    """The text between two parts: spaces and punctuation only."""

    kind: str  # the parts and the punctuation between them: `label-label `, `title-text :` ...
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
    indexes: set[int] = set()
    for entry in document.entries:
        index = entry.section
        while index is not None and index not in indexes:
            indexes.add(index)
            index = document.sections[index].parent
    return indexes


class SpeltLabel(NamedTuple):
    """The word of a label that is compared, the span of the link's text, and where the list has it."""

    word: str
    span: Span
    section: int | None


def find_labels(document: Document) -> Iterator[SpeltLabel]:
    """Yield the labels of entries, of a compound label its first word, and those that end rows of other tables."""
    text = document.source.text
    for entry in document.entries:
        for label in labels_of(entry, text):
            compound = _COMPOUND.fullmatch(label.label) if label.label[-1:] in ")）" else None
            word = compound[1] if compound is not None else label.label
            yield SpeltLabel(word, label.link.text, entry.section)
    rows = {entry.block.start for entry in document.entries}
    for table in document.tree.blocks:
        if table.kind == "table" and rows.isdisjoint(row.start for row in table.blocks):
            for link in (node for row in table.blocks for node in row.blocks[-1].inlines):
                if isinstance(link, Link) and (word := text[slice(*link.text)]).isalpha():
                    yield SpeltLabel(word, link.text, None)


def observe_labels(document: Document) -> Iterator[Observation]:
    for word, _, _ in find_labels(document):
        yield question(LABEL, word.casefold()), word


def compare_labels(first: LabelledLink, second: LabelledLink) -> Observation | None:
    """Return which of two labels comes first; None for two labels of one role."""
    kind, other = _kind(first), _kind(second)
    if kind == other:
        return None
    return question(LABEL_ORDER, f"{min(kind, other)} {max(kind, other)}"), kind


def observe_label_order(entry: Entry, text: str) -> Iterator[Observation]:
    """Yield the order of each two labels of an entry."""
    if len(entry.links) < 2:
        return
    for first, second in combinations(list(labels_of(entry, text))[:_MAX_LABELS], 2):
        if (order := compare_labels(first, second)) is not None:
            yield order


def _kind(label: LabelledLink) -> str:
    """Return a label's role, or the label itself if it has none, as one word."""
    return label.role.id if label.role is not None else "_".join(label.label.casefold().split())
