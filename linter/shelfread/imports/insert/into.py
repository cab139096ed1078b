"""Inserts entries into the file of a list, without those that its project lists already."""

from __future__ import annotations

from collections.abc import Sequence

from shelfread.core.errors import ConfigError
from shelfread.core.source import Source
from shelfread.core.support.named_tuple import NamedTuple
from shelfread.document.file_kind import FileKind
from shelfread.document.model import Document
from shelfread.engine.load import read_document
from shelfread.imports.imported_entry import ImportedEntry
from shelfread.imports.insert.by_words import find_by_words
from shelfread.imports.insert.insert import Inserted, insert_entries
from shelfread.imports.insert.listed import find_listed, find_titles, identity_keys
from shelfread.imports.insert.sections import SectionFinder, Target, named_section
from shelfread.index.facts import Facts, facts
from shelfread.project.inputs import find_inputs
from shelfread.taxonomy.load import load
from shelfread.taxonomy.taxonomy import Taxonomy

_MOST_NAMED = 5


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
    document = read_document(path, subjects.vocabulary)
    if document.kind is not FileKind.LIST:
        raise ConfigError(f"it is a {document.kind.value}, not a list: name another file", path)
    others = [other for other in (*project.reported, *project.others) if other != path]
    known = [facts(document), *(_facts_of(other, subjects) for other in others)]
    listed = find_titles(document) | find_listed(file for file in known if file is not None)
    new: list[ImportedEntry] = []
    again: list[tuple[ImportedEntry, str]] = []
    left_out: list[tuple[ImportedEntry, str]] = []
    for entry in entries:
        keys = list(identity_keys(entry))
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


def _facts_of(path: str, taxonomy: Taxonomy) -> Facts | None:
    """Return the facts of another file of the project; None if it cannot be read."""
    from shelfread.core.errors import UserError

    try:
        return facts(read_document(path, taxonomy.vocabulary))
    except UserError:
        return None


def _with_sections(
    document: Document, entries: Sequence[ImportedEntry], section: str | None, taxonomy: Taxonomy
) -> list[tuple[ImportedEntry, Target]]:
    """Return the entries with their sections; raises ConfigError if that of one is not known."""
    if section is not None:
        index = named_section(document, section)
        finder = SectionFinder(document, taxonomy)
        return [(entry, Target(index, "it was named", finder.better(entry, index))) for entry in entries]
    finder = SectionFinder(document, taxonomy)
    found = [(entry, finder.find(entry)) for entry in entries]
    if unknown := [entry for entry, target in found if target is None]:
        by_words = iter(find_by_words(document, unknown, taxonomy))
        found = [(entry, target or next(by_words)) for entry, target in found]
    lost = [entry["title"] for entry, target in found if target is None]
    if lost:
        titles = ", ".join(f"'{title}'" for title in lost[:_MOST_NAMED])
        more = f" and {len(lost) - _MOST_NAMED} more" if len(lost) > _MOST_NAMED else ""
        sections = [document.sections[index].title for index in finder.used if index is not None]
        shown = ", ".join(f"'{title}'" for title in list(dict.fromkeys(sections))[:8])
        raise ConfigError(
            f"which section do {titles}{more} belong in? name it with --section: {shown}{', ...' if len(sections) > 8 else ''}",
            document.source.path,
        )
    return [(entry, target) for entry, target in found if target is not None]
