"""What stands after a title: a full stop or none, and the marks around it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from shelfread.core.diagnostics import Span
from shelfread.core.support.regex import lazy
from shelfread.document.model import Entry
from shelfread.index.conventions.question import Observation, Question, Topic

TITLE_END: Final = Topic("title-end")

_AFTER = lazy(r"[.。]?[*_\"”’`]{0,6}\]?[.。]?")
_ENDED = "?!…？！.:"
_APART = lazy(r"[ \t]{1,4}[.。]")
# `Building Safe A.I.`, `Papers of Examples Inc.`: the full stop is the word's.
_SHORTENED = lazy(r"(?:\b[^\W\d_]|\b(?:Inc|Ltd|Co|Corp|etc|vs|al|Jr|Sr|Vol|No|ed))$")
STOPS = ".。"


def find_title_end(entry: Entry, text: str) -> Span | None:
    """The full stop after a title with the marks that close it; None where a title ends otherwise."""
    end = entry.title.span.end
    if (
        entry.kind != "paper"
        or not entry.title_line.start < end <= entry.title_line.end
        or not _is_surely_paper(entry)
    ):
        return None
    title = entry.title.value
    if title[-1:] in _ENDED or text[end - 1 : end] in _ENDED or title[-4:].isdigit():
        return None  # a year ends a citation
    match = _AFTER.match(text, end, entry.title_line.end)
    if match is None or _APART.match(text, match.end(), entry.title_line.end):
        return None
    if match.end() > end and text[end] in STOPS and _SHORTENED.search(text, end - 6, end):
        return None
    return Span(*match.span())


def _is_surely_paper(entry: Entry) -> bool:
    """Whether an entry is more than a tool with a label link among papers."""
    if entry.citation is not None or entry.authors:
        return True
    return any(one.role is not None and one.role.id == "paper" for one in entry.links)


def observe_title_end(entry: Entry, text: str) -> Iterator[Observation]:
    """Whether an entry's title ends with a full stop, and where among the marks."""
    span = find_title_end(entry, text)
    if span is not None:
        yield Observation(Question(TITLE_END, entry.dialect), text[slice(*span)])
