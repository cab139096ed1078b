"""What a project lists already, by the identity of entries."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from shelfread.document.export import citation_and_year
from shelfread.document.identity import PAPER_IDS, fold_title, fold_url, title_key
from shelfread.document.model import Document
from shelfread.imports.imported_entry import ImportedEntry
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


def find_titles(document: Document) -> dict[str, str]:
    """Return where a list has papers by their title and year: short titles are no identity by themselves."""
    found: dict[str, str] = {}
    for entry in document.entries:
        _, year = citation_and_year(entry, document)
        if year is not None:
            found.setdefault(_titled(entry.title.value, year), f"{document.source.path}:{entry.line}")
    return found


def _titled(title: str, year: int) -> str:
    return f"titled:{fold_title(title)} {year}"


def identity_keys(entry: ImportedEntry) -> Iterator[str]:
    """Yield the keys by which an imported entry is recognised in a list."""
    known = entry["identifiers"]
    yield from (f"{kind}:{known[kind].lower()}" for kind in PAPER_IDS if known.get(kind))
    if entry["title"] and (key := title_key(fold_title(entry["title"]))):
        yield key
    if entry["title"] and entry["year"] is not None:
        yield _titled(entry["title"], entry["year"])
    is_paper = bool(entry["venue_text"] or entry["authors"] or any(known.get(kind) for kind in PAPER_IDS))
    for link in entry["links"]:
        if link["url"] and "://" in link["url"] and not (is_paper and link["role"] in _SHARED):
            yield f"url:{fold_url(link['url'])}"
            if entry["title"]:
                yield f"url:{fold_url(link['url'])} {fold_title(entry['title']).partition(' ')[0]}"
