"""Keys by which the same thing is recognised: identifiers, normalised URLs, normalised titles."""

from __future__ import annotations

from functools import lru_cache
from unicodedata import normalize
from urllib.parse import unquote

from shelfread.core.support.regex import lazy
from shelfread.document.model import Entry
from shelfread.taxonomy.web_url import LIKELY_TRACKING, TRACKING

PAPER_IDS = ("doi", "arxiv", "openreview", "acl", "usenix", "pmlr", "neurips", "mlsys")
_TRACKING = lazy(rf"[?&](?:{TRACKING}|{LIKELY_TRACKING})=[^&#]*")
_NOT_WORD = lazy(r"[\W_]+")
_BLANKS = {code: " " for code in range(128) if not chr(code).isalnum()}
_INDEX = lazy(r"/(?:index\.(?:html?|php|md))?$")
_BRANCH = lazy(r"(/[^/]+/[^/]+)/(?:tree|blob)/(?:master|main)/?(?:readme\.md)?")
_BOOK = lazy(r"10\.1007/978-[\d-]+")
"""The DOI of a volume with many papers."""
# Hosts with several pages for each paper, and the part of the path that identifies the paper.
_PAGES = {
    "ieeexplore.ieee.org": lazy(r"/(?:abstract/)?document/(\d+).*|/.*[?&]arnumber=0*(\d+).*"),
    "openaccess.thecvf.com": lazy(r"/.*/(?:html|papers)/(\w+)\.\w+"),
    "sciencedirect.com": lazy(r"/science/article/(?:abs/)?pii/(\w+).*"),
}
_ANTHOLOGY_DOI = "10.18653/v1/"
_MIN_LETTERS = 16
"""The minimum length of a title of several words that identifies a paper."""


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


def identity_keys(entry: Entry, title: str) -> list[str]:
    """Return the keys of an entry, the most reliable first. Entries with a common key are the same thing.

    A paper is identified by its title (`title` is the folded one) and its paper link, never by its code or
    project page, which several papers may share. A classic entry is identified by its first link.
    """
    if entry.kind == "paper":
        known = entry.identifiers
        keys = [f"{kind}:{known[kind].lower()}" for kind in PAPER_IDS if kind in known]
        if keys and _BOOK.fullmatch(keys[0], 4):
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
