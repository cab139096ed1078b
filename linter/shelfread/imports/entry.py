"""Builds an entry from the fields that an input states."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from shelfread.core.support.named_tuple import NamedTuple
from shelfread.core.support.regex import lazy
from shelfread.document.entry.prefix import is_kind, names_something, short_name_end
from shelfread.document.identity import identify
from shelfread.document.recognizers.years import arxiv_year
from shelfread.imports.model import ImportedEntry
from shelfread.imports.venue import StatedVenue
from shelfread.taxonomy.vocabulary import Vocabulary

_BRACES = str.maketrans("", "", "{}")
_DOI = lazy(r"10\.\d{4,9}/\S+")
_ARXIV = lazy(r"(\d{4}\.\d{4,5}|[a-z-]{2,20}(?:\.[A-Z]{2})?/\d{7})(?:v\d{1,3})?")
_ALWAYS = ("doi", "arxiv", "github")
NO_VENUE = StatedVenue(None, None, None, True)


class Place(NamedTuple):
    """Where an entry stands in the input; lines count from 1, the last one included."""

    path: str | None
    line: int
    end_line: int
    section: Sequence[str] = ()


def build_entry(
    title: str,
    place: Place,
    dialect: str,
    vocabulary: Vocabulary,
    *,
    authors: Iterable[str] = (),
    venue: StatedVenue = NO_VENUE,
    year: int | None = None,
    doi: str | None = None,
    arxiv: str | None = None,
    links: Iterable[tuple[str, str]] = (),
    notes: Iterable[str] = (),
    description: str | None = None,
    name: str | None = None,
    uncertain: Iterable[str] = (),
    et_al: bool = False,
) -> ImportedEntry:
    """Return an entry in the shape of an exported one. `links` are labels, perhaps empty, and URLs.

    A paper without a link is linked by its DOI or arXiv id. Without a stated year, the arXiv id gives it. `et_al` tells that
    there are more authors than those named.
    """
    title = clean_title(title)
    doubts = set(uncertain)
    if name is None and (end := short_name_end(title)) is not None and not is_kind(title[:end]):
        name = title[:end].strip()
        if not names_something(name):
            doubts.add("name")
    identifiers = _identifiers(doi, arxiv)
    stated = [_link(label, url, vocabulary) for label, url in links]
    for link in sorted(stated, key=lambda link: link["role"] != "paper"):
        for kind, value in identify(link["url"]).items():
            if kind != "github" or link["role"] == "code":
                identifiers.setdefault(kind, value)
    if not any(link["role"] == "paper" for link in stated) and (url := paper_url(identifiers)):
        stated.insert(0, _link("", url, vocabulary))
    if venue.text is None:
        venue = _proved_venue(stated, vocabulary) or venue
    if year is None:
        year = venue.year or (arxiv_year(identifiers.get("arxiv", "")) if _is_preprint(venue) else None)
    if venue.text is not None and not venue.is_certain:
        doubts.add("venue")
    entry: ImportedEntry = {
        "title": title,
        "name": name,
        "description": description or None,
        "venue": venue.venue.label if venue.venue else None,
        "venue_text": venue.text,
        "year": year,
        "authors": [author for author in map(one_line, authors) if author],
        "affiliations": [],
        "notes": [note for note in map(one_line, notes) if note],
        "identifiers": {**dict.fromkeys(_ALWAYS), **identifiers},
        "links": stated,
        "section": list(place.section),
        "concept": None,
        "dialect": dialect,
        "path": place.path,
        "line": place.line,
        "end_line": place.end_line,
    }
    if et_al and entry["authors"]:
        entry["et_al"] = True
    if doubts:
        entry["uncertain"] = [field for field in _DOUBTFUL if field in doubts]
    return entry


_DOUBTFUL = ("title", "name", "description", "venue", "year", "authors", "affiliations")


def clean_title(title: str) -> str:
    """Return a title without BibTeX braces, a full stop at its end and repeated whitespace."""
    title = one_line(title.translate(_BRACES) if "{" in title or "}" in title else title).strip(" ,;:")
    return title if title.endswith(("...", "et al.")) else title.rstrip(" .。,;")


def one_line(text: str) -> str:
    """Return a text with each run of whitespace as one space."""
    return " ".join(text.split())


def paper_url(identifiers: Mapping[str, str]) -> str | None:
    """Return the URL that a DOI or arXiv id proves."""
    if doi := identifiers.get("doi"):
        return f"https://doi.org/{doi}"
    return f"https://arxiv.org/abs/{identifiers['arxiv']}" if "arxiv" in identifiers else None


def _identifiers(doi: str | None, arxiv: str | None) -> dict[str, str]:
    identifiers: dict[str, str] = {}
    if doi and (found := _DOI.search(doi)):
        identifiers.update(identify(f"https://doi.org/{found[0]}"))
    if arxiv and (found := _ARXIV.search(arxiv)):
        identifiers.setdefault("arxiv", found[1])
    return identifiers


def _proved_venue(links: list[dict[str, Any]], vocabulary: Vocabulary) -> StatedVenue | None:
    """Return the venue that the URL of the paper proves."""
    for link in links:
        evidence = vocabulary.evidence(link["url"]) if link["role"] == "paper" else None
        if evidence is not None and evidence.venue is not None:
            return StatedVenue(evidence.venue, evidence.venue.label, evidence.year, True)
    return None


def _is_preprint(venue: StatedVenue) -> bool:
    return venue.text is None or (venue.venue is not None and venue.venue.kind == "preprint")


def _link(label: str, url: str, vocabulary: Vocabulary) -> dict[str, Any]:
    role = vocabulary.role(label) or vocabulary.role("", url)
    return {
        "label": label or (role.label if role else "Link"),
        "role": role.id if role else None,
        "url": url,
    }
