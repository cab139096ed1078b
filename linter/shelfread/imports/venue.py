"""The venue of a citation: a name of the vocabulary, whole or cut off with `…`, or another one as printed."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from shelfread.core.support.named_tuple import NamedTuple
from shelfread.core.support.regex import lazy
from shelfread.document.recognizers.venues import TOKEN, Mention, find_mentions
from shelfread.document.recognizers.years import YEAR
from shelfread.taxonomy.vocabulary import Venue, Vocabulary

_CUT = lazy(r"…|\.\.\.")
_LEAD = lazy(
    r"\s*(?:(?:in:?\s+)?(?:the\s+)?(?:proc(?:eedings|\.)?\s+(?:of\s+)?)?(?:the\s+)?(?:(?:19|20)\d\d\s+)?"
    r"(?:(?P<edition>\d{1,3})(?:st|nd|rd|th)\s+)?(?:annual\s+)?)?",
    2,
)
# Words that many venues begin with: they alone name none of them.
_COMMON = frozenset(
    """acm ieee usenix ifip siam cvf aaai the of on in for and international national european asian annual conference
    symposium workshop joint journal transactions proceedings advances letters review conf trans proc computer
    computing systems computational applied information research science sciences technology engineering""".split()
)
_PAGES = lazy(
    r"(?:\bpp?\.?|\bpages?)\s?[\w.:]{1,12}(?:\s?[-–—]+\s?[\w.:]{1,12})?|\b\d[\d.:]{0,8}\s?[-–—]+\s?\d[\d.:]{0,8}\b"
)
_IN_BRACKETS = lazy(r"\((?:[^()]{0,30}[\s,])?((?:19|20)\d\d)[a-z]?(?:[,\s][^()]{0,20})?\)")


class StatedVenue(NamedTuple):
    """A venue as an input states it: that of the vocabulary, the text, the year, and whether it is certain."""

    venue: Venue | None
    text: str | None
    year: int | None
    is_certain: bool


def read_venue(text: str, vocabulary: Vocabulary, year: int | None = None) -> StatedVenue:
    """Return the venue and year of the part of a citation behind the title. `year` is one stated elsewhere."""
    stated = find_last_year(text) if year is None else year
    mentions = find_mentions(text, vocabulary)
    if not mentions and stated is not None and not text.rstrip(" .").endswith(str(stated)):
        # Short names count only beside a year.
        mentions = [
            found
            for found in find_mentions(f"{text.rstrip(' .,')} {stated}", vocabulary)
            if found.end <= len(text)
        ]
    if mentions:
        found = _most_telling(mentions)
        name = " ".join(text[found.name_start : found.name_end].split())
        return StatedVenue(found.venue, name, stated or found.year, True)
    if _CUT.search(text):
        venue = _whole_venue(text, stated, vocabulary)
        if venue is not None:
            return StatedVenue(venue, " ".join(text.split()), stated, False)
    name = container_name(text)
    return StatedVenue(_by_core(name, vocabulary), name or None, stated, True)


def is_cut(name: str) -> bool:
    """Return whether a name is cut off: `Proceedings of the 2021 …`."""
    return _CUT.search(name) is not None


def _most_telling(mentions: list[Mention]) -> Mention:
    """Return the first venue that is no preprint server, else the first one."""
    published = (found for found in mentions if found.venue is not None and found.venue.kind != "preprint")
    return next(published, mentions[0])


def find_last_year(text: str) -> int | None:
    """Return the year of a citation: the last one in brackets, else the last one that is no page number."""
    text = _PAGES.sub(" ", text)
    found = _IN_BRACKETS.findall(text) or YEAR.findall(text)
    return int(found[-1]) if found else None


_CONTAINER_LEAD = lazy(r"^\W*(?:in\s*:?\s+|in:\s*|//\s*)?", 2)
_CONTAINER_END = lazy(
    r"\s*(?:\((?:[^()]{0,40}\s)?(?:19|20)\d\d[^()]{0,20}\)|[,.:;]\s?(?:(?:19|20)\d\d\b|pp?\.|pages?\b|[Vv]ol(?:ume)?\b|S\.\s?\d|no\b|\d)|"
    r"\s\d{1,4}(?:\s?\(|[,:.]\s?\d|\s?$)|\b(?:19|20)\d\d\s*[.,]?\s*$|\bpp?\.\s?\d)"
)


_PUBLISHER = lazy(
    r"(?i)(?:\b(?:press|publish\w*|verlag|books|springer(?:-verlag)?|elsevier|wiley|o['’]reilly|university|kaufmann|hall|curran associates)\b[\w, ]{0,12}$)|^[^:]{2,40}: [^:]{2,40}$"
)


def container_name(text: str) -> str:
    """Return the name of what a paper is printed in: without `In`, volume, pages and year."""
    lead = _CONTAINER_LEAD.match(text)
    text = text[lead.end() if lead else 0 :]
    end = _CONTAINER_END.search(text)
    name = " ".join((text[: end.start()] if end else text).split()).strip(" .,;:()[]")
    if _PUBLISHER.search(name):
        return ""
    return name if any(map(str.isalpha, name)) and len(name) > 1 else ""


def _whole_venue(text: str, year: int | None, vocabulary: Vocabulary) -> Venue | None:
    """Return the only venue whose name a cut one can be: `IEEE Transactions on Parallel and …`."""
    lead = _LEAD.match(text)
    start = lead.end() if lead else 0
    edition = int(lead["edition"]) if lead and lead["edition"] else None
    parts = [tuple(word.casefold() for word in TOKEN.findall(part)) for part in _CUT.split(text[start:])]
    found: set[str] = set()
    by_first = _names_by_first_word(vocabulary)
    begin = parts[0]
    if not begin:
        return None
    is_telling = not _COMMON.issuperset(begin)
    for words, venue in by_first.get(begin[0], ()):
        if words[: len(begin)] != begin or len(words) == len(begin):
            continue
        if (is_telling and edition is None) or (
            edition is not None and year is not None and edition_in(venue, year) == edition
        ):
            found.add(venue.id)
    return vocabulary.venues[found.pop()] if len(found) == 1 else None


# Words that one name of a venue has and another lacks: `23rd ACM SIGPLAN Symposium on ...`, `Annual IEEE/ACM ...`.
_SOCIETY = lazy(
    r"(?:acm|ieee|cvf|usenix|ifip|siam|aaas|cs|sig[a-z]{2,6}|annual|the|proceedings|proc|of|\d+|st|nd|rd|th|twenty|thirty|forty|fifty|"
    r"(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth|\w+teenth|twentieth|thirtieth|fortieth|fiftieth))"
)
_FEWEST_WORDS = 4


def _core(name: str) -> tuple[str, ...]:
    """Return the words of a venue's name without those of its societies, edition and year before it."""
    words = [word.casefold() for word in TOKEN.findall(name)]
    start = 0
    while start < len(words) and _SOCIETY.fullmatch(words[start]):
        start += 1
    return tuple(words[start:])


def _by_core(name: str, vocabulary: Vocabulary) -> Venue | None:
    """Return the venue that has a name but for the societies before it, or None if there is none or several."""
    bare = name.partition("(")[0]
    core = _core(bare)
    if len(core) >= _FEWEST_WORDS and (venue := _cores(vocabulary).get(core)):
        return venue
    words = _content(bare)
    if len(words) < _FEWEST_CONTENT:
        return None
    found = {
        venue.id
        for full, venue in _abbreviable(vocabulary).get(tuple(word[0] for word in words), ())
        if all(map(str.startswith, full, words))
    }
    return vocabulary.venues[found.pop()] if len(found) == 1 else None


_FEWEST_CONTENT = 3
_JOINING = frozenset("of on in for and the to a an".split())


def _content(name: str) -> list[str]:
    """Return the words of a name without those that abbreviations leave out: `IEEE Trans. Pattern Anal. Mach. Intell.`"""
    return [word for word in map(str.casefold, TOKEN.findall(name)) if word not in _JOINING]


@lru_cache(maxsize=8)
def _abbreviable(vocabulary: Vocabulary) -> dict[tuple[str, ...], list[tuple[list[str], Venue]]]:
    """The names of venues by the first letters of their words."""
    names: dict[tuple[str, ...], list[tuple[list[str], Venue]]] = {}
    for venue in vocabulary.venues.values():
        for label in venue.labels:
            words = _content(label)
            if len(words) >= _FEWEST_CONTENT:
                names.setdefault(tuple(word[0] for word in words), []).append((words, venue))
    return names


@lru_cache(maxsize=8)
def _cores(vocabulary: Vocabulary) -> dict[tuple[str, ...], Venue | None]:
    found: dict[tuple[str, ...], Venue | None] = {}
    for words, venue in _names(vocabulary):
        core = _core(" ".join(words))
        found[core] = venue if found.get(core, venue) is venue else None
    return found


@lru_cache(maxsize=8)
def _names_by_first_word(vocabulary: Vocabulary) -> dict[str, list[tuple[tuple[str, ...], Venue]]]:
    names: dict[str, list[tuple[tuple[str, ...], Venue]]] = {}
    for words, venue in _names(vocabulary):
        names.setdefault(words[0], []).append((words, venue))
    return names


def _names(vocabulary: Vocabulary) -> Iterator[tuple[tuple[str, ...], Venue]]:
    for venue in vocabulary.venues.values():
        for label in venue.labels:
            words = tuple(word.casefold() for word in TOKEN.findall(label))
            if len(words) > 2:
                yield words, venue


def edition_in(venue: Venue, year: int) -> int | None:
    """Return the number of a venue's edition in a year: 14 for OSDI in 2020. None if its years are not all known."""
    if not venue.held_in(year) or venue.years[0].first is None:
        return None
    first = venue.years[0].first
    return sum(1 for other in range(first, year + 1) if any(other in years for years in venue.years))
