"""What speaks against the fields of an entry once all are read: words that no field holds, and fields that hold too much.

Where a field is missed, its words stay unread; where one takes too much, it does not look like one. Both are seen without
knowing what is right, and the siblings of an entry say which fields it should have.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest

from shelfread.core.patterns import lazy
from shelfread.document.entry.remarks import is_prose, with_remark
from shelfread.document.model import Citation, Entry
from shelfread.document.recognizers.organisations import is_known_organisation
from shelfread.document.recognizers.people import are_authors, is_list_of_people
from shelfread.document.recognizers.venues import CITATION_WORDS, find_mentions
from shelfread.taxonomy.vocabulary import Vocabulary

# What each thing that is seen says against fields. A field with a sum of 1 or more is uncertain, also one that is
# missing: then what it should hold is in the line, and was not read.
_WEIGHTS: Mapping[str, Mapping[str, float]] = {
    # What reading itself took for a guess, as only a place in the line suggests it
    "a guess": {
        "title": 0.5,
        "name": 1.0,
        "venue": 0.5,
        "authors": 0.5,
        "affiliations": 0.5,
        "description": 1.0,
    },
    # Words that no field holds
    "a year": {"year": 1.0, "venue": 0.5},
    "a venue": {"venue": 1.0},
    "people": {"authors": 1.0},
    "one word": {"name": 1.0},  # `[TS]` before a paper's title, `(**TS**)` behind its links
    "a sentence": {"description": 0.5},  # a remark on a paper is seldom its description
    "a sentence in a cell": {"description": 1.0},
    "words behind the title": {"title": 1.0},  # `[Shelves](u) explained`: nothing parts them from it
    "words": {"title": 0.5, "authors": 0.5, "venue": 0.25, "year": 0.25, "description": 0.25},
    "words in a cell": {
        "authors": 0.5,
        "venue": 0.25,
        "year": 0.25,
        "description": 0.25,
    },  # of any other column
    "a note that cites": {"venue": 1.0},  # `Publisher: FSE 2026`
    # Fields that most siblings have, and this entry has not
    "siblings have venue": {"venue": 0.5},
    "siblings have year": {"year": 0.5},
    "siblings have authors": {"authors": 0.5},
    "siblings have description": {"description": 0.5},
    # Titles
    "a citation in the title": {"title": 1.0, "name": 1.0, "venue": 1.0, "year": 1.0},
    "people in the title": {"title": 1.0, "authors": 1.0},
    "a word behind the title's end": {"title": 1.0, "venue": 1.0},  # `Do Shelves Learn? SHLV`
    "no letters in the title": {"title": 1.0},
    "a url in the title": {"title": 1.0},
    "a very long title": {"title": 1.0},
    "markup in the title": {"title": 1.0},  # titles begin and end where their markup does
    "markup at one end of the title": {"title": 0.5},  # `TS: [Tidy Shelves](u)` may be one
    "a list before the title's link": {"title": 0.5},  # `OSDI'20, TS: [Tidy Shelves](u)`
    "an odd first letter": {"title": 0.4},
    "a paper of two words": {"title": 0.4},
    "a dash in the title": {"title": 0.4},
    # Other fields
    "a year in the name": {"name": 1.0},
    "an organisation of no known form": {"name": 1.0},  # in brackets, as names are too: `(**TS**)`
    "an unlisted venue of several words": {"venue": 0.5},
    "numbers beside an unlisted venue": {"venue": 0.5},  # volumes and pages belong to it, or not
    "an unlisted venue that is none": {"venue": 0.5},  # a list, an organisation, words in small letters
    "people with one name and with several": {"authors": 1.0},  # `Stone, Ada` is one or two
    "a torn description": {"description": 1.0},  # it begins with what closes something
    "a year in a short description": {"year": 1.0},
    "a venue in a short description": {"venue": 1.0},
    "a credit in the description": {"authors": 1.0},
}
_USUAL = 0.6
"""So large a share of the entries of a form has a field that the others should have, too."""
_FEW = 6
"""Fewer entries of a form say nothing about each other."""
_SAMPLE = 100
"""So many entries show what is usual."""
_MAX_TITLE, _MAX_SHORT, _MAX_BELOW = 200, 100, 400
_GAP = 3
"""So many characters between two fields only part them."""

_WORD = lazy(r"[^\W_]{2}")
# Markup and decoration: destinations, images, tags, shortcodes, references to characters, URLs, code.
_MARKUP = lazy(
    r"\]\([^()\s]{0,500}(?:\([^()\s]{0,200}\)[^()\s]{0,200})?(?:\s[^()\n]{0,200})?\)|\]\[[^\[\]\n]{0,100}\]|"
    r"!\[[^\[\]\n]{0,200}\]|<[^<>\n]{0,500}>|:[a-z_0-9+]{1,40}:|&#?\w{1,30};|https?://[^\s)\]>]{1,500}"
)
_CODE = lazy(r"(?<!`)`+([^`\n]{1,200})`+")
_YEAR = lazy(r"(?:19[5-9]|20[0-3])\d(?!\d)|(?<=['’])\d\d\b")
_FOUR_DIGITS = lazy(r"(?:19[5-9]|20[0-3])\d(?!\d)")
_ET_AL = lazy(r"\bet\.? al\b")
_BY = lazy(r"(?:^|[\s(])[Bb]y [A-Z]")
_CREDIT = lazy(r"\b[Bb]y [A-Z]\w+ [A-Z]")
_NAME_AND_YEAR = lazy(
    r"(?:^|[\0\n(])\W{0,5}[A-Z][\w’'-]{1,30}(?: (?:&|and) [A-Z][\w’'-]{1,30})?\.?,? \(?(?:19|20)\d\d\b"
)
_YEAR_BEHIND = lazy(r"[\s,.(]{0,5}(?:19|20)\d\d.*$")
_GOES_ON = lazy(r" {0,3}(?!(?:[Bb]y|[Ii]n)\b)[^\W\d_]")
_PARTS = lazy(r"[\0|]")
_YEAR_AT_END = lazy(r"\W(?:19[5-9]|20[0-3])\d\W{0,3}$")
_TAIL = lazy(r"\w{3}[.?!] [A-Z][\w&'-]*(?: [A-Z][\w&'-]*)?\W{0,3}$")
_CITED_START = lazy(r"\W{0,2}(?:['’]?\d\d[-_ ]|[A-Z][\w&]{1,12}[ -]?['’]?(?:\d\d|20\d\d)\s?[-–:,])")
_NUMBERS = lazy(r"\d[.:(]\d|\d-{1,2}\d|\b\d{1,3}\b")
_MARKED, _CLOSING = frozenset("[*_\"“”'`>{"), frozenset(")]】）,;、")
_IN_TITLE = ("](", "**", "`", "<")


def doubt(entries: Sequence[Entry], text: str, vocabulary: Vocabulary) -> list[Entry]:
    """Return the entries of a text with the fields that are uncertain for what is seen in all of their lines."""
    usual = _usual_fields(entries)
    unlisted = Counter(map(_unlisted_venue, entries))
    doubted: list[Entry] = []
    for entry, following in zip_longest(entries, entries[1:]):
        end = following.span.start if following is not None else len(text)
        seen = {
            *_seen_in_title(entry, text),
            *_seen_in_fields(entry, unlisted, vocabulary),
            *_seen_in_line(entry, text, end, vocabulary),
        }
        if not seen.isdisjoint(("a sentence", "a sentence in a cell")) and entry.kind == "paper":
            entry = with_remark(entry, vocabulary)
        uncertain = _marks(entry, seen, usual) if seen or entry.guessed else entry.uncertain
        doubted.append(entry._replace(uncertain=uncertain) if uncertain else entry)
    return doubted


def _marks(entry: Entry, seen: set[str], usual: Mapping[str, frozenset[str]]) -> frozenset[str]:
    """Return the fields against which enough speaks."""
    sums = {field: _WEIGHTS["a guess"][field] for field in entry.guessed}
    lacking = usual.get(entry.dialect, frozenset()).difference(_stated(entry))
    for kind in (*seen, *(f"siblings have {field}" for field in lacking)):
        for field, weight in _WEIGHTS[kind].items():
            sums[field] = sums.get(field, 0.0) + weight
    return frozenset(field for field, total in sums.items() if total >= 1)


def _usual_fields(entries: Sequence[Entry]) -> dict[str, frozenset[str]]:
    """Return the fields that most entries of each form state."""
    sample = entries[:: -(-len(entries) // _SAMPLE) or 1]
    forms = Counter(entry.dialect for entry in sample)
    fields = Counter((entry.dialect, field) for entry in sample for field in _stated(entry))
    return {
        form: frozenset(
            field for (of, field), number in fields.items() if of == form and number >= _USUAL * count
        )
        for form, count in forms.items()
        if count >= _FEW
    }


def _stated(entry: Entry) -> Iterator[str]:
    if entry.citation is not None:
        yield "venue"
    if entry.year is not None and not entry.year_from_arxiv_id:
        yield "year"
    if entry.authors:
        yield "authors"
    if entry.description is not None:
        yield "description"


def _unlisted_venue(entry: Entry) -> str:
    cited = entry.citation
    return (
        cited.name.value.casefold()
        if cited is not None and cited.venue is None and cited.name is not None
        else ""
    )


def _seen_in_title(entry: Entry, text: str) -> Iterator[str]:
    title, (start, end) = entry.title.value, entry.title.span
    is_paper = entry.kind == "paper"
    if not title:
        return
    if len(title) > _MAX_TITLE:
        yield "a very long title"
    if is_paper and title.count(" ") < 2 and not entry.dialect.endswith(("row", "table")):
        yield "a paper of two words"
    if not title[0].isalpha() and not any(map(str.isalpha, title)):
        yield "no letters in the title"
    elif title[0] in "([<-:" or title[0].isdigit() or (is_paper and title[0].islower()):
        yield "an odd first letter"
    if "://" in title and " " in title:
        yield "a url in the title"
    if " - " in title or " – " in title or " — " in title:
        yield "a dash in the title"
    if not is_paper and entry.links and entry.links[0].link.text.start == start:
        return  # a name that is linked
    dated = entry.year is None and title[-5:].strip(" .,()[]").isdecimal() and _YEAR_AT_END.search(title)
    if dated or (entry.citation is None and _CITED_START.match(title)):
        yield "a citation in the title"
    if (". " in title or "? " in title or "! " in title) and _TAIL.search(title):
        yield "a word behind the title's end"
    is_marked = text[max(start - 1, 0)] in _MARKED
    first, comma, _ = title[:60].partition(",")
    may_name = comma and not is_marked and not entry.authors and " " in first
    if (" et" in title and _ET_AL.search(title)) or (may_name and are_authors(first)):
        yield "people in the title"
    written = text[start:end]
    named = entry.name.span.end + 3 - start if entry.name is not None else 0  # `**TS**: Tidy Shelves`
    if any(mark in written[max(named, 0) :] for mark in _IN_TITLE):
        yield "markup in the title"
    elif (not is_marked and text.startswith("](", end)) or ("[" in written and "]" not in written):
        yield "markup at one end of the title"
        if "," in written.partition("[")[0]:
            yield "a list before the title's link"


def _seen_in_fields(entry: Entry, unlisted: Counter[str], vocabulary: Vocabulary) -> Iterator[str]:
    if entry.name is not None:
        if entry.name is not entry.title and _FOUR_DIGITS.search(entry.name.value):
            yield "a year in the name"
    elif "affiliations" in entry.guessed:
        yield "an organisation of no known form"
    if entry.citation is not None:
        yield from _seen_in_venue(entry.citation, unlisted)
    elif entry.notes and entry.kind == "paper":
        short = (note.value for note in entry.notes[:4] if len(note.value) < _MAX_SHORT)
        if any(find_mentions(note, vocabulary) for note in short):
            yield "a note that cites"
    if len({" " in author.value for author in entry.authors}) > 1:
        yield "people with one name and with several"
    if entry.description is None:
        return
    value = entry.description.value
    if value[:1] and value[0] in _CLOSING:
        yield "a torn description"
    if len(value) < _MAX_SHORT and ("20" in value or "19" in value) and _FOUR_DIGITS.search(value):
        if entry.year is None:
            yield "a year in a short description"
        if entry.citation is None and find_mentions(value, vocabulary):
            yield "a venue in a short description"
    if not entry.authors and "y " in value and _CREDIT.search(value):
        yield "a credit in the description"


def _seen_in_venue(cited: Citation, unlisted: Counter[str]) -> Iterator[str]:
    if cited.venue is not None or cited.name is None:
        return
    name = cited.name.value
    if " " in name:
        if unlisted[name.casefold()] < 2:
            yield "an unlisted venue of several words"
        if _NUMBERS.search(_FOUR_DIGITS.sub("", cited.text)):
            yield "numbers beside an unlisted venue"
    if "," in name or not name[:1].isupper() or _ET_AL.search(name) or is_known_organisation(name):
        yield "an unlisted venue that is none"


def _seen_in_line(entry: Entry, text: str, end: int, vocabulary: Vocabulary) -> Iterator[str]:
    """Yield what is seen in the words of an entry's first lines that no field holds. The next entry begins at `end`."""
    at, last = entry.title_line
    if entry.dialect == "heading-title":
        last = _end_below(entry, text, end)
    taken = [entry.title.span, (last, last)]
    for link in entry.links:
        taken.append(link.link[:2])
    for field in (
        entry.name,
        entry.description,
        entry.citation,
        *entry.authors,
        *entry.affiliations,
        *entry.notes,
    ):
        if field is not None:
            taken.append(field.span)
    taken.sort()
    for first, behind in taken:
        if first - at > _GAP and at < last and _WORD.search(text, at, min(first, last)):
            yield from _seen_in_words(entry, at, text[at : min(first, last)], vocabulary)
        if behind > at:
            at = behind


def _end_below(entry: Entry, text: str, end: int) -> int:
    """Return where the first paragraph below an entry's heading ends."""
    end = min(entry.title_line.end + _MAX_BELOW, end)
    begin = text.find("\n\n", entry.title_line.end, end) + 2
    ends = (text.find("\n\n", begin, end), text.find("\n#", begin - 1, end))
    return min((offset for offset in ends if offset >= 0), default=end)


def _seen_in_words(entry: Entry, offset: int, piece: str, vocabulary: Vocabulary) -> Iterator[str]:
    """Yield what is seen in some words that no field holds, which begin at an offset."""
    words = _MARKUP.sub(" \0 ", piece)
    year = _YEAR.search(words)
    is_stated = year is not None and str(entry.year)[-2:] == year[0][-2:]
    if year is not None and not is_stated and (entry.year is None or entry.year_from_arxiv_id):
        yield "a year"
    words = _CODE.sub(" \0 ", words)
    if not _WORD.search(words):
        return
    letters = [word for word in _ET_AL.sub("", words.casefold()).split() if word.isalpha()]
    is_cell = entry.dialect.endswith(("row", "table"))
    if not CITATION_WORDS.issuperset(letters):
        yield "words in a cell" if is_cell else "words"
    may_cite = entry.kind == "paper" or entry.dialect == "heading-title"
    mentions = find_mentions(words, vocabulary) if may_cite and entry.citation is None else []
    if mentions:
        yield "a venue"
    is_people = not entry.authors and bool(
        _ET_AL.search(words) or _BY.search(words) or _NAME_AND_YEAR.search(words)
    )
    for part in _PARTS.split(words):
        part = part.strip(" *_().,:;-–—[]\n")
        many = part.split()
        if not entry.authors and len(many) > 1 and (may_cite or _YEAR_BEHIND.search(part)):
            is_people = is_people or is_list_of_people(_YEAR_BEHIND.sub("", part))
        if entry.description is None and is_prose(part):
            yield "a sentence in a cell" if is_cell else "a sentence"
        may_name = entry.kind == "paper" and entry.name is None and not (is_cell or mentions)
        is_word = len(many) == 1 < len(part) and part.casefold() not in CITATION_WORDS
        if may_name and is_word and any(map(str.isupper, part)):
            yield "one word"
    if is_people:
        yield "people"
    is_behind = bool(entry.links) and entry.links[0].link.text.start == entry.title.span.start
    is_behind = is_behind and entry.links[0].link.end == offset and _GOES_ON.match(piece) is not None
    if is_behind and not (mentions or year or is_people):
        yield "words behind the title"
