"""What stands before a title: marks, `[EuroSys'25]`, `[2023/02]`, `(Gavel)`."""

from __future__ import annotations

from typing import NamedTuple

from shelfread.core.support.regex import lazy
from shelfread.document.entry.labels import CONSUMED, DECORATION, OPENING
from shelfread.document.plain_text import TextRange
from shelfread.document.recognizers.citation import (
    DATE,
    Mention,
    blank_mentions,
    find_mentions,
    find_unlisted_venue,
    find_year,
    is_citation,
)
from shelfread.taxonomy.vocabulary import Vocabulary

_MAX_LEAD = 80
_AFTER_DATE = lazy(r"[ :–|-]*")
_WORDS = lazy(r"\w+")
# Words in brackets before a title that name nothing: [New], (Oral), [Survey].
_NO_NAMES = frozenset(
    """paper papers survey surveys book video slides code note notes summary blog new hot oral spotlight poster
    tutorial review link pdf wip update updated re best award benchmark dataset preprint report thesis position
    theory demo example trace abstract talk news journal conference arxiv must read recommended classic""".split()
)


class Prefix(NamedTuple):
    """Where the title begins, and what stands before it."""

    start: int
    name: TextRange | None
    mentions: list[Mention]
    year: tuple[int, int, int] | None


def names_nothing(words: str) -> bool:
    """Whether words that stand where a name could only say what kind of thing it is."""
    found = _WORDS.findall(words.casefold())
    return not found or all(word in _NO_NAMES or word.isdigit() for word in found)


def shift(mention: Mention, by: int) -> Mention:
    """A mention that was found in a part of a text, in the whole."""
    return mention._replace(
        start=mention.start + by,
        end=mention.end + by,
        name_start=mention.name_start + by,
        name_end=mention.name_end + by,
    )


def read_prefix(rest: str, vocabulary: Vocabulary) -> Prefix:
    """Skip and read all that stands before the title of a line."""
    at = _skip_marks(rest, 0)
    name: TextRange | None = None
    mentions: list[Mention] = []
    year: tuple[int, int, int] | None = None
    while at < len(rest):
        if rest[at] in OPENING:
            close = rest.find(OPENING[rest[at]], at, at + _MAX_LEAD + 2)
            if close < 0 or not rest[close + 1 :].strip(" .:-\0"):
                break
            content = rest[at + 1 : close]
            found = _read_citation(content, vocabulary)
            if found:
                mentions += [shift(mention, at + 1) for mention in found]
            elif DATE.match(content.strip()) and (dated := find_year(content)):
                year = _move(dated, at + 1)
            elif content.strip().isdigit():
                if len(content) > 3:
                    break  # a reference's number is shorter
            elif name is None and _could_be_name(content):
                name = TextRange(at + 1, close)
            elif len(content.split()) <= 1 and not names_nothing(content):
                break
            at = _skip_marks(rest, close + 1)
        elif cited := _read_leading_citation(rest, at, vocabulary):
            mentions += cited.mentions
            at = _skip_marks(rest, cited.start)
        elif match := DATE.match(rest, at):
            after = _AFTER_DATE.match(rest, match.end())
            begin = after.end() if after else match.end()
            dated = find_year(match.group())
            if dated is None or begin >= len(rest):
                break
            if rest[match.end() : begin].strip(" ") == "" and rest[begin] not in "[(|":
                break
            year = _move(dated, at)
            at = _skip_marks(rest, begin)
        else:
            break
    return Prefix(at, name, mentions, year)


def _read_citation(content: str, vocabulary: Vocabulary) -> list[Mention]:
    """The venues that a bracket before a title states: `EuroSys'25`, `NAIC @ SIGCOMM'25`, `IVMEM'24`."""
    found = find_mentions(content, vocabulary)
    if found:
        if is_citation(content, vocabulary):
            return found
        words = _WORDS.findall(blank_mentions(content, found))
        return found if len(words) <= 4 and any(mention.year for mention in found) else []
    unknown = find_unlisted_venue(content, sure=True)
    return [unknown] if unknown else []


def _read_leading_citation(rest: str, at: int, vocabulary: Vocabulary) -> Prefix | None:
    """A citation that a colon sets before the title: `NeurIPS 2020 submission: FedMGDA+`."""
    colon = rest.find(": ", at, at + 40)
    if colon < 0 or not any(map(str.isdigit, rest[at:colon])):
        return None
    found = find_mentions(rest[at:colon], vocabulary)
    if not any(mention.year for mention in found) or not is_citation(rest[at:colon], vocabulary):
        return None
    return Prefix(colon + 2, None, [shift(mention, at) for mention in found], None)


def _could_be_name(content: str) -> bool:
    return len(content.split()) <= 4 and not names_nothing(content) and ":" not in content


def _move(year: tuple[int, int, int], by: int) -> tuple[int, int, int]:
    return year[0], year[1] + by, year[2] + by


def _skip_marks(rest: str, at: int) -> int:
    while at < len(rest):
        match = DECORATION.match(rest, at)
        after = match.end() if match else at
        while after < len(rest) and rest[after] == CONSUMED:
            after += 1
        if after == at:
            break
        at = after
    return at
