"""The style `linked-title`: `- [Title](u) (OSDI 2020) [[Code](v)]`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from shelfread.format.entries.house_style import Habits, labels_with
from shelfread.format.entries.rewrite import Way, is_paper
from shelfread.format.entries.title_parts import (
    NOTHING,
    Label,
    Line,
    before,
    behind,
    pairs_of,
    target_of,
    words_of_label,
)
from shelfread.format.layout.replacement import Piece, rewrite
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
    link = line.labels[at].link.link
    target = target_of(link, text)
    if target is None or target.startswith("["):
        return "its paper's link is no inline link"
    if not link.url:
        return "its paper's link leads nowhere"
    return _ways(line, at, target, text, habits)


def _ways(line: Line, at: int, target: str, text: str, habits: Habits) -> Iterator[Way]:
    label = line.labels[at]
    title = " ".join(text[line.title.start : line.title.end].split())
    words = words_of_label(label, text).strip()
    gone = words if _PLAIN.fullmatch(words.strip("`*_ ")) else ""
    kept = f"{habits.venue[0]}{words}{habits.venue[1]}" if not gone else ""
    linked = f"[{title}]{target}"
    others = pairs_of(line, text)
    if others is not None and NOTHING.fullmatch(behind(line, text)):
        del others[at]
        parts = [f"{habits.marks}{linked}{habits.marks}"]
        if line.venue is not None and line.cites is not None:
            parts.append(f"{habits.venue[0]}{text[line.cites.start : line.cites.end]}{habits.venue[1]}")
        parts += [kept] * bool(kept) + [labels_with(others, habits)] * bool(others)
        yield Way(before(line, text) + " ".join(parts), gone)
    # In place: the title's words become the link, the label goes.
    start, end = line.span
    hole = Piece(*_hole(label, text, bool(kept)), kept)
    yield Way(rewrite(text, [Piece(*line.title, linked), hole], start, end).rstrip(" \t"), gone)
    marks = line.marks if line.marks[:1] in ("*", "_") else ""
    yield Way(
        rewrite(text, [Piece(*line.outer, f"{marks}{linked}{marks}"), hole], start, end).rstrip(" \t"), gone
    )


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
