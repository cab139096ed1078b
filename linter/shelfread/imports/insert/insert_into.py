"""Inserts entries into the file of a list, without those that its project lists already."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import starmap
from typing import NamedTuple

from shelfread.core.errors import ConfigError
from shelfread.core.source import Source
from shelfread.document.entry_data import citation_and_year
from shelfread.document.file_kind import FileKind
from shelfread.document.identity import PAPER_IDS, fold_title, fold_url, title_key
from shelfread.document.model import Document
from shelfread.engine.load import load_files
from shelfread.imports.imported_entry import ImportedEntry
from shelfread.imports.insert.insert_entries import Inserted, insert_entries
from shelfread.imports.insert.target_section import (
    SectionFinder,
    Target,
    by_words,
    find_by_words,
    named_section,
)
from shelfread.index.facts import Facts
from shelfread.index.placement.section_model import Place
from shelfread.project.named_inputs import find_inputs
from shelfread.taxonomy.load import load
from shelfread.taxonomy.taxonomy import Taxonomy

_MOST_NAMED = 5
"""In an error."""
_SHARED = ("code", "project", "dataset", "blog", "video", "demo", "model")
"""Several papers may have one such link."""


class IntoResult(NamedTuple):
    """A list before and after, and what became of each entry."""

    source: Source
    text: str
    inserted: list[Inserted]
    listed: list[tuple[ImportedEntry, str]]
    """What is listed already, and where."""
    left_out: list[tuple[ImportedEntry, str]]


def insert_into(
    path: str,
    entries: Sequence[ImportedEntry],
    section: str | None,
    *,
    taxonomy: str | None,
    config: str | None,
    isolated: bool,
) -> IntoResult:
    """Return the text of a list with the entries that its project does not list yet.

    Raises UserError if the list, or the section of an entry, cannot be found.
    """
    projects, errors = find_inputs([path], config, isolated, {})
    if errors:
        raise errors[0]
    project = projects[0]
    subjects = load(taxonomy or project.config.taxonomy)
    others = [other for other in (*project.reported, *project.others) if other != path]
    loaded = load_files([path], others, subjects.vocabulary)
    if path in loaded.errors:
        raise loaded.errors[path]
    document = loaded.documents[path]
    if document.kind is not FileKind.LIST:
        raise ConfigError(f"it is a {document.kind.value}, not a list: name another file", path)
    listed = _listed_by_title(document) | _listed_by_key(loaded.facts.values())
    new: list[ImportedEntry] = []
    again: list[tuple[ImportedEntry, str]] = []
    left_out: list[tuple[ImportedEntry, str]] = []
    for entry in entries:
        keys = list(_identity_keys(entry))
        where = next((listed[key] for key in keys if key in listed), None)
        if where is not None:
            again.append((entry, where))
        elif entry["title"] is None:
            left_out.append((entry, "its title is not known"))
        else:
            new.append(entry)
            place = f"{entry['path']}:{entry['line']}"
            listed.update((key, place) for key in keys if key not in listed)
    done = insert_entries(document, _with_sections(document, new, section, subjects), subjects)
    return IntoResult(document.source, done.text, done.inserted, again, [*left_out, *done.left_out])


def _with_sections(
    document: Document, entries: Sequence[ImportedEntry], section: str | None, taxonomy: Taxonomy
) -> list[tuple[ImportedEntry, Target]]:
    """Return the entries with their sections; raises ConfigError if that of one is not known."""
    finder = SectionFinder(document, taxonomy)
    if section is not None:
        index = named_section(document, section)
        return [(entry, Target(index, "it was named", finder.better(entry, index))) for entry in entries]
    targets = [(entry, finder.find(entry)) for entry in entries]
    unknown = [entry for entry, target in targets if target is None]
    if unknown:
        places = find_by_words(document, unknown, taxonomy)
        known = iter(map(by_words, places))
        targets = [(entry, target or next(known)) for entry, target in targets]
        lost = [pair for pair in zip(unknown, places, strict=True) if by_words(pair[1]) is None]
        if lost:
            raise ConfigError(_question(document, lost), document.source.path)
    return [(entry, target) for entry, target in targets if target is not None]


def _question(document: Document, lost: Sequence[tuple[ImportedEntry, Sequence[Place]]]) -> str:
    """Return the message that asks for the sections of entries, with the likeliest of each."""

    def asked(entry: ImportedEntry, places: Sequence[Place]) -> str:
        shown = (f"'{document.sections[each.section].title}' ({100 * each.share:.0f} %)" for each in places)
        return f"'{entry['title']}': {', '.join(shown)}" if places else f"'{entry['title']}'"

    more = f"; and {len(lost) - _MOST_NAMED} more" if len(lost) > _MOST_NAMED else ""
    named = "; ".join(starmap(asked, lost[:_MOST_NAMED]))
    return f"which sections do these belong in? name one with --section: {named}{more}"


# --------------------------------------------------------------------------------------------- what is listed already
def _listed_by_key(files: Iterable[Facts]) -> dict[str, str]:
    """Return where each identity key of some files is listed first: `README.md:12`."""
    listed: dict[str, str] = {}
    for file in files:
        for key, listing in file.identities:
            listed.setdefault(key, listing.where)
    return listed


def _listed_by_title(document: Document) -> dict[str, str]:
    """Return where a list has papers by their title and year: short titles are no identity by themselves."""
    listed: dict[str, str] = {}
    for entry in document.entries:
        _, year = citation_and_year(entry, document)
        if year is not None:
            listed.setdefault(_titled(entry.title.value, year), f"{document.source.path}:{entry.line}")
    return listed


def _titled(title: str, year: int) -> str:
    return f"titled:{fold_title(title)} {year}"


def _identity_keys(entry: ImportedEntry) -> Iterator[str]:
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
