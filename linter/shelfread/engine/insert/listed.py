"""What a project lists already, by the identity of entries."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from shelfread.document.identity.keys import PAPER_IDS, fold_title, fold_url, title_key
from shelfread.imports.model import ImportedEntry
from shelfread.index.facts import Facts

_SHARED = ("code", "project", "dataset", "blog", "video", "demo", "model")
"""Several papers may have one such link."""


def find_listed(facts: Iterable[Facts]) -> dict[str, str]:
    """Return where each identity key of some files is listed first: `README.md:12`."""
    listed: dict[str, str] = {}
    for file in facts:
        for key, listing in file.identities:
            listed.setdefault(key, listing.where)
    return listed


def identity_keys(entry: ImportedEntry) -> Iterator[str]:
    """Yield the keys by which an imported entry is recognised in a list."""
    known = entry["identifiers"]
    yield from (f"{kind}:{known[kind].lower()}" for kind in PAPER_IDS if known.get(kind))
    if entry["title"] and (key := title_key(fold_title(entry["title"]))):
        yield key
    is_paper = bool(entry["venue_text"] or entry["authors"] or any(known.get(kind) for kind in PAPER_IDS))
    for link in entry["links"]:
        if link["url"] and "://" in link["url"] and not (is_paper and link["role"] in _SHARED):
            yield f"url:{fold_url(link['url'])}"
            if entry["title"]:
                yield f"url:{fold_url(link['url'])} {fold_title(entry['title']).partition(' ')[0]}"
