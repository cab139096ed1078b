"""URLs of papers whose publisher has moved, and the URLs that they have now."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from shelfread.core.diagnostics import Applicability, Severity
from shelfread.core.patterns import lazy

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
_PMLR = lazy(r"(?i)https?://(?:www\.)?jmlr\.(?:org|csail\.mit\.edu)/proceedings/papers/(?P<rest>v\d+/.*)")
_NEURIPS = lazy(
    r"(?i)https?://(?:papers\.n(?:eur)?ips\.cc/paper(?:_files/paper)?|proceedings\.nips\.cc/paper(?:_files/paper)?"
    r"|proceedings\.neurips\.cc/paper)/(?P<rest>\d{4}/(?:hash|file)/[0-9a-f]{32}-[^?#]+)"
)
_NEURIPS_NOW = "https://proceedings.neurips.cc/paper_files/paper/"
_USENIX = lazy(
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
    if "jmlr" in url and (match := _PMLR.match(url)):
        return CanonicalUrl("https://proceedings.mlr.press/" + match["rest"], "pmlr")
    return None


def without_version(url: str) -> CanonicalUrl | None:
    """Replace one version of a paper at arXiv by the paper."""
    if "arxiv.org/" in url and (match := _VERSION.match(url)):
        return CanonicalUrl(match[1] + url[match.end() :], "version", Applicability.UNSAFE)
    return None


def moved_page(url: str) -> str | None:
    """Return the URL that a page of a publisher probably has now; a request has to confirm it."""
    if match := _USENIX.fullmatch(url):
        return f"https://www.usenix.org/conference/{match['conference']}/presentation/{match['author']}"
    match = _NEURIPS.match(url)
    return None if match is None else _NEURIPS_NOW + match["rest"]
