"""Facts about hosts (their names are in hosts.yaml), the parts of URLs, and the pages that publishers have moved."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple, TypeAlias
from urllib.parse import urlsplit

from shelfread.core.diagnostics import Applicability, Severity
from shelfread.core.patterns import lazy
from shelfread.core.yaml_files import load_table

_TABLE = load_table(Path(__file__).with_name("hosts.yaml"))
# A name that is shared below every top-level domain: `blogspot.com`, `blogspot.co.uk`.
_SHARED_ANYWHERE = "blogspot"
_PLAIN = lazy(r"https?://([a-z0-9.-]+)(?::\d{1,4})?(?:[/?#]|$)")
# The pattern of what a DOI begins with, also in a URL where its slash is escaped.
DOI = r"10\.\d{4,9}(?:\.\d{1,9}){0,4}(?:/|%2[Ff])"
# A pattern of parameters that seldom tell pages apart: ignored where entries are compared, never removed.
LIKELY_TRACKING = r"ref|source"
_WEB = lazy(r"(?i)https?://[^/?#]")
# GitHub makes the anchors of a repository's own page, of files and of issues in the browser, in part.
# What follows `#` on many pages is no anchor: lines, text to highlight, pages of a PDF, routes of a script.
_NO_ANCHOR = lazy(r"(?i)$|:~:|L\d+(?:C\d+)?(?:-L?\d+(?:C\d+)?)?$|(?:page|zoom|view|t|nameddest)=|[!/?]|top$")
_READ_BY_SCRIPT = lazy(
    r"(?i)https?://(?:[\w-]+\.)*(?:docs\.google\.com|drive\.google\.com|web\.archive\.org|groups\.google\.com)/"
    r"|https?://(?:www\.)?github\.com/[^/?#]+/[^/?#]+"
    r"(?:/?(?:[?#]|$)|/(?:blob|tree|wiki|issues|pull|pulls|discussions|releases|actions|projects|graphs|commits?|compare)(?:[/?#]|$))"
    r"|https?://gist\.github\.com/"
)
# Reserved names (RFC 2606, RFC 6761) that stand for no host: placeholders.
_RESERVED = lazy(r"(?:.+\.)?(?:example(?:\.(?:com|net|org))?|test|invalid|localhost)\.?")


def _names(key: str) -> tuple[str, ...]:
    return tuple(" ".join(_TABLE[key]).split())


# A pattern of the query parameters that only tell a site who sent the visitor, whatever the site.
TRACKING = "|".join(_names("tracking"))
# Patterns of parameters that track visitors on certain hosts only, with a pattern of these hosts.
TRACKING_OF_HOST: Mapping[str, str] = _TABLE["tracking_of_host"]
SHORTENERS = frozenset(_names("shorteners"))
SHORT = SHORTENERS.union(_names("short"))  # all hosts whose URLs say nothing of where they lead
# The first segments of paths on github.com that are no owners of repositories.
NOT_OWNERS = frozenset(_names("not_owners"))
ROLELESS = _names("roleless")  # beginnings of URLs that have no role, though the rest of their host has one
ARXIV_MIRRORS = tuple(f"{name}.arxiv.org" for name in _names("arxiv_mirrors"))
CODE_HOSTS = frozenset(_names("code"))
DOI_RESOLVERS = _names("doi_resolvers")
DOI_PUBLISHERS = _names("doi_publishers")
_SECOND_LEVELS = frozenset(_names("second_levels"))
_SHARED = frozenset(_names("shared"))


@cache
def _https() -> tuple[frozenset[str], frozenset[str]]:
    """Return the hosts that serve https: by name, and those of which every direct subdomain does."""
    return frozenset(_names("https")), frozenset(_names("https_below"))


def serves_https(host: str) -> bool:
    """Whether a host, with or without `www.`, is known to serve https, without a request."""
    names, parents = _https()
    host = host.lower()
    return host in names or host.removeprefix("www.") in names or host.partition(".")[2] in parents


def host_of(url: str) -> str:
    """The host's name in lower case, without a final dot; empty where there is none."""
    if plain := _PLAIN.match(url):  # as in nearly all URLs: a fifth of the time
        return plain[1].rstrip(".")
    try:
        return (urlsplit(url).hostname or "").rstrip(".")
    except ValueError:
        return ""


def registrable(host: str) -> str:
    """The registered domain that a host belongs to; an IP address is its own."""
    labels = host.split(".")
    if len(labels) < 3 or ":" in host or labels[-1].isdigit():
        return host
    if _SHARED_ANYWHERE in labels[1:]:
        return ".".join(labels[labels.index(_SHARED_ANYWHERE, 1) - 1 :])
    suffix = ".".join(labels[-2:])
    if suffix in _SHARED or (len(labels[-1]) == 2 and labels[-2] in _SECOND_LEVELS):
        return ".".join(labels[-3:])
    return suffix


def same_owner(url: str, other: str) -> bool:
    """Whether two URLs lie in one registered domain."""
    return registrable(host_of(url)) == registrable(host_of(other))


def key_of(url: str) -> str | None:
    """Return an http or https URL without its fragment; None for any other."""
    return url.partition("#")[0] if _WEB.match(url) else None


def page_anchor(url: str) -> str | None:
    """Return the fragment, as written, where it can name an id of the page itself."""
    page, _, name = url.partition("#")
    if _NO_ANCHOR.match(name) or _READ_BY_SCRIPT.match(page) or page.lower().endswith(".pdf"):
        return None
    return name


def is_reserved(url: str) -> bool:
    """Whether a URL has a placeholder for its host, as `https://example.org/your-project`."""
    return _RESERVED.fullmatch(host_of(url)) is not None


class VenueYear(NamedTuple):
    """A venue's id, and the year if the URL has it."""

    venue: str
    year: int | None = None


# What parts of URLs prove, by the keys of venues and by the parts in capitals.
UrlTables: TypeAlias = Mapping[str, Mapping[str, VenueYear]]
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
        return _prove(doi[1], _REGISTRANTS.get(doi[0].partition("/")[0], ()), tables)
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


def _rules(key: str) -> dict[str, list[tuple[str, re.Pattern[str]]]]:
    """Return the rules of a table: a pattern, and the venue that it proves, or else its groups have the names of tables."""
    return {
        name: [(rule.get("venue", ""), lazy(rule["pattern"])) for rule in rules]
        for name, rules in _TABLE[key].items()
    }


_DOI = lazy(rf"(?<![\d.]){DOI}([^\s?#&]+)")
_REGISTRANTS = _rules("venue_dois")
_HOSTS = _rules("venue_urls")

_ARXIV_HOST = lazy(
    r"(?i)https?://(?P<host>(?:browse|export|xxx|lanl|aps|beta|static|web\d{1,2}|[a-z]{2})\.arxiv\.org|(?:xxx|arxiv)\.lanl\.gov)"
    r"(?P<path>/(?:abs|pdf|html|format|ps)/.+)"
)
_VERSION = lazy(r"(?i)(https?://arxiv\.org/(?:abs|pdf|html)/[^?#]*?\d)v\d+(?=(?:\.pdf)?$)")
_ACL = lazy(
    r"(?i)https?://(?:www\.)?(?:aclweb\.org/anthology(?:-new)?|aclanthology\.info|aclanthology\.coli\.uni-saarland\.de)/"
    r"(?:papers/|pdf/)?(?:[A-Z]/)?(?:[A-Z]\d\d/)?(?P<key>[A-Z]\d\d-\d{4}|\d{4}\.[a-z0-9_]+-[a-z0-9]+\.\d+)"
    r"(?:/(?P=key))?(?P<pdf>\.pdf)?/?$"
)
_PMLR_PAGE = lazy(
    r"(?i)https?://(?:www\.)?jmlr\.(?:org|csail\.mit\.edu)/proceedings/papers/(?P<rest>v\d+/.*)"
)
_NEURIPS_PAGE = lazy(
    r"(?i)https?://(?:papers\.n(?:eur)?ips\.cc/paper(?:_files/paper)?|proceedings\.nips\.cc/paper(?:_files/paper)?"
    r"|proceedings\.neurips\.cc/paper)/(?P<rest>\d{4}/(?:hash|file)/[0-9a-f]{32}-[^?#]+)"
)
_NEURIPS_NOW = "https://proceedings.neurips.cc/paper_files/paper/"
_USENIX_PAGE = lazy(
    r"(?i)https?://(?:www\.)?usenix\.org/conference/(?P<conference>\w+)/technical-sessions/presentation/(?P<author>[\w-]+)/?"
)
_COUNTRY = lazy(r"[a-z]{2}\.")


class CanonicalUrl(NamedTuple):
    """The URL to use for a paper, empty if it does not follow from the old one; `message` and `values` say why."""

    url: str
    message: str
    applicability: Applicability = Applicability.SAFE
    severity: Severity = Severity.WARNING
    values: Mapping[str, object] = MappingProxyType({})


def from_arxiv(url: str) -> CanonicalUrl | None:
    """Replace another name of arXiv's host; `www.` is no mistake."""
    match = _ARXIV_HOST.match(url)
    if match is None:
        return None
    host = match["host"].lower()
    applicability = Applicability.UNSAFE if _COUNTRY.match(host) else Applicability.SAFE
    return CanonicalUrl(
        "https://arxiv.org" + match["path"], "arxiv-host", applicability, values={"host": host}
    )


def from_acl(url: str) -> CanonicalUrl | None:
    """Replace a former host of the ACL Anthology."""
    match = _ACL.match(url) if "anthology" in url else None
    if match is None:
        return None
    key = match["key"].upper() if match["key"][0].isalpha() else match["key"].lower()
    return CanonicalUrl(f"https://aclanthology.org/{key}{match['pdf'] or '/'}", "acl")


def from_pmlr(url: str) -> CanonicalUrl | None:
    """Replace a URL of PMLR from when it was a part of JMLR's site."""
    if "jmlr" in url and (match := _PMLR_PAGE.match(url)):
        return CanonicalUrl("https://proceedings.mlr.press/" + match["rest"], "pmlr")
    return None


def without_version(url: str) -> CanonicalUrl | None:
    """Replace one version of a paper at arXiv by the paper."""
    if "arxiv.org/" in url and (match := _VERSION.match(url)):
        return CanonicalUrl(match[1] + url[match.end() :], "version", Applicability.UNSAFE)
    return None


def moved_page(url: str) -> str | None:
    """Return the URL that a page of a publisher probably has now; a request has to confirm it."""
    if match := _USENIX_PAGE.fullmatch(url):
        return f"https://www.usenix.org/conference/{match['conference']}/presentation/{match['author']}"
    match = _NEURIPS_PAGE.match(url)
    return None if match is None else _NEURIPS_NOW + match["rest"]
