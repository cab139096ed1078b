"""What makes two entries one thing: identifiers, folded addresses, folded titles."""

from __future__ import annotations

import re
from functools import lru_cache
from unicodedata import normalize
from urllib.parse import unquote

from shelfread.document.model import Entry

_PAPER_IDS = ("doi", "arxiv", "openreview", "acl", "usenix", "pmlr", "neurips", "mlsys")
_TRACKING = re.compile(r"[?&](?:utm_\w+|fbclid|gclid|ref|ref_src|source)=[^&#]*")
_NOT_WORD = re.compile(r"[\W_]+")
_BLANKS = {code: " " for code in range(128) if not chr(code).isalnum()}
_INDEX = re.compile(r"/(?:index\.(?:html?|php|md))?$")


@lru_cache(maxsize=256)  # a title is asked for several times, shortly after each other
def fold_title(title: str) -> str:
    """A title without case, punctuation and accents; empty where too little is left to tell papers apart."""
    if title.isascii():
        return " ".join(title.lower().translate(_BLANKS).split())  # as below, in half the time
    text = normalize("NFKD", title)
    text = "".join(character for character in text if not 0x300 <= ord(character) < 0x370)
    return _NOT_WORD.sub(" ", text.casefold()).strip()


def fold_url(url: str) -> str:
    """An address without scheme, `www.`, tracking, fragment and trailing slash; its path keeps its case."""
    rest = url.partition("://")[2] or url
    rest = rest.partition("#")[0] if "#!" not in rest and "#/" not in rest else rest
    host, slash, path = rest.partition("/")
    host = host.lower().removeprefix("www.").removesuffix(":80").removesuffix(":443")
    if "?" in path:
        path = _TRACKING.sub("", path)
    if host in ("github.com", "gitlab.com"):
        path = path.lower().removesuffix(".git")
    path = _INDEX.sub("", slash + unquote(path))
    return host + path


def identity_keys(entry: Entry) -> list[str]:
    """The keys under which the same thing would be found again, the most telling first.

    A paper's identity is its title and its paper link, never its code or project page: one repository
    holds several papers. A classic entry's is its main link.
    """
    if entry.kind == "paper":
        keys = [
            f"{kind}:{entry.identifiers[kind].lower()}" for kind in _PAPER_IDS if kind in entry.identifiers
        ]
        title = fold_title(entry.title.value)
        if len(title) >= 16 and " " in title:
            keys.append(f"title:{title}")
        return keys
    if not entry.links or "://" not in entry.links[0].link.url:
        return []
    return [f"url:{fold_url(entry.links[0].link.url)}"]
