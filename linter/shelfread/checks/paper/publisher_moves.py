"""Addresses of papers whose publisher has moved, and the ones that they have now."""

from __future__ import annotations

import re
from typing import NamedTuple

from shelfread.core.diagnostics import Applicability, Severity
from shelfread.core.support.regex import lazy

_ARXIV_HOST = lazy(
    r"https?://(?P<host>(?:www|browse|export|xxx)\.arxiv\.org|(?:xxx|arxiv)\.lanl\.gov|[a-z]{2}\.arxiv\.org)"
    r"(?P<path>/(?:abs|pdf|html|format|ps)/.+)",
    re.IGNORECASE,
)
_VERSION = lazy(r"(https?://arxiv\.org/(?:abs|pdf|html)/[^?#]*?\d)v\d+(?=(?:\.pdf)?$)", re.IGNORECASE)
_ACL = lazy(
    r"https?://(?:www\.)?(?:aclweb\.org/anthology(?:-new)?|aclanthology\.info|aclanthology\.coli\.uni-saarland\.de)/"
    r"(?:papers/|pdf/)?(?:[A-Z]/)?(?:[A-Z]\d\d/)?(?P<key>[A-Z]\d\d-\d{4}|\d{4}\.[a-z0-9_]+-[a-z0-9]+\.\d+)"
    r"(?:/(?P=key))?(?P<pdf>\.pdf)?/?$",
    re.IGNORECASE,
)
_PMLR = lazy(
    r"https?://(?:www\.)?jmlr\.(?:org|csail\.mit\.edu)/proceedings/papers/(?P<rest>v\d+/.*)", re.IGNORECASE
)
_NEURIPS = lazy(
    r"https?://(?:papers\.n(?:eur)?ips\.cc|proceedings\.nips\.cc)/paper(?:_files/paper)?/"
    r"(?:(?P<rest>\d{4}/(?:hash|file)/[0-9a-f]{32}-[^?#]+)|\d+-)",
    re.IGNORECASE,
)
_COUNTRY = lazy(r"[a-z]{2}\.")


class Better(NamedTuple):
    """A better address, why, how sure a fix is and how grave the fault; no `url` where nobody can tell."""

    url: str
    why: str
    applicability: Applicability = Applicability.SAFE
    severity: Severity = Severity.WARNING


def by_host(url: str, with_www: bool) -> Better | None:
    """arXiv by another of its names."""
    match = _ARXIV_HOST.match(url)
    if match is None or (with_www and match["host"].lower() == "www.arxiv.org"):
        return None
    sure = Applicability.UNSAFE if _COUNTRY.match(match["host"].lower()) else Applicability.SAFE
    return Better("https://arxiv.org" + match["path"], f"{match['host'].lower()} is arxiv.org", sure)


def of_acl(url: str) -> Better | None:
    """The ACL Anthology, by its former hosts."""
    match = _ACL.match(url) if "anthology" in url else None
    if match is None:
        return None
    key = match["key"].upper() if match["key"][0].isalpha() else match["key"].lower()
    return Better(
        f"https://aclanthology.org/{key}{match['pdf'] or '/'}", "the ACL Anthology is at aclanthology.org"
    )


def of_pmlr(url: str) -> Better | None:
    """PMLR, from when it was a part of JMLR's site."""
    match = _PMLR.match(url) if "jmlr" in url else None
    if match is None:
        return None
    return Better("https://proceedings.mlr.press/" + match["rest"], "PMLR is at proceedings.mlr.press")


def of_neurips(url: str) -> Better | None:
    """NeurIPS's papers, by former hosts; old numbers do not tell the new address."""
    match = _NEURIPS.match(url) if "ips.cc" in url else None
    if match is None:
        return None
    right = f"https://proceedings.neurips.cc/paper_files/paper/{match['rest']}" if match["rest"] else ""
    return Better(right, "NeurIPS is at proceedings.neurips.cc", Applicability.UNSAFE, Severity.INFO)


def without_version(url: str) -> Better | None:
    """A paper at arXiv instead of one version of it."""
    match = _VERSION.match(url) if "arxiv.org/" in url else None
    if match is None:
        return None
    why = "it is one version of the paper, not the paper"
    return Better(match[1] + url[match.end() :], why, Applicability.UNSAFE)
