"""The places of a line: its pieces outside of the title, by their side, markup and separator, and what was read in them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import chain, pairwise
from typing import NamedTuple

from shelfread.core.diagnostics import Span
from shelfread.core.patterns import lazy
from shelfread.document.entry.prefix import MAX_NAME_WORDS, names_nothing, names_something_only
from shelfread.document.entry.remarks import is_prose
from shelfread.document.entry.sub_lines import read_labelled_field
from shelfread.document.model import Entry, Field
from shelfread.document.plain_text import PlainText, TextRange, render_plain_text
from shelfread.document.recognizers import WORDS
from shelfread.document.recognizers.organisations import names_organisation
from shelfread.document.recognizers.people import are_named
from shelfread.document.recognizers.unlisted_venues import VENUE_WORD, find_unlisted
from shelfread.document.recognizers.venues import CITATION_WORDS, WORD, abbreviates, find_mentions
from shelfread.document.years import YEAR, find_year, find_year_at_end
from shelfread.markdown.node import Block, Inline
from shelfread.taxonomy.vocabulary import Vocabulary

_TAIL = lazy(
    r"(?<=\w[\w\"”’'?!)])(?:\s\((?P<venue>[A-Z][\w&@/'’-]*(?:\s(?:[A-Z][\w&@/'’-]*|&|of|on|in|for|and)){0,5})\)"
    r"|,\s(?P<acronym>[A-Z]\w*[A-Z]\w*))$"
)
_MAX_TAIL = 60
# The characters of all cuts come first, so that a search jumps from one to the next.
_CUT = lazy(
    r"[\s,|｜;；()\[\]（）【】\"“”》」».。:：](?:(?<=[\n|｜;；()\[\]（）【】\"“”》」»])|(?<=\s)[-–—~•·/\u2190-\u2bff\ufe0f\U0001f000-\U0001faff]{1,3}\s"
    r"|(?<=[.。])(?<!\b[A-Z].)(?<!\bet al.)(?=\s|$)|(?<=[:：])\s|(?<=\w\s)by\s|(?<=[(（]\d\d\d\d,)\s)"
)
_LISTED_BEFORE, _LISTED_AFTER = (", ", " and ", " & "), (", ", " and ", " & ", ", and ")
_BESIDE_FIELDS = CITATION_WORDS | frozenset("and by in et al the to appear with of on at eds".split())
_MAX_LINE = 1000
_MAX_CITED = 200
# `235-249`, `29 pages`, `e22`
_PAGES = lazy(r"\d[-–—]{1,2}\d|\bpages?\b|^e?\d+$")
_AROUND_NAME = " ,.*_'’()[]:：-–—\"“”\n"
# So many lines have to have short names in a place, and nearly all another one: tags repeat.
_MIN_NAMES, _DISTINCT, _DISTINCT_MARKED, _MAX_NAME, _WORDED = 4, 0.9, 0.8, 40, 0.3
_KNOWN = 0.1  # so many known venues show that the others are venues too
# So many values are names, and so many have the form of one: behind a title stand venues and organisations
# too.
_MOST, _FORMED_BEFORE, _FORMED_BEHIND = 0.6, 0.3, 0.75

Roles = tuple[str, ...]  # the fields that a place holds, in order: `("authors", "venue")`


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
    roles: Roles  # the fields that were read there
    is_read: bool  # whether it has no other words than those of its fields
    is_cited: bool  # whether it has a known venue


def line_values(
    entry: Entry,
    vocabulary: Vocabulary,
    wanted: Collection[Place] | None = None,
    citing: Collection[int | None] = (),
) -> Iterator[tuple[Place, Value]]:
    """Yield what an entry's first lines have in each place outside of the title and the labels, or in `wanted` ones.

    In the sections `citing`, descriptions may be citations.
    """
    described = entry.description if entry.kind == "paper" or entry.block.kind == "row" else None
    if (
        described is None
        and entry.description is not None
        and not (entry.section in citing and may_cite(entry))
    ):
        return
    fields = [("authors", author.span) for author in entry.authors]
    fields += [("affiliations", field.span) for field in entry.affiliations]
    if entry.citation is not None:
        fields.append(("venue", entry.citation.span))
    if entry.name is not None:
        fields.append(("name", entry.name.span))
    if described is not None:
        fields.append(("description", described.span))
    links = {
        link.link.start
        for link in entry.links
        if vocabulary.role(link.label) is not None or names_nothing(link.label)
    }
    sides = None if wanted is None else {place.side for place in wanted}
    for number, inlines in enumerate(_lines(entry.block, entry.title.span)):
        side = f"line {number}" if number else "before"
        start, end = (inlines[0].start, inlines[-1].end) if inlines else (0, 0)
        has_title = start <= entry.title.span.start < end
        if sides is not None and side not in sides and not (has_title and "after" in sides):
            continue
        plain = render_plain_text(inlines)
        if len(plain.text) > _MAX_LINE:
            continue
        labels = [TextRange(link.start, link.end) for link in plain.links if link.link.start in links]
        title = _without_tail(entry, plain, _within(entry.title.span, plain))
        if plain.text.startswith(".,", title.end) and any(link.end == title.end + 1 for link in plain.links):
            title = TextRange(title.start, title.end + 1)  # `[Tidy Shelves.](u), Annals of Shelves 2019`
        inside = [
            (found, role)
            for role, span in fields
            if span.start < end and start < span.end and (found := _within(span, plain)).end > found.start
        ]
        labelled = read_labelled_field(plain.text) if number else None
        begin = labelled[1] if labelled is not None else 0
        # A piece of a description in a line of its own says nothing of the lines that stand there elsewhere.
        prose = [found for found, role in inside if role == "description" and number]
        done: dict[tuple[str, str, str], int] = {}
        for piece, mark, separator in _pieces(plain, title, labels):
            if title.start <= piece.start and piece.end <= title.end and title.end:
                side = "after"
            elif piece.end > begin and not any(overlap(piece, taken) for taken in (*labels, *prose)):
                key = (side, mark, separator)
                place = Place(*key, done.get(key, 0))
                done[key] = place.ordinal + 1
                if wanted is None or place in wanted:
                    yield place, _value(entry, plain, piece, inside)


def _without_tail(entry: Entry, plain: PlainText, title: TextRange) -> TextRange:
    """Return the range of a title without what may be its venue, if others have theirs there: `Tidy Shelves (TOPS)`."""
    start, end = max(title.start, title.end - _MAX_TAIL), title.end
    tail = _TAIL.search(plain.text, start, end) if entry.kind == "paper" and entry.citation is None else None
    if tail is None:
        return title
    venue, before = tail["venue"] or tail["acronym"], plain.text[title.start : tail.start()]
    is_one = len(before.split()) > 2 and not (names_nothing(venue) or abbreviates(venue, before))
    return TextRange(title.start, tail.start()) if is_one else title


def _within(span: Span, plain: PlainText) -> TextRange:
    return TextRange(plain.offset(span.start), plain.offset(span.end))


def _value(entry: Entry, plain: PlainText, piece: TextRange, fields: list[tuple[TextRange, str]]) -> Value:
    text = rest = plain.text[piece.start : piece.end]
    inside = sorted(
        (found, role)
        for found, role in fields
        if overlap(piece, found) and (role != "venue" or _is_inside(found, piece) or has_known_venue(entry))
    )
    is_cited, roles = False, list[str]()
    for (start, end), role in inside:
        first, last = max(start - piece.start, 0), min(end - piece.start, len(text))
        rest = rest[:first] + " " * (last - first) + rest[last:]
        states_only_year = role == "venue" and not any(map(str.isalpha, text[first:last]))
        roles.append("year" if states_only_year else role)
        if role == "venue" and has_known_venue(entry):
            text = text[:first] + " " * (last - first) + text[last:]
            is_cited = True
    roles = list(dict.fromkeys(roles))
    if entry.year is not None and "venue" not in roles and str(entry.year) in rest:
        roles.append("year")
    is_read = bool(roles) and _BESIDE_FIELDS.issuperset(map(str.casefold, WORD.findall(rest)))
    return Value(plain, piece, text, tuple(roles), is_read, is_cited)


def _lines(block: Block, title: Span) -> list[tuple[Inline, ...]]:
    """Return the inlines of a block's first paragraph and of the next few lines below it, or of the cell of a title."""
    if block.kind == "row":
        return [cell.inlines for cell in block.blocks if cell.start <= title.start < cell.end]
    if block.inlines or not block.blocks:
        return [block.inlines]
    lines = [block.blocks[0].inlines]
    for child in block.blocks[1:3]:
        if child.kind == "paragraph":
            lines.append(child.inlines)
        elif child.kind == "list":
            lines += [item.blocks[0].inlines for item in child.blocks[:4] if item.blocks]
    return lines


def _pieces(
    plain: PlainText, title: TextRange, labels: Sequence[TextRange]
) -> Iterator[tuple[TextRange, str, str]]:
    """Yield the title and the other pieces of a line that have words, the markup and the separator before each."""
    text = plain.text
    marks = [(*marked, name) for name in ("strong", "emphasis", "code") for marked in getattr(plain, name)]
    cuts = {edge: edge for edge in (0, len(text), *chain.from_iterable((title, *labels)))}
    for start, end in ((marked[0], marked[1]) for marked in (*marks, *plain.links)):
        if not text.endswith(_LISTED_BEFORE, 0, start):  # people may be linked each
            cuts.setdefault(start, start)
        if not text.startswith(_LISTED_AFTER, end):
            cuts.setdefault(end, end)
    for match in _CUT.finditer(text, 0 if title.start else title.end):
        word = text[max(match.start() - 12, 0) : match.start()].rpartition(" ")[2]
        is_abbreviated = match[0][0] == "." and word.casefold() in WORDS["abbreviated"]
        if not (title.start <= match.start() < title.end or is_abbreviated):
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


def may_cite(entry: Entry) -> bool:
    """Return whether the description of an entry may be its citation: it ends with a year."""
    words = entry.description.value if entry.description is not None else ""
    return len(words) <= _MAX_CITED and find_year_at_end(words) is not None


def says_no_more(entry: Entry) -> bool:
    """Return whether the description of an entry has no other words than its people and its citation."""
    cited = [entry.citation.text] if entry.citation is not None else []
    rest = entry.description.value if entry.description is not None else ""
    for words in (*(field.value for field in (*entry.authors, *entry.affiliations)), *cited):
        rest = rest.replace(words, " ", 1)
    return _BESIDE_FIELDS.issuperset(map(str.casefold, WORD.findall(YEAR.sub(" ", rest))))


def has_known_venue(entry: Entry) -> bool:
    return entry.citation is not None and entry.citation.venue is not None


def _is_inside(found: TextRange, piece: TextRange) -> bool:
    return piece.start <= found.start and found.end <= piece.end


def overlap(span: TextRange | Span, other: TextRange | Span) -> bool:
    return span.start < other.end and other.start < span.end


def hold_names(place: Place, values: Sequence[Value], vocabulary: Vocabulary) -> bool:
    """Return whether a place holds short names: a word or two, another in each line, and many formed as names are."""
    if place.side not in ("before", "after") or len(values) < _MIN_NAMES:
        return False
    names = [name.value for value in values if (name := name_in(value, vocabulary)) is not None]
    if sum(VENUE_WORD.search(value.text) is not None for value in values) > _WORDED * len(values):
        return False  # journals
    venues = sum(vocabulary.venue(value.text.strip(_AROUND_NAME)) is not None for value in values)
    if venues > 1 and venues >= _KNOWN * len(values):
        return False
    is_opened = bool(place.mark) and place.separator in ("(", "[")
    distinct = _DISTINCT_MARKED if is_opened else _DISTINCT
    if len(names) < max(_MIN_NAMES, _MOST * len(values)) or len(set(names)) < distinct * len(names):
        return False
    is_alone = bool(place.mark) and not is_opened and not any(" " in name for name in names)
    least = _FORMED_BEFORE if place.side == "before" or is_alone else _FORMED_BEHIND
    return sum(names_something_only(name) for name in names) >= least * len(names)


def name_in(value: Value, vocabulary: Vocabulary) -> Field | None:
    """Return the short name that a value consists of."""
    name = value.text.strip(_AROUND_NAME)
    is_free = value.roles in ((), ("name",), ("affiliations",)) or (
        value.roles == ("authors",) and " " not in name and ("-" in name or not name.isupper())
    )
    if not is_free or not 0 < len(name) <= _MAX_NAME:
        return None
    if len(name.split()) > MAX_NAME_WORDS or names_nothing(name) or names_organisation(name):
        return None
    if "://" in name or " et al" in name:
        return None
    if (
        _PAGES.search(name)
        or find_year(name)
        or find_unlisted(name, "short")
        or find_mentions(name, vocabulary)
    ):
        return None
    if vocabulary.role(name) is not None or VENUE_WORD.search(name) or are_named(name) or is_prose(name):
        return None
    start = value.range.start + value.text.index(name)
    return Field(name, value.plain.span(start, start + len(name)))
