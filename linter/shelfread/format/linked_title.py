"""The style `linked-title`: `- [Title](u) (OSDI 2020) [[Code](v)]`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from shelfread.format.entry_habits import Habits, labels_with
from shelfread.format.entry_parts import (
    NOTHING,
    Label,
    Line,
    before,
    behind,
    pairs_of,
    target_of,
    words_of_label,
)
from shelfread.format.entry_rewrite import Way, is_paper
from shelfread.format.piece import Piece, rewrite
from shelfread.taxonomy.vocabulary import Vocabulary

# Labels that say no more than their address does, or the title that takes their place.
_PLAIN = re.compile(
    r"(?:papers?|arxiv|link|doi|openreview|acm|ieee|usenix|springer|论文|原文|論文)?[ -]?(?:pdf|abs|link|page)?",
    re.IGNORECASE,
)
_SEPARATORS = " \t,;|/·&"


def ways(line: Line, text: str, habits: Habits, vocabulary: Vocabulary) -> Iterator[Way] | str:
    """How a line could be written so that its title is its paper's link, the best first; or why it cannot."""
    at = next((at for at, label in enumerate(line.labels) if is_paper(label.link)), None)
    if at is None:
        return "its title line has no link to its paper"
    label = line.labels[at]
    words = words_of_label(label, text).strip(" `*_")
    cites = line.cites is not None and label.span.start <= line.cites.start < label.span.end
    if not cites and not _PLAIN.fullmatch(words):
        return f"its link's label '{words}' would be lost"
    target = target_of(label.link.link, text)
    if target is None or target.startswith("["):
        return "its paper's link is no inline link"
    return _ways(line, at, target, "" if cites else words, text, habits)


def _ways(line: Line, at: int, target: str, gone: str, text: str, habits: Habits) -> Iterator[Way]:
    label = line.labels[at]
    title = _inner(line, text)
    cited = text[line.cites.start : line.cites.end] if line.cites is not None and not gone else ""
    others = pairs_of(line, text)
    if (
        others is not None
        and NOTHING.fullmatch(behind(line, text))
        and (line.cites is None or cited or line.venue)
    ):
        del others[at]
        venue = cited or (text[line.cites.start : line.cites.end] if line.cites is not None else "")
        parts = [f"{habits.marks}[{title}]{target}{habits.marks}"]
        parts += [f"{habits.venue[0]}{venue}{habits.venue[1]}"] * bool(venue)
        parts += [labels_with(others, habits)] * bool(others)
        yield Way(before(line, text) + " ".join(parts), gone)
    # In place: the title's words become the link, the label goes.
    start, end = line.span
    said = f"{habits.venue[0]}{cited}{habits.venue[1]}" if cited else ""
    hole = _hole(label, text, bool(said))
    pieces = [Piece(*line.title, f"[{title}]{target}"), Piece(*hole, said)]
    yield Way(rewrite(text, pieces, start, end).rstrip(" \t"), gone)


def _inner(line: Line, text: str) -> str:
    return " ".join(text[line.title.start : line.title.end].split())


def _hole(label: Label, text: str, filled: bool) -> tuple[int, int]:
    """A label with what parts it from its neighbours: of several in brackets the separator goes with it."""
    start, end = label.span
    if filled:
        return start, end
    if label.form[0] or label.form[1]:
        while start and text[start - 1] in " \t":
            start -= 1
    elif text[start - 1 : start] in ("[", "("):
        while end < len(text) and text[end] in _SEPARATORS:
            end += 1
    else:
        while start and text[start - 1] in _SEPARATORS:
            start -= 1
    return start, end
