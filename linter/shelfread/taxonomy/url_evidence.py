"""The venue and year that a URL, or the DOI in it, proves by itself.

The year of a PMLR key is that of submission, so only the volume counts. A preprint proves no venue. ACM's
10.5555 is not a DOI prefix and proves nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from shelfread.core.support.named_tuple import NamedTuple
from shelfread.core.support.regex import lazy


class VenueYear(NamedTuple):
    """A venue's id, and the year if the URL has it."""

    venue: str
    year: int | None = None


class UrlTables(NamedTuple):
    """Tables from parts of URLs to the venues that they prove."""

    acm: Mapping[str, VenueYear]
    """By the number of proceedings: 10.1145/NUMBER.x."""
    pmlr: Mapping[str, VenueYear]
    """By volume."""
    ieee: Mapping[str, str]
    """By acronym in capitals."""
    usenix: Mapping[str, str]
    """By the slug of the conference."""
    anthology: Mapping[str, str]
    """By slug, or by letter for papers before 2020."""
    cvf: Mapping[str, str]


def build_url_tables(terms: Mapping[str, Mapping[str, object]]) -> UrlTables:
    """Return the tables for the terms of venues, by venue id."""
    acm: dict[str, VenueYear] = {}
    pmlr: dict[str, VenueYear] = {}
    named: dict[str, dict[str, str]] = {kind: {} for kind in ("ieee", "usenix", "anthology", "cvf")}
    for venue, term in terms.items():
        for kind, table in (("doi", acm), ("pmlr", pmlr)):
            years = term.get(kind)
            if isinstance(years, Mapping):
                for year, numbers in years.items():
                    for number in numbers if isinstance(numbers, list) else [numbers]:
                        table[str(number)] = VenueYear(venue, int(year))
        for kind, names in named.items():
            given = term.get(kind)
            for name in given if isinstance(given, list) else [given] if given else []:
                names[str(name).upper()] = venue
    return UrlTables(acm, pmlr, *named.values())


def split_url(url: str) -> tuple[str, str]:
    """Return the host in lower case without `www.`, and the rest from the `/` of the path on."""
    start = url.find("://")
    host, slash, path = (url[start + 3 :] if start >= 0 else url).partition("/")
    host = host.lower()
    return host[4:] if host.startswith("www.") else host, slash + path


def find_evidence(url: str, tables: UrlTables) -> VenueYear | None:
    """Return the venue and year that a URL proves, or None."""
    host, path = split_url(url)
    read = _HOSTS.get(host)
    if read is not None:
        return read(path, tables)
    return _doi(url, tables) if "10." in url else None


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
# The character after the year excludes workshops: `CVPR2021W/`, `cvpr_2017_workshops/`.
_CVF = lazy(r"(?:/openaccess)?/content[_/]([A-Za-z]+)_?(\d{4})(?=/)")
_ANTHOLOGY = lazy(r"(\d{4})\.(?:findings-)?([a-z]+)[-.]")
# Volumes from 5 on are tutorials and workshops.
_ANTHOLOGY_OLD = lazy(r"([A-Z])(\d\d)-[1-4]\d{3}")
_IJCAI = lazy(r"/proceedings/(\d{4})/", re.IGNORECASE)
_NDSS = lazy(r"/ndss-paper/|/ndss(\d{4})[-_/]")

_Read = Callable[[str, UrlTables], "VenueYear | None"]


def _century(digits: str) -> int:
    year = int(digits)
    return year + (1900 if year >= 60 else 2000)


def _doi(text: str, tables: UrlTables) -> VenueYear | None:
    match = _DOI.search(text)
    if match is None:
        return None
    read = _REGISTRANTS.get(match[1])
    return read(match[2], tables) if read is not None else None


def _acm_library(path: str, tables: UrlTables) -> VenueYear | None:
    match = _ACM_QUERY.search(path)
    return tables.acm.get(match[1]) if match else _doi(path, tables)


def _acm(suffix: str, tables: UrlTables) -> VenueYear | None:
    match = _ACM.match(suffix)
    return tables.acm.get(match[1]) if match else None


def _pmlr(path: str, tables: UrlTables) -> VenueYear | None:
    match = _PMLR.match(path)
    return tables.pmlr.get(match[1]) if match else None


def _anthology(path: str, tables: UrlTables) -> VenueYear | None:
    key = path.rpartition("/")[2] if not path.endswith("/") else path[:-1].rpartition("/")[2]
    match = _ANTHOLOGY.match(key)
    if match is not None:
        venue = tables.anthology.get(match[2].upper())
        return VenueYear(venue, int(match[1])) if venue else None
    match = _ANTHOLOGY_OLD.match(key)
    venue = tables.anthology.get(match[1]) if match else None
    return VenueYear(venue, _century(match[2])) if match and venue else None


def _ndss(path: str, tables: UrlTables) -> VenueYear | None:
    match = _NDSS.search(path)
    return VenueYear("ndss", int(match[1]) if match[1] else None) if match else None


def _named(
    pattern: re.Pattern[str], table: Callable[[UrlTables], Mapping[str, str]], year: Callable[[str], int]
) -> _Read:
    """Return a reader that looks up the pattern's first group in a table. The second group is the year."""

    def read(path: str, tables: UrlTables) -> VenueYear | None:
        match = pattern.match(path)
        venue = table(tables).get(match[1].upper()) if match else None
        return VenueYear(venue, year(match[2])) if match and venue else None

    return read


def _dated(venue: str, pattern: re.Pattern[str]) -> _Read:
    """Return a reader for a host of one venue. The pattern's group is the year."""

    def read(path: str, tables: UrlTables) -> VenueYear | None:
        match = pattern.match(path)
        return VenueYear(venue, int(match[1])) if match and match[1] else VenueYear(venue)

    return read


def _only(venue: str, start: str) -> _Read:
    """Return a reader for a venue without a year. The path (or DOI suffix) must have the prefix `start`."""
    return lambda path, tables: VenueYear(venue) if path.lower().startswith(start) else None


_ieee = _named(_IEEE, lambda tables: tables.ieee, int)
_usenix = _named(_USENIX, lambda tables: tables.usenix, _century)
_cvf = _named(_CVF, lambda tables: tables.cvf, int)
_NEURIPS_HOSTS = (
    *("proceedings.neurips.cc", "proceedings.nips.cc", "papers.neurips.cc", "papers.nips.cc"),
    "datasets-benchmarks-proceedings.neurips.cc",
)

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
    "jmlr.org": lambda path, tables: _pmlr(path, tables) or _only("jmlr", "/papers/v")(path, tables),
    **dict.fromkeys(_NEURIPS_HOSTS, _dated("neurips", _NEURIPS)),
    "proceedings.mlsys.org": _dated("mlsys", _MLSYS),
    "openaccess.thecvf.com": _cvf,
    "cv-foundation.org": _cvf,
    "aclanthology.org": _anthology,
    "aclweb.org": _anthology,
    "aclanthology.info": _anthology,
    "ijcai.org": _dated("ijcai", _IJCAI),
    "ojs.aaai.org": _only("aaai", "/index.php/aaai/"),
    "aaai.org": _only("aaai", "/ocs/index.php/aaai/"),
    "ndss-symposium.org": _ndss,
    "vldb.org": _only("pvldb", "/pvldb/"),
}
