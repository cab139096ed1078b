"""What a place in the lines of a series holds, as all lines show it together: people, a venue, a year, organisations.

A line alone is often ambiguous: `Klara Novak, Liang Zhou` may be people or two phrases, `Annals of Shelves` a venue or
prose. Where the same place of its siblings holds people or known venues, it is not.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import chain, pairwise
from typing import NamedTuple

from shelfread.core.diagnostics import Span
from shelfread.core.patterns import lazy
from shelfread.document.entry.prefix import names_nothing
from shelfread.document.model import Citation, Entry, Field
from shelfread.document.plain_text import PlainText, TextRange, render_plain_text
from shelfread.document.recognizers.organisations import (
    are_organisations,
    find_organisations,
    is_known_organisation,
)
from shelfread.document.recognizers.people import are_authors, are_surely_people, find_people
from shelfread.document.recognizers.unlisted_venues import VENUE_WORD
from shelfread.document.recognizers.venues import CITATION_WORDS, WORD, only_cites
from shelfread.document.years import DATE, DATE_AT_END, YEAR_FOLLOWS, find_year
from shelfread.markdown.node import Block, Inline
from shelfread.taxonomy.vocabulary import Vocabulary

# The characters of all cuts come first, so that a search jumps from one to the next.
_CUT = lazy(
    r"[\s|｜;；()\[\]（）【】\"“”.。:：](?:(?<=[\n|｜;；()\[\]（）【】\"“”])|(?<=\s)[-–—~•·]{1,3}\s"
    r"|(?<=[.。])(?<!\b[A-Z].)(?<!\bet al.)(?=\s|$)|(?<=[:：])\s|(?<=\w\s)by\s)"
)
_LISTED_BEFORE, _LISTED_AFTER = (", ", " and ", " & "), (", ", " and ", " & ", ", and ")
_IN = lazy(r"[\s,.*_]*[Ii]n:?\s+")
_MAX_DATE = 20
_BESIDE_FIELDS = CITATION_WORDS | frozenset("and by in et al the to appear with from of on at eds".split())
_BY = lazy(r"[\s,.*_]{0,9}by\s+")
_EDGE = " ,.*_'’()[]"
_MAX_VENUE_WORDS = 12
_MAX_LINE = 1000
_SAMPLE = 200
"""Of so many entries, spread over the list, what its places hold is decided."""
_MIN_VALUES = 3
"""So many lines have to hold something in a place before the place says anything."""
_STRONG_AGREEMENT = 0.75
"""So large a share outvotes what a line alone seemed to say."""
_STATED = 0.1
"""So large a share of the values has to state the field by itself: a known venue, a list of people, an organisation."""
_REPEATED = 0.3
"""So large a share of unknown venues repeats others, or has a word of venues: papers of a list share venues, tags have no year."""
_MIN_UNSTATED = 6
"""So many lines have to have names of people in a place where no line is surely a list of people."""
_AGREEMENT = 0.6
"""So large a share of the values of a place has to fit what the place holds: more than by chance, with odd ones out."""

Roles = tuple[str, ...]
"""The fields that a place holds, in order: `("authors", "venue")`."""


class Place(NamedTuple):
    """A place in the lines of a series: which side of the title, in which markup, after which separator, the how many-th."""

    side: str
    mark: str
    separator: str
    ordinal: int


class Value(NamedTuple):
    """What a line has in a place: its range and its words, of which a known venue is blanked."""

    plain: PlainText
    range: TextRange
    text: str
    roles: Roles
    """The fields that were read there."""
    is_read: bool
    """Whether it has no other words than those of its fields."""
    is_cited: bool
    """Whether it has a known venue."""


def read_places(entries: list[Entry], vocabulary: Vocabulary) -> list[Entry]:
    """Return entries with the fields that only their place in the line shows, which are uncertain."""
    step = -(-len(entries) // _SAMPLE) or 1
    sample = [list(_values(entry, vocabulary)) for entry in entries[::step]]
    decided = _decide_places(sample, vocabulary)
    if not decided:
        return entries
    fields = {field for roles, _ in decided.values() for field in roles}
    only_before = all(place.side == "before" for place in decided)
    read: list[Entry] = []
    for index, entry in enumerate(entries):
        if _lacks(entry, fields) and not (only_before and _begins_with_title(entry)):
            number, rest = divmod(index, step)
            values = _values(entry, vocabulary, decided) if rest else sample[number]
            entry = _reread(entry, values, decided, vocabulary)
        read.append(entry)
    return read


def _begins_with_title(entry: Entry) -> bool:
    return entry.title.span.start <= entry.title_line.start + 1


def _decide_places(
    lines: Iterable[Iterable[tuple[Place, Value]]], vocabulary: Vocabulary
) -> dict[Place, tuple[Roles, float]]:
    """Return what those places hold that some lines leave unread or read differently, and how much agrees."""
    places: defaultdict[Place, list[Value]] = defaultdict(list)
    for place, value in chain.from_iterable(lines):
        places[place].append(value)
    decided: dict[Place, tuple[Roles, float]] = {}
    for place, values in places.items():
        if len(values) >= _MIN_VALUES and not _is_settled(values):
            roles, share = _roles_of(values, vocabulary)
            if roles:
                decided[place] = roles, share
    return decided


def _is_settled(values: Sequence[Value]) -> bool:
    """Return whether all lines have the same fields in a place, of which none may be a venue: `Ann Lee, ACGS 2017`."""
    if not all(value.is_read and value.roles == values[0].roles for value in values):
        return False
    return "venue" in values[0].roles or {"authors", "name"}.isdisjoint(values[0].roles)


def _lacks(entry: Entry, fields: set[str]) -> bool:
    """Return whether an entry has not all of some fields, or a venue that is not known."""
    return (
        ("venue" in fields and not _is_known(entry))
        or ("authors" in fields and not entry.authors)
        or ("year" in fields and (entry.year is None or entry.year_from_arxiv_id))
        or ("affiliations" in fields and not entry.affiliations)
    )


def _reread(
    entry: Entry,
    values: Iterable[tuple[Place, Value]],
    decided: dict[Place, tuple[Roles, float]],
    vocabulary: Vocabulary,
) -> Entry:
    """Return an entry with what the places of its line hold."""
    read = entry
    for place, value in values:
        roles, share = decided.get(place, ((), 0.0))
        if not roles or (value.is_read and (value.roles == roles or share < _STRONG_AGREEMENT)):
            continue
        fields = _parse(value, roles, vocabulary)
        if fields is None or (value.is_read and fields.authors and fields.citation and not fields.year):
            continue
        read = _with_fields(read, fields, set(value.roles) - set(roles))
    return read


def _roles_of(values: Sequence[Value], vocabulary: Vocabulary) -> tuple[Roles, float]:
    """Return the fields that a place holds, and the share of its values that hold them or could."""
    stated = Counter(value.roles for value in values if value.is_read)
    least = max(_STATED * len(values), 2)
    candidates = [roles for roles, count in stated.most_common(3) if count >= least]
    if _holds(is_known_organisation, values, max(least, stated.total())):
        candidates = [("affiliations",)]
    elif _holds(lambda text: vocabulary.venue(text.strip(_EDGE)) is not None, values, least):
        candidates.append(("venue",))
    else:
        cited = (("authors", "venue"), ("venue",))
        candidates = [roles for roles in cited if _cite_venues(values, roles, vocabulary)] + candidates
    candidates += [roles for roles in (("year",), ("authors",)) if roles not in candidates]
    best: Roles = ()
    best_share = _AGREEMENT
    for roles in candidates:
        fitting = sum(
            value.roles == roles or _parse(value, roles, vocabulary) is not None for value in values
        )
        if roles == ("authors",) and roles not in stated and len(values) < _MIN_UNSTATED:
            continue
        if fitting > best_share * len(values):
            best, best_share = roles, fitting / len(values)
    return best, best_share


def _holds(test: Callable[[str], bool], values: Sequence[Value], least: float) -> bool:
    """Return whether a test of the words holds for so many values at least."""
    found = 0
    for index, value in enumerate(values):
        if found >= least or found + len(values) - index < least:
            break
        found += test(value.text)
    return found >= least


def _cite_venues(values: Sequence[Value], roles: Roles, vocabulary: Vocabulary) -> bool:
    """Return whether a place holds venues that nobody knows: beside years, and repeated or of the form of a venue."""
    names: list[str] = []
    for value in values:
        start, end = value.range
        before, after = value.plain.text[max(start - 8, 0) : start], value.plain.text[end : end + 12]
        if value.is_cited or not (find_year(value.text) or find_year(before) or YEAR_FOLLOWS.match(after)):
            continue
        fields = _parse(value, roles, vocabulary)
        if fields is not None and fields.citation is not None and fields.citation.name is not None:
            names.append(fields.citation.name.value)
    if len(names) < max(_AGREEMENT * len(values), _MIN_VALUES):
        return False
    people = sum(value.is_read and "authors" in value.roles for value in values)
    if roles == ("venue",) and 2 * people > len(names):
        return False
    repeated = len(names) - len(set(map(str.casefold, names)))
    formed = sum(VENUE_WORD.search(name) is not None for name in names)
    if max(repeated, formed) < _REPEATED * len(names):
        return False
    return sum(map(are_authors, names)) <= 0.5 * len(names)


def _values(
    entry: Entry, vocabulary: Vocabulary, wanted: Collection[Place] | None = None
) -> Iterator[tuple[Place, Value]]:
    """Yield what an entry's first lines have in each place outside of the title and the labels, or in `wanted` ones."""
    if entry.kind == "classic" and entry.description is not None:
        return
    fields = [("authors", author.span) for author in entry.authors]
    fields += [("affiliations", field.span) for field in entry.affiliations]
    if entry.citation is not None:
        fields.append(("venue", entry.citation.span))
    if entry.name is not None:
        fields.append(("name", entry.name.span))
    if entry.description is not None:
        fields.append(("description", entry.description.span))
    links = {
        link.link.start
        for link in entry.links
        if vocabulary.role(link.label) is not None or names_nothing(link.label)
    }
    sides = None if wanted is None else {place.side for place in wanted}
    for number, inlines in enumerate(_lines(entry.block)):
        side = f"line {number}" if number else "before"
        start, end = (inlines[0].start, inlines[-1].end) if inlines else (0, 0)
        has_title = start <= entry.title.span.start < end
        if sides is not None and side not in sides and not (has_title and "after" in sides):
            continue
        plain = render_plain_text(inlines)
        if len(plain.text) > _MAX_LINE:
            continue
        labels = [TextRange(link.start, link.end) for link in plain.links if link.link.start in links]
        title = _within(entry.title.span, plain)
        inside = [
            (found, role)
            for role, span in fields
            if span.start < end and start < span.end and (found := _within(span, plain)).end > found.start
        ]
        done: dict[tuple[str, str, str], int] = {}
        for piece, mark, separator in _pieces(plain, title):
            if title.start <= piece.start and piece.end <= title.end and title.end:
                side = "after"
            elif not any(_overlap(piece, label) for label in labels):
                key = (side, mark, separator)
                place = Place(*key, done.get(key, 0))
                done[key] = place.ordinal + 1
                if wanted is None or place in wanted:
                    yield place, _value(entry, plain, piece, inside)


def _within(span: Span, plain: PlainText) -> TextRange:
    return TextRange(plain.offset(span.start), plain.offset(span.end))


def _value(entry: Entry, plain: PlainText, piece: TextRange, fields: list[tuple[TextRange, str]]) -> Value:
    """Return what an entry has in a piece of its line."""
    text = rest = plain.text[piece.start : piece.end]
    inside = sorted(
        (found, role)
        for found, role in fields
        if _overlap(piece, found) and (role != "venue" or _is_inside(found, piece) or _is_known(entry))
    )
    is_cited = False
    for (start, end), role in inside:
        first, last = max(start - piece.start, 0), min(end - piece.start, len(text))
        rest = rest[:first] + " " * (last - first) + rest[last:]
        if role == "venue" and _is_known(entry):
            text = text[:first] + " " * (last - first) + text[last:]
            is_cited = True
    roles = list(dict.fromkeys(role for _, role in inside))
    if entry.year is not None and "venue" not in roles and str(entry.year) in rest:
        roles.append("year")
    is_read = bool(roles) and _BESIDE_FIELDS.issuperset(map(str.casefold, WORD.findall(rest)))
    return Value(plain, piece, text, tuple(roles), is_read, is_cited)


def _lines(block: Block) -> list[tuple[Inline, ...]]:
    """Return the inlines of a block's first paragraph and of the next few lines below it."""
    if block.inlines or not block.blocks or block.kind == "row":
        return [block.inlines]
    lines = [block.blocks[0].inlines]
    for child in block.blocks[1:3]:
        if child.kind == "paragraph":
            lines.append(child.inlines)
        elif child.kind == "list":
            lines += [item.blocks[0].inlines for item in child.blocks[:4] if item.blocks]
    return lines


def _pieces(plain: PlainText, title: TextRange) -> Iterator[tuple[TextRange, str, str]]:
    """Yield the title and the other pieces of a line that have words, the markup and the separator before each."""
    text = plain.text
    marks = [(*marked, name) for name in ("strong", "emphasis", "code") for marked in getattr(plain, name)]
    cuts = {0: 0, len(text): len(text), title.start: title.start, title.end: title.end}
    for start, end in ((marked[0], marked[1]) for marked in (*marks, *plain.links)):
        if not text.endswith(_LISTED_BEFORE, 0, start):  # people may be linked each
            cuts.setdefault(start, start)
        if not text.startswith(_LISTED_AFTER, end):
            cuts.setdefault(end, end)
    for match in _CUT.finditer(text, 0 if title.start else title.end):
        if not title.start <= match.start() < title.end:
            cuts[match.start()] = max(match.end(), cuts.get(match.start(), 0))
    offsets = sorted(at for at in cuts if not title.start < at < title.end)
    separator = ""
    for start, end in pairwise(offsets):
        begin = cuts[start]
        if begin > start:
            separator = text[start:begin].strip()[:1] or "\n"
        if begin >= end or not any(map(str.isalnum, text[begin:end])):
            continue
        names = [name for first, last, name in marks if first <= begin and end <= last]
        names += ["link" for link in plain.links if link.start <= begin < link.end][:1]
        yield TextRange(begin, end), " ".join(sorted(names)), separator
        separator = " "


def _is_known(entry: Entry) -> bool:
    return entry.citation is not None and entry.citation.venue is not None


def _is_inside(found: TextRange, piece: TextRange) -> bool:
    return piece.start <= found.start and found.end <= piece.end


def _overlap(span: TextRange, other: TextRange) -> bool:
    return span.start < other.end and other.start < span.end


class _Fields(NamedTuple):
    authors: tuple[Field, ...] = ()
    affiliations: tuple[Field, ...] = ()
    citation: Citation | None = None
    year: int | None = None


def _parse(value: Value, roles: Roles, vocabulary: Vocabulary) -> _Fields | None:
    """Return the fields of a value if it can hold what a place holds, else None."""
    text, start, plain = value.text, value.range.start, value.plain
    stated = find_year(text)
    if roles == ("year",):
        return _Fields(year=stated.year) if stated and DATE.fullmatch(text.strip(_EDGE)) else None
    year_end = DATE_AT_END.search(text, max(len(text) - _MAX_DATE, 0))
    first, end = 0, year_end.start() if year_end else len(text.rstrip(_EDGE))
    if value.is_cited:
        if "venue" not in roles:
            return None
        roles = tuple(role for role in roles if role != "venue")
    year = stated.year if stated else None
    people: tuple[Field, ...] = ()
    if "authors" in roles and (by := _BY.match(text, first, end)):
        first = by.end()
    is_bare = year is None or text[end : end + 1] == ","
    if (
        "authors" in roles
        and is_bare
        and are_authors(text[first:end])
        and not _ends_with_venue(text[first:end])
    ):
        roles = ("authors",)  # this line states no venue
    if "authors" in roles:
        last = text.rfind(",", first, end) if "venue" in roles else end
        if last < 0 or not are_authors(text[first:last], minimum=1):
            return None
        shown = plain.text[:start] + text + plain.text[value.range.end :]
        people = tuple(find_people(plain, shown, start + first, start + last))
        first = last
    if "affiliations" in roles:
        organisations = tuple(find_organisations(plain, start + first, start + end))
        return _Fields(people, organisations, year=year) if are_organisations(text[first:end]) else None
    if "venue" not in roles:
        return _Fields(people, year=year) if people else None
    lead = _IN.match(text, first, end)
    first = lead.end() if lead else first
    name = text[first:end].strip(_EDGE)
    words = name.split()
    if not words or len(words) > _MAX_VENUE_WORDS or not (name[0].isupper() or name[0].isdigit()):
        return None
    if only_cites(name):
        return None  # a date
    if "et al" in name or are_surely_people(name):
        return None
    first = start + text.index(name, first)
    last = start + len(text.rstrip(_EDGE)) if year_end else first + len(name)
    known, role = vocabulary.venue(name), vocabulary.role(name)
    if known is None and role is not None and role.id != "paper":
        return None  # the label of a link that got lost: `[Repo]`
    field = Field(" ".join(words), plain.span(first, first + len(name)))
    cited = " ".join(plain.text[first:last].split())
    return _Fields(people, citation=Citation(cited, plain.span(first, last), known, year, field), year=year)


def _ends_with_venue(people: str) -> bool:
    """Return whether the last of several people rather is a venue: one word where others have two, or a word of venues."""
    *others, last = people.strip(_EDGE).split(", ")
    is_name = " " in last or not others or any(" " not in name.strip() for name in others)
    return not is_name or VENUE_WORD.search(last.casefold()) is not None


def _without(authors: Iterable[Field], citation: Citation) -> Iterator[Field]:
    """Yield people without what rather is the citation: `Ada Stone. Annals of Shelves`."""
    for author in authors:
        start, end = author.span
        if end <= citation.span.start or citation.span.end <= start:
            yield author
        elif start < citation.span.start and len(author.value) == end - start:
            name = author.value[: citation.span.start - start].rstrip(" ,.;")
            yield Field(name, Span(start, start + len(name)))


def _with_fields(entry: Entry, fields: _Fields, wrong: set[str]) -> Entry:
    """Return an entry with what its place in the line shows, known as uncertain, and without `wrong` fields."""
    if fields.citation is None and len(fields.authors) < len(entry.authors):
        return entry  # some of them stand elsewhere in the line
    citation = entry.citation
    if fields.authors and citation is not None and not _is_known(entry):
        first, last = fields.authors[0].span.start, fields.authors[-1].span.end
        if citation.span.start < last and first < citation.span.end:
            citation = None  # it was cut out of the people
    authors = entry.authors
    if "authors" in wrong:
        authors = tuple(_without(authors, fields.citation)) if fields.citation is not None else ()
    has_year = entry.year is not None and not entry.year_from_arxiv_id
    affiliations = () if "affiliations" in wrong else entry.affiliations
    is_new = fields.citation is not None and fields.citation.venue is None and citation is None
    return entry._replace(
        name=None if "name" in wrong else entry.name,
        description=None if "description" in wrong else entry.description,
        authors=fields.authors or authors,
        affiliations=affiliations or fields.affiliations,
        citation=citation or fields.citation,
        year=entry.year if has_year else fields.year or entry.year,
        year_from_arxiv_id=entry.year_from_arxiv_id and fields.year is None,
        guessed=entry.guessed | {"venue"} if is_new else entry.guessed,
    )
