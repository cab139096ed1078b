"""An entry of what a curator brings, built from the fields that the input states."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from shelfread.core.patterns import lazy
from shelfread.document.entry.prefix import names_something, short_name_end
from shelfread.document.entry_data import IDENTIFIERS, MAY_BE_UNCERTAIN
from shelfread.document.identity import identify
from shelfread.document.recognizers.venues import workshop_of
from shelfread.document.years import arxiv_year
from shelfread.imports.stated_venue import NO_VENUE, StatedVenue, stated_arxiv_id
from shelfread.taxonomy.vocabulary import Vocabulary

_ET_AL = lazy(r"(?i)(?:and )?(?:et\.? ?al\.?|others|\.\.\.|…),?")
# An address in a note, with what it is called: `Code: \\url{https://code.example.org}`.
_NOTED = lazy(r"(?:([^\W\d_][\w' -]{1,30}):\s{0,3}(?:\\url\{|<)?)?(https?://[^\s{}\\<>\"]+)")
_BRACES = str.maketrans("", "", "{}")
# By identifiers: the label and the beginning of the address that they prove.
_ADDRESSES = {"doi": ("DOI", "https://doi.org/"), "arxiv": ("arXiv", "https://arxiv.org/abs/")}
DERIVED_LABELS = frozenset(label for label, _ in _ADDRESSES.values())
_LONGEST_WORKSHOP = 40  # a longer name is that of its proceedings
_LEAST_END = 8  # characters of a DOI that stand in no other address by chance

# An entry as `shelfread export --format json` prints it (schema/entry.schema.json).
ImportedEntry: TypeAlias = "dict[str, Any]"


class UnreadPart(NamedTuple):
    """A part of the input that gives no entry, and why. `line` counts from 1."""

    line: int
    reason: str
    is_fault: bool = True  # false for what was not meant as an entry: a table of contents


class EntryOrigin(NamedTuple):
    """Where an entry stands in the input; lines count from 1, the last one included."""

    path: str | None
    line: int
    end_line: int
    section: Sequence[str] = ()


def build_entry(
    title: str,
    origin: EntryOrigin,
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
    affiliations: Iterable[str] = (),
) -> ImportedEntry:
    """Return an entry as `export` gives it, with links for its ids; `arxiv` is any text that may state an id, `links` labels and URLs."""
    title = _clean_title(title)
    doubts = set(uncertain)
    if name is None and (end := short_name_end(title)) is not None:
        name = title[:end].strip()
        if not names_something(name):
            doubts.add("name")
    identifiers: dict[str, str] = {}
    if doi:
        identifiers.update(identify(f"https://doi.org/{doi}"))
    if arxiv and (stated_id := stated_arxiv_id(arxiv)):
        identifiers.setdefault("arxiv", stated_id)
    stated = [_link(label, url, vocabulary) for label, url in links]
    for link in sorted(stated, key=lambda link: link["role"] != "paper"):
        for kind, value in identify(link["url"]).items():
            if kind != "github" or link["role"] == "code":
                identifiers.setdefault(kind, value)
    linked = {kind for link in stated for kind in identify(link["url"])}
    for kind, (label, address) in _ADDRESSES.items():
        if kind in identifiers and kind not in linked and not _states(stated, identifiers[kind]):
            is_first = not any(link["role"] == "paper" for link in stated)
            link = _link("" if is_first else label, address + identifiers[kind], vocabulary)
            stated.insert(0 if is_first else len(stated), link)
    if venue.text is None:
        venue = _proved_venue(stated, vocabulary) or venue
    if year is None:
        is_preprint = venue.text is None or (venue.venue is not None and venue.venue.kind == "preprint")
        year = venue.year or (arxiv_year(identifiers.get("arxiv", "")) if is_preprint else None)
    if venue.text is not None and not venue.is_certain:
        doubts.add("venue")
    entry: ImportedEntry = {
        "title": title,
        "name": name,
        "description": description or None,
        "venue": venue.venue.label if venue.venue else None,
        "venue_text": venue.text,
        "year": year,
        "authors": [author for author in map(single_spaced, authors) if author],
        "affiliations": [each for each in affiliations if each],
        "notes": [note for note in map(single_spaced, notes) if note],
        "identifiers": {**dict.fromkeys(IDENTIFIERS), **identifiers},
        "links": stated,
        "section": list(origin.section),
        "concept": None,
        "dialect": dialect,
        "path": origin.path,
        "line": origin.line,
        "end_line": origin.end_line,
    }
    named = [author for author in entry["authors"] if not _ET_AL.fullmatch(author)]
    if named and (et_al or named != entry["authors"]):
        entry["et_al"] = True
    entry["authors"] = named
    if doubts:
        entry["uncertain"] = [field for field in MAY_BE_UNCERTAIN if field in doubts]
    return entry


def is_cited(entry: ImportedEntry) -> bool:
    """Return whether an entry has a venue or authors, as only papers do."""
    return bool(entry["venue_text"] or entry["authors"])


def workshop_name(entry: ImportedEntry, vocabulary: Vocabulary) -> str:
    """Return what lists call the workshop beside a conference in which a paper appeared; empty if it is none."""
    venue = vocabulary.venue(entry["venue"] or "")
    workshop = workshop_of(entry["venue_text"] or "", venue) if venue is not None else ""
    return workshop if len(workshop) <= _LONGEST_WORKSHOP or venue is None else f"{venue.label} Workshop"


def noted_links(note: str, links: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return links, and behind them the others that a note has, with their labels."""
    given = list(links)
    noted = ((label, url.rstrip(".,;)")) for label, url in _NOTED.findall(note))
    known = {url for _, url in given}
    return [*given, *((label, url) for label, url in noted if url not in known)]


def _states(links: Iterable[Mapping[str, Any]], identifier: str) -> bool:
    """Return whether the address of a paper has the end of its DOI, as `nature.com/articles/s41586-020-2649-2`."""
    end = identifier.rpartition("/")[2].lower()
    return len(end) >= _LEAST_END and any(
        link["role"] == "paper" and end in link["url"].lower() for link in links
    )


def _clean_title(title: str) -> str:
    """Return a title without BibTeX braces, a full stop at its end and repeated whitespace."""
    title = single_spaced(title.translate(_BRACES)).strip(" ,;:")
    return title if title.endswith(("...", "et al.")) else title.rstrip(" .。,;")


def single_spaced(text: str) -> str:
    """Return a text with each run of whitespace as one space."""
    return " ".join(text.split())


def _proved_venue(links: list[dict[str, Any]], vocabulary: Vocabulary) -> StatedVenue | None:
    """Return the venue that the URL of the paper proves."""
    for link in links:
        evidence = vocabulary.evidence(link["url"]) if link["role"] == "paper" else None
        if evidence is not None and evidence.venue is not None:
            return StatedVenue(evidence.venue, evidence.venue.label, evidence.year, True)
    return None


def _link(label: str, url: str, vocabulary: Vocabulary) -> dict[str, Any]:
    role = vocabulary.role(label, url)
    return {"label": label or (role.label if role else "Link"), "role": role.id if role else None, "url": url}


def given_first(author: str) -> str:
    """Return a name as most lists write it: `Stone, Ada` is `Ada Stone`."""
    family, comma, given = author.partition(",")
    return f"{given.strip()} {family.strip()}" if comma and "," not in given else author
