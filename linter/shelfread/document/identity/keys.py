"""What makes two entries one thing: identifiers, folded addresses, folded titles."""

from __future__ import annotations

from functools import lru_cache
from unicodedata import normalize
from urllib.parse import unquote

from shelfread.core.support.regex import lazy
from shelfread.core.web_url import LIKELY_TRACKING, TRACKING
from shelfread.document.model import Entry

PAPER_IDS = ("doi", "arxiv", "openreview", "acl", "usenix", "pmlr", "neurips", "mlsys")
_TRACKING = lazy(rf"[?&](?:{TRACKING}|{LIKELY_TRACKING})=[^&#]*")
_NOT_WORD = lazy(r"[\W_]+")
_BLANKS = {code: " " for code in range(128) if not chr(code).isalnum()}
_INDEX = lazy(r"/(?:index\.(?:html?|php|md))?$")
_BRANCH = lazy(r"(/[^/]+/[^/]+)/(?:tree|blob)/(?:master|main)/?(?:readme\.md)?")
_BOOK = lazy(r"10\.1007/978-[\d-]+")
"""The DOI of a volume, in which many papers are."""
# Hosts with several pages a paper, and how their paths tell it.
_PAGES = {
    "ieeexplore.ieee.org": lazy(r"/(?:abstract/)?document/(\d+).*|/.*[?&]arnumber=0*(\d+).*"),
    "openaccess.thecvf.com": lazy(r"/.*/(?:html|papers)/(\w+)\.\w+"),
    "sciencedirect.com": lazy(r"/science/article/(?:abs/)?pii/(\w+).*"),
}
_ANTHOLOGY_DOI = "10.18653/v1/"
_LEAST_LETTERS = 16
"""So many tell papers apart, if they are several words."""


@lru_cache(maxsize=256)  # a title is asked for several times, shortly after each other
def fold_title(title: str) -> str:
    """A title without case, punctuation and accents; `X++` stays another than `X`."""
    if "+" in title:
        title = title.replace("+", " plus ")
    if title.isascii():
        return " ".join(title.lower().translate(_BLANKS).split())  # as below, in half the time
    text = normalize("NFKD", title)
    text = "".join(character for character in text if not 0x300 <= ord(character) < 0x370)
    return _NOT_WORD.sub(" ", text.casefold()).strip()


def title_key(folded: str) -> str | None:
    """The key of a folded title, without blanks (`on-chip` is `onchip`); None where it may be of several."""
    return f"title:{folded.replace(' ', '')}" if len(folded) >= _LEAST_LETTERS and " " in folded else None


def fold_url(url: str) -> str:
    """An address without scheme, `www.`, tracking, fragment and trailing slash; its path keeps its case."""
    rest = url.partition("://")[2] or url
    rest = rest.partition("#")[0] if "#!" not in rest and "#/" not in rest else rest
    host, slash, path = rest.partition("/")
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


def identity_keys(entry: Entry, title: str) -> list[str]:
    """The keys under which the same thing would be found again, the most telling first.

    A paper's identity is its title (`title` is it, folded) and its paper link, never its code or project
    page: one repository holds several papers. A classic entry's is its main link.
    """
    if entry.kind == "paper":
        known = entry.identifiers
        keys = [f"{kind}:{known[kind].lower()}" for kind in PAPER_IDS if kind in known]
        if keys and _BOOK.fullmatch(keys[0], 4):
            keys.pop(0)
        if not keys:
            # One page, as that of accepted papers, may be of many: the title's first word tells them apart.
            keys = [f"url:{fold_url(url)} {title.partition(' ')[0]}" for url in _paper_urls(entry)]
        elif keys[0].startswith(f"doi:{_ANTHOLOGY_DOI}") and "acl" not in known:
            keys.append(keys[0].replace(f"doi:{_ANTHOLOGY_DOI}", "acl:"))
        key = title_key(title)
        return [*keys, key] if key else keys
    if not entry.links or "://" not in entry.links[0].link.url:
        return []
    return [f"url:{fold_url(entry.links[0].link.url)}"]


def _paper_urls(entry: Entry) -> list[str]:
    """The first address of the paper itself, where no identifier is in it."""
    for link in entry.links:
        if link.role is not None and link.role.id == "paper" and "://" in link.link.url:
            return [link.link.url]
    return []
