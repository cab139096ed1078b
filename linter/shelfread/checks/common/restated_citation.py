"""Another venue and year in the place and the form of those that an entry states."""

from __future__ import annotations

from shelfread.core.diagnostics import Edit
from shelfread.core.patterns import lazy
from shelfread.document.model import Citation, Entry
from shelfread.index.facts import Publication

_SEPARATORS = lazy(r"[\s,.:;'’‘`()\[\]_-]*")
_ID = lazy(r"[\s,.:;()\[_-]{1,4}\d{4}\.\d{4,5}(?:v\d{1,2})?")


def restate(entry: Entry, cited: Citation, stated: Publication, text: str) -> tuple[Edit, ...]:
    """Return edits that put another venue and year into a citation; none if it says more than these."""
    name, year = cited.name, cited.year_span(text)
    if name is None or entry.is_heading:
        return ()  # other words in a heading change its anchor
    if stated.year is None and cited.year is not None:
        return ()
    if any(label.link.start <= cited.span.start < label.link.end for label in entry.links):
        return ()  # a label describes its own link
    if not cited.span.start <= name.span.start <= name.span.end <= cited.span.end:
        return ()
    if year is None and entry.year is not None and not entry.year_from_arxiv_id and cited.year is None:
        return ()  # the year is stated elsewhere
    front, back = text[cited.span.start : name.span.start], text[name.span.end : cited.span.end]
    if not _SEPARATORS.fullmatch(front):
        return ()
    if not back or _ID.fullmatch(back):
        back = f" {stated.year}" if stated.year else ""
    elif year is not None and year.start >= name.span.end:
        start, end = year.start - name.span.end, year.end - name.span.end
        if not _SEPARATORS.fullmatch(back[:start] + back[end:]):
            return ()
        back = back[:start] + str(stated.year)[start - end :] + back[end:]
    else:
        return ()
    return (Edit.reword(cited.span, text[slice(*cited.span)], front + stated.name + back),)
