"""Who wrote it, where it stands in the title's own line: behind the title, or before it as in a bibliography."""

from __future__ import annotations

import re

from shelfread.core.support.regex import lazy
from shelfread.document.entry.labels import CONSUMED
from shelfread.document.entry.title_line import TitleLine
from shelfread.document.model import Field
from shelfread.document.plain_text import TextRange
from shelfread.document.recognizers.citation import blank_mentions
from shelfread.document.recognizers.organisations import (
    are_organisations,
    find_organisations,
    is_known_organisation,
)
from shelfread.document.recognizers.people import are_authors, find_people, is_list_of_people

_PIECE = lazy(r"[^\0\n|｜]+")
_BY = lazy(r"^[\s,.;:|(\[–—-]*(?:by\s+)?", re.IGNORECASE)
_BEHIND_DASH = lazy(r"\s*[–—-]\s+(?P<place>[^()\0\n|]{2,60}?)\s*(?:[(\[][^()\[\]]{4,20}[)\]])\s*$")
_DATED_PLACE = lazy(r"[(\[](?P<place>[^()\[\]\d,]{2,40}?),?\s+(?:19|20)\d\d[)\]]")
_SAYS = lazy(r"[^\W_]{2}")
_LONGEST = 3000


def read_byline(head: TitleLine, after: int) -> tuple[list[Field], list[Field]]:
    """The authors and affiliations that the title's line names."""
    if head.leading_authors is None and not _SAYS.search(head.unread, after):
        return [], []
    printed = head.plain
    rest = blank_mentions(head.unread[: after + _LONGEST], head.mentions, CONSUMED)
    runs = [run for run in (*printed.emphasis, *printed.strong) if after < run.end <= len(rest)]
    runs = [TextRange(max(run.start, after), run.end) for run in runs]
    slanted = len(runs)
    runs += [TextRange(after + match.start(), after + match.end()) for match in _PIECE.finditer(rest[after:])]
    if head.leading_authors is not None:
        slanted += 1
        runs.insert(0, head.leading_authors)
    authors: list[Field] = []
    affiliations: list[Field] = []
    for at, run in enumerate(runs[:100]):
        text = rest[run.start : run.end].replace(CONSUMED, " ")
        stripped = _BY.sub("", text)
        bare = stripped.strip(" ()[].,*")
        marked = at < slanted or len(text) - len(stripped) > 2 or rest[run.start - 1 : run.start] == "\n"
        if not authors and (
            run is head.leading_authors or (are_authors if marked else is_list_of_people)(stripped)
        ):
            authors = find_people(printed, rest, run.start + len(text) - len(stripped), run.end)
        elif not affiliations and 1 < len(bare) < 80:
            before = rest[: run.start].rstrip(" ")[-1:]
            if not bare.startswith("@") and before not in ("|", "｜", "(", "（"):
                continue
            if bare.startswith("@") or are_organisations(bare):
                start = rest.find(bare, run.start)
                bare = bare.removesuffix(" etc")
                affiliations = find_organisations(printed, start + bare.startswith("@"), start + len(bare))
    if not affiliations:
        affiliations = _read_place(head, rest, after)
    return authors, affiliations


def _read_place(head: TitleLine, rest: str, after: int) -> list[Field]:
    """An organisation with a date: `[Qwen](u) - Alibaba (Apr 2026)`, `Applying ... (Airbnb 2018)`."""
    behind = _BEHIND_DASH.match(rest, after)
    if behind is None and head.year is not None:
        line = head.plain.text[head.title.end if head.title else 0 :][:120]
        dated = _DATED_PLACE.search(line)
        if dated and is_known_organisation(dated["place"]):
            start = dated.start("place") + (head.title.end if head.title else 0)
            return find_organisations(head.plain, start, start + len(dated["place"]))
        return []
    if behind and are_organisations(behind["place"]):
        return find_organisations(head.plain, *behind.span("place"))
    return []
