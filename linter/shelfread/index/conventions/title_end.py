"""What follows a title: a full stop or none, and the closing markup."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from shelfread.core.diagnostics import Span
from shelfread.core.support.regex import lazy
from shelfread.document.model import Entry
from shelfread.document.plain_text import SHORTCODE
from shelfread.index.conventions.question import Observation, Topic, question

TITLE_END: Final = Topic("title-end")

_AFTER = lazy(r"[.。]?[*_\"”’`]{0,6}\]?[.。]?")
_ENDED = "?!…？！.:"
_SPACED_STOP = lazy(r"[ \t]{1,4}[.。]")
# An emoji behind a title is where its stop goes: `A Study of Jobs :fire:.`
_EMOJI = lazy(rf"[ \t]*(?:{SHORTCODE}|[\u2600-\u27bf\u2b50\U0001f300-\U0001faff])")
# `Building Safe A.I.`, `Papers of Examples Inc.`: the full stop is part of the word.
_ABBREVIATION = lazy(r"(?:\b[^\W\d_]|\b(?:Inc|Ltd|Co|Corp|etc|vs|al|Jr|Sr|Vol|No|ed))$")
STOPS = ".。"


def find_title_end(entry: Entry, text: str) -> Span | None:
    """Return the span of the closing markup and the full stop after a title; None if the title ends in another way."""
    end = entry.title.span.end
    if not (entry.title_line.start < end <= entry.title_line.end and _is_surely_paper(entry)):
        return None
    title = entry.title.value
    if title[-1:] in _ENDED or text[end - 1 : end] in _ENDED or title[-4:].isdigit():
        return None  # the year of a citation
    match = _AFTER.match(text, end, entry.title_line.end)
    if match is None or _SPACED_STOP.match(text, match.end(), entry.title_line.end):
        return None
    if _EMOJI.match(text, match.end(), entry.title_line.end):
        return None
    if match.end() > end and text[end] in STOPS and _ABBREVIATION.search(text, end - 6, end):
        return None
    return Span(*match.span())


def _is_surely_paper(entry: Entry) -> bool:
    """Return whether an entry is a paper with a proved title, and not a tool with a labelled link among papers."""
    if "title" in entry.uncertain:
        return False
    if entry.kind != "paper" or entry.citation is not None or entry.authors:
        return entry.kind == "paper"
    return any(label.role is not None and label.role.id == "paper" for label in entry.links)


def observe_title_end(entry: Entry, text: str) -> Iterator[Observation]:
    if (span := find_title_end(entry, text)) is not None:
        yield question(TITLE_END, entry.dialect), text[slice(*span)]
