"""Readings of a line compete over a series: where its title lies, and whether people or a venue stand before it.

A line alone seldom says whether `Klara Novak, Liang Zhou, Tidy Shelves` begins with people. Twelve lines do: read with
people first, all titles are titles, and what stands before them is people.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from shelfread.core.patterns import lazy
from shelfread.document.entry.link_labels import CONSUMED
from shelfread.document.entry.title_ends import marked_title_end, unmarked_title_end
from shelfread.document.entry.titles import QUOTES, Title
from shelfread.document.plain_text import PlainText, TextRange
from shelfread.document.recognizers.people import are_authors, is_list_of_people
from shelfread.document.recognizers.venues import find_mentions, is_citation
from shelfread.document.years import DATE, find_year
from shelfread.taxonomy.vocabulary import Vocabulary


class Reading(NamedTuple):
    """How the fields lie in a line.

    `order` is people (they stand before the title), title (what follows it ends it) or marked (the title is the first
    text in a markup), `boundary` the separator after the first field, or the markup.
    """

    order: str
    boundary: str


_BOUNDARIES = {
    ": ": lazy(r"[:：]\s*"),
    ". ": lazy(r"(?<!\b[A-Z])(?<!\bal)(?<!\bJr)\.\s+"),
    " - ": lazy(r"\s+[-–—|]\s+"),
    "\n": lazy(r"[.,]?\s*\n"),
    "year": lazy(r"[.,]?\s*[(\[]?(?:19|20)\d\d[a-z]?(?:[-./]\d{1,2}){0,2}[)\]]?[.,:]?\s+"),
    ", ": lazy(r",\s+"),
    "et al": lazy(r"\bet\.? al\.?[.,:]?\s+"),
}
_MARKS = ("link", "strong", "emphasis", "quote")
READINGS = (
    *(Reading("people", boundary) for boundary in (*_BOUNDARIES, *_MARKS)),
    *(Reading("title", boundary) for boundary in (", ", ". ")),
    *(Reading("marked", mark) for mark in _MARKS),
)
_COMMA = lazy(r",\s+(?:(?:and|&)\s+)?|\s+(?:and|&)\s+")
_EDGE = ' \t\n.,:;*_-–—|()[]"“”'
_AFTER_PEOPLE = lazy(
    r"[\s,]*(?:[(\[]?(?:19|20)\d\d[a-z]?(?:[-./]\d{1,2}){0,2}[)\]]?[.,:]?\s*)?(?:[-–—:]+\s*)?"
)
_FIRST_WORDS = lazy(r"[^,:;.]{3,60}(?=[,:;])")
_YEAR_AT_END = lazy(r"\b(?:19[5-9]|20[0-3])\d\W*$")
_ENDS_SENTENCE = lazy(r"\w{3}\.\s+[A-Z]")
_MAX_HEAD = 500
_MAX_LINE = 1200

# What speaks for a reading of a line, with the reason. The best reading of a series has the highest mean.
_TITLE = 1.0  # a title of the length that titles have
_SHORT_TITLE = 0.5  # one or two words: a name, or a piece of a title
_LONG_TITLE = 0.3  # more than thirty words: other fields are in it
_STATES_YEAR = -0.5  # a year at a title's end is that of the citation
_IS_CITATION = -0.8  # a venue is no title
_BEGINS_WITH_PEOPLE = -0.5  # authors are in the title
_TWO_SENTENCES = -0.2  # a title and what follows it
_PEOPLE = 0.3  # what stands before the title is surely people
_ONE_PERSON = 0.1
_CITATION_BEFORE = 0.2  # what stands before the title is a venue or a date
_UNREAD = -0.04  # for each word before the title that nothing reads
_CROSSES_MARKUP = -0.5  # a title begins and ends where its markup does
_SAME_MARKUP = 0.3  # titles of a series are marked alike
_MARGIN = 0.05
"""So much better than the reading of each line by itself: within that, the line's own marks decide."""
_MIN_LINES = 4
_MIN_SHARE = 0.6
"""So many lines of a series have to allow its reading; a few odd ones are read by themselves."""
_SEVERAL = 0.25
"""So many of the lists of people have to name several: `Two Words: a title` alone is a name."""


def choose_reading(
    lines: Sequence[tuple[PlainText, str, int, Title]], vocabulary: Vocabulary
) -> Reading | None:
    """Return the reading that fits a series best, or None if its lines are best read each by itself.

    A line is its text, the same without labels, where the prefix ends, and the title found by its own marks.
    """
    if len(lines) < _MIN_LINES:
        return None
    best, best_score = None, _mean([title for *_, title in lines], lines, vocabulary) + _MARGIN
    for reading in READINGS:
        found = [
            find_title_as(reading, unread, start, plain, vocabulary) for plain, unread, start, _ in lines
        ]
        fitting = sum(title is not None for title in found)
        if fitting < _MIN_SHARE * len(lines):
            continue
        titles = [title or line[-1] for title, line in zip(found, lines, strict=True)]
        score = _mean(titles, lines, vocabulary)
        if score <= best_score:
            continue
        if reading.order == "people":
            several = sum(
                is_list_of_people(line[1][title.authors.start : title.authors.end].strip(_EDGE))
                for title, line in zip(found, lines, strict=True)
                if title is not None and title.authors is not None
            )
            if several < _SEVERAL * fitting:
                continue
        best, best_score = reading, score
    return best


def _mean(
    titles: Sequence[Title], lines: Sequence[tuple[PlainText, str, int, Title]], vocabulary: Vocabulary
) -> float:
    """Return how well the lines of a series are read, by their titles."""
    shapes = Counter(title.shape for title in titles)
    scores = (
        _score(title, plain, unread, start, vocabulary)
        for title, (plain, unread, start, _) in zip(titles, lines, strict=True)
    )
    return (sum(scores) + _SAME_MARKUP * max(shapes.values())) / len(lines)


def find_title_as(
    reading: Reading, unread: str, start: int, plain: PlainText, vocabulary: Vocabulary
) -> Title | None:
    """Return the title of a line that is read as its series is, or None if the line does not allow it."""
    unread = unread[:_MAX_LINE]
    if reading.order == "title":
        title = _title_before_tail(reading.boundary, unread, start, vocabulary)
        is_torn = title is not None and title.range is not None and unread[slice(*title.range)].count('"') % 2
        return None if is_torn else title
    if reading.order == "marked":
        marked = _next_mark(reading.boundary, unread, start, plain)
        if marked is None or marked.start == start:
            return None
        return _title_at(marked.start, unread, plain, vocabulary, None)
    if reading.boundary in _MARKS:
        marked = _next_mark(reading.boundary, unread, start, plain)
        if marked is None:
            return None
        end = at = marked.start
    elif reading.boundary == ", ":
        end = at = _end_of_people(unread, start)
    else:
        match = _BOUNDARIES[reading.boundary].search(unread, start, start + _MAX_HEAD)
        if match is None:
            return None
        end, at = match.span()
        if reading.boundary == "et al":
            end = at
    people = unread[start:end].strip(_EDGE)
    if CONSUMED in people or not are_authors(people, minimum=0 if "et al" in people or "." in people else 1):
        return None
    skipped = _AFTER_PEOPLE.match(unread, at)
    at = skipped.end() if skipped else at
    if at >= len(unread) or unread[at] == CONSUMED:
        return None
    return _title_at(at, unread, plain, vocabulary, TextRange(start, end))


def _title_at(
    start: int, unread: str, plain: PlainText, vocabulary: Vocabulary, authors: TextRange | None
) -> Title | None:
    """Return the title that begins at an offset: up to the end of its markup, or where what follows it begins."""
    for mark, ranges in (("linked", plain.links), ("strong", plain.strong), ("emphasis", plain.emphasis)):
        for marked in ranges:
            if marked.start <= start < marked.end:
                quoted = unread[start] in QUOTES
                begin = start + quoted
                end = marked_title_end(unread, begin, marked.end, vocabulary)
                link = next((link for link in plain.links if link.start <= start < link.end), None)
                return Title(mark, TextRange(begin, end.offset), link=link, authors=authors, proved=False)
    if closing := QUOTES.get(unread[start]):
        close = unread.find(closing, start + 1)
        if close > start + 1:
            end = marked_title_end(unread, start + 1, close, vocabulary)
            return Title("quoted", TextRange(start + 1, end.offset), authors=authors, proved=False)
    end = unmarked_title_end(unread, start, plain, vocabulary)
    titles = [Title("plain", TextRange(start, end.offset), authors=authors, proved=False)]
    for separator in (", ", ". "):
        if (title := _title_before_tail(separator, unread, start, vocabulary)) is not None:
            titles.append(title._replace(authors=authors))
    best = max(titles, key=lambda title: _score(title, plain, unread, start, vocabulary))
    return best if best.range is not None and best.range.end > start else None


def _title_before_tail(boundary: str, unread: str, start: int, vocabulary: Vocabulary) -> Title | None:
    """Return the title that people, a venue and a year follow, each after the same separator."""
    end = min(
        (at for at in (unread.find(CONSUMED, start), unread.find("\n", start)) if at >= 0),
        default=len(unread),
    )
    cuts = [match.span() for match in _BOUNDARIES[boundary].finditer(unread, start, end)]
    starts = [start, *(after for _, after in cuts)]
    ends = [*(before for before, _ in cuts), end]
    count = len(starts)

    def part(index: int) -> str:
        return unread[starts[index] : ends[index]].strip(_EDGE)

    is_dated = False
    if count > 1 and (DATE.fullmatch(part(count - 1)) or not part(count - 1)):
        is_dated = bool(part(count - 1))
        count -= 1
    last = part(count - 1)
    may_cite = (
        len(last.split()) <= 8 if is_dated else _YEAR_AT_END.search(last) or find_mentions(last, vocabulary)
    )
    if count > 1 and may_cite:
        count -= 1
    tail = count
    while count > 1 and " " in part(count - 1).removeprefix("and ") and are_authors(part(count - 1)):
        count -= 1
    if count == len(starts) or (count == tail == len(starts)):
        return None
    title_end = start + len(unread[start : ends[count - 1]].rstrip(" ,;:-–—"))
    return Title("plain", TextRange(start, title_end), proved=False)


def _end_of_people(unread: str, start: int) -> int:
    """Return where the people that a line begins with end, all separated by commas."""
    end = start
    for match in _COMMA.finditer(unread, start, start + _MAX_HEAD):
        if not are_authors(unread[end : match.start()].strip(_EDGE)):
            break
        end = match.end()
    return end


def _next_mark(mark: str, unread: str, start: int, plain: PlainText) -> TextRange | None:
    """Return the first text of some words in a markup from an offset on."""
    if mark == "quote":
        for offset in range(start, min(len(unread), start + _MAX_HEAD)):
            if closing := QUOTES.get(unread[offset]):
                close = unread.find(closing, offset + 1)
                return TextRange(offset, close) if close - offset > 6 else None
        return None
    ranges = plain.links if mark == "link" else plain.strong if mark == "strong" else plain.emphasis
    for marked in ranges:
        if (
            marked.start >= start
            and CONSUMED not in unread[marked.start : marked.end]
            and marked.end - marked.start > 3
        ):
            return TextRange(marked.start, marked.end)
    return None


def _score(title: Title, plain: PlainText, unread: str, start: int, vocabulary: Vocabulary) -> float:
    """Return how well a line is read."""
    if title.range is None:
        return 0.0
    text = unread[title.range.start : title.range.end].strip(_EDGE)
    words = len(text.split())
    score = _TITLE if 3 <= words <= 30 else _SHORT_TITLE if words < 3 else _LONG_TITLE
    if not text:
        return 0.0
    if _YEAR_AT_END.search(text):
        score += _STATES_YEAR
    if find_mentions(text, vocabulary) and is_citation(text, vocabulary):
        score += _IS_CITATION
    first = _FIRST_WORDS.match(text)
    if first is not None and " " in first[0] and are_authors(first[0]):
        score += _BEGINS_WITH_PEOPLE
    if _ENDS_SENTENCE.search(text):
        score += _TWO_SENTENCES
    marks = (*plain.strong, *plain.emphasis, *plain.code, *(TextRange(*link[:2]) for link in plain.links))
    for marked in marks:
        if (
            title.range.start <= marked.start
            and marked.end < title.range.end
            and marked.start - title.range.start < 3
        ):
            score += _CROSSES_MARKUP
            break
    if title.authors is not None:
        people = unread[title.authors.start : title.authors.end].strip(_EDGE)
        return score + (_PEOPLE if is_list_of_people(people) else _ONE_PERSON)
    head = unread[start : title.range.start].strip(_EDGE + CONSUMED)
    if not head or title.name is not None:
        return score
    if find_mentions(head, vocabulary) or find_year(head):
        return score + _CITATION_BEFORE
    return score + max(_UNREAD * len(head.split()), -0.4)
