"""Finds the section of a list in which an entry belongs."""

from __future__ import annotations

from collections.abc import Sequence

from shelfread.core.errors import ConfigError
from shelfread.core.support.named_tuple import NamedTuple
from shelfread.core.support.suggest import nearest
from shelfread.document.model import Document
from shelfread.document.subjects import concept_of_section
from shelfread.imports.imported_entry import ImportedEntry
from shelfread.taxonomy.taxonomy import Taxonomy
from shelfread.taxonomy.words import fold


class Target(NamedTuple):
    """A section by its index, None for a list without headings, and why an entry belongs there."""

    section: int | None
    why: str
    better: str | None = None
    """The title of another section that the entry's venue or year names."""


def named_section(document: Document, name: str) -> int:
    """Return the section with a title, or a path such as `Training > Pipelines`; raises ConfigError if none or several have it."""
    wanted = [fold(part) for part in name.split(">")]
    found = [
        index
        for index, section in enumerate(document.sections)
        if [fold(title) for title in section.path[-len(wanted) :]] == wanted
    ]
    if len(found) == 1:
        return found[0]
    path = document.source.path
    if found:
        places = ", ".join(
            f"'{' > '.join(document.sections[index].path)}' (line {document.sections[index].line})"
            for index in found[:5]
        )
        raise ConfigError(
            f"several sections are called '{name}': name one with those above it: {places}", path
        )
    titles = {section.title for section in document.sections}
    folded = {fold(title): title for title in titles}
    near = nearest(fold(name), folded)
    hint = f", did you mean '{folded[near]}'?" if near else ""
    raise ConfigError(f"no section is called '{name}'{hint}", path)


class SectionFinder:
    """The sections of a list by what they name: subjects, venues, years."""

    def __init__(self, document: Document, taxonomy: Taxonomy) -> None:
        self.document = document
        used = {entry.section for entry in document.entries}
        self.used: Sequence[int | None] = sorted(used, key=lambda index: -1 if index is None else index)
        self.titles: dict[str, list[int]] = {}
        self.concepts: dict[str, list[int]] = {}
        self.venues: dict[tuple[str | None, int | None], list[int]] = {}
        for index in (index for index in self.used if index is not None):
            section = document.sections[index]
            self.titles.setdefault(fold(section.title), []).append(index)
            if concept := concept_of_section(document, index, taxonomy):
                self.concepts.setdefault(concept, []).append(index)
            cited = section.citation.venue if section.citation else None
            if cited is not None or section.year is not None:
                self.venues.setdefault((cited.label if cited else None, section.year), []).append(index)

    def find(self, entry: ImportedEntry) -> Target | None:
        """Return the only section that an entry's own section, concept, venue or year names, or that the list has."""
        title = entry["section"][-1] if entry["section"] else None
        if title and (index := _only(self.titles.get(fold(title)))) is not None:
            return Target(index, f"its section is called '{title}'")
        if entry["concept"] and (index := _only(self.concepts.get(entry["concept"]))) is not None:
            return Target(index, f"its subject is {entry['concept']}")
        if (target := self._by_venue_or_year(entry)) is not None:
            return target
        if len(self.used) == 1:
            return Target(self.used[0], "it is the only section with entries")
        return None

    def better(self, entry: ImportedEntry, index: int) -> str | None:
        """Return the title of the section that an entry's venue or year names, if that is another one."""
        target = self._by_venue_or_year(entry)
        if target is None or target.section is None or target.section == index:
            return None
        return self.document.sections[target.section].title

    def _by_venue_or_year(self, entry: ImportedEntry) -> Target | None:
        venue, year = entry["venue"], entry["year"]
        for key, why in (
            ((venue, year), f"its venue is {venue} {year}"),
            ((venue, None), f"its venue is {venue}"),
            ((None, year), f"its year is {year}"),
        ):
            names_it = (venue if "venue" in why else year) is not None
            if names_it and (index := _only(self.venues.get(key))) is not None:
                return Target(index, why)
        return None


def _only(found: Sequence[int] | None) -> int | None:
    return found[0] if found is not None and len(found) == 1 else None
