"""How labels are spelt: `GitHub`, and the `PyTorch` of `PyTorch(Author)`."""

from __future__ import annotations

from bisect import bisect_left
from collections import deque
from collections.abc import Iterator
from typing import Final

from shelfread.core.diagnostics import Span
from shelfread.core.support.named_tuple import NamedTuple
from shelfread.core.support.regex import lazy
from shelfread.document.model import Document
from shelfread.document.non_entries import RESULT
from shelfread.index.conventions.question import Observation, Topic, question
from shelfread.index.conventions.title_line import labels_of

LABEL: Final = Topic("label")

_COMPOUND = lazy(r"([^\W\d_][\w.+-]*)\s?[(（].+")
# The last link of a row is its label: `| [Official](u) |`.
_LABEL_OF_RESULT = lazy(r"\[?([^\W\d_][\w-]{1,19})\]?")
_END_OF_ROW = lazy(r"[ \t\])|]*(?![^\r\n])")


class SpeltLabel(NamedTuple):
    """The word of a label that is compared, the span of the link's text, and where the list has it."""

    word: str
    span: Span
    section: int | None


def find_labels(document: Document) -> Iterator[SpeltLabel]:
    """Yield the labels of entries and of the results in leaderboards; of a compound label its first word."""
    text = document.source.text
    results = deque(_labels_of_results(document))
    for entry in document.entries:
        while results and results[0].span.start < entry.span.start:
            yield results.popleft()
        for label in labels_of(entry, text):
            compound = _COMPOUND.fullmatch(label.label) if label.label[-1:] in ")）" else None
            word = compound[1] if compound is not None else label.label
            yield SpeltLabel(word, label.link.text, entry.section)
    yield from results


def _labels_of_results(document: Document) -> Iterator[SpeltLabel]:
    text = document.source.text
    results = [each.span for each in document.non_entries if each.reason == RESULT]
    starts = [link.start for link in document.links] if results else []
    sections = [section.span.start for section in document.sections]
    for span in results:
        section = bisect_left(sections, span.start) - 1
        for link in document.links[bisect_left(starts, span.start) : bisect_left(starts, span.end)]:
            match = _LABEL_OF_RESULT.fullmatch(text, *link.text)
            if match is not None and not link.image and _END_OF_ROW.match(text, link.end):
                yield SpeltLabel(match[1], link.text, section if section >= 0 else None)


def observe_labels(document: Document) -> Iterator[Observation]:
    for word, _, _ in find_labels(document):
        yield question(LABEL, word.casefold()), word
