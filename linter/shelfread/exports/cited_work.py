"""Entries as works that somebody cites: what BibTeX, RIS and CSL-JSON have in common, and names of people in their parts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import count, product
from string import ascii_lowercase
from typing import Any, NamedTuple, TypeAlias
from unicodedata import normalize
from urllib.parse import quote
from zlib import crc32

from shelfread.core.patterns import lazy
from shelfread.core.wording import one_line
from shelfread.document.identity import identify
from shelfread.document.recognizers.organisations import names_organisation
from shelfread.document.recognizers.venues import YEAR_AT_END, is_of_findings, workshop_of
from shelfread.taxonomy.vocabulary import Venue, Vocabulary

_NAME = lazy(r"[^\W\d_][\w.’'‐‑·-]*(?: [^\W\d_][\w.’'‐‑·-]*)*")
_PARTICLES = frozenset(
    "van von der den de des du la le di da del della dos das do ter ten te zu zum zur af av al el bin ben y".split()
)
_SUFFIX = lazy(r"(?i:jr|sr)\.?|II|III|IV")
_INITIALS = lazy(r"[A-Z]|(?:[A-Z]\.-?){1,3}")
_MAX_WORDS = 6


class PersonName(NamedTuple):
    """A name in its parts; a name that is no person's, or cannot be parted, is all `family`, and `whole`."""

    family: str
    given: str = ""
    particle: str = ""  # what stands before the family name, in lower case: `van der`
    suffix: str = ""
    whole: bool = False


_OTHERS = PersonName("others", whole=True)  # what BibTeX and pandoc take for `et al.`


@lru_cache(maxsize=4096)  # authors recur
def part_name(text: str) -> PersonName:
    """Return the parts of a name as lists write it: `Ada B. Stone`, `Stone, Ada B.`, `Stone A`, `NVIDIA`."""
    family, comma, given = (part.strip() for part in text.partition(","))
    if comma and _SUFFIX.fullmatch(given):
        return part_name(f"{family} {given}")
    if comma and _is_name(family) and _is_name(given):
        words = family.split(" ")
        first = next(
            (index for index, word in enumerate(words[:-1]) if word not in _PARTICLES), len(words) - 1
        )
        return PersonName(" ".join(words[first:]), given, " ".join(words[:first]))
    words = text.split(" ")
    if comma or len(words) < 2 or not _is_name(text) or names_organisation(text):
        return PersonName(text, whole=True)
    suffix = words.pop() if len(words) > 2 and _SUFFIX.fullmatch(words[-1]) else ""
    if _INITIALS.fullmatch(words[-1]) and not _INITIALS.fullmatch(words[0]):
        return PersonName(" ".join(words[:-1]), words[-1], suffix=suffix)
    start = len(words) - 1
    while start > (words[0] not in _PARTICLES) and words[start - 1].lower() in _PARTICLES:
        start -= 1
    first = start
    while first < len(words) - 1 and words[first] in _PARTICLES:
        first += 1
    return PersonName(" ".join(words[first:]), " ".join(words[:start]), " ".join(words[start:first]), suffix)


def upright(author: str) -> str:
    """Return a name as most lists write it, so that commas stand between names only: `Stone, Ada` is `Ada Stone`."""
    name = part_name(author)
    if "," not in author or name.whole:
        return author
    return " ".join(filter(None, (name.given, name.particle, name.family, name.suffix)))


def people(entry: EntryData) -> str:
    """Return the authors of an entry in one line: `Ada Stone, Ben Field, et al.`; empty if there are none."""
    names = [upright(plain(author)) for author in entry["authors"]]
    comma = "," if len(names) > 1 else ""
    return ", ".join(names) + (f"{comma} et al." if names and entry.get("et_al") else "")


def _is_name(text: str) -> bool:
    """Return whether a text can be a name whose parts stand in the order of Western names."""
    if not _NAME.fullmatch(text) or text.count(" ") >= _MAX_WORDS or " and " in text:
        return False
    return any(char.isupper() for char in text)


# What GitHub's runner takes for a command, in any line of a log.
_RUNNER_COMMAND = "##["


def plain(text: str) -> str:
    """Return a text in one line without unseen marks; `##[`, a command to a runner that shows it in a log, gets a blank."""
    return one_line(text).replace(_RUNNER_COMMAND, "## [")


EntryData: TypeAlias = Mapping[str, Any]  # an entry as `shelfread export --format json` prints it
_SOURCE = "shelfread"  # the source of a reference whose file is not known
_JOURNAL = lazy(
    r"(?i)\b(?:journal|j\.|trans(?:actions|\.)?|letters|lett\.|magazine|review|rev\.|annals|acta)(?!\w)"
)
_MEETING = lazy(
    r"(?i)\b(?:proc|conf|symp|workshops?|meeting|congress|proceedings|conference|symposium)\b|(?-i:\b[A-Z]{3,9}W$)"
)
_WEB = lazy(r"(?i)(?:https?|ftp)://")
_OTHER_SCHEME = lazy(r"(?i)(?!(?:https?|ftp|mailto|ircs?|gopher|magnet|xmpp):)[a-z][a-z\d+.-]*:")
_NOT_IN_BRACKETS = lazy(r"[()]|\d{4}\.\d{4,5}")
_IN_URL = lazy(r"[^\w:/?#@!$&'()*+,;=.~%\[\]-]|[^\x00-\x7f]")


class CitedWork(NamedTuple):
    """A work. Texts are in one line, without control characters; a text that is not known is empty."""

    # conference, journal, preprint, book, document (a paper whose venue is not known), software or webpage.
    kind: str
    title: str
    short_title: str
    authors: Sequence[PersonName]  # the last one stands for those that are not named
    # where it was published, by the full name of a known venue, or as written; empty for a preprint.
    container: str
    publisher: str  # the server of a preprint
    year: int | None
    doi: str
    arxiv: str
    url: str  # the first link, of a paper that with the role paper
    # the other links with their roles, and identifiers that no link has with their kinds.
    links: Sequence[tuple[str, str]]
    keywords: Sequence[str]  # the titles of its sections without that of the list
    abstract: str
    uncertain: Sequence[str]
    source: str  # the file and line, `papers.md:12`

    @property
    def annotation(self) -> str:
        """The links that have no field of their own."""
        return "; ".join(f"{label}: {url}" for label, url in self.links)


def work_of(entry: EntryData, vocabulary: Vocabulary) -> CitedWork:
    identifiers = {kind: plain(value) for kind, value in entry["identifiers"].items() if value}
    title, name = plain(entry["title"]), plain(entry["name"] or "")
    kind, venue = _kind_and_venue(entry, vocabulary, identifiers)
    main, others = _links(entry, identifiers)
    unnamed = (_OTHERS,) if entry.get("et_al") else ()
    section = [plain(heading) for heading in entry["section"]]
    return CitedWork(
        kind=kind,
        title=title,
        short_title=name if name != title else "",
        authors=(*map(part_name, filter(None, map(plain, entry["authors"]))), *unnamed),
        container="" if kind == "preprint" else venue,
        publisher=venue if kind == "preprint" else "",
        year=entry["year"],
        doi=identifiers.get("doi", ""),
        arxiv=identifiers.get("arxiv", ""),
        url=main,
        links=others,
        keywords=tuple(filter(None, section[1:] or section)),
        abstract=plain(entry["description"] or ""),
        uncertain=tuple(entry.get("uncertain", ())),
        source=f"{plain(entry['path'])}:{entry['line']}" if entry["path"] else _SOURCE,
    )


def is_paper(entry: EntryData) -> bool:
    """Return whether an entry is a paper, book or talk rather than a classic entry; if that is not known, its title is its name."""
    if "kind" in entry:
        return bool(entry["kind"] == "paper" or entry["venue_text"] or entry["authors"])
    if entry["venue_text"] or entry["authors"] or entry["name"] == entry["title"]:
        return bool(entry["venue_text"] or entry["authors"])
    return entry["dialect"] != "classic" or any(link["role"] == "paper" for link in entry["links"])


def _kind_and_venue(
    entry: EntryData, vocabulary: Vocabulary, identifiers: Mapping[str, str]
) -> tuple[str, str]:
    """Return the kind of a work, and the name of its venue; an unknown venue is judged by its words."""
    written = plain(entry["venue_text"] or "")
    venue = vocabulary.venue(entry["venue"]) if entry["venue"] else None
    if venue is not None and (findings := _findings_of(written, venue, entry["year"], identifiers)):
        return "conference", findings
    if venue is not None and (workshop := workshop_of(written, venue)):
        return "conference", workshop
    if venue is not None:
        kinds = {"journal": "journal", "preprint": "preprint", "other": "document"}
        return kinds.get(venue.kind, "conference"), plain(
            venue.label if venue.kind in ("preprint", "other") else venue.name
        )
    if written:
        name = plain(entry["venue"] or "") or YEAR_AT_END.sub("", written).strip() or written
        return "journal" if _JOURNAL.search(name) else "conference" if _MEETING.search(
            name
        ) else "document", name
    if is_paper(entry):
        is_book = entry["authors"] and any(link["role"] == "book" for link in entry["links"])
        if is_book and identifiers.keys().isdisjoint(("arxiv", "doi")):
            return "book", ""
        return "preprint" if "arxiv" in identifiers and "doi" not in identifiers else "document", ""
    first = identify(entry["links"][0]["url"]) if entry["links"] else {}
    kinds = {"github": "software", "arxiv": "preprint", "doi": "document"}
    return next((kinds[id] for id in kinds if id in first), "webpage"), ""


def tells_nothing(label: str) -> bool:
    """Return whether a label says no more than that it is one: `link`, as in a table whose header says what for."""
    return label.casefold() in ("", "link")


def short_venue(written: str, venue: Venue | None, year: int | None) -> str:
    """Return a venue as it can stand in brackets: `ECCV 2022` for a known one that has brackets or a preprint's number itself."""
    if venue is None or not _NOT_IN_BRACKETS.search(written) or workshop_of(written, venue):
        return written
    return f"{venue.label_in(year)} {year}" if year is not None else venue.label


def _findings_of(written: str, venue: Venue, year: int | None, identifiers: Mapping[str, str]) -> str | None:
    """Return the name of a meeting's Findings, which are no part of its proceedings; None for papers of these."""
    if not is_of_findings(written, identifiers):
        return None
    label = venue.label_in(year) if year is not None else venue.label
    return f"Findings of the Association for Computational Linguistics: {label}{f' {year}' if year else ''}"


def _links(entry: EntryData, identifiers: Mapping[str, str]) -> tuple[str, tuple[tuple[str, str], ...]]:
    """Return the URL of a work, and the other links and identifiers that have no field of their own, by what they are."""
    links = [(link["role"], url_text(link["url"])) for link in entry["links"]]
    web = [link for link in links if _WEB.match(link[1])]
    papers = (url for role, url in web if role == "paper" and is_paper(entry))
    main = next(papers, web[0][1] if web else "")
    others = dict.fromkeys((role or "link", url) for role, url in web if url != main)
    known = {"doi", "arxiv", *(kind for _, url in web for kind in identify(url))}
    others |= dict.fromkeys((kind, value) for kind, value in identifiers.items() if kind not in known)
    return main, tuple(others)


def is_harmless(url: str) -> bool:
    """Return whether a link leads to the web, to a mail or within the list; `javascript:` and others may run code."""
    return _OTHER_SCHEME.match(url) is None


def url_text(url: str) -> str:
    """Return a URL with the characters that no URL has, such as braces and blanks, percent-encoded."""
    url = url.replace("##[", "##%5B")
    if url.isascii() and not _IN_URL.search(url):
        return url
    return _IN_URL.sub(lambda match: quote(match[0], safe=""), plain(url))


_LETTERS = lazy(r"[a-z0-9]+")
_APOSTROPHES = lazy(r"['’‐‑-]")
_UNDECOMPOSED = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ı": "i", "æ": "ae", "œ": "oe", "ð": "d", "þ": "th"}
)
_STOP_WORDS = frozenset(
    """a an the on in of for from to and or with without via by as at is are be can do does how what why when where which who
    towards toward using into over under between its their your our""".split()
)
_MOST = 24  # a longer part of a key is cut


class CitationKeys:
    """Gives each reference a key that further ones do not change: of equal keys the second gets an `a`, the third a `b`."""

    def __init__(self) -> None:
        self._taken: set[str] = set()
        self._suffixes: dict[str, Iterator[str]] = {}

    def next(self, work: CitedWork) -> str:
        base = key = _base_key(work)
        while key in self._taken:
            key = base + next(self._suffixes.setdefault(base, _suffixes()))
        self._taken.add(key)
        return key


def _base_key(work: CitedWork) -> str:
    """Return first author, year and first word of the title; without an author two words of the title."""
    year = "" if work.year is None else str(work.year)
    words = [word for word in _words(work.title) if word not in _STOP_WORDS and not word.isdigit()]
    author = "".join(_words(work.authors[0].family)) if work.authors else ""
    first, second = (author, *words[:1], "")[:2] if author else (*words[:2], "", "")[:2]
    if not first:
        return f"entry{year}{crc32(work.title.encode()):08x}"
    return f"{first[:_MOST]}{year}{second[:_MOST]}"


def _words(text: str) -> list[str]:
    folded = normalize("NFKD", text.casefold().translate(_UNDECOMPOSED)).encode("ascii", "ignore").decode()
    words: list[str] = _LETTERS.findall(_APOSTROPHES.sub("", folded))
    return words


def _suffixes() -> Iterator[str]:
    return ("".join(letters) for length in count(1) for letters in product(ascii_lowercase, repeat=length))
