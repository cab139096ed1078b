"""Identifiers in URLs: DOI, arXiv id, repository ..."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from urllib.parse import unquote

from shelfread.core.support.regex import lazy
from shelfread.taxonomy.hosts import ARXIV_MIRRORS, DOI_PUBLISHERS, DOI_RESOLVERS, NOT_OWNERS

_DOI = lazy(r"10\.\d{4,9}/[^\s?#&\"<>]+")
_ARXIV = lazy(
    r"/(?:abs|pdf|html|format|ps|e-print|papers?|overview|arxiv)/(?:arXiv:)?([a-z-]+(?:\.[A-Za-z]{2})?/\d{7}|\d{4}\.\d{4,5})(?:v\d+)?(?=[/?#.]|$)",
    re.IGNORECASE,
)
_ARXIV_DOI = lazy(r"10\.48550/arxiv\.(\d{4}\.\d{4,5}|[a-z-]+/\d{7})", re.IGNORECASE)
_GITHUB = lazy(r"^/([A-Za-z0-9][A-Za-z0-9-]*)/([A-Za-z0-9._-]+)")
# A revision has an id of its own. A group of papers has none.
_OPENREVIEW = lazy(r"^/(?:forum|pdf|attachment|notes/edits/attachment)/?\?(?:[^#]*&)?id=([\w-]+)")
_YOUTUBE = lazy(r"(?:[?&]v=|/embed/|/shorts/|/live/)([\w-]{11})")
_ACL = lazy(
    r"/(?:anthology/)?(?:papers/[A-Z]/[A-Z]\d\d/)?(\d{4}\.[a-z0-9_-]+\.\d+|[A-Z]\d\d-\d{4})(?:v\d+)?(?=[/.]|$)"
)
_USENIX = lazy(r"^/conference/([a-z]+\d\d)/(?:technical-sessions/)?presentation/([\w-]+)", re.IGNORECASE)
_USENIX_FILE = lazy(r"^/system/files/(?:conference/\w+/)?([a-z]+\d\d)-(?:paper-)?([a-z]+(?:-[a-z]+)?)\.pdf$")
_PMLR = lazy(r"^/(?:proceedings/papers/)?(v\d+)/([\w-]+?)(?:/[\w-]+\.pdf|\.html|\.pdf)?/?$")
_NEURIPS = lazy(r"^/paper(?:_files)?(?:/paper)?/\d{4}/(?:hash|file)/([0-9a-f]{32})")
_NEURIPS_OLD = lazy(r"^/paper/(\d+)-")
_MLSYS = lazy(r"^/paper(?:_files)?(?:/paper)?/(\d{4})/(?:hash|file)/([0-9a-f]{32})")


def _doi(path: str) -> dict[str, str]:
    match = _DOI.search(unquote(path))
    if match is None:
        return {}
    arxiv = _ARXIV_DOI.match(match.group())
    if arxiv:
        return {"arxiv": arxiv.group(1)}
    doi = match.group().rstrip(".,;)/")
    for ending in (".pdf", "/pdf", "/full", "/abstract", "/epdf"):
        doi = doi.removesuffix(ending)
    # ACM uses 10.5555 for other publishers' papers. It is not a registered prefix.
    return {} if doi.startswith("10.5555/") else {"doi": doi}


def _github(path: str) -> dict[str, str]:
    match = _GITHUB.match(path)
    if match is None or match.group(1).lower() in NOT_OWNERS:
        return {}
    return {"github": f"{match.group(1)}/{match.group(2).removesuffix('.git')}"}


def _usenix(path: str) -> dict[str, str]:
    match = _USENIX.match(path) or _USENIX_FILE.match(path)
    return {"usenix": f"{match.group(1)}/{match.group(2)}".lower()} if match else {}


def _reader(kind: str, *patterns: re.Pattern[str]) -> Callable[[str], dict[str, str]]:
    """Return a function for one kind of identifier: the groups of the first pattern that the path matches."""

    def read(path: str) -> dict[str, str]:
        match = next(filter(None, (pattern.search(path) for pattern in patterns)), None)
        return {kind: "/".join(match.groups())} if match else {}

    return read


_READERS: dict[str, Callable[[str], dict[str, str]]] = {
    **dict.fromkeys((*DOI_RESOLVERS, *DOI_PUBLISHERS, "doi.acm.org", "doi.ieeecomputersociety.org"), _doi),
    **dict.fromkeys((*ARXIV_MIRRORS, "ar5iv.labs.arxiv.org"), _reader("arxiv", _ARXIV)),
    **{
        host: reader
        for hosts, reader in {
            "arxiv.org xxx.lanl.gov alphaxiv.org ar5iv.org arxiv-vanity.com papers.cool": _reader(
                "arxiv", _ARXIV
            ),
            "huggingface.co hf.co": _reader("arxiv", lazy(r"^/papers/(\d{4}\.\d{4,5})")),
            "github.com": _github,
            "openreview.net": _reader("openreview", _OPENREVIEW),
            "youtube.com m.youtube.com": _reader("youtube", _YOUTUBE),
            "youtu.be": _reader("youtube", lazy(r"^/([\w-]{11})(?=[?#/]|$)")),
            "aclanthology.org aclweb.org aclanthology.info": _reader("acl", _ACL),
            "usenix.org": _usenix,
            "proceedings.mlr.press jmlr.org": _reader("pmlr", _PMLR),
            "papers.nips.cc papers.neurips.cc proceedings.neurips.cc proceedings.nips.cc "
            "datasets-benchmarks-proceedings.neurips.cc": _reader("neurips", _NEURIPS, _NEURIPS_OLD),
            # The hash is that of a number within the year, so it recurs in other years.
            "proceedings.mlsys.org": _reader("mlsys", _MLSYS),
        }.items()
        for host in hosts.split()
    },
}
_HOST = lazy(r"^[a-z][a-z0-9+.-]*://(?:www\.)?([^/?#:@]+)(?::\d+)?", re.IGNORECASE)


@lru_cache(maxsize=64)  # each URL of an entry is read several times in quick succession
def identify(url: str) -> Mapping[str, str]:
    """Return the identifiers in a URL by kind: doi, arxiv, github, openreview, acl, usenix ..."""
    match = _HOST.match(url)
    if match is None:
        return {}
    reader = _READERS.get(match.group(1).lower())
    return reader(url[match.end() :]) if reader else {}
