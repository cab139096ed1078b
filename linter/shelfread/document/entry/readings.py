"""Readings of a line compete over a series: where its title lies, and whether people or a venue stand before it.

A line alone seldom says whether `Klara Novak, Liang Zhou, Tidy Shelves` begins with people. Twelve lines do: read with
people first, all titles are titles, and what stands before them is people.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from shelfread.core.patterns import lazy
from shelfread.document.entry.link_labels import CONSUMED
from shelfread.document.entry.prefix import (
    BRACKETED_TITLE,
    MAX_NAME_WORDS,
    names_nothing,
    read_leading_citation,
)
from shelfread.document.entry.title_ends import LINE_END, in_title_case, marked_title_end, unmarked_title_end
from shelfread.document.entry.titles import (
    LED_ON,
    MAKERS_AT_END,
    QUOTES,
    Title,
    closing_quote,
    goes_on_behind_quotes,
    range_at,
)
from shelfread.document.identity import is_paper_url
from shelfread.document.plain_text import PlainText, TextLink, TextRange
from shelfread.document.recognizers.leading_people import FAMILIES_FIRST, find_name_behind, people_by_form
from shelfread.document.recognizers.people import (
    BEFORE_PEOPLE,
    ONE_INVERTED,
    are_authors,
    are_named,
    is_list_of_people,
    split_people,
)
from shelfread.document.recognizers.unlisted_venues import begins_citation, find_unlisted, states_citation
from shelfread.document.recognizers.venues import blank_mentions, find_mentions, is_citation
from shelfread.document.years import DATE, DATE_AT_END, YEAR_FOLLOWS, find_year
from shelfread.taxonomy.vocabulary import Vocabulary


class Reading(NamedTuple):
    """How the fields lie in a line.

    `order` is `people` (they stand before the title), `citation` (a venue or a date does), `name` (a short name does),
    `marked` (the title is the first text in a markup, whatever stands before it) or `title` (it comes first).
    `boundary` is the separator after the first field, or the markup of the title or of what stands before it.
    """

    order: str
    boundary: str


class Line(NamedTuple):
    """A line of a series: its text, the same without labels, where its prefix ends, and the title by its own marks."""

    plain: PlainText
    unread: str
    start: int
    title: Title
    is_cited: bool = False  # whether a citation surely stands before the title


class _Judged(NamedTuple):
    """A title, how well its line is read with it, and whether anything speaks against it, or its siblings do."""

    title: Title
    score: float
    is_faulty: bool
    is_doubted: bool


_BOUNDARIES = {
    ": ": lazy(r"[:：]\s*"),
    ". ": lazy(r"(?<!\b[A-Z])(?<!\bal)(?<!\bJr)\.\s+"),
    " - ": lazy(r"\s+(?:[-–—|/@]|--)\s+|;\s+"),
    " in ": lazy(r"\s+in\s+(?=[A-Z])"),
    "year": lazy(r"[.,]?\s*[(\[]?(?:19|20)\d\d[a-z]?(?:[-./]\d{1,2}){0,2}[)\]]?[.,:]?\s+"),
    ", ": lazy(r",\s+|，\s*"),
    "et al": lazy(r"\bet\.? al(?:\.?[.,:]?\s+|\.(?=[A-Z]))"),
    " ": lazy(r"\s+"),
    "label": lazy(r"\s*\0"),
    "(": lazy(r"\s*[(（]"),
    "dated": lazy(r"(?<=(?:19|20)\d\d)(?:[-./]\d{1,2}){0,2}(?![-./]\d)[\s,.;:|/_)\]：–—-]+"),
    "date first": lazy(
        r"(?<=(?:19|20)\d\d)(?P<separator>\s*[,.;:|/_：–—-]\s*)[^,.;:|/_：–—]{2,40}?(?P=separator)"
    ),
}
_MARKS = ("link", "strong", "emphasis", "quote", "code")
READINGS = (
    *(
        Reading("people", boundary)
        for boundary in (": ", ". ", ", ", " - ", "year", "et al", "quote", "link", "strong", "emphasis")
    ),
    *(Reading("citation", boundary) for boundary in ("dated", "date first", ": ", " - ", " ")),
    *(Reading("name", boundary) for boundary in ("link", "strong", "code", ": ", "label")),
    *(
        Reading("title", boundary)
        for boundary in (", ", "(", " - ", ": ", " in ", "strong", "emphasis", "code")
    ),
    *(Reading("marked", mark) for mark in ("link", "strong", "emphasis", "quote")),
)
# What one line may be read as without others beside it.
_OF_ONE = tuple(reading for reading in READINGS if reading.order != "name")
_COMMA = lazy(r",\s+(?:(?:and|&)\s+)?|\s+(?:and|&|und|et(?! al))\s+")
_EDGE = ' \t\n.,:;*_-–—|/()[]"“”'
_CITATION_ENDS = lazy(r"[)\]](?=[\s,.;:|/–—-])|\w(?:\s[-–—|/]\s|[.,:;]\s|(?<=\d)\s)")
_AFTER_PEOPLE = lazy(
    r"[\s,]*(?:[(\[]?(?:19|20)\d\d[a-z]?(?:[-./]\d{1,2}){0,2}[)\]]?[.,:]?\s*)?(?:[-–—:]+\s*)?"
)
_BEFORE_TITLE = lazy(r"[\s\0\])）】.,:;/|–—\u2190-\u2bff\ufe0f\U0001f000-\U0001faff-]*")
_LAST_INITIAL = lazy(r"\b[A-Z]\Z")
_GOES_ON = lazy(r"(?:in|at|of|on)\s|\([^()]{1,80}\)\s{0,9}$")  # `ICML 2021 in Uppsala`, `ICML 2021 (July)`
_FIRST_WORDS = lazy(r"[^,:;.]{3,60}(?=[,:;])")
_YEAR_AT_START = lazy(r"[^:：]{0,40}?(?:19[5-9]|20[0-3])\d\W+\w+\W+\w+")
_SHORT_CITATION_AT_START = lazy(
    r"(?:[A-Z][A-Za-z&]{1,11}(?:[-'’]|\s['’]?)[012]\d|[012]\d[-_ ][A-Z][A-Za-z]{1,11})\s?[-–—:,|_]"
)
_NEXT_NAME = lazy(r"(?:,|\s+and)\s+(?P<name>[^\s,.:;()\[\]\0][^,.:;()\[\]\0]{2,39})(?=[,:.]|\s+and\b)")
_NEXT_WORDS = lazy(r"[\s\0\])）】.,:;|/\"“–—-]*\w+:?[ -]\w+[ -][^\W\d]")
_QUOTED_TITLE = lazy(r".[\"“](?:[^\s\"“”]+ ){3}")
_SEPARATED = lazy(r"\s[-–—|/]\s|;")
_SEGMENT_END = lazy(r"[\0\n(\[|]|(?<!\b[A-Z])\.\s")
_BY = lazy(r"[,.] by (?=[A-Z])")
_ENDS_WITH_NUMBER = lazy(r"(?i), arxiv:\s?\d{4}\.\d{4,5}$")
_ENDS_SENTENCE = lazy(r"\w{3}\.\s+[A-Z]")
_NAME_BEFORE_PEOPLE = lazy(r"(?P<name>[^\s:：,]+(?: [^\s:：,]+){0,3})[:：]\s+")
_WORD_AND_YEAR = lazy(r"[^\W\d_]{3,9}\.? (?:19|20)\d\d")
_MAX_HEAD = 500
_MOST_BRACKETS = 20  # before the one that cites: each may go on to the end of the line
_LONG_WORD = lazy(r"(?<!\S)[a-z]{4}")
_MAX_VENUE = 6  # words
_MAX_LABEL_WORDS = 2
_MAX_CITATION = 60
_MAX_LINE = 1200

# What speaks for a reading of a line, with the reason. The best reading of a series has the highest mean.
_TITLE = 1.0  # a title of the length that titles have
_SHORT_TITLE = 0.5  # one or two words: a name, or a piece of a title
_LONG_TITLE = 0.3  # more than thirty words: other fields are in it
_IS_URL = -1.0  # a URL is no title, nor are digits
_STATES_YEAR = -0.5  # a year at a title's end or beginning is that of the citation
_IS_CITATION = -0.8  # a venue is no title
_NAME_ALONE = -0.4  # a short name, and the words of a title between it and the citation
_IS_PEOPLE = -0.8  # nor are people
_BEGINS_WITH_PEOPLE = -0.5  # authors are in the title, before it or behind `by`
_ENDS_WITH_PERSON = -0.2  # the last words behind a comma may be the author
_NOT_LED = -0.2  # people stand before nearly all other titles
_REPEATED = -0.5  # titles of a series are distinct, venues are not
_PRECEDES_YEAR = -0.4  # what stands between a comma and a year may be the venue
_TWO_SENTENCES = -0.2  # a title and what follows it
_CROSSES_MARKUP = -0.5  # a title begins and ends where its markup does
_PEOPLE = 0.3  # what stands before the title is surely people
_ONE_PERSON = 0.1
_CITATION_BEFORE = 0.2  # what stands before the title is a venue or a date
_UNREAD = -0.04  # for each word before the title that nothing reads, ten at most
_SAME_MARKUP = 0.3  # titles of a series are marked alike
_AGREES = 0.1  # all lines that have nothing against them, and they are most, are read so already
# So much better than the reading of each line by itself: within that, the line's own marks decide.
_MARGIN = 0.04
_GAIN = 0.25  # so much better over all lines together: the fewer there are, the more each has to gain
_PLAUSIBLE = 0.9  # most titles of a reading are titles, and what stands before them is known
_MUCH = 0.6  # or so much better where they only end elsewhere: they may be names of one word
_MIN_SHARE = 0.6  # so many lines of a series have to allow its reading; a few odd ones are read by themselves
_FAULTY = 0.1  # so many titles have to have something against them before other readings are tried
_MOST_LED = 0.7  # before so many titles people stand, that a line without them may be misread
_FEW = 3
# So large a share of the faults may remain, and of those of so few lines: another reading has to explain most
# of them.
_LEFT, _LEFT_OF_FEW = 0.5, 0.34
_ODD = 0.17  # in so many lines a reading may find a fault that they have not each by itself: one of six
_SEVERAL = 0.25  # so many of the lists of people have to name several: `Two Words: a title` alone is a name


def choose_reading(
    lines: Sequence[Line], vocabulary: Vocabulary, usual: Reading | None = None
) -> Reading | None:
    """Return the reading that fits a series best, or None if its lines are best read each by itself.

    If the `usual` one of the document leaves nothing against the titles, no other is tried.
    """
    own = _doubt_repeated([_judge(line.title, line, vocabulary) for line in lines], lines)
    led = sum(judged.title.authors is not None for judged in own)
    may_lack = led >= _MOST_LED * len(own)  # what people stand before in nearly all lines
    own = [_without_people(judged) if may_lack and not judged.title.authors else judged for judged in own]
    faulty = sum(judged.is_faulty for judged in own)
    doubted = sum(judged.is_doubted for judged in own)
    if not doubted:
        return None
    are_odd = doubted < _FAULTY * len(lines)
    # What a reading has to explain comes first: most readings are soon out.
    order = sorted(range(len(own)), key=lambda index: (not own[index].is_faulty, not own[index].is_doubted))
    lines, own = [lines[index] for index in order], [own[index] for index in order]
    margin = max(_MARGIN, _GAIN / len(lines))
    own_score = _score_of_series(own)
    best, best_score = None, own_score + margin
    readings = READINGS if len(lines) > 1 else _OF_ONE
    for reading in (usual, *readings) if usual is not None else readings:
        found, left = _read_all(reading, lines, faulty, vocabulary)
        if not found:
            continue
        read = [judged or by_itself for judged, by_itself in zip(found, own, strict=True)]
        read = _doubt_repeated(read, lines)
        others = zip(read[doubted:], own[doubted:], strict=True)
        agrees = all(one.title.range == other.title.range for one, other in others)
        if are_odd and not agrees:
            continue  # what few lines have against them, only the reading of all others explains
        shows = agrees and reading.order == "title" and 2 * doubted < len(lines)
        score = _score_of_series(read) + _AGREES * shows
        plausible = min(own_score + _MUCH, _PLAUSIBLE) if reading.order == "title" else _PLAUSIBLE
        if score > max(best_score, plausible) and _name_several(found, lines):
            best, best_score = reading, score
            if reading is usual and not left:
                break
    return best


def _without_people(judged: _Judged) -> _Judged:
    """Return the title of a line that lacks what its siblings have: people before the title."""
    return judged._replace(score=judged.score + _NOT_LED, is_doubted=True)


def _doubt_repeated(read: Sequence[_Judged], lines: Sequence[Line]) -> list[_Judged]:
    """Return titles, of which those that others repeat have that against them."""
    titles = [
        line.unread[slice(*judged.title.range)] if judged.title.range else ""
        for judged, line in zip(read, lines, strict=True)
    ]
    counts = Counter(titles)
    return [
        judged._replace(score=judged.score + _REPEATED, is_faulty=True, is_doubted=True)
        if title and counts[title] > 1
        else judged
        for judged, title in zip(read, titles, strict=True)
    ]


def _read_all(
    reading: Reading, lines: Sequence[Line], faulty: int, vocabulary: Vocabulary
) -> tuple[list[_Judged | None], int]:
    """Return the titles of lines by a reading, of which the first `faulty` have faults if read each by itself,
    and how many have faults. No titles are returned as soon as too many lines do not allow it, or too many faults are left.
    """
    misses = left = odd = 0
    found: list[_Judged | None] = []
    for index, line in enumerate(lines):
        is_read = line.is_cited and reading.order == "citation"
        title = (
            line.title if is_read else find_title_as(reading, line.unread, line.start, line.plain, vocabulary)
        )
        judged = None if title is None else _judge(title, line, vocabulary)
        misses += judged is None
        left += index < faulty and (judged is None or judged.is_faulty)
        odd += index >= faulty and judged is not None and judged.is_faulty
        may_be_left = (_LEFT if len(lines) > _FEW else _LEFT_OF_FEW) * faulty
        if misses > (1 - _MIN_SHARE) * len(lines) or left > may_be_left or odd > _ODD * len(lines):
            return [], left
        found.append(judged)
    return found, left


def find_title_as(
    reading: Reading, unread: str, start: int, plain: PlainText, vocabulary: Vocabulary
) -> Title | None:
    """Return the title of a line that is read as its series is, or None if the line does not allow it."""
    unread = unread[:_MAX_LINE]
    if reading.boundary == "date first" and find_year(unread[:start]) is not None:
        start = 0  # in some lines the prefix ends behind the date
    if reading.order == "title" and reading.boundary in _MARKS:
        return _title_before_mark(reading.boundary, unread, start, plain, vocabulary)
    if reading.order == "title":
        link = range_at(plain.links, start)
        title = _title_before_tail(reading.boundary, unread, start, len(unread), vocabulary)
        title = title._replace(shape="linked", link=link) if title is not None and link is not None else title
        is_torn = title is not None and title.range is not None and unread[slice(*title.range)].count('"') % 2
        return None if is_torn else title
    if reading.order == "marked":
        marked = _next_mark(reading.boundary, unread, start, plain)
        while marked is not None and _is_no_title(unread[marked.start : marked.end], vocabulary):
            marked = _next_mark(reading.boundary, unread, marked.end, plain)
        if marked is None or marked.start <= start or _is_linked_name(unread, start, plain, vocabulary):
            return None
        if reading.boundary == "link" and _leads_to_labels(unread[start : marked.start], plain):
            return None
        title = _title_at(marked.start, unread, plain, vocabulary)
        return title and _with_lead(title, unread, start, marked.start, plain, vocabulary)
    head = _head(reading, unread, start, plain)
    if head is None:
        return None
    text = unread[start : head.start].strip(_EDGE)
    if reading.order == "citation":
        cites = find_mentions(text, vocabulary) or find_year(text) or find_unlisted(text, "short")
        link = range_at(plain.links, start)
        is_name = link and link.end <= head.start and _is_linked_name(unread, start, plain, vocabulary)
        # `[Trends for 2025 that readers know](u)`
        are_words = len(text.split()) > _MAX_VENUE or _LONG_WORD.search(text) is not None
        goes_on = link and link.end > head.end and are_words and not is_citation(text, vocabulary)
        if len(text) > _MAX_CITATION or not cites or is_name or goes_on:
            return None
        offset = _skip(_BEFORE_TITLE, unread, head.end)
        if _GOES_ON.match(unread, offset):
            return None
        title = _title_behind(start, offset, unread, plain, vocabulary)
        return title and _with_lead(title, unread, start, head.start, plain, vocabulary)
    if reading.order == "name":
        if not _may_be_name(text, vocabulary):
            return None
        cited_to = _end_of_citation(unread, head.end, vocabulary)
        read = _title_behind(start, _skip(_BEFORE_TITLE, unread, cited_to), unread, plain, vocabulary)
        is_one = read is not None and (
            (cited_to == head.end and _is_cited_after(unread, read, vocabulary))
            # `**[TS](u)** (KDD 2014)`, and below it `**Tidy Shelves**`
            or (cited_to > head.end and read.range in plain.strong)
            or (reading.boundary in _MARKS and _is_title_of_name(unread, start, read, plain, vocabulary))
        )
        is_torn = (
            read is not None and read.link is not None and read.link.start <= start < head.end < read.link.end
        )
        return (
            read._replace(name=TextRange(start, head.start))
            if read is not None and is_one and not is_torn and not _is_told_below(unread, head.end, read)
            else None
        )
    dated = DATE_AT_END.search(text)  # `Stone 2002: Tidy Shelves`
    if dated is not None:
        text = text[: dated.start()].strip(_EDGE)
        end = unread.index(text, start) + len(text)
        end += unread.startswith(".", end) and text[-2:-1] in (" ", ".", "-")  # that of an initial
        head = head._replace(start=end)
    are_formed = (
        reading.boundary == "year"
        or dated is not None
        or "et al" in text
        or "." in text
        or FAMILIES_FIRST.fullmatch(text)
        or ONE_INVERTED.fullmatch(text)
        or (";" in text and "," in text)
        or (
            reading.boundary in _MARKS and unread[start : head.start].rstrip().endswith((".", ";"))
        )  # `Stone. **Title**`
    )
    if "et al" in text and any(map(str.isalpha, text.partition("et al")[2])):
        return None
    if reading.boundary == ": " and find_name_behind(text):
        return None
    if CONSUMED in text or not are_authors(text, minimum=0 if are_formed else 1):
        return None
    if reading.boundary == "emphasis" and len(split_people(text)) < 2:
        return None  # `*A* Search for Readers*`
    if any(link.start <= start < link.end <= head.start for link in plain.links):
        return None  # what is linked is no author
    if any(start < mark.start < head.start - 1 for mark in plain.emphasis):
        return None  # people and a title in emphasis
    offset = _skip(_AFTER_PEOPLE, unread, head.end)
    if cited := read_leading_citation(unread, offset, vocabulary):
        offset = cited[1]
    return _title_at(offset, unread, plain, vocabulary, TextRange(start, head.start))


def _end_of_citation(unread: str, offset: int, vocabulary: Vocabulary) -> int:
    """Return where the citation ends that stands at an offset, behind a name: ` (KDD 2014)`, ` - 2014`, ` (Stone et al.)`. The offset if there is none."""
    ends, is_bracketed = [offset], unread.startswith((" (", " ["), offset)
    for stop in _CITATION_ENDS.finditer(unread, offset, offset + _MAX_CITATION):
        text = unread[offset : stop.start() + 1].strip(_EDGE)
        are_people = is_bracketed and is_list_of_people(text)
        if text and (are_people or DATE.fullmatch(text) or states_citation(text, vocabulary, "citation")):
            ends.append(stop.end())
    return ends[-1]


def _is_told_below(unread: str, name_end: int, title: Title) -> bool:
    """Return whether the words behind a name are a sentence in a line of its own, and no title: `Oak`, and `A post on shelves.`"""
    if title.range is None or "\n" not in unread[name_end : title.range.start]:
        return False
    line = LINE_END.split(unread[title.range.start :], maxsplit=1)[0].rstrip()
    return line.endswith((".", "!")) and not in_title_case(line)


def _may_be_name(text: str, vocabulary: Vocabulary) -> bool:
    """Return whether what stands before a title can be its short name: no venue, people or label."""
    is_short = 0 < len(text.split()) <= MAX_NAME_WORDS and not names_nothing(text) and "et al" not in text
    return is_short and not find_mentions(text, vocabulary) and find_year(text) is None


def _with_lead(
    title: Title, unread: str, start: int, end: int, plain: PlainText, vocabulary: Vocabulary
) -> Title:
    """Return a title with the name, people or both before it: `**TS** [KDD 2014] *Tidy Shelves*`, `**TS:** Ada Stone. "Tidy Shelves."`"""
    mark = range_at(plain.strong, start)
    if (
        mark is not None
        and mark.end < end
        and _may_be_name(unread[start : mark.end].strip(_EDGE), vocabulary)
    ):
        return title._replace(name=TextRange(start, mark.end))
    named = _NAME_BEFORE_PEOPLE.match(unread, start, end)
    words = named["name"] if named is not None and named.end() == end else ""
    is_name = words.isascii() and find_year(words) is None and not names_nothing(words)
    if named is not None and is_name and 0 < len(words.split()) <= MAX_NAME_WORDS:
        return title._replace(name=TextRange(start, named.end("name")))
    before = unread[start:end].rstrip(" *_")
    is_stopped = title.link is None and (
        before.endswith((",", ".")) or before.rstrip(" .-–—:").endswith(" et al")
    )
    is_stopped = is_stopped and not find_mentions(before, vocabulary)
    if is_stopped and not before.isupper() and are_authors(before.strip(_EDGE), minimum=0):
        return title._replace(authors=TextRange(start, end))  # `Stone and Field, *Tidy Shelves*`
    if named is None or not is_list_of_people(unread[named.end() : end].strip(_EDGE)):
        return title
    return title._replace(name=TextRange(start, named.end("name")), authors=TextRange(named.end(), end))


def _leads_to_labels(lead: str, plain: PlainText) -> bool:
    """Return whether a line is a title, a colon and links of few words: `Oak (2022): [first log](u) | [second log](v)`."""
    words = [len(plain.text[link.start : link.end].split()) for link in plain.links]
    return lead.rstrip().endswith((":", "：")) and len(words) > 1 and max(words) <= _MAX_LABEL_WORDS


def _head(reading: Reading, unread: str, start: int, plain: PlainText) -> TextRange | None:
    """Return where what stands before the title ends, and where the title may begin."""
    if reading.boundary in _MARKS:
        marked = _next_mark(reading.boundary, unread, start, plain)
        if marked is None:
            return None
        if reading.order == "people" and reading.boundary != "emphasis":
            return TextRange(marked.start, marked.start)
        return TextRange(marked.end, marked.end) if marked.start <= start + 2 else None
    if reading.order == "people" and reading.boundary == ", ":
        end = _end_of_people(unread, start)
        return TextRange(end, end)
    matches = _BOUNDARIES[reading.boundary].finditer(unread, start, start + _MAX_HEAD)
    match = next(matches, None)
    if reading.order == "people":  # `Stone, Ada; Field, Ben - Tidy Shelves`
        match = (
            next((found for found in matches if found[0][0] != ";"), match)
            if match and match[0][0] == ";"
            else match
        )
    if match is None and reading.boundary == "date first":  # with nothing between the date and the title
        match = _BOUNDARIES["dated"].search(unread, start, start + _MAX_HEAD)
    if match is None:
        return None
    if reading.boundary in ("et al", "date first"):
        return TextRange(match.end(), match.end())
    ends_initial = match[0][0] == "." and _LAST_INITIAL.search(unread, start, match.start()) is not None
    return TextRange(match.start() + ends_initial, match.end())  # `Stone, A. (2019)`


def _title_behind(
    start: int, offset: int, unread: str, plain: PlainText, vocabulary: Vocabulary
) -> Title | None:
    """Return the title at an offset, with the link of what stands before it if it has none of its own."""
    title = _title_at(offset, unread, plain, vocabulary)
    if title is None or title.link is not None:
        return title
    return title._replace(
        link=next((link for link in plain.links if link.start <= start < link.end <= offset), None)
    )


def _title_at(
    start: int, unread: str, plain: PlainText, vocabulary: Vocabulary, authors: TextRange | None = None
) -> Title | None:
    """Return the title that begins at an offset: up to the end of its markup, or where what follows it begins."""
    if start >= len(unread) or unread[start] == CONSUMED:
        return None
    link = range_at(plain.links, start)
    marks: Iterator[tuple[str, TextRange | TextLink]] = (
        (shape, marked)
        for shape, ranges in (("linked", plain.links), ("strong", plain.strong), ("emphasis", plain.emphasis))
        for marked in ranges
        if marked.start <= start < marked.end
    )
    shape, marked = next(marks, ("plain", None))
    close = closing_quote(unread, start)
    if link is not None and close > start + 1 and goes_on_behind_quotes(unread, close, link.end, vocabulary):
        close = -1
    if close > start + 1 and not unread.startswith(":", close + 1):
        start, shape = start + 1, shape if marked is not None else "quoted"
        end = marked_title_end(unread, start, close, vocabulary)
    elif marked is not None:
        close = marked.end
        end = marked_title_end(unread, start, close, vocabulary)
    elif bracketed := BRACKETED_TITLE.match(unread, start):
        return Title("quoted", TextRange(*bracketed.span("title")), authors=authors)
    else:
        close = len(unread)
        end = unmarked_title_end(unread, start, plain, vocabulary)
    titles = [Title(shape, TextRange(start, end.offset), link=link, authors=authors, proved=False)]
    if shape != "quoted":
        for boundary in (", ", ". ", " - "):
            if (title := _title_before_tail(boundary, unread, start, close, vocabulary)) is not None:
                titles.append(title._replace(shape=shape, link=link, authors=authors))
    best = max(titles, key=lambda title: _judge(title, Line(plain, unread, start, title), vocabulary).score)
    if best.range is None or best.range.end <= start:
        return None
    return best


def with_name(title: Title, unread: str, start: int, plain: PlainText) -> Title:
    """Return a title with the name before it if only a colon is between them: `TS: Tidy Shelves` is a title."""
    if title.range is None or ":" not in unread[start : title.range.start].replace("：", ":"):
        return title
    marks: tuple[TextRange | TextLink, ...] = (*plain.emphasis, *plain.strong, *plain.links)
    is_torn = any(marked.start <= start and title.range.start < marked.end for marked in marks)
    if title.shape != "plain" and not is_torn:
        return title
    return title._replace(range=TextRange(start, title.range.end))


def _title_before_tail(
    boundary: str, unread: str, start: int, end: int, vocabulary: Vocabulary
) -> Title | None:
    """Return the title that people, a venue and a year follow, each after the same separator or in brackets."""
    ends = (unread.find(CONSUMED, start, end), unread.find("\n", start, end))
    end = min((offset for offset in ends if offset >= 0), default=end)
    cuts = [match.span() for match in _BOUNDARIES[boundary].finditer(unread, start, end)]
    if boundary == "(":
        for before, after in cuts[:_MOST_BRACKETS]:
            cited = unread[after:end].partition(")")[0]
            if before > start and (DATE_AT_END.search(cited) or are_authors(cited, minimum=2)):
                made = MAKERS_AT_END.search(unread, start + 1, before)
                before = made.start() if made is not None and are_named(made["people"]) else before
                return Title("plain", TextRange(start, before), proved=False)
        return None
    starts = [start, *(after for _, after in cuts)]
    ends_of_parts = [*(before for before, _ in cuts), end]
    parts = [unread[a:b].strip(_EDGE) for a, b in zip(starts, ends_of_parts, strict=True)]
    if dated := next((at for at, part in enumerate(parts) if at and _is_date(part)), 0):
        parts = parts[: dated + 1]  # `Tidy Shelves, Oct 2016, Google`
    by = next((at for at, part in enumerate(parts) if at and part.startswith("by ")), 0)
    if by and are_authors(parts[by].removeprefix("by "), minimum=0):
        parts = parts[: by + 1]  # `Tidy Shelves, by A. Stone, Annals of Shelves, May 2003`
    count = len(parts)
    is_dated = False
    if count > 1 and (DATE.fullmatch(parts[-1]) or not parts[-1]):
        is_dated = bool(parts[-1])
        count -= 1
    last = parts[count - 1]
    mentions = find_mentions(last, vocabulary)
    cites = len(last.split()) <= 8 if is_dated else DATE_AT_END.search(last) or mentions
    is_cited = any("(" not in last[: mention.start] for mention in mentions)
    if boundary == " in " and not (is_cited or states_citation(last, vocabulary, "citation")):
        return None  # `Tidying Books in Shelf Science 2017` is one title
    if boundary == ": ":  # titles have colons
        cites = bool(mentions) and mentions[0].start == 0
    if count > 1 and cites and not (last.startswith("and ") or last.endswith("?")):
        count -= 1
    while count > 1 and _is_behind_title(parts[count - 1], vocabulary):
        count -= 1
    if count == len(parts):
        return None
    length = len(unread[start : ends_of_parts[count - 1]].rstrip(" ,;:-–—"))
    return Title("plain", TextRange(start, start + length), proved=False)


def _is_behind_title(part: str, vocabulary: Vocabulary) -> bool:
    """Return whether a part between commas is people, or what a link is called: `Tidy Shelves, Source Code, KDD, 2014`."""
    words = part.removeprefix("and ").removeprefix("by ")
    return " " in words and (are_authors(words) or vocabulary.role(words) is not None)


def _is_date(part: str) -> bool:
    """Return whether a part of a line is a date, with the name of its month in any language."""
    return DATE.fullmatch(part) is not None or (
        part.count(" ") == 1 and _WORD_AND_YEAR.fullmatch(part) is not None
    )


def _title_before_mark(
    mark: str, unread: str, start: int, plain: PlainText, vocabulary: Vocabulary
) -> Title | None:
    """Return the title that a citation in a markup follows."""
    marked = _next_mark(mark, unread, start + 1, plain)
    if marked is None:
        return None
    text = unread[marked.start : marked.end]
    if not find_year(text) and not find_mentions(text, vocabulary):
        return None
    length = len(unread[start : marked.start].rstrip(" ,;:.-–—"))
    return Title("plain", TextRange(start, start + length), proved=False) if length else None


def _end_of_people(unread: str, start: int) -> int:
    """Return where the people that a line begins with end, all separated by commas or of one form."""
    end = start
    if formed := people_by_form(unread[start : start + _MAX_HEAD]):
        return start + formed.end
    if joined := FAMILIES_FIRST.match(unread[start : start + _MAX_HEAD]):
        end = _skip(_COMMA, unread, start + joined.end())
    for match in _COMMA.finditer(unread, end, start + _MAX_HEAD):
        if not are_authors(unread[end : match.start()].strip(_EDGE)):
            break
        end = match.end()
    return end


def _next_mark(mark: str, unread: str, start: int, plain: PlainText) -> TextRange | None:
    """Return the first text of some letters in a markup from an offset on."""
    if mark == "quote":
        quote = next(
            (i for i in range(start, min(len(unread), start + _MAX_HEAD)) if unread[i] in QUOTES), None
        )
        close = closing_quote(unread, quote) if quote is not None else -1
        return TextRange(quote, close) if quote is not None and close - quote > 6 else None
    ranges: dict[str, Sequence[TextRange | TextLink]] = {
        "link": plain.links,
        "strong": plain.strong,
        "emphasis": plain.emphasis,
        "code": plain.code,
    }
    for marked in ranges[mark]:
        text = unread[marked.start : marked.end]
        is_unread = CONSUMED not in text and "://" not in text
        if marked.start >= start and marked.end - marked.start > 1 and is_unread:
            return TextRange(marked.start, marked.end)
    return None


def _is_linked_name(unread: str, start: int, plain: PlainText, vocabulary: Vocabulary) -> bool:
    """Return whether a line begins with a link that may be a name: neither a citation, nor a label, nor people."""
    link = range_at(plain.links, start)
    text = unread[start : link.end] if link is not None else ""
    return any(map(str.isalpha, text)) and not _is_no_title(text, vocabulary) and not are_authors(text)


def _is_no_title(text: str, vocabulary: Vocabulary) -> bool:
    """Return whether a text in a markup is a citation, or the label of a link."""
    return states_citation(text, vocabulary) or vocabulary.role(text.strip(_EDGE)) is not None


def _skip(pattern: re.Pattern[str], text: str, offset: int) -> int:
    match = pattern.match(text, offset)
    return match.end() if match else offset


def _name_several(found: Sequence[_Judged | None], lines: Sequence[Line]) -> bool:
    """Return whether enough of what stands before the titles is lists of people."""
    people = [
        line.unread[judged.title.authors.start : judged.title.authors.end].strip(_EDGE)
        for judged, line in zip(found, lines, strict=True)
        if judged is not None and judged.title.authors is not None
    ]
    return sum(map(is_list_of_people, people)) >= _SEVERAL * len(people)


def _score_of_series(read: Sequence[_Judged]) -> float:
    """Return how well the lines of a series are read."""
    shapes = Counter(judged.title.shape for judged in read)
    return (sum(judged.score for judged in read) + _SAME_MARKUP * max(shapes.values())) / len(read)


def _judge(title: Title, line: Line, vocabulary: Vocabulary) -> _Judged:
    """Return a title with how well its line is read with it."""
    text = line.unread[title.range.start : title.range.end].strip(_EDGE) if title.range is not None else ""
    if title.range is None or not text:
        return _Judged(title, 0.0, True, True)
    words = len(text.split())
    score = _TITLE if 3 <= words <= 30 else _SHORT_TITLE if words < 3 else _LONG_TITLE
    against = sum(_faults(title, text, line, vocabulary))
    score += against
    is_faulty = words > 30 or against < 0
    if title.authors is not None:
        people = line.unread[title.authors.start : title.authors.end].strip(_EDGE)
        score += _PEOPLE if is_list_of_people(people) else _ONE_PERSON
        score += _CITATION_BEFORE * _ends_with_year(title, line)
        return _Judged(title, score, is_faulty, is_faulty)
    head = line.unread[line.start : title.range.start].strip(_EDGE + CONSUMED)
    if not head or title.name is not None:
        return _Judged(title, score, is_faulty, is_faulty)
    mentions = find_mentions(head, vocabulary)
    if mentions or find_year(head):
        score += _CITATION_BEFORE
    unread = [word for word in blank_mentions(head, mentions).split() if any(map(str.isalpha, word))]
    return _Judged(title, score + _UNREAD * min(len(unread), 10), is_faulty, is_faulty)


def _faults(title: Title, text: str, line: Line, vocabulary: Vocabulary) -> Iterator[float]:
    """Yield the weight of each thing that speaks against a title."""
    if "://" in text or not any(map(str.isalpha, text)) or vocabulary.role(text) is not None:
        yield _IS_URL
    if LED_ON.match(text):
        yield _CROSSES_MARKUP  # `**Tidy Shelves** for Readers`
    if DATE_AT_END.search(text):
        yield _STATES_YEAR
    if _YEAR_AT_START.match(text) or _SHORT_CITATION_AT_START.match(text):
        yield _STATES_YEAR
    if states_citation(text, vocabulary) or states_citation(text.rpartition(": ")[2], vocabulary):
        yield _IS_CITATION
    elif _ENDS_WITH_NUMBER.search(text) is not None:
        yield _STATES_YEAR
    following = _NEXT_NAME.match(line.unread, title.range.end if title.range else 0)
    are_two = following is not None and are_authors(text) and are_authors(following["name"])
    if are_named(text) or (title.authors is None and (is_list_of_people(text) or are_two)):
        yield _IS_PEOPLE
    first = _FIRST_WORDS.match(text)
    are_whole = _ends_with_year(title, line)
    # Behind two words, a colon mostly stands in a title: `Raft Refloated: ...`. Behind people and a year, it is one.
    if (
        first is not None
        and not are_whole
        and " " in first[0]
        and (are_named if text.startswith(":", first.end()) else are_authors)(first[0])
    ):
        yield _BEGINS_WITH_PEOPLE
    separated = _SEPARATED.split(text)
    if any(is_list_of_people(piece) or are_named(piece) for piece in separated[1:4]) or (
        separated[1:] and ONE_INVERTED.fullmatch(separated[0])
    ):
        yield _BEGINS_WITH_PEOPLE
    elif title.shape == "plain" and not are_whole and _ends_with_person(title, text, line.plain):
        yield _ENDS_WITH_PERSON
    if _ENDS_SENTENCE.search(text):
        _, _, last = text.rpartition(". ")
        cites = begins_citation(last) or (find_mentions(last, vocabulary) and is_citation(last, vocabulary))
        yield _IS_CITATION if cites else _TWO_SENTENCES
    start, end = title.range or (0, 0)
    plain = line.plain
    lead = line.unread[line.start : start]
    if title.shape == "emphasis" and "\n" in lead and (title.name is None or CONSUMED in lead):
        yield _IS_CITATION  # below people
    is_short = len(text.split()) < 3 and title.name is None
    cited_to = _end_of_citation(line.unread, end, vocabulary) if is_short else end
    has_next = is_short and _NEXT_WORDS.match(line.unread, cited_to)
    after = line.unread[cited_to : cited_to + _MAX_HEAD].lstrip(_EDGE) if has_next else ""
    is_described = after.casefold().startswith(f"{text.casefold()} ")  # `[Oak](u): Oak is a library`
    is_named = bool(after) and not (begins_citation(after) or is_described or _are_people_next(after))
    behind = [link for link in plain.links if link.start > end] if is_short else []
    if behind and in_title_case(line.unread[behind[0].start : behind[0].end]):
        between = line.unread[end : behind[0].start].strip(_EDGE + "/")
        if (is_named and behind[0].start <= end + 3) or states_citation(between, vocabulary):
            yield _NAME_ALONE  # `[TS](u): [Sorting Tidy Shelves](v)`, `**TS** [KDD 2014] [Sorting Tidy Shelves](v)`
    if is_named and (
        (cited_to == end and _is_cited_after(line.unread, title, vocabulary))
        or (title.shape != "linked" and (line.is_cited or in_title_case(LINE_END.split(after, 1)[0])))
    ):
        yield _NAME_ALONE
    elif is_short and cited_to > end and plain.strong:
        begin = _skip(_BEFORE_TITLE, line.unread, cited_to)
        if any(mark.start == begin and len(line.unread[slice(*mark)].split()) > 2 for mark in plain.strong):
            yield _NAME_ALONE  # `[TS](u) (KDD 2014)`, and below it `**Sorting Tidy Shelves**`
    marks: tuple[TextRange | TextLink, ...] = (*plain.strong, *plain.emphasis, *plain.code, *plain.links)
    for begin, close in ((marked.start, marked.end) for marked in marks):
        is_begun = start <= begin < start + 3 and close + 2 < end
        if is_begun or (start + 3 <= begin < end <= close + 1 and 2 * (close - begin) > end - start):
            yield _CROSSES_MARKUP
            break
    is_led = title.name is not None or title.authors is not None  # `**Stone, Ada - Tidy Shelves**`
    if not is_led and any(begin + 2 < start < close for begin, close in (*plain.strong, *plain.emphasis)):
        yield _CROSSES_MARKUP
    if line.unread.startswith(", ", end) and YEAR_FOLLOWS.match(line.unread, end):
        is_marked = any(start + 3 <= mark.start < end <= mark.end + 1 for mark in marks)
        is_linked = title.link is not None and title.link.end == end  # `[Shelves - or walls](u), 2016`
        if is_marked or "," in text or (not is_linked and _SEPARATED.search(text)):
            yield _PRECEDES_YEAR
    if (by := _BY.search(text)) is not None and are_authors(text[by.end() :]):
        yield _BEGINS_WITH_PEOPLE
    if text.count("(") > text.count(")") or _QUOTED_TITLE.search(text):
        yield _CROSSES_MARKUP


def _ends_with_year(title: Title, line: Line) -> bool:
    """Return whether people stand before a title, and their year behind them: `Stone, A. (2020). Tidy Shelves`."""
    if title.authors is None or title.range is None:
        return False
    return find_year(line.unread[title.authors.start : title.range.start]) is not None


def _ends_with_person(title: Title, text: str, plain: PlainText) -> bool:
    """Return whether the last words of a title, behind a comma, may be one person: `Tidy Shelves, Ada Stone`."""
    last = text.rpartition(",")[2].strip()
    may_be_one = " " in last and "and" not in last.split() and last != text and are_authors(last)
    return may_be_one and title.range is not None and range_at(plain.links, title.range.end - 1) is None


def _are_people_next(after: str) -> bool:
    """Return whether people follow a title: `by Ada Stone and Ben Field (KDD 2014)`."""
    lead = BEFORE_PEOPLE.match(after)
    return is_list_of_people(_SEGMENT_END.split(after[lead.end() if lead else 0 :], maxsplit=1)[0])


def _is_title_of_name(
    unread: str, start: int, title: Title, plain: PlainText, vocabulary: Vocabulary
) -> bool:
    """Return whether what follows a marked name is its title, and no description.

    A citation precedes it, or it is in capitals; behind a linked name, one of the two leads to a paper.
    """
    if find_year(unread[:start]) is not None:
        return True
    if title.range is None or not in_title_case(unread[title.range.start : title.range.end]):
        return False
    link = range_at(plain.links, start)
    return link is None or any(
        is_paper_url(one.link.url, vocabulary) for one in (link, title.link) if one is not None
    )


def _is_cited_after(unread: str, title: Title, vocabulary: Vocabulary) -> bool:
    """Return whether a venue or a year follows a title."""
    after = unread[title.range.end : title.range.end + _MAX_HEAD] if title.range is not None else ""
    return find_year(after) is not None or bool(find_mentions(after, vocabulary))
