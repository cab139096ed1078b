"""The venue of a citation, a name of the vocabulary, whole or cut off with `…`, or another one as printed; and its arXiv id."""

from __future__ import annotations

import re
from collections.abc import Container, Mapping
from typing import NamedTuple

from shelfread.core.patterns import lazy
from shelfread.document.recognizers.venue_names import known_otherwise, only_venue, venue_names
from shelfread.document.recognizers.venues import TOKEN, find_mentions
from shelfread.document.years import YEAR
from shelfread.links.exchange import link_words
from shelfread.taxonomy.vocabulary import Venue, Vocabulary

_ARCHIVES = "|".join(sorted(link_words("arxiv_archives")))
_OLD = rf"(?:{_ARCHIVES})(?:\.[A-Z]{{2}})?/\d{{7}}"
_NEW = r"\d{4}\.\d{4,5}"
ARXIV_ID = rf"(?:{_NEW}|{_OLD})(?!\d)"
_SITE = r"(?:https?://)?(?:www\.|export\.)?arxiv\.org/"
_STATED = lazy(
    rf"(?:(?<![\w.])(?:{_SITE}|arxiv(?:\s(?:preprint|e-?prints?))?[\s:.,/\[]{{0,3}}|(?=abs/))(?:abs/|pdf/)?(?:arxiv[:\s]\s?)?"
    rf"(?P<named>{ARXIV_ID})|(?<![\w./-])(?P<new>{_NEW})(?=(?:v\d{{1,3}})?\s\[[a-z-]{{2,10}}[.\]])|(?<![\w./-])(?P<old>{_OLD}))"
    r"(?:v\d{1,3})?(?:\.pdf)?(?:\s?\[[a-z-]{2,10}(?:\.[a-z-]{2,10})?\])?",
    2,
)


def stated_arxiv_id(text: str) -> str | None:
    """Return the first arXiv id of a text, if it says that it is one."""
    match = _STATED.search(text) if "/" in text or "." in text else None
    return match["named"] or match["new"] or match["old"] if match else None


def without_arxiv_ids(text: str) -> str:
    """Return a text without its arXiv ids."""
    return _STATED.sub("", text)


def with_plain_arxiv_ids(text: str) -> str:
    """Return a text in which all arXiv ids whose form does not say so, and all addresses, are written `arXiv:ID`."""
    return _STATED.sub(_plain, text)


def _plain(match: re.Match[str]) -> str:
    says_so = match[0][:5].casefold() == "arxiv" and match[0][5:9] != ".org"
    return match[0] if says_so else f"arXiv:{match['named'] or match['new'] or match['old']}"


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
_CONTAINER_LEAD = lazy(r"^\W*(?:in\s*:?\s+|in:\s*|//\s*)?", 2)
_CONTAINER_END = lazy(
    r"(?:(?<!\s)\s+)?(?:\((?:[^()]{0,40}\s)?(?:19|20)\d\d[^()]{0,20}\)|[,.:;]\s?(?:(?:19|20)\d\d\b|pp?\.|pages?\b|[Vv]ol(?:ume)?\b|S\.\s?\d|no\b|\d)|"
    r"\s\d{1,4}(?:\s?\(|[,:.]\s?\d|\s?$)|\b(?:19|20)\d\d\s*(?:[.,]\s*)?$|\bpp?\.\s?\d)"
)
_PUBLISHER = lazy(
    r"(?i)(?:\b(?:press|publish\w*|verlag|books|springer(?:-verlag)?|elsevier|wiley|o['’]reilly|university|kaufmann|hall|curran associates)\b[\w, ]{0,12}$)|^[^:]{2,40}: [^:]{2,40}$"
)


class StatedVenue(NamedTuple):
    """A venue as an input states it: that of the vocabulary, the text, the year, and whether it is certain."""

    venue: Venue | None
    text: str | None
    year: int | None
    is_certain: bool


NO_VENUE = StatedVenue(None, None, None, True)


def best_venue(
    fields: Mapping[str, str], vocabulary: Vocabulary, year: int | None, weak: Container[str] = ()
) -> StatedVenue:
    """Return the first of some fields that is a known venue, else the first as printed, without those that are weak."""
    printed: StatedVenue | None = None
    for name, text in fields.items():
        if "arxiv.org/" in text:
            text = with_plain_arxiv_ids(text)
        venue = read_venue(text, vocabulary, year)._replace(text=text)
        if venue.venue is not None:
            return venue
        if name not in weak:
            printed = printed or venue
    return printed or NO_VENUE._replace(year=year)


def read_venue(text: str, vocabulary: Vocabulary, year: int | None = None) -> StatedVenue:
    """Return the venue and year of the part of a citation behind the title. `year` is one stated elsewhere."""
    stated = find_last_year(text) if year is None else year
    mentions = find_mentions(text, vocabulary)
    if not mentions and stated is not None and not text.rstrip(" .").endswith(str(stated)):
        # Short names count only beside a year.
        with_year = find_mentions(f"{text.rstrip(' .,')} {stated}", vocabulary)
        mentions = [mention for mention in with_year if mention.end <= len(text)]
    if mentions:
        # The first that is no preprint server tells most.
        published = (item for item in mentions if item.venue is not None and item.venue.kind != "preprint")
        mention = next(published, mentions[0])
        name = " ".join(text[mention.name_start : mention.name_end].split())
        return StatedVenue(mention.venue, name, stated or mention.year, True)
    if is_cut(text):
        venue = _whole_venue(text, stated, vocabulary)
        if venue is not None:
            return StatedVenue(venue, " ".join(text.split()), stated, False)
    name = _container_name(text)
    return StatedVenue(known_otherwise(name, vocabulary), name or None, stated, True)


def is_cut(name: str) -> bool:
    """Return whether a name is cut off: `Proceedings of the 2021 …`."""
    return _CUT.search(name) is not None


def find_last_year(text: str) -> int | None:
    """Return the year of a citation: the last one in brackets, else the last one that is no page number."""
    text = _PAGES.sub(" ", text)
    years = _IN_BRACKETS.findall(text) or YEAR.findall(text)
    return int(years[-1]) if years else None


def _container_name(text: str) -> str:
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
    begin = tuple(map(str.casefold, TOKEN.findall(_CUT.split(text[start:])[0])))
    if not begin or (edition is None and _COMMON.issuperset(begin)):
        return None
    return only_venue(
        venue
        for words, venue in venue_names(vocabulary).by_first_word.get(begin[0], ())
        if words[: len(begin)] == begin
        and len(words) > len(begin)
        and (edition is None or (year is not None and edition_in(venue, year) == edition))
    )


def edition_in(venue: Venue, year: int) -> int | None:
    """Return the number of a venue's edition in a year: 14 for OSDI in 2020. None if its years are not all known."""
    if not venue.held_in(year) or venue.years[0].first is None:
        return None
    first = venue.years[0].first
    return sum(1 for other in range(first, year + 1) if any(other in years for years in venue.years))
