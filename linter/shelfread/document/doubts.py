"""A second reading of each entry, piece by piece: which fields are uncertain, as it says something else of them.

The first reading decides by the place of words in a line and by all lines of a series. The second one looks at each piece by
itself: the words that no field holds, notes, and what the fields hold. A piece that looks like another field than the one that
holds it leaves both uncertain, also the one that is missing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest

from shelfread.core.patterns import lazy
from shelfread.document.entry.remarks import is_prose, with_remark
from shelfread.document.entry.title_ends import in_title_case
from shelfread.document.model import Entry
from shelfread.document.recognizers.people import are_authors, is_list_of_people
from shelfread.document.recognizers.unlisted_venues import find_unlisted, states_citation
from shelfread.document.recognizers.venues import CITATION_WORDS, find_mentions
from shelfread.taxonomy.vocabulary import Vocabulary

# What is seen in a piece, and the fields on which the two readings then disagree.
_DISAGREEMENTS: Mapping[str, tuple[str, ...]] = {
    # Words that no field holds, and the field that should
    "a year": ("year",),
    "a citation": ("venue",),
    "people": ("authors",),
    "a sentence": ("description",),
    "one word": ("name",),  # `[TS]` before a paper's title, `(**TS**)` behind its links
    "a title": ("title", "name"),  # where the title is short: `TS | Tidy Shelves for Many Readers`
    "words behind the title": ("title",),  # `[Shelves](u) explained`: nothing parts them from it
    # Titles
    "a citation in the title": ("title", "venue", "year"),
    "people in the title": ("title", "authors"),
    "a word behind the title's end": ("title", "venue"),  # `Do Shelves Learn? SHLV`
    "no title": ("title",),  # no letters, a URL, a label
    "a very long title": ("title",),
    "markup in the title": ("title",),  # titles begin and end where their markup does
    # Other fields
    "a year in the name": ("name",),
    "a label as the name": ("name",),
    "a citation in the people": ("authors", "venue"),
    "people with one name and with several": ("authors",),  # `Stone, Ada` is one or two
    "a torn description": ("description",),  # it begins with what closes something
    "a year in the description": ("year",),
    "a citation in the description": ("venue",),
    "people in the description": ("authors",),
}
_USUAL = 0.6  # so large a share of the entries of a form has a field that the others should have, too
_FEW = 6  # fewer entries of a form say nothing about each other
_SAMPLE = 100  # so many entries show what is usual
_MAX_TITLE, _MAX_SHORT, _MAX_BELOW = 200, 100, 400
_MIN_TITLE = 4  # titles with fewer words are not longer than other fields
_GAP = 3  # so many characters between two fields only part them

_WORD = lazy(r"[^\W_]{2}")
# Markup and decoration: destinations, images, tags, shortcodes, references to characters, URLs, code.
_MARKUP = lazy(
    r"\]\([^()\s]{0,500}(?:\([^()\s]{0,200}\)[^()\s]{0,200})?(?:\s[^()\n]{0,200})?\)|\]\[[^\[\]\n]{0,100}\]|"
    r"!\[[^\[\]\n]{0,200}\](?:\[[^\[\]\n]{0,100}\])?|<[^<>\n]{0,500}>|:[a-z_0-9+]{1,40}:|&#?\w{1,30};|https?://[^\s)\]>]{1,500}"
)
_CODE = lazy(r"(?<!`)`+([^`\n]{1,200})`+")
_YEAR = lazy(r"(?:19[5-9]|20[0-3])\d(?!\d)|(?<=['’])\d\d\b")
_FOUR_DIGITS = lazy(r"(?:19[5-9]|20[0-3])\d(?!\d)")
_ET_AL = lazy(r"\b(?:et|at)\.? al\b|[\u4e00-\u9fff]等")
_BY = lazy(r"(?:^|[\s(])[Bb]y [A-Z]")
_CREDIT = lazy(r"\b[Bb]y [A-Z]\w+ [A-Z]")
_NAME_AND_YEAR = lazy(
    r"(?:^|[\0\n(])\W{0,5}[A-Z][\w’'-]{1,30}(?: (?:&|and) [A-Z][\w’'-]{1,30})?\.?,? \(?(?:19|20)\d\d\b"
)
_YEAR_BEHIND = lazy(r"[\s,.(]{0,5}(?:19|20)\d\d.*$")
_GOES_ON = lazy(r" {0,3}(?!(?:[Bb]y|[Ii]n)\b)[^\W\d_]")
_CLAUSES = lazy(r"[\0|]")
_PARTS = lazy(r"[\0|\n\"“”]|\((?!(?:19|20)\d\d\))|(?<!\d)\)|(?<=\w\w|\d\))\.\s|\s(?:[-–—/]|--)\s|;\s")
_YEAR_AT_END = lazy(r"\W(?:19[5-9]|20[0-3])\d\W{0,3}$")
_TAIL = lazy(r"\w{3}[.?!] [A-Z][\w&'-]*(?: [A-Z][\w&'-]*)?\W{0,3}$")
_CITED_START = lazy(r"\W{0,2}(?:['’]?\d\d[-_ ]|[A-Z][\w&]{1,12}[ -]?['’]?(?:\d\d|20\d\d)\s?[-–:,])")
_NO_PERSON = lazy(r"\d|['’]$|\b[A-Z]{3,}\b|^[Ii]n\b|\.\s\s|[^\W\d_]{3}\. |[\[\]|]")
# What says nothing of a note, and leaves words behind a title to it.
_UNCLEAR = frozenset(("words", "one word", "prose", "a clause"))
_EDGE = " *_(){}.,:;-–—/|[]\n\"“”'"
_MARKED, _CLOSING = frozenset("[*_\"“”'`>{"), frozenset(")]】）,;、")
_IN_TITLE = ("](", "**", "`", "<")


def doubt(entries: Sequence[Entry], text: str, vocabulary: Vocabulary) -> list[Entry]:
    """Return the entries of a text with the fields that are uncertain, as two readings of their lines disagree."""
    usual = _usual_fields(entries)
    doubted: list[Entry] = []
    for entry, following in zip_longest(entries, entries[1:]):
        end = following.span.start if following is not None else len(text)
        seen = [*_seen_in_title(entry, text, vocabulary), *_seen_in_fields(entry, vocabulary)]
        for offset, piece in _unread(entry, text, end):
            seen += _seen_in_words(entry, offset, piece, vocabulary)
        if not seen:
            doubted.append(entry)
            continue
        if entry.description is None and entry.kind == "paper" and not _UNCLEAR.isdisjoint(seen):
            entry = with_remark(entry, vocabulary)
            if seen.count("prose") > 1:
                seen.append("a sentence")
        if entry.description is None and "a clause" in seen:
            seen.append("a sentence")
        uncertain = frozenset(field for kind in seen for field in _DISAGREEMENTS.get(kind, ()))
        if "words" in seen:
            uncertain |= usual.get(entry.dialect, frozenset()).difference(_stated(entry))
        doubted.append(entry._replace(uncertain=uncertain))
    return doubted


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


def _seen_in_title(entry: Entry, text: str, vocabulary: Vocabulary) -> Iterator[str]:
    title, (start, end) = entry.title.value, entry.title.span
    if not title:
        return
    if len(title) > _MAX_TITLE:
        yield "a very long title"
    is_label = (
        entry.kind == "paper"
        and title.count(" ") < 2
        and (vocabulary.role(title) is not None or title.casefold() in CITATION_WORDS)
    )
    if "://" in title or is_label or not (title[0].isalpha() or any(map(str.isalpha, title))):
        yield "no title"
    if entry.kind != "paper" and entry.links and entry.links[0].link.text.start == start:
        return  # a name that is linked
    dated = entry.year is None and title[-5:].strip(" .,()[]").isdecimal() and _YEAR_AT_END.search(title)
    if dated or (entry.citation is None and _CITED_START.match(title)):
        yield "a citation in the title"
    if (". " in title or "? " in title or "! " in title) and _TAIL.search(title):
        yield "a word behind the title's end"
    is_marked = text[max(start - 1, 0)] in _MARKED
    first, comma, _ = title[:60].partition(",")
    may_name = comma and not is_marked and not entry.authors and " " in first
    if (" al" in title and _ET_AL.search(title)) or (may_name and are_authors(first)):
        yield "people in the title"
    if _PARTS.search(title):
        for part in _PARTS.split(title):
            if states_citation(part, vocabulary):
                yield "a citation in the title"
            elif _are_people(part):
                yield "people in the title"
    written = text[start:end]
    named = entry.name.span.end + 3 - start if entry.name is not None else 0  # `**TS**: Tidy Shelves`
    if any(mark in written[max(named, 0) :] for mark in _IN_TITLE) or ("[" in written and "]" not in written):
        yield "markup in the title"


def _seen_in_fields(entry: Entry, vocabulary: Vocabulary) -> Iterator[str]:
    name = entry.name
    if entry.kind == "paper":
        texts = (*(link.label for link in entry.links), *(field.value for field in entry.affiliations))
        if any(_is_longer_title(text, entry.title.value) and not _FOUR_DIGITS.search(text) for text in texts):
            yield "a title"  # but `Stone et al., Annals of Shelves (2019)`
    if name is None and "affiliations" in entry.guessed:
        yield "one word"
    elif name is not None and entry.kind == "paper":
        if _FOUR_DIGITS.search(name.value):
            yield "a year in the name"
        if vocabulary.role(name.value.strip(_EDGE)) is not None:
            yield "a label as the name"
    if entry.notes and entry.kind == "paper":
        for note in entry.notes[:4]:
            _, colon, said = note.value.partition(": ")
            words = _MARKUP.sub(" \0 ", said if colon and entry.dialect.endswith("row") else note.value)
            if len(words) < _MAX_SHORT:
                yield from set(_look(entry, words, vocabulary)) - _UNCLEAR
    if entry.authors:
        if len({" " in author.value for author in entry.authors}) > 1:
            yield "people with one name and with several"
        if any(_NO_PERSON.search(author.value) for author in entry.authors):
            yield "a citation in the people"
    if entry.description is None:
        return
    value = entry.description.value
    if value[:1] and value[0] in _CLOSING:
        yield "a torn description"
    if len(value) < _MAX_SHORT and ("20" in value or "19" in value) and _FOUR_DIGITS.search(value):
        if entry.year is None:
            yield "a year in the description"
        if entry.citation is None and find_mentions(value, vocabulary):
            yield "a citation in the description"
    if not entry.authors and "y " in value and _CREDIT.search(value):
        yield "people in the description"


def _unread(entry: Entry, text: str, end: int) -> Iterator[tuple[int, str]]:
    """Yield the words of an entry's first lines that no field holds, with their offsets. The next entry begins at `end`."""
    at, last = entry.title_line
    if entry.is_heading:
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
            yield at, text[at : min(first, last)]
        if behind > at:
            at = behind


def _end_below(entry: Entry, text: str, end: int) -> int:
    """Return where the first paragraph below an entry's heading ends."""
    end = min(entry.title_line.end + _MAX_BELOW, end)
    begin = text.find("\n\n", entry.title_line.end, end)
    ends = (text.find("\n\n", begin + 2, end), text.find("\n#", begin + 1, end)) if begin >= 0 else ()
    return min((offset for offset in ends if offset >= 0), default=end)


def _seen_in_words(entry: Entry, offset: int, piece: str, vocabulary: Vocabulary) -> Iterator[str]:
    """Yield what is seen in some words that no field holds, which begin at an offset."""
    seen = list(_look(entry, _MARKUP.sub(" \0 ", piece), vocabulary))
    yield from seen
    is_behind = bool(entry.links) and entry.links[0].link.text.start == entry.title.span.start
    is_behind = is_behind and entry.links[0].link.end == offset and _GOES_ON.match(piece) is not None
    is_sentence = "prose" in seen and piece.lstrip()[:1].isupper()  # `[Shelves](u) Shows that books fall.`
    if is_behind and not is_sentence and _UNCLEAR.issuperset(seen):
        yield "words behind the title"


def _look(entry: Entry, words: str, vocabulary: Vocabulary) -> Iterator[str]:
    """Yield what words look like by themselves, of what the entry lacks."""
    if not _WORD.search(words):
        return
    year = _YEAR.search(words)
    is_stated = year is not None and str(entry.year)[-2:] == year[0][-2:]
    if year is not None and not is_stated and (entry.year is None or entry.year_from_arxiv_id):
        yield "a year"
    shown, words = words, _CODE.sub(" \0 ", words).replace("*", "")
    lacks_people, may_cite = not entry.authors, entry.kind == "paper" or entry.is_heading
    if lacks_people and (_ET_AL.search(words) or _BY.search(words) or _NAME_AND_YEAR.search(words)):
        yield "people"
    is_cited = entry.citation is not None or not may_cite
    is_cell = entry.dialect.endswith(("row", "table"))
    if not is_cited and find_mentions(shown, vocabulary):
        is_cited = True
        yield "a citation"
    for clause in _CLAUSES.split(words):
        if is_prose(clause):
            yield "prose"
        for part in _PARTS.split(clause):
            part = part.strip(_EDGE)
            if not CITATION_WORDS.issuperset(word for word in part.casefold().split() if word.isalpha()):
                yield "words"
            if not is_cited and find_unlisted(part, "line") is not None:
                yield "a citation"
            elif " " not in part:
                if entry.kind == "paper" and entry.name is None and not is_cell and _is_name(part):
                    yield "one word"
            elif lacks_people and _names_people(part, may_cite):
                yield "people"
            elif may_cite and is_prose(part):
                yield "a clause"
            elif may_cite and _is_longer_title(part, entry.title.value):
                yield "a title"


def _is_name(part: str) -> bool:
    return len(part) > 1 and any(map(str.isupper, part)) and part.casefold() not in CITATION_WORDS


def _are_people(part: str) -> bool:
    return is_list_of_people(_YEAR_BEHIND.sub("", part))


def _names_people(part: str, of_paper: bool) -> bool:
    """Return whether words name people: several, behind what is no paper with a year, or one."""
    if (of_paper or _YEAR_BEHIND.search(part)) and _are_people(part):
        return True
    return part.count(" ") < 3 and are_authors(part)


def _is_longer_title(text: str, title: str) -> bool:
    """Return whether a text rather is the title than a short one that it does not hold: `TS | Tidy Shelves for Readers`."""
    return title.count(" ") < _MIN_TITLE - 1 <= text.count(" ") and in_title_case(text) and title not in text
