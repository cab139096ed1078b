"""What a place in the lines of a series holds, as all lines show it together: people, a venue, a year, organisations.

A line alone is often ambiguous: `Klara Novak, Liang Zhou` may be people or two phrases, `Annals of Shelves` a venue or
prose. Where the same place of its siblings holds people or known venues, it is not.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from shelfread.core.diagnostics import Span
from shelfread.core.patterns import lazy
from shelfread.document.entry.prefix import names_something_only
from shelfread.document.entry.remarks import is_prose
from shelfread.document.line_places import (
    Place,
    Roles,
    Value,
    has_known_venue,
    hold_names,
    line_values,
    may_cite,
    name_in,
    overlap,
    says_no_more,
)
from shelfread.document.model import Citation, Entry, Field
from shelfread.document.recognizers import WORDS
from shelfread.document.recognizers.organisations import (
    are_organisations,
    find_organisations,
    is_known_organisation,
    is_organisation,
    names_organisation,
)
from shelfread.document.recognizers.people import (
    BEFORE_PEOPLE,
    are_authors,
    are_named,
    are_names,
    are_surely_people,
    find_people,
)
from shelfread.document.recognizers.unlisted_venues import VENUE_WORD, is_acronym
from shelfread.document.recognizers.venues import only_cites
from shelfread.document.years import DATE, DATE_AT_START, YEAR_FOLLOWS, find_year, find_year_at_end
from shelfread.taxonomy.vocabulary import Vocabulary

_IN = lazy(r"[\s,.*_@]*(?:[Ii]n:?\s+(?:Proc(?:eedings|\.)\s(?:of\s)?(?:the\s)?)?)")
_EDGE = " ,.*_'’()[]"
_MAX_VENUE_WORDS = 12
_SAMPLE = 200  # of so many entries, spread over the list, what its places hold is decided
_MIN_TITLE = 3  # words of a title that a citation may follow
_MIN_VALUES = 3  # so many lines have to hold something in a place before the place says anything
_STRONG_AGREEMENT = 0.75  # so large a share outvotes what a line alone seemed to say
# So large a share of the values has to state the field by itself: a known venue, a list of people, an
# organisation.
_STATED = 0.1
# So large a share of unknown venues repeats others, or has a word of venues: papers of a list share venues,
# tags have no year.
_REPEATED = 0.3
# So many lines have to have names of people in a place where no line is surely a list of people.
_MIN_UNSTATED = 6
# So large a share of the values of a place has to fit what the place holds: more than by chance, with odd
# ones out.
_AGREEMENT = 0.6


def read_places(entries: list[Entry], vocabulary: Vocabulary) -> list[Entry]:
    """Return entries with the fields that only their place in the line shows, which are guessed."""
    return [_with_name(entry) if _is_named(entry) else entry for entry in _read_places(entries, vocabulary)]


def _is_named(entry: Entry) -> bool:
    """Return whether what stands where others have venues is the name of what is told: `[[Oak](u)] Oak is a library`."""
    cited = entry.citation
    if cited is None or cited.venue is not None or entry.year is not None:
        return False
    return cited.text.split()[0] in entry.title.value.split()[:2]


def _with_name(entry: Entry) -> Entry:
    name = entry.citation.name if entry.citation is not None else None
    return entry._replace(
        citation=None, name=entry.name or name, guessed=entry.guessed - {"venue"} | {"name"}
    )


def _read_places(entries: list[Entry], vocabulary: Vocabulary) -> list[Entry]:
    step = -(-len(entries) // _SAMPLE) or 1
    citing = _citing_sections(entries)
    sample = [list(line_values(entry, vocabulary, citing=citing)) for entry in entries[::step]]
    decided = _decide_places(sample, vocabulary)
    if not decided:
        return entries
    fields = {field for roles, _ in decided.values() for field in roles}
    only_before = all(place.side == "before" for place in decided)
    read: list[Entry] = []
    for index, entry in enumerate(entries):
        if _lacks(entry, fields) and not (only_before and _begins_with_title(entry)):
            number, rest = divmod(index, step)
            values = line_values(entry, vocabulary, decided, citing) if rest else sample[number]
            entry = _reread(entry, values, decided, vocabulary)
        read.append(entry)
    return read


def _citing_sections(entries: Iterable[Entry]) -> set[int | None]:
    """Return the sections in which descriptions may be the citations of papers: most end with a year, below titles."""
    cited: defaultdict[int | None, list[bool]] = defaultdict(list)
    for entry in entries:
        if entry.kind == "classic" and entry.description is not None:
            cited[entry.section].append(may_cite(entry) and len(entry.title.value.split()) >= _MIN_TITLE)
    return {section for section, found in cited.items() if sum(found) >= _AGREEMENT * len(found)}


def _begins_with_title(entry: Entry) -> bool:
    return entry.title.span.start <= entry.title_line.start + 1


def _decide_places(
    lines: Iterable[Iterable[tuple[Place, Value]]], vocabulary: Vocabulary
) -> dict[Place, tuple[Roles, float]]:
    """Return what the places hold, which some lines may leave unread or read differently, and how much agrees."""
    places: defaultdict[Place, list[Value]] = defaultdict(list)
    for place, value in chain.from_iterable(lines):
        places[place].append(value)
    decided: dict[Place, tuple[Roles, float]] = {}
    for place, values in places.items():
        if hold_names(place, values, vocabulary):
            decided[place] = ("name",), 0.0 if _is_beside_others(place, places) else 1.0
        elif len(values) >= _MIN_VALUES:
            settled = values[0].roles, 1.0  # so are those lines that are no part of the sample
            roles, share = settled if _is_settled(values) else _roles_of(values, vocabulary)
            is_label = place.mark == "link" and place.separator == "["  # `[[Google Drive](u)]`
            if roles and not (is_label and roles == ("affiliations",)):
                decided[place] = roles, share
    return decided


def _is_beside_others(place: Place, places: Iterable[Place]) -> bool:
    """Return whether some lines have several code spans before their titles, which are tags then: `` `Sorting` `Oak` ``."""
    return place[:2] == ("before", "code") and any(
        other[:2] == place[:2] and other != place for other in places
    )


def _is_settled(values: Sequence[Value]) -> bool:
    """Return whether all lines have the same fields in a place, of which none may be a venue: `Ann Lee, ACGS 2017`."""
    if not all(value.is_read and value.roles == values[0].roles for value in values):
        return False
    return "venue" in values[0].roles or {"authors", "name"}.isdisjoint(values[0].roles)


def _lacks(entry: Entry, fields: set[str]) -> bool:
    """Return whether an entry has not all of some fields, or a venue that is not known."""
    return (
        ("venue" in fields and (entry.year is None or not has_known_venue(entry)))
        or ("authors" in fields and not entry.authors)
        or ("year" in fields and (entry.year is None or entry.year_from_arxiv_id))
        or ("affiliations" in fields and not entry.affiliations)
        or ("name" in fields and (entry.name is None or _is_in_title(entry)) and entry.kind == "paper")
    )


def _is_in_title(entry: Entry) -> bool:
    """Return whether the name of an entry is words of its title: `Shelf: Sorting Books`."""
    return entry.name is not None and overlap(entry.name.span, entry.title.span)


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
        if roles == ("venue",) and value.is_cited and read.year is None and (stated := find_year(value.text)):
            read = read._replace(year=stated.year)  # `2024.05 Nature`
        if not roles or (value.is_read and (value.roles == roles or share < _STRONG_AGREEMENT)):
            continue
        fields = _parse(value, roles, vocabulary, is_sure=share >= _STRONG_AGREEMENT)
        if fields is None:
            continue
        if overlap(value.plain.span(*value.range), entry.title.span):
            entry_title = _title_before(entry.title, fields.citation)
            if entry_title is None:
                continue
            read = read._replace(title=entry_title, guessed=read.guessed | {"title"})
        states_both = fields.authors and fields.citation
        if value.is_read and states_both and not (fields.year or _ends_with_venue(value.text)):
            continue
        if fields.name and (cited := read.citation) and overlap(fields.name.span, cited.span):
            if cited.venue is not None or value.range.end - value.range.start != len(fields.name.value):
                continue
            read = read._replace(citation=None)  # `` `OakNet` 2017 ``
        read = _with_fields(read, fields, set(value.roles) - set(roles))
    if read is entry or entry.kind == "paper" or (entry.description is None and read.citation is None):
        return read
    if read.citation is None or not says_no_more(read):
        return entry
    links = read.links
    if links and links[0].role is None:
        links = (links[0]._replace(role=vocabulary.roles["paper"]), *links[1:])
    name = None if entry.name == entry.title else entry.name
    return read._replace(kind="paper", name=name, description=None, links=links)


def _title_before(title: Field, citation: Citation | None) -> Field | None:
    """Return a title without the venue that it ends with, if that can be told."""
    start, end = title.span
    if citation is None or len(title.value) != end - start:
        return None
    value = title.value[: citation.span.start - start].rstrip(" (,")
    return Field(value, Span(start, start + len(value)))


def _roles_of(values: Sequence[Value], vocabulary: Vocabulary) -> tuple[Roles, float]:
    """Return the fields that a place holds, and the share of its values that hold them or could."""
    stated = Counter(value.roles for value in values if value.is_read)
    least = max(_STATED * len(values), 2)
    candidates = [roles for roles, count in stated.most_common(3) if count >= least]
    candidates.sort(key=len, reverse=True)  # people and a venue rather than people alone
    undated = len(values) - stated["year",]
    if _holds(is_known_organisation, values, min(max(least, stated.total()), max(2, 0.5 * undated))):
        candidates = [("affiliations",)]
    elif _holds(lambda text: _names_venue(text.strip(_EDGE), vocabulary), values, least):
        candidates = [roles for roles in candidates if roles != ("name",)] + [("venue",)]
    else:
        cited = (("authors", "venue"), ("venue",))
        candidates = [roles for roles in cited if _cite_venues(values, roles, vocabulary)] + candidates
    candidates += [roles for roles in (("year",), ("authors",)) if roles not in candidates]
    best: Roles = ()
    best_share = _AGREEMENT
    for roles in candidates:
        # A date alone says nothing of what else the place holds.
        able = [value for value in values if roles == ("year",) or not _is_only_date(value)]
        fitting = sum(
            (value.roles == roles and (value.is_read or roles != ("year",)))
            or _parse(value, roles, vocabulary) is not None
            for value in able
        )
        if roles == ("authors",) and roles not in stated and len(values) < _MIN_UNSTATED:
            continue
        if len(able) >= _MIN_VALUES and fitting > best_share * len(able):
            best, best_share = roles, fitting / len(able)
    return best, best_share


def _names_venue(text: str, vocabulary: Vocabulary) -> bool:
    """Return whether a text is surely the name of a venue, and no word that means something else too: `Cloud`."""
    may_be_word = text.casefold() in WORDS["ambiguous_venue"] and not text.isupper()
    return not may_be_word and vocabulary.venue(text) is not None


def _is_only_date(value: Value) -> bool:
    return value.is_read and value.roles == ("year",)


def _holds(test: Callable[[str], bool], values: Sequence[Value], least: float) -> bool:
    """Return whether a test of the words holds for so many values at least."""
    found = 0
    for index, value in enumerate(values):
        if found >= least or found + len(values) - index < least:
            break
        found += test(value.text)
    return found >= least


def _cite_venues(values: Sequence[Value], roles: Roles, vocabulary: Vocabulary) -> bool:
    """Return whether a place holds venues that nobody knows: beside years, repeated or of the form of a venue."""
    names: list[str] = []
    dated = 0
    for value in values:
        fields = None if value.is_cited else _parse(value, roles, vocabulary)
        if fields is not None and fields.citation is not None and fields.citation.name is not None:
            names.append(fields.citation.name.value)
            dated += fields.year is not None or _is_beside_year(value)
    values = [value for value in values if not _is_only_date(value)]
    if len(names) < max(_AGREEMENT * len(values), _MIN_VALUES):
        return False
    people = sum(value.is_read and "authors" in value.roles for value in values)
    if (roles == ("venue",) and 2 * people > len(names)) or 2 * sum(map(are_authors, names)) > len(names):
        return False
    worded = sum(VENUE_WORD.search(name) is not None for name in names)
    if dated < _AGREEMENT * len(values):
        return worded >= _REPEATED * len(names)
    repeated = len(names) - len(set(map(str.casefold, names)))
    formed = sum(VENUE_WORD.search(name) is not None or is_acronym(name.split()[0]) for name in names)
    return max(repeated, formed) >= _REPEATED * len(names)


def _is_beside_year(value: Value) -> bool:
    start, end = value.range
    before, after = value.plain.text[max(start - 8, 0) : start], value.plain.text[end : end + 12]
    return find_year(before) is not None or YEAR_FOLLOWS.match(after) is not None


class _Fields(NamedTuple):
    authors: tuple[Field, ...] = ()
    affiliations: tuple[Field, ...] = ()
    citation: Citation | None = None
    year: int | None = None
    name: Field | None = None


def _parse(value: Value, roles: Roles, vocabulary: Vocabulary, is_sure: bool = False) -> _Fields | None:
    """Return the fields of a value if it can hold what a place holds, for sure or as far as its words show, else None."""
    text, start, plain = value.text, value.range.start, value.plain
    if roles == ("name",):
        short = name_in(value, vocabulary)
        is_name = short is not None and (is_sure or names_something_only(short.value))
        return _Fields(name=short) if is_name else None
    stated = find_year(text)
    if roles == ("year",):
        return _Fields(year=stated.year) if stated and DATE.fullmatch(text.strip(_EDGE)) else None
    year_end = find_year_at_end(text)
    dated = DATE_AT_START.match(text)
    first, end = dated.end() if dated else 0, year_end.start if year_end else len(text.rstrip(_EDGE))
    if value.is_cited:
        if "venue" not in roles:
            return None
        roles = tuple(role for role in roles if role != "venue")
    year = stated.year if stated else year_end.year if year_end else None
    people: tuple[Field, ...] = ()
    if "authors" in roles and (by := BEFORE_PEOPLE.match(text, first, end)):
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
        named = text[first:last]
        may_be_people = is_sure and "," in named and are_names(named) and not names_organisation(named)
        if last < 0 or not (are_authors(named, minimum=1) or may_be_people):
            return None
        shown = plain.text[:start] + text + plain.text[value.range.end :]
        stop = text.startswith(".", last)  # that of an initial
        people = tuple(find_people(plain, shown, start + first, start + last + stop))
        first = last
    if "affiliations" in roles:
        group = text[first:end].strip(_EDGE)
        # The place may show that a name is no person's: `Tel Aviv`.
        are_ones = are_organisations(group) or (is_sure and is_organisation(group) and not are_named(group))
        organisations = tuple(find_organisations(plain, start + first, start + end))
        return _Fields(people, organisations, year=year) if are_ones else None
    if "venue" not in roles:
        return _Fields(people, year=year) if people else None
    lead = _IN.match(text, first, end)
    first = lead.end() if lead else first
    name = text[first:end].strip(_EDGE)
    words = name.split()
    if not words or len(words) > _MAX_VENUE_WORDS or not (name[0].isupper() or name[0].isdigit()):
        return None
    if only_cites(name) or not any(word[0].isupper() for word in words) or is_prose(name):
        return None  # a date, or a tag behind it, or a sentence
    if (
        "et al" in name
        or "@" in name
        or are_surely_people(name)
        or are_named(name)
        or are_authors(name, minimum=2)
    ):
        return None
    first = start + text.index(name, first)
    last = start + len(text.rstrip(_EDGE)) if year_end else first + len(name)
    known, role = vocabulary.venue(name), vocabulary.role(name)
    is_group = (
        is_known_organisation(name) and not {",", "."}.intersection(name) and not VENUE_WORD.search(name)
    )
    if known is None and year is None and is_group:
        return _Fields(people, tuple(find_organisations(plain, first, last)))  # `*Oak Labs*` among venues
    is_sentence = any(word.islower() and len(word) > 4 for word in words) and not VENUE_WORD.search(name)
    if known is None and year is None and is_sentence:
        return None  # `Evaluation of Shelves on three corpora`
    if known is None and role is not None and role.id != "paper":
        return None  # the label of a link that got lost: `[Repo]`
    if known is None and any(
        link.start <= first < link.end and link.link.url[:1] == "#" for link in plain.links
    ):
        return None  # what stands in another section: `[Oak](#oak)`
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
    """Return an entry with what its place in the line shows, known as guessed, and without `wrong` fields."""
    authors = entry.authors
    is_one = len(fields.affiliations) == 1 and "authors" in wrong
    if is_one:  # what was taken for a person
        authors = tuple(one for one in authors if not overlap(one.span, fields.affiliations[0].span))
    states_makers = fields.authors or fields.affiliations
    if states_makers and not (fields.citation or fields.name) and len(fields.authors) < len(authors):
        return entry  # some of them stand elsewhere in the line
    citation = entry.citation
    if fields.authors and citation is not None and not has_known_venue(entry):
        first, last = fields.authors[0].span.start, fields.authors[-1].span.end
        if citation.span.start < last and first < citation.span.end:
            citation = None  # it was cut out of the people
    if (
        citation is not None
        and not has_known_venue(entry)
        and any(overlap(group.span, citation.span) for group in fields.affiliations)
    ):
        citation = None  # `Oak Labs` `2020`
    if "authors" in wrong and not is_one:
        authors = tuple(_without(authors, fields.citation)) if fields.citation is not None else ()
    has_year = entry.year is not None and not entry.year_from_arxiv_id
    affiliations = () if "affiliations" in wrong else entry.affiliations
    is_new = fields.citation is not None and fields.citation.venue is None and citation is None
    takes_name = entry.name is None or "name" in wrong or (fields.name is not None and _is_in_title(entry))
    stated = [
        (group[0].span.start, group[-1].span.end) for group in (fields.authors, fields.affiliations) if group
    ]
    return entry._replace(
        notes=tuple(
            note
            for note in entry.notes
            if not any(start <= note.span.start and note.span.end <= end for start, end in stated)
        ),
        name=fields.name if takes_name else entry.name,
        description=None if "description" in wrong else entry.description,
        authors=fields.authors or authors,
        affiliations=affiliations or fields.affiliations,
        citation=citation or fields.citation,
        year=entry.year if has_year else fields.year or entry.year,
        year_from_arxiv_id=entry.year_from_arxiv_id and fields.year is None,
        guessed=entry.guessed | ({"venue"} if is_new else set()) | ({"name"} if fields.name else set()),
    )
