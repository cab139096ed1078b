"""The venue and year that a URL, or the DOI in it, proves by itself.

The year of a PMLR key is that of submission, so only the volume counts. A preprint proves no venue. ACM's
10.5555 is not a DOI prefix and proves nothing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypeAlias

from shelfread.core.patterns import lazy


class VenueYear(NamedTuple):
    """A venue's id, and the year if the URL has it."""

    venue: str
    year: int | None = None


UrlTables: TypeAlias = Mapping[str, Mapping[str, VenueYear]]
"""What parts of URLs prove, by the keys of venues and by the parts in capitals."""
_KEYS = ("doi", "pmlr", "ieee", "usenix", "anthology", "cvf")


def build_url_tables(terms: Mapping[str, Mapping[str, object]]) -> UrlTables:
    """Return the tables for the terms of venues, by venue id."""
    tables: dict[str, dict[str, VenueYear]] = {key: {} for key in _KEYS}
    for venue, term in terms.items():
        for key, table in tables.items():
            given = term.get(key, [])
            years = given.items() if isinstance(given, Mapping) else [(None, given)]
            for year, parts in years:
                proven = VenueYear(venue, None if year is None else int(year))
                table |= {
                    str(part).upper(): proven for part in (parts if isinstance(parts, list) else [parts])
                }
    return tables


def split_url(url: str) -> tuple[str, str]:
    """Return the host in lower case without `www.`, and the rest from the `/` of the path on."""
    start = url.find("://")
    host, slash, path = (url[start + 3 :] if start >= 0 else url).partition("/")
    host = host.lower()
    return host[4:] if host.startswith("www.") else host, slash + path


def find_evidence(url: str, tables: UrlTables) -> VenueYear | None:
    """Return the venue and year that a URL proves, or None."""
    host, path = split_url(url)
    proven = _prove(path, _HOSTS.get(host, ()), tables)
    has_doi = proven is None and "10." in url and (host == "dl.acm.org" or host not in _HOSTS)
    if has_doi and (doi := _DOI.search(url)):
        return _prove(doi[2], _REGISTRANTS.get(doi[1], ()), tables)
    return proven


def _prove(text: str, rules: Sequence[tuple[str, re.Pattern[str]]], tables: UrlTables) -> VenueYear | None:
    """Return what the first rule proves that a text begins with."""
    for venue, pattern in rules:
        if match := pattern.match(text):
            parts = match.groupdict()
            year = _year(parts.pop("year", None))
            if venue:
                return VenueYear(venue, year)
            for key, part in parts.items():
                if proven := tables[key].get(part.upper()):
                    return VenueYear(proven.venue, year or proven.year)
    return None


def _year(digits: str | None) -> int | None:
    if digits is None or len(digits) > 2:
        return int(digits) if digits else None
    return int(digits) + (1900 if int(digits) >= 60 else 2000)


def _rule(pattern: str, venue: str = "") -> tuple[str, re.Pattern[str]]:
    """Return a rule: a pattern, and the venue that it proves, or else its group has the name of a table."""
    return venue, lazy(pattern)


_DOI = lazy(r"(?<![\d.])(10\.\d{4,9})/([^\s?#&]+)")
_IEEE = _rule(r"(?P<ieee>[A-Za-z-]+?)\d*\.(?P<year>\d{4})\.\d")
_USENIX = _rule(
    r"/(?:conference/|system/files/(?:conference/)?|(?:legacy/)?(?:publications/library/proceedings|events?)/)"
    r"(?P<usenix>[a-z]+)(?P<year>\d\d)(?=[-_/.?#]|spring|summer|fall|winter|$)"
)
_PMLR = _rule(r"/(?:proceedings/papers/)?v(?P<pmlr>\d+)(?:/|$)")
_NEURIPS = _rule(r"/paper(?:_files)?(?:/paper)?/(?P<year>\d{4})/|", "neurips")
# The character after the year excludes workshops: `CVPR2021W/`, `cvpr_2017_workshops/`.
_CVF = _rule(r"(?:/openaccess)?/content[_/](?P<cvf>[A-Za-z]+)_?(?P<year>\d{4})(?=/)")
_ANTHOLOGY = (
    _rule(r"(?:.*/)?(?P<year>\d{4})\.(?:findings-)?(?P<anthology>[a-z]+)[-.][^/]*/?$"),
    # Volumes from 5 on are tutorials and workshops.
    _rule(r"(?:.*/)?(?P<anthology>[A-Z])(?P<year>\d\d)-[1-4]\d{3}[^/]*/?$"),
)

_REGISTRANTS = {
    "10.1145": (_rule(r"(?P<doi>\d{6,7})\.\d"),),
    "10.1109": (_IEEE,),
    "10.23919": (_IEEE,),
    "10.14778": (_rule("", "pvldb"),),
    "10.18653": _ANTHOLOGY,
    "10.3115": _ANTHOLOGY,
    "10.24963": (_rule(r"(?i)ijcai\.(?P<year>\d{4})/|", "ijcai"),),
    "10.1609": (_rule(r"(?i)aaai\.", "aaai"),),
    "10.14722": (_rule(r"(?i)ndss\.(?P<year>\d{4})\.|", "ndss"),),
}
_HOSTS = {
    "dl.acm.org": (_rule(r".*?[?&]id=(?P<doi>\d{6,7})\.\d"),),
    "usenix.org": (_USENIX,),
    "static.usenix.org": (_USENIX,),
    "proceedings.mlr.press": (_PMLR,),
    "jmlr.org": (_PMLR, _rule(r"(?i)/papers/v", "jmlr")),
    "proceedings.neurips.cc": (_NEURIPS,),
    "proceedings.nips.cc": (_NEURIPS,),
    "papers.neurips.cc": (_NEURIPS,),
    "papers.nips.cc": (_NEURIPS,),
    "datasets-benchmarks-proceedings.neurips.cc": (_NEURIPS,),
    "proceedings.mlsys.org": (
        _rule(r"/(?:paper(?:_files)?(?:/paper)?|Conferences|doc)/(?P<year>\d{4})(?:/|$)|", "mlsys"),
    ),
    "openaccess.thecvf.com": (_CVF,),
    "cv-foundation.org": (_CVF,),
    "aclanthology.org": _ANTHOLOGY,
    "aclweb.org": _ANTHOLOGY,
    "aclanthology.info": _ANTHOLOGY,
    "ijcai.org": (_rule(r"(?i)/proceedings/(?P<year>\d{4})/|", "ijcai"),),
    "ojs.aaai.org": (_rule(r"(?i)/index\.php/aaai/", "aaai"),),
    "aaai.org": (_rule(r"(?i)/ocs/index\.php/aaai/", "aaai"),),
    "ndss-symposium.org": (_rule(r".*?(?:/ndss-paper/|/ndss(?P<year>\d{4})[-_/])", "ndss"),),
    "vldb.org": (_rule(r"(?i)/pvldb/", "pvldb"),),
}
