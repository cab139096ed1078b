"""Venues with their years, in the form of the list."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from lsprotocol import types as lsp

from shelfread.core.support.regex import lazy
from shelfread.document.model import Document
from shelfread.index.context import RuleContext
from shelfread.index.conventions.conventions import Question
from shelfread.index.conventions.paper_style import VENUE_FORM
from shelfread.server.features.completion.cursor import Cursor, completion
from shelfread.server.features.places import section_around
from shelfread.taxonomy.vocabulary import Venue

_WORD = lazy(r"(?:^|(?P<mark>[(\[（【])|[\s*_,;|>\"'])(?P<word>[^\W\d_][\w&-]{0,30})$")
_REST = lazy(r"(?P<word>[\w&-]*)(?P<year>[\s'’‘`,(]{0,3}\d{2,4}\b)?")
_ENTRY = lazy(r"\s*(?:[-*+|]|\d{1,9}[.)])")
_GROUPS = {"(": " (", "（": " (", "[": " [", "【": " ["}
_MOST = 60


def complete_venue(
    cursor: Cursor, document: Document, context: RuleContext
) -> list[lsp.CompletionItem] | None:
    """Return the venues that a word in an entry may be the beginning of; None if there is no such word."""
    match = _WORD.search(cursor.before)
    if match is None:
        return None
    word, is_opened = match["word"], match["mark"] is not None
    if not is_opened and not (len(word) > 1 and word[0].isupper() and _ENTRY.match(cursor.before)):
        return None
    names = _names(document)
    year = _year(document, cursor.offset)
    group = _GROUPS.get(match["mark"] or "", "")
    found = [
        venue for venue in context.vocabulary.venues.values() if _begins(venue, names.get(venue.id, ""), word)
    ]
    found.sort(key=lambda venue: (venue.id not in names, venue.label))
    rest = _REST.match(cursor.after)
    behind, has_year = (rest.end("word"), rest["year"] is not None) if rest is not None else (0, False)
    items = []
    for order, venue in enumerate(found[:_MOST]):
        name = names.get(venue.id) or (venue.label_in(year) if year is not None else venue.label)
        text = name if has_year else name + _year_text(name, venue, group, year, context)
        items.append(
            completion(
                cursor,
                cursor.span(len(word), behind),
                text,
                kind=lsp.CompletionItemKind.Constant,
                detail=venue.name or venue.label,
                order=order,
                match=_spelling(venue, name, word),
            )
        )
    return items


def _names(document: Document) -> dict[str, str]:
    """Return the list's usual name of each venue, by its id."""
    counts: dict[str, Counter[str]] = {}
    for entry in document.entries:
        cited = entry.citation
        if cited is not None and cited.venue is not None and cited.name is not None:
            counts.setdefault(cited.venue.id, Counter())[cited.name.value] += 1
    return {id: names.most_common(1)[0][0] for id, names in counts.items()}


def _spellings(venue: Venue, name: str) -> Iterator[str]:
    yield from (name, venue.label, *venue.labels)


def _begins(venue: Venue, name: str, word: str) -> bool:
    folded = word.casefold()
    return any(label.casefold().startswith(folded) for label in _spellings(venue, name))


def _spelling(venue: Venue, name: str, word: str) -> str:
    """Return the spelling that a word is the beginning of, so that the client sees it too."""
    folded = word.casefold()
    return next((label for label in _spellings(venue, name) if label.casefold().startswith(folded)), name)


def _year_text(name: str, venue: Venue, group: str, year: int | None, context: RuleContext) -> str:
    """Return a year as the project writes it behind such a name; empty if it writes none, or none is known."""
    kind = "preprint" if venue.kind == "preprint" else "words" if " " in name else "name"
    forms = context.conventions.forms(Question(VENUE_FORM, f"{kind}{group}")) or context.conventions.forms(
        Question(VENUE_FORM, f"name{group}")
    )
    if year is None or not forms:
        return ""
    form = forms.most_common(1)[0][0]
    gap, digits = form.rstrip("Y"), len(form) - len(form.rstrip("Y"))
    return f"{gap}{str(year)[-digits:]}"


def _year(document: Document, offset: int) -> int | None:
    """Return the year of the section, else the latest one of the list."""
    index = section_around(document, offset)
    while index is not None:
        section = document.sections[index]
        if section.year is not None:
            return section.year
        index = section.parent
    return max((entry.year for entry in document.entries if entry.year is not None), default=None)
