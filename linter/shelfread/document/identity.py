"""The identity of entries: identifiers in URLs, URLs of papers, and keys by which the same thing is recognised."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from unicodedata import normalize
from urllib.parse import unquote

from shelfread.core.patterns import lazy
from shelfread.document.model import Entry
from shelfread.taxonomy.hosts import (
    ARXIV_MIRRORS,
    DOI,
    DOI_PUBLISHERS,
    DOI_RESOLVERS,
    LIKELY_TRACKING,
    NOT_OWNERS,
    TRACKING,
    split_url,
)
from shelfread.taxonomy.vocabulary import Vocabulary

_DOI = lazy(rf"{DOI}[^\s?#&\"<>]+")
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
_UP_TO_PATH = lazy(r"^(?:https?:)?//[^/]+/")
_ONE_PAPER = lazy(r"\d|forum|\.pdf$|papers?/.|[\w-]{12}", re.IGNORECASE)
PAPER_IDS = ("doi", "arxiv", "openreview", "acl", "usenix", "pmlr", "neurips", "mlsys")
_TRACKING = lazy(rf"[?&](?:{TRACKING}|{LIKELY_TRACKING})=[^&#]*")
_NOT_WORD = lazy(r"[\W_]+")
_BLANKS = {code: " " for code in range(128) if not chr(code).isalnum()}
_INDEX = lazy(r"/(?:index\.(?:html?|php|md))?$")
_BRANCH = lazy(r"(/[^/]+/[^/]+)/(?:tree|blob)/(?:master|main)/?(?:readme\.md)?")
_BOOK = lazy(r"10\.1007/978-[\d-]+")  # the DOI of a volume with many papers
# Hosts with several pages for each paper, and the part of the path that identifies the paper.
_PAGES = {
    "ieeexplore.ieee.org": lazy(r"/(?:abstract/)?document/(\d+).*|/.*[?&]arnumber=0*(\d+).*"),
    "openaccess.thecvf.com": lazy(r"/.*/(?:html|papers)/(\w+)\.\w+"),
    "sciencedirect.com": lazy(r"/science/article/(?:abs/)?pii/(\w+).*"),
}
_ANTHOLOGY_DOI = "10.18653/v1/"
_MIN_LETTERS = 16  # the minimum length of a title of several words that identifies a paper


def _doi(path: str) -> dict[str, str]:
    match = _DOI.search(unquote(path))
    if match is None:
        return {}
    arxiv = _ARXIV_DOI.match(match.group())
    if arxiv:
        return {"arxiv": arxiv.group(1)}
    doi = match.group().rstrip(".,;)/")
    for ending in (".pdf", "/pdf", "/full", "/abstract", "/epdf", "/meta"):
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
            # Behind the DOI stands a number of the publisher's, or a version.
            "academic.oup.com": _reader("doi", lazy(r"/(10\.1093/\w+/\w+)")),
            "biorxiv.org medrxiv.org": _reader("doi", lazy(r"/(10\.1101/[\d.]*\d)")),
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
    host = match.group(1).lower()
    reader = _READERS.get(host) or (_doi if host.endswith(".biomedcentral.com") else None)
    return reader(url[match.end() :]) if reader else {}


def address_of_ids(identifiers: Mapping[str, str | None]) -> str | None:
    """Return the address that a DOI or an arXiv id has."""
    if doi := identifiers.get("doi"):
        return f"https://doi.org/{doi}"
    return f"https://arxiv.org/abs/{arxiv}" if (arxiv := identifiers.get("arxiv")) else None


def is_paper_url(url: str, vocabulary: Vocabulary) -> bool:
    """Return whether a URL leads to one paper: at arXiv, a DOI, proceedings ..., or a PDF."""
    role = vocabulary.role("", url)
    if role is None or role.id not in ("paper", "review"):
        return url.endswith(".pdf")
    host = _UP_TO_PATH.match(url)
    return host is None or bool(_ONE_PAPER.search(url, host.end()))


def is_doi_of_book(doi: str) -> bool:
    """Return whether a DOI is that of a book, or of a volume of proceedings."""
    return _BOOK.fullmatch(doi) is not None


@lru_cache(maxsize=256)  # each title is folded several times in quick succession
def fold_title(title: str) -> str:
    """Return a title without case, punctuation and accents. `X++` stays different from `X`."""
    if "+" in title:
        title = title.replace("+", " plus ")
    if title.isascii():
        return " ".join(title.lower().translate(_BLANKS).split())  # the same as below, but twice as fast
    text = normalize("NFKD", title)
    text = "".join(character for character in text if not 0x300 <= ord(character) < 0x370)
    return _NOT_WORD.sub(" ", text.casefold()).strip()


def title_key(folded: str) -> str | None:
    """Return the key of a folded title, without spaces (`on-chip` is `onchip`). None if it may not be unique."""
    return f"title:{folded.replace(' ', '')}" if len(folded) >= _MIN_LETTERS and " " in folded else None


def fold_url(url: str) -> str:
    """Return a URL without scheme, `www.`, tracking parameters, fragment and trailing slash."""
    bare = url.partition("://")[2] or url
    bare = bare.partition("#")[0] if "#!" not in bare and "#/" not in bare else bare
    host, slash, path = bare.partition("/")
    host = host.lower().removeprefix("www.").removesuffix(":80").removesuffix(":443")
    if "?" in path:
        path = _TRACKING.sub("", path)
    path = slash + unquote(path) if "%" in path else slash + path
    if host in ("github.com", "gitlab.com"):
        path = path.lower().removesuffix(".git")
        if ("/tree/" in path or "/blob/" in path) and (root := _BRANCH.fullmatch(path)):
            path = root[1]
    if (page := _PAGES.get(host)) and (match := page.fullmatch(path)):
        return f"{host}/{match[match.lastindex or 0]}"
    return host + (_INDEX.sub("", path) if path[-1:] == "/" or "/index." in path else path)


def names_address(name: str, url: str) -> bool:
    """Return whether a URL is that of what a name says: `https://github.com/stone/shelf-kit` of Shelf Kit."""
    host, path = split_url(url)
    last = path.partition("?")[0].rstrip("/").rpartition("/")[2].partition(".")[0]
    words = [fold_title(text).replace(" ", "") for text in (name, last or host.replace(".", " "))]
    return min(map(len, words)) > 2 and (words[0] in words[1] or (bool(last) and words[1] in words[0]))


def identity_keys(entry: Entry, title: str) -> list[str]:
    """Return the keys of an entry, the most reliable first. Entries with a common key are the same thing.

    A paper is identified by its title (`title` is the folded one) and its paper link, never by its code or
    project page, which several papers may share. A classic entry is identified by its first link.
    """
    if entry.kind == "paper":
        known = entry.identifiers
        keys = [f"{kind}:{known[kind].lower()}" for kind in PAPER_IDS if kind in known]
        if keys and is_doi_of_book(keys[0][4:]):
            keys.pop(0)
        if not keys:
            # A page such as a list of accepted papers may be that of many: the title's first word is added.
            links = (link for link in entry.links if link.role is not None and link.role.id == "paper")
            urls = [link.link.url for link in links if "://" in link.link.url]
            keys = [f"url:{fold_url(url)} {title.partition(' ')[0]}" for url in urls[:1]]
        elif keys[0].startswith(f"doi:{_ANTHOLOGY_DOI}") and "acl" not in known:
            keys.append(keys[0].replace(f"doi:{_ANTHOLOGY_DOI}", "acl:"))
        key = title_key(title)
        return [*keys, key] if key else keys
    if not entry.links or "://" not in entry.links[0].link.url:
        return []
    return [f"url:{fold_url(entry.links[0].link.url)}"]
