"""What an address proves by itself: the venue and the year that a URL or the DOI in it carries.

A PMLR key's year is the year of submission to the volume, so only the volume counts; a preprint proves
no venue; ACM's 10.5555 is no DOI and proves nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import NamedTuple

from shelfread.core.support.regex import lazy


class VenueYear(NamedTuple):
    """A venue's id, and the year where the address has it."""

    venue: str
    year: int | None = None


class UrlTables(NamedTuple):
    """What the venues' addresses look like, from the mark to what it proves."""

    acm: Mapping[str, VenueYear]
    """Proceedings numbers: 10.1145/NUMBER.x."""
    pmlr: Mapping[str, VenueYear]
    """Volumes."""
    ieee: Mapping[str, str]
    """Acronyms in capitals."""
    usenix: Mapping[str, str]
    """Slugs of conferences."""
    anthology: Mapping[str, str]
    """The ACL Anthology's slugs, and its letters before 2020."""
    cvf: Mapping[str, str]


def build_url_tables(facts: Mapping[str, Mapping[str, object]]) -> UrlTables:
    """The tables of all venues' facts, by venue id."""
    acm: dict[str, VenueYear] = {}
    pmlr: dict[str, VenueYear] = {}
    named: dict[str, dict[str, str]] = {kind: {} for kind in ("ieee", "usenix", "anthology", "cvf")}
    for venue, known in facts.items():
        for kind, table in (("doi", acm), ("pmlr", pmlr)):
            years = known.get(kind)
            if isinstance(years, Mapping):
                for year, numbers in years.items():
                    for number in numbers if isinstance(numbers, list) else [numbers]:
                        table[str(number)] = VenueYear(venue, int(year))
        for kind, names in named.items():
            given = known.get(kind)
            for name in given if isinstance(given, list) else [given] if given else []:
                names[str(name).upper()] = venue
    return UrlTables(acm, pmlr, *named.values())


def split_url(url: str) -> tuple[str, str]:
    """Host in lower case without `www.`, and the path with what follows it (`/` at least)."""
    start = url.find("://")
    rest = url[start + 3 :] if start >= 0 else url
    host, slash, path = rest.partition("/")
    host = host.lower()
    return host[4:] if host.startswith("www.") else host, slash + path


def find_evidence(url: str, known: UrlTables) -> VenueYear | None:
    """What the address proves, by one look at its host and one expression; None when nothing."""
    host, path = split_url(url)
    read = _HOSTS.get(host)
    if read is not None:
        return read(path, known)
    return _doi(url, known) if "10." in url else None


_DOI = lazy(r"(?<![\d.])(10\.\d{4,9})/([^\s?#&]+)")
_ACM_QUERY = lazy(r"[?&]id=(\d{6,7})\.\d")
_ACM = lazy(r"(\d{6,7})\.\d")
_IEEE = lazy(r"([A-Za-z-]+?)\d*\.(\d{4})\.\d")
_USENIX = lazy(
    r"/(?:conference/|system/files/(?:conference/)?|(?:legacy/)?(?:publications/library/proceedings|events?)/)"
    r"([a-z]+)(\d\d)(?=[-_/.?#]|spring|summer|fall|winter|$)"
)
_PMLR = lazy(r"/(?:proceedings/papers/)?v(\d+)(?:/|$)")
_NEURIPS = lazy(r"/paper(?:_files)?(?:/paper)?/(\d{4})/")
_MLSYS = lazy(r"/(?:paper(?:_files)?(?:/paper)?|Conferences|doc)/(\d{4})(?:/|$)")
# What follows a year tells a main conference from its workshops: `CVPR2021W/`, `cvpr_2017_workshops/`.
_CVF = lazy(r"/content[_/]([A-Za-z]+)_?(\d{4})(?=/)")
_ANTHOLOGY = lazy(r"(\d{4})\.(?:findings-)?([a-z]+)[-.]")
# Volumes from 5 on are tutorials and workshops.
_ANTHOLOGY_OLD = lazy(r"([A-Z])(\d\d)-[1-4]\d{3}")
_IJCAI = lazy(r"/proceedings/(\d{4})/", re.IGNORECASE)
_NDSS = lazy(r"/ndss-paper/|/ndss(\d{4})[-_/]")

_Read = Callable[[str, UrlTables], "VenueYear | None"]


def _century(digits: str) -> int:
    year = int(digits)
    return year + (1900 if year >= 60 else 2000)


def _doi(text: str, known: UrlTables) -> VenueYear | None:
    match = _DOI.search(text)
    if match is None:
        return None
    read = _REGISTRANTS.get(match[1])
    return read(match[2], known) if read is not None else None


def _acm_library(path: str, known: UrlTables) -> VenueYear | None:
    match = _ACM_QUERY.search(path)
    return known.acm.get(match[1]) if match else _doi(path, known)


def _acm(suffix: str, known: UrlTables) -> VenueYear | None:
    match = _ACM.match(suffix)
    return known.acm.get(match[1]) if match else None


def _ieee(suffix: str, known: UrlTables) -> VenueYear | None:
    match = _IEEE.match(suffix)
    venue = known.ieee.get(match[1].upper()) if match else None
    return VenueYear(venue, int(match[2])) if match and venue else None


def _usenix(path: str, known: UrlTables) -> VenueYear | None:
    match = _USENIX.match(path)
    venue = known.usenix.get(match[1].upper()) if match else None
    return VenueYear(venue, _century(match[2])) if match and venue else None


def _pmlr(path: str, known: UrlTables) -> VenueYear | None:
    match = _PMLR.match(path)
    return known.pmlr.get(match[1]) if match else None


def _cvf(path: str, known: UrlTables) -> VenueYear | None:
    match = _CVF.match(path)
    venue = known.cvf.get(match[1].upper()) if match else None
    return VenueYear(venue, int(match[2])) if match and venue else None


def _anthology(path: str, known: UrlTables) -> VenueYear | None:
    key = path.rpartition("/")[2] if not path.endswith("/") else path[:-1].rpartition("/")[2]
    match = _ANTHOLOGY.match(key)
    if match is not None:
        venue = known.anthology.get(match[2].upper())
        return VenueYear(venue, int(match[1])) if venue else None
    match = _ANTHOLOGY_OLD.match(key)
    venue = known.anthology.get(match[1]) if match else None
    return VenueYear(venue, _century(match[2])) if match and venue else None


def _ndss(path: str, known: UrlTables) -> VenueYear | None:
    match = _NDSS.search(path)
    return VenueYear("ndss", int(match[1]) if match[1] else None) if match else None


def _dated(venue: str, pattern: re.Pattern[str]) -> _Read:
    """A host of one venue: the year where the pattern has it."""

    def read(path: str, known: UrlTables) -> VenueYear | None:
        match = pattern.match(path)
        return VenueYear(venue, int(match[1])) if match and match[1] else VenueYear(venue)

    return read


def _only(venue: str, start: str) -> _Read:
    """A host or registrant that proves a venue by how the rest begins, and no year."""
    return lambda rest, known: VenueYear(venue) if rest.lower().startswith(start) else None


_neurips = _dated("neurips", _NEURIPS)

_REGISTRANTS: dict[str, _Read] = {
    "10.1145": _acm,
    "10.1109": _ieee,
    "10.23919": _ieee,
    "10.14778": _only("pvldb", ""),
    "10.18653": _anthology,
    "10.3115": _anthology,
    "10.24963": _dated("ijcai", lazy(r"ijcai\.(\d{4})/", re.IGNORECASE)),
    "10.1609": _only("aaai", "aaai."),
    "10.14722": _dated("ndss", lazy(r"ndss\.(\d{4})\.", re.IGNORECASE)),
}
_HOSTS: dict[str, _Read] = {
    "doi.org": _doi,
    "dx.doi.org": _doi,
    "dl.acm.org": _acm_library,
    "usenix.org": _usenix,
    "static.usenix.org": _usenix,
    "proceedings.mlr.press": _pmlr,
    "jmlr.org": lambda path, known: _pmlr(path, known) or _only("jmlr", "/papers/v")(path, known),
    "proceedings.neurips.cc": _neurips,
    "proceedings.nips.cc": _neurips,
    "papers.neurips.cc": _neurips,
    "papers.nips.cc": _neurips,
    "datasets-benchmarks-proceedings.neurips.cc": _neurips,
    "proceedings.mlsys.org": _dated("mlsys", _MLSYS),
    "openaccess.thecvf.com": _cvf,
    "aclanthology.org": _anthology,
    "aclweb.org": _anthology,
    "aclanthology.info": _anthology,
    "ijcai.org": _dated("ijcai", _IJCAI),
    "ojs.aaai.org": _only("aaai", "/index.php/aaai/"),
    "aaai.org": _only("aaai", "/ocs/index.php/aaai/"),
    "ndss-symposium.org": _ndss,
    "vldb.org": _only("pvldb", "/pvldb/"),
}
