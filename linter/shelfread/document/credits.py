"""Who made what the lines of a list name: speakers behind most talks, and people or firms between titles and venues."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from shelfread.core.diagnostics import Span
from shelfread.core.patterns import lazy
from shelfread.document.item_reader import first_inlines
from shelfread.document.model import Entry, Field
from shelfread.document.plain_text import PlainText, TextRange, render_plain_text
from shelfread.document.recognizers.organisations import (
    find_organisations,
    is_known_organisation,
    names_organisation,
)
from shelfread.document.recognizers.people import are_authors, are_named, find_people, has_title_word
from shelfread.document.years import find_year, find_year_at_end

_TIME = lazy(r"[\s,(\[]*\d{1,3}[:.]\d\d(?::\d\d)?[)\]]?\s*$")
_LAST_BRACKET = lazy(r"\s*(?:[(\[][^()\[\]]{0,80}[)\]]|（[^（）]{0,80}）)\s*$")
_BEFORE_PLACE = lazy(r",\s+|\s+(?:at|@)\s+|\s+[-–—|]\s+|(?<=\w\w)\.\s+")
_JOINT = lazy(r"[,;&@|(–—、，]|\s(?:-|and|at|et)\s")
_MAX_LENGTH, _MAX_PLACE_WORDS, _MAX_NAME_WORDS = 200, 6, 7
_WORDS_OF_NAMES = r"(?P<names>[^\W_][\w.'’-]*(?:,? (?:and |& )?[^\W\d_a-z][\w.'’-]*){0,6})"
# Where a text names who made the thing: all of it, its last line, and what stands before its first dash.
_NAMED = {
    "all": lazy(rf"{_WORDS_OF_NAMES}(?:,? \(?(?P<year>(?:19|20)\d\d)\)?)?\.?$"),
    "last line": lazy(r"(?s).*\n\s*(?P<names>[^\n]{2,60}?),? \(?(?P<year>(?:19|20)\d\d)\)?\.?$"),
    "lead": lazy(rf"{_WORDS_OF_NAMES} [-–—] (?=\S+ \S)"),
}
_SURE, _MIN_LAST, _DATED = 0.5, 2, 0.2  # people alone may be what a book list says of a book
_MIN_LINES, _SHARE = 4, 0.7
"""So many lines of a section or of the document, and so large a share, are people and what may be an occasion."""
_PLACED = 0.5
"""So many of those end with a time or what is no full name: people alone may be what a book list says of a book."""
_TAIL = lazy(r",\s+(?!(?:and|or)\s)(?P<names>[^\W\d_a-z][\w.'’-]*(?: [\w.'’&-]+){0,4})\s*,\s*\Z")
_MIN_TITLE, _MIN_MADE = 3, 2


class _Credit(NamedTuple):
    """The people in a line's text, by its offsets, without what may be the occasion."""

    plain: PlainText
    start: int
    end: int
    is_placed: bool
    """Whether more than people is said: a time or a year, or last words that are no full name."""
    year: int | None = None
    may_be_venue: bool = False
    """Whether it is one word before a year: `Stone (1999)`."""
    are_groups: bool = False


def read_credits(entries: list[Entry]) -> list[Entry]:
    """Return entries with the people behind their names as authors, where a section or the whole list has such lines."""
    described = [
        entry for entry in entries if (entry.kind == "classic" and entry.description) or _is_only_dated(entry)
    ]
    counts = Counter(entry.section for entry in described)
    credits: dict[Span, _Credit] = {}
    others: Counter[int | None] = (
        Counter()
    )  # the lines that are no credits: most lists have no need to read all
    left = (1 - _SHARE) * len(described) + 1
    for entry in described:
        if left < 0 and others[entry.section] > (1 - _SHARE) * counts[entry.section] + 1:
            continue
        credit = _read(entry)
        if credit is None:
            others[entry.section] += 1
            left -= 1
        else:
            credits[entry.span] = credit
    doubtful = sum(credit.may_be_venue for credit in credits.values())
    if doubtful > len(credits) - doubtful + sum(1 for entry in entries if entry.authors):
        credits = {span: credit for span, credit in credits.items() if not credit.may_be_venue}
    credited = Counter(entry.section for entry in described if entry.span in credits)
    in_all = len(credits) >= max(_SHARE * len(described), _MIN_LINES)
    sections = {
        section
        for section, count in counts.items()
        if in_all or credited[section] >= max(_SHARE * count, _MIN_LINES)
    }
    chosen = [
        credits[entry.span] for entry in described if entry.section in sections and entry.span in credits
    ]
    if not chosen or sum(credit.is_placed for credit in chosen) < _PLACED * len(chosen):
        return entries
    return [
        _with_people(entry, credits[entry.span])
        if entry.section in sections and entry.span in credits
        else entry
        for entry in entries
    ]


def read_makers(entries: list[Entry]) -> list[Entry]:
    """Return entries with the people that their texts name where most of those surely are people, and some have a year.

    `Ada Stone, 2000.`, `Ada Stone - Sorts books.`, or in a line of their own below the text.
    """
    found: dict[str, dict[Span, _Credit]] = {place: {} for place in _NAMED}
    sure, dates = Counter[str](), 0
    for entry in entries:
        if entry.kind != "classic" or entry.description is None or entry.authors:
            continue
        said = entry.description.value
        if not (_NAMED["all"].match(said) or _NAMED["lead"].match(said) or find_year_at_end(said)):
            continue  # most entries
        span, plain = entry.description.span, render_plain_text(first_inlines(entry.block))
        start, end = plain.range_of(span)
        for place, pattern in _NAMED.items():
            named = pattern.match(plain.text, start, end)
            names = named["names"] if named is not None else ""
            if named is None or (place != "last line" and (has_title_word(names) or not are_authors(names))):
                continue
            dated = named.groupdict().get("year")
            found[place][entry.span] = _Credit(
                plain, *named.span("names"), True, int(dated) if dated else None
            )
            sure[place] += are_authors(names) if dated else are_named(names)
            dates += place == "all" and dated is not None
            break
    makers = {
        span: (place, credit)
        for place, credits in found.items()
        if sure[place] >= max(_MIN_LAST if place == "last line" else _MIN_LINES, _SURE * len(credits))
        and (place != "all" or dates >= max(_MIN_LAST, _DATED * len(credits)))
        for span, credit in credits.items()
    }
    return (
        [_with_maker(entry, *makers[entry.span]) if entry.span in makers else entry for entry in entries]
        if makers
        else entries
    )


def _with_maker(entry: Entry, place: str, credit: _Credit) -> Entry:
    """Return an entry with the people that its text names in a place, and the rest of the text."""
    said, plain = entry.description, credit.plain
    made = _with_people(entry, credit)
    if said is None or place == "all":
        return made
    start, end = plain.range_of(said.span)
    if place == "lead":
        rest = TextRange(end - len(plain.text[credit.end : end].lstrip(" -–—")), end)
    else:
        rest = TextRange(start, len(plain.text[: credit.start].rstrip()))
    text = " ".join(plain.text[slice(*rest)].split())
    return made._replace(description=Field(text, plain.span(*rest)) if text else None)


def _with_people(entry: Entry, credit: _Credit) -> Entry:
    plain, start, end = credit[:3]
    name, groups = plain.text[start:end], list[Field]()
    if credit.are_groups:
        people, groups = [], find_organisations(plain, start, end)
    elif " " in name:
        people = find_people(plain, plain.text, start, end)
    else:
        people = [Field(name, plain.span(start, end))]  # `ada42`
    return entry._replace(
        authors=entry.authors or tuple(people),
        affiliations=entry.affiliations or tuple(groups),
        year=entry.year or credit.year,
        description=None,
        guessed=entry.guessed - {"description"} | {"authors"},
    )


def _is_only_dated(entry: Entry) -> bool:
    """Return whether a paper has no people, and states nothing but its year behind its title."""
    states = entry.authors or entry.citation or entry.description or entry.year_from_arxiv_id
    return entry.dialect == "linked-title" and entry.year is not None and not states


def _words_of(entry: Entry) -> tuple[PlainText, int, int] | None:
    """Return the range of what a line says behind the name: its description, or all up to the next link."""
    if not entry.block.blocks:
        return None
    if entry.description is None:
        plain = render_plain_text(entry.block.blocks[0].inlines)
        start = plain.offset(entry.title.span.end)
        end = next((link.start for link in plain.links if link.start >= start), len(plain.text))
        end = len(plain.text[:end].rstrip(" ["))
        return plain, end - len(plain.text[start:end].lstrip(" ,.:-–—|")), end
    first = _JOINT.split(entry.description.value[:_MAX_LENGTH], maxsplit=1)[0]
    is_dated = (bracket := _LAST_BRACKET.search(entry.description.value)) and find_year(bracket[0])
    if not (first[:1].isupper() or is_dated) or len(first.split()) > _MAX_NAME_WORDS:
        return None
    span, plain = entry.description.span, render_plain_text(entry.block.blocks[0].inlines)
    return plain, *plain.range_of(span)


def _read(entry: Entry) -> _Credit | None:
    """Return the people that a line names behind what they made, if it may say nothing else."""
    if entry.description is not None and len(entry.description.value) > _MAX_LENGTH:
        return None
    words = _words_of(entry)
    if words is None or words[2] - words[1] > 2 * _MAX_LENGTH:
        return None
    plain, start, end = words
    text = plain.text[start:end]
    timed = _TIME.search(text)
    text = text[: timed.start()] if timed else text
    bracket = _LAST_BRACKET.search(text)
    text = (text[: bracket.start()] if bracket else text).rstrip(" ,-–—")
    stated = find_year(bracket[0]) if bracket else None
    year = stated.year if stated else None
    if year is not None and (are_authors(text, minimum=0) or len(text.split()) == 1):
        may_be_venue = text.isascii() and text.isalpha()
        return _Credit(plain, start, start + len(text), True, year, may_be_venue)
    if year is not None and is_known_organisation(text):
        return _Credit(plain, start, start + len(text), True, year, are_groups=True)
    text = text.rstrip(".")
    cuts = list(_BEFORE_PLACE.finditer(text))
    if cuts:
        people, last = text[: cuts[-1].start()], text[cuts[-1].end() :]
        may_be_place = (
            len(last.split()) <= _MAX_PLACE_WORDS
            and not last.startswith(("and ", "& "))
            and (last[:1].isupper() or (last[:1].islower() and " " not in last))
        )
        dated = find_year(last)
        is_person = " " in last and dated is None and are_authors(last)
        if may_be_place and are_authors(people) and not (is_person and (year or entry.year)):
            year = year or (dated.year if dated else None)
            return _Credit(plain, start, start + len(people), timed is not None or not is_person, year)
    if not are_authors(text):
        return None
    is_placed = timed is not None or year is not None or entry.year is not None
    return _Credit(plain, start, start + len(text), is_placed, year)


def part_makers(entries: list[Entry]) -> list[Entry]:
    """Return entries with the makers that titles end with, where others have people there: `Tidy Shelves, Oak Inc, KDD 2014`."""
    papers = [entry for entry in entries if entry.kind == "paper" and entry.citation and entry.block.blocks]
    sure = sum(map(_are_before_venue, papers))
    if sure < _MIN_MADE:
        return entries
    parted: dict[Span, Entry] = {}
    for entry in papers:
        if not entry.authors and (made := _part_maker(entry)) is not None:
            parted[entry.span] = made
            names = (*made.authors, *made.affiliations)
            sure += any(are_named(name.value) or names_organisation(name.value) for name in names)
    return entries if 2 * sure < len(parted) else [parted.get(entry.span, entry) for entry in entries]


def _between(entry: Entry) -> tuple[PlainText, int, int]:
    """Return the line of a paper, and from where to where it goes on between the title and the venue."""
    plain = render_plain_text(entry.block.blocks[0].inlines)
    start = entry.citation.span.start if entry.citation is not None else entry.title.span.end
    return plain, plain.offset(entry.title.span.end), plain.offset(start)


def _are_before_venue(entry: Entry) -> bool:
    """Return whether people are all that stands between the title and the venue of a paper, behind commas."""
    if not entry.authors:
        return False
    plain, start, end = _between(entry)
    first, last = plain.offset(entry.authors[0].span.start), plain.offset(entry.authors[-1].span.end)
    are_all = start < first < last <= end
    return are_all and plain.text[start:first].strip() == plain.text[last:end].strip() == ","


def _part_maker(entry: Entry) -> Entry | None:
    """Return a paper with the maker behind the last comma before its venue, which no title has then."""
    plain, end, stop = _between(entry)
    start = plain.offset(entry.title.span.start)
    tail = _TAIL.search(plain.text, start, stop)
    if tail is None or len(plain.text[start : tail.start()].split()) < _MIN_TITLE:
        return None
    makers = find_people(plain, plain.text, *tail.span("names"))
    groups = [name for name in makers if names_organisation(name.value) or name.value.isupper()]
    people = [name for name in makers if name not in groups]
    if not all(are_authors(name.value.title()) and not has_title_word(name.value) for name in people):
        return None
    title = plain.text[start : min(tail.start(), end)]
    return entry._replace(
        title=Field(" ".join(title.split()), plain.span(start, start + len(title))),
        authors=tuple(people),
        affiliations=entry.affiliations or tuple(groups),
        guessed=entry.guessed | {"title", "authors" if people else "affiliations"},
    )
