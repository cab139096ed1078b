"""Which completions fit at an offset, in the form of the list: labels of links, venues, items of a table of contents, subjects."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from lsprotocol import types as lsp

from shelfread.core.diagnostics import Span
from shelfread.core.patterns import lazy
from shelfread.core.source import Source
from shelfread.core.wording import one_line
from shelfread.document.model import Document
from shelfread.format.house_style import HouseStyle, count_forms, find_house_style
from shelfread.format.restyle import find_title_lines
from shelfread.index.context import RuleContext
from shelfread.index.conventions import Question
from shelfread.index.item_style import Writer
from shelfread.index.observations import VENUE_FORM
from shelfread.index.table_of_contents import contents_of, is_section
from shelfread.server.open_documents import Positions
from shelfread.server.under_cursor import is_protected, section_around
from shelfread.taxonomy.label_forms import fold
from shelfread.taxonomy.vocabulary import Venue, Vocabulary

_WORDS = lazy(r"[^\W\d_]?[\w .+/-]{0,30}$")
_WORD = lazy(r"(?:^|(?P<mark>[(\[（【])|[\s*_,;|>\"'])(?P<word>[^\W\d_][\w&-]{0,30})$")
_REST = lazy(r"(?P<word>[\w&-]*)(?P<year>[\s'’‘`,(]{0,3}\d{2,4}\b)?")
_ENTRY = lazy(r"\s*(?:[-*+|]|\d{1,9}[.)])")
_GROUPS = {"(": " (", "（": " (", "[": " [", "【": " ["}
_MOST_VENUES = 60
Items: TypeAlias = list[lsp.CompletionItem]


class Cursor(NamedTuple):
    """An offset of a text, with the line around it, which is no Markdown yet."""

    positions: Positions
    offset: int
    before: str  # the line up to the offset
    after: str  # the line from the offset on
    line: int  # from 0

    def item(
        self,
        length: int,
        text: str,
        kind: lsp.CompletionItemKind,
        *,
        behind: int = 0,
        label: str = "",
        detail: str = "",
        order: int = 0,
        match: str = "",
    ) -> lsp.CompletionItem:
        """Return the item that replaces `length` characters before the offset and `behind` after it; clients compare `match` with them."""
        written = self.positions.range(Span(self.offset - length, self.offset + behind))
        return lsp.CompletionItem(
            label=label or text,
            kind=kind,
            detail=detail or None,
            sort_text=f"{order:06}",
            filter_text=match or text,
            text_edit=lsp.TextEdit(written, text),
        )


def cursor_at(source: Source, offset: int, positions: Positions) -> Cursor:
    line = source.line_at(offset)
    column = offset - source.starts[line]
    text = source.lines[line]
    return Cursor(positions, offset, text[:column], text[column:], line)


def complete_link_label(cursor: Cursor, document: Document, context: RuleContext) -> Items | None:
    """Return whole links with the labels that lists use; None if no bracket is open."""
    style = _house_style(document, context.vocabulary)
    before, opening, closing, after = style.label
    opened = _opened(cursor.before, f"{before}[{opening}")
    if opened is None:
        return None
    start, lead = opened
    closed = len(cursor.after) - len(cursor.after.lstrip("]"))
    return [
        cursor.item(
            len(cursor.before) - start,
            f"{before}[{opening}{words}{closing}](url){after}",
            lsp.CompletionItemKind.Field,
            behind=min(closed, lead.count("[")),
            label=words,
            detail=detail,
            order=order,
            match=f"{lead}{words}",
        )
        for order, (words, detail) in enumerate(_labels(style, context))
    ]


def _opened(line: str, lead: str) -> tuple[int, str] | None:
    """Return where the brackets before the last words begin, and as much of `lead` as is written of them."""
    match = _WORDS.search(line)
    end = match.start() if match is not None else len(line)
    for length in range(len(lead), 0, -1):
        if lead[:length].endswith("[") and line.endswith(lead[:length], 0, end):
            return end - length, lead[:length]
    return (end - 1, "[") if line.endswith("[", 0, end) else None


def _labels(style: HouseStyle, context: RuleContext) -> Iterator[tuple[str, str]]:
    """Yield labels and what is known of them: first the list's own, the most common first, then the vocabulary's."""
    used = context.conventions.role_labels
    given: set[str] = set()
    for role in sorted(used, key=lambda role: -used[role].total()):
        words, count = used[role].most_common(1)[0]
        given.add(role)
        yield words, f"{role}: {count} times in this project"
    for known in context.vocabulary.roles.values():
        if known.label not in given:
            yield style.words.get(known.id, known.label), "not used in this project"


@lru_cache(maxsize=4)  # the last readings of a few open documents
def _house_style(document: Document, vocabulary: Vocabulary) -> HouseStyle:
    lines, _ = find_title_lines(document, with_rows=True)
    return find_house_style(count_forms(lines.values(), vocabulary))


def complete_venue(cursor: Cursor, document: Document, context: RuleContext) -> Items | None:
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
    known = context.vocabulary.venues.values()
    venues = [venue for venue in known if _spelling(venue, names.get(venue.id, ""), word)]
    venues.sort(key=lambda venue: (venue.id not in names, venue.label))
    rest = _REST.match(cursor.after)
    behind, has_year = (rest.end("word"), rest["year"] is not None) if rest is not None else (0, False)
    items = []
    for order, venue in enumerate(venues[:_MOST_VENUES]):
        name = names.get(venue.id) or (venue.label_in(year) if year is not None else venue.label)
        text = name if has_year else name + _year_text(name, venue, group, year, context)
        items.append(
            cursor.item(
                len(word),
                text,
                lsp.CompletionItemKind.Constant,
                behind=behind,
                detail=venue.name or venue.label,
                order=order,
                match=_spelling(venue, name, word) or name,  # so that the client sees that it fits
            )
        )
    return items


def _names(document: Document) -> dict[str, str]:
    counts: dict[str, Counter[str]] = {}
    for entry in document.entries:
        cited = entry.citation
        if cited is not None and cited.venue is not None and cited.name is not None:
            counts.setdefault(cited.venue.id, Counter())[cited.name.value] += 1
    return {id: names.most_common(1)[0][0] for id, names in counts.items()}


def _spelling(venue: Venue, name: str, word: str) -> str | None:
    folded = word.casefold()
    spellings = (name, venue.label, *venue.labels)
    return next((spelling for spelling in spellings if spelling.casefold().startswith(folded)), None)


def _year_text(name: str, venue: Venue, group: str, year: int | None, context: RuleContext) -> str:
    """Return a year as the project writes it behind such a name; empty if it writes none, or none is known."""
    kind = "preprint" if venue.kind == "preprint" else "words" if " " in name else "name"
    forms_of = context.conventions.forms
    forms = forms_of(Question(VENUE_FORM, kind + group)) or forms_of(Question(VENUE_FORM, "name" + group))
    if year is None or not forms:
        return ""
    form = forms.most_common(1)[0][0]
    gap, digits = form.rstrip("Y"), len(form) - len(form.rstrip("Y"))
    return f"{gap}{str(year)[-digits:]}"


def _year(document: Document, offset: int) -> int | None:
    for index in document.above(section_around(document, offset)):
        if (year := document.sections[index].year) is not None:
            return year
    return max((entry.year for entry in document.entries if entry.year is not None), default=None)


# The characters that open what can be completed.
TRIGGERS = ("[", "(", "#")
_LONGEST_LINE = 10_000
_ITEM = lazy(r"[\s>]*(?:[-*+]|\d{1,9}[.)])\s+(?P<text>\[?[^\[\]]{0,80})$")
_HEADING = lazy(r" {0,3}#{1,6}[ \t]+(?P<text>.{0,80})$")
_MOST_SUBJECTS = 200


def complete(cursor: Cursor, document: Document, context: RuleContext) -> Items:
    """Return what may be written at a cursor; `document` is the last reading of the text, which may be older."""
    if len(cursor.before) > _LONGEST_LINE or is_protected(document, cursor.offset):
        return []
    for complete_kind in (complete_heading, complete_contents, complete_link_label, complete_venue):
        items = complete_kind(cursor, document, context)
        if items is not None:
            return items
    return []


def complete_contents(cursor: Cursor, document: Document, context: RuleContext) -> Items | None:
    """Return items of the table of contents, those that it omits first; None outside of one."""
    match = _ITEM.match(cursor.before)
    contents = contents_of(document, context) if match is not None else None
    if match is None or contents is None:
        return None
    if not any(part.block.first - 1 <= cursor.line <= part.block.last for part in contents.parts):
        return None  # neither in the contents, nor next to them
    written, writer = match["text"], Writer(document.source, contents)
    closed = int(written.startswith("[") and cursor.after.startswith("]"))
    listed = {item.heading for part in contents.parts for item in part.items}
    start = contents.parts[0].block.start
    items = []
    for index, heading in enumerate(contents.headings):
        if heading.title and heading.span.start > start:
            text = f"[{writer.label(heading)}]({writer.url(heading)})"
            items.append(
                cursor.item(
                    len(written),
                    text,
                    lsp.CompletionItemKind.Module,
                    behind=closed,
                    label=one_line(heading.title) or text,
                    detail=text,
                    order=index
                    + (len(contents.headings) if index in listed or not is_section(heading.title) else 0),
                    match=f"[{heading.title}" if written.startswith("[") else heading.title,
                )
            )
    return items


def complete_heading(cursor: Cursor, document: Document, context: RuleContext) -> Items | None:
    """Return the subjects that a heading may name; None in no heading, or without a taxonomy of subjects."""
    match = _HEADING.match(cursor.before)
    taxonomy = context.taxonomy
    if match is None or not taxonomy.concepts:
        return None
    written = fold(match["text"])
    items: dict[str, lsp.CompletionItem] = {}
    for label in taxonomy.labels:
        if label.kind not in ("prefLabel", "altLabel") or written not in fold(label.text):
            continue
        concept = taxonomy.match(label)
        items.setdefault(
            concept.preferred,
            cursor.item(
                len(match["text"]),
                concept.preferred,
                lsp.CompletionItemKind.Class,
                detail=one_line(concept.concept.definition or concept.concept.id),
                order=0 if fold(label.text).startswith(written) else 1,
                match=label.text,
            ),
        )
        if len(items) == _MOST_SUBJECTS:
            break
    return list(items.values())
