"""Finds the section of a list in which an entry belongs: by name, subject, venue, year, or else by its words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

from shelfread.core.errors import ConfigError
from shelfread.core.wording import nearest
from shelfread.document.heading_subjects import concept_of_section
from shelfread.document.model import Document
from shelfread.imports.imported_entry import ImportedEntry, is_cited
from shelfread.index.placement.section_model import SURE, Place, Text, learn
from shelfread.taxonomy.label_forms import fold
from shelfread.taxonomy.taxonomy import Taxonomy
from shelfread.taxonomy.vocabulary import Venue

_MOST_SHOWN = 5
_MOST_MEANT = 3
_FEWEST_PAPERS = 3  # show that a section is that of papers
_MISSPELT = 5  # letters of a word that may be
_MUCH_ALIKE = 0.8  # how similar a misspelt name is: `Edting` of `Editing`, not of `Inspecting`


class Target(NamedTuple):
    """A section by its index, None for a list without headings, and why an entry belongs there."""

    section: int | None
    why: str
    better: str | None = None  # the title of another section that the entry's venue or year names


def named_section(document: Document, name: str) -> int:
    """Return the section with a title, or a path such as `Training > Pipelines`; raises ConfigError if none or several have it."""
    wanted = [fold(part) for part in name.split(">")]
    indexes = [
        index
        for index, section in enumerate(document.sections)
        if [fold(title) for title in section.path[-len(wanted) :]] == wanted
    ]
    if len(indexes) > 1:  # headings of a catalogue may have the names of the sections
        held = {index for entry in document.entries for index in document.above(entry.section)}
        indexes = [index for index in indexes if index in held] or indexes
    if len(indexes) == 1:
        return indexes[0]
    path = document.source.path
    if indexes:
        sections = [document.sections[index] for index in indexes[:_MOST_SHOWN]]
        places = ", ".join(f"'{' > '.join(section.path)}' (line {section.line})" for section in sections)
        raise ConfigError(
            f"several sections are called '{name}': name one with those above it: {places}", path
        )
    raise ConfigError(f"no section is called '{name}'{_hint(document, wanted)}", path)


def _hint(document: Document, path: Sequence[str]) -> str:
    """Return the titles that a misspelt one may mean: a very similar one, those with all its words, or the most similar, else the first of all."""
    titles = [fold(section.title) for section in document.sections]
    names, wanted = document.short_paths(), path[-1]
    words = wanted.split()
    meant = [name for title, name in zip(titles, names, strict=True) if words and _has_words(title, words)]
    near = nearest(wanted, titles, _MUCH_ALIKE)
    if near is not None or not 0 < len(meant) <= _MOST_MEANT:
        near = near or nearest(wanted, titles)
        meant = [name for title, name in zip(titles, names, strict=True) if title == near]
    if len(path) > 1 and (
        near := nearest(fold(" > ".join(path)), paths := {fold(name): name for name in meant})
    ):
        meant = [paths[near]]
    if meant:
        return f", did you mean {' or '.join(map(repr, meant))}?"
    first = ", ".join(map(repr, names[:_MOST_SHOWN]))
    return f": the sections are {first}{', ...' if len(titles) > _MOST_SHOWN else ''}" if titles else ""


def _has_words(title: str, words: Sequence[str]) -> bool:
    """Return whether a folded title has some words; longer ones may be misspelt."""
    known = title.split()
    return all(
        word in known or (len(word) >= _MISSPELT and nearest(word, known, _MUCH_ALIKE)) for word in words
    )


class SectionFinder:
    """The sections of a list by what they name: subjects, venues, years."""

    def __init__(self, document: Document, taxonomy: Taxonomy) -> None:
        self.document = document
        used = {entry.section for entry in document.entries}
        self.used: Sequence[int | None] = sorted(used, key=lambda index: -1 if index is None else index)
        self.titles: dict[str, list[int]] = {}
        self.concepts: dict[str, list[int]] = {}
        self.venues: dict[tuple[str | None, int | None], list[int]] = {}
        self.dated: dict[int | None, list[int]] = {}  # the sections below another that are years or venues
        for index in self.used:
            if index is None:
                continue
            section = document.sections[index]
            self.titles.setdefault(fold(section.title), []).append(index)
            if concept := concept_of_section(document, index, taxonomy):
                self.concepts.setdefault(concept, []).append(index)
            venue = section.citation.venue if section.citation else None
            if venue is not None or section.year is not None:
                self.venues.setdefault((venue.label if venue else None, section.year), []).append(index)
                self.dated.setdefault(section.parent, []).append(index)
        above: dict[str, list[int]] = {}
        for parent, indexes in self.dated.items():
            if parent is not None:
                above.setdefault(fold(document.sections[parent].title), []).extend(indexes)
        self.titles = above | self.titles
        years = [index for (venue, _), indexes in self.venues.items() if venue is None for index in indexes]
        # Each is a year of its subject.
        self.years_are_apart = len({document.sections[index].parent for index in years}) > 1

    @cached_property
    def of_papers(self) -> int | None:
        """The section that has nearly all papers of the list, and hardly anything else."""
        entries = self.document.entries
        papers = Counter(entry.section for entry in entries if entry.kind == "paper")
        section, count = max(papers.items(), key=lambda each: each[1], default=(None, 0))
        total = max(papers.total(), sum(entry.section == section for entry in entries))
        return section if count >= _FEWEST_PAPERS and count * 10 >= total * 9 else None

    def find(self, entry: ImportedEntry) -> Target | None:
        """Return the only section that an entry's own section, concept, venue or year names, or that the list, or its papers, have."""
        title = entry["section"][-1] if entry["section"] else ""
        for indexes, why in (
            (self.titles.get(fold(title), ()), f"its section is called '{title}'"),
            (self.concepts.get(entry["concept"] or "", ()), f"its subject is {entry['concept']}"),
        ):
            if (index := _only(indexes)) is not None:
                return Target(index, why)
            if (target := self._by_venue_or_year(entry, indexes)) is not None:
                return target._replace(why=f"{why} and {target.why}")
        if (target := self._by_venue_or_year(entry)) is not None:
            return target
        if len(self.used) == 1:
            return Target(self.used[0], "it is the only section with entries")
        if is_cited(entry) and self.of_papers is not None:
            return Target(self.of_papers, "it is the section of papers")
        return None

    def named(self, entry: ImportedEntry, name: str) -> Target:
        """Return the section with a name, or that below it which an entry's venue or year names; raises ConfigError if there is none."""
        index, why = named_section(self.document, name), "it was named"
        if index not in self.used and (target := self._by_venue_or_year(entry, self.dated.get(index, ()))):
            return target._replace(why=f"{why} and {target.why}")
        other = self._by_venue_or_year(entry)
        if other is None or other.section is None or other.section == index:
            return Target(index, why)
        return Target(index, why, self.document.sections[other.section].title)

    def _by_venue_or_year(self, entry: ImportedEntry, among: Sequence[int] | None = None) -> Target | None:
        venue, year = entry["venue"], entry["year"]
        stated = [((venue, year), f"its venue is {venue} {year}"), ((venue, None), f"its venue is {venue}")]
        stated = stated if venue is not None else []
        if year is not None and (among is not None or not self.years_are_apart):
            stated.append(((None, year), f"its year is {year}"))
        for key, why in stated:
            found = self.venues.get(key, ())
            if (index := _only([each for each in found if among is None or each in among])) is not None:
                return Target(index, why)
        return None


def _only(indexes: Sequence[int]) -> int | None:
    return indexes[0] if len(indexes) == 1 else None


def find_by_words(
    document: Document, entries: Sequence[ImportedEntry], taxonomy: Taxonomy
) -> list[list[Place]]:
    """Return for each entry the sections of the list in which it may belong, the best first."""
    model = learn(document)
    by_label = {venue.label: venue.id for venue in taxonomy.vocabulary.venues.values()}

    def places(entry: ImportedEntry) -> list[Place]:
        urls = tuple(link["url"] for link in entry["links"] if link["url"])
        venue = by_label.get(entry["venue"] or "")
        return model.places(
            Text(entry["title"] or "", entry["description"] or "", venue, entry["year"], urls)
        )

    return list(map(places, entries))


def by_words(document: Document, entry: ImportedEntry, places: Sequence[Place]) -> Target | str:
    """Return the best of some sections if that surely is the entry's, by words that speak for it, else why it is not."""
    if not places or places[0].share < SURE:
        return "its section is not sure"
    (section, _, words) = places[0]
    title = fold(document.sections[section].title)
    if " " in title and f" {title} " in f" {fold(entry['title'] or '')} ":
        words = (document.sections[section].title,)
    if not words:  # most entries may be in one section
        return "its section is not sure, as its words do not tell"
    quoted = ", ".join(f"'{word}'" for word in words)
    return Target(section, f"{quoted} {'says' if len(words) == 1 else 'say'} so")


# ------------------------------------------------------------------------------ what the headings above an entry state
class StatedAbove(NamedTuple):
    """The year and the venue of all entries below a heading; None where it names none."""

    year: int | None
    venue: Venue | None
    titles: tuple[str, ...]  # the headings that state them

    @property
    def fields(self) -> frozenset[str]:
        return frozenset(name for name in ("year", "venue") if getattr(self, name) is not None)


def stated_above(document: Document, section: int | None) -> StatedAbove:
    """Return what a section's heading states, and where it does not, those above it."""
    year, venue = None, None
    titles: list[str] = []
    for index in document.above(section):
        heading = document.sections[index]
        cited = heading.citation.venue if heading.citation else None
        if (year is None and heading.year is not None) or (venue is None and cited is not None):
            titles.append(heading.title)
        year, venue = year if year is not None else heading.year, venue or cited
    return StatedAbove(year, venue, tuple(titles))


def contradiction(entry: ImportedEntry, stated: StatedAbove) -> str | None:
    """Return how an entry differs from what the headings above it state; None if it does not."""
    faults = []
    if stated.venue is not None and entry["venue"] != stated.venue.label:
        faults.append(f"its venue is {entry['venue'] or entry['venue_text'] or 'not known'}")
    if stated.year is not None and entry["year"] != stated.year:
        faults.append(f"its year is {entry['year'] or 'not known'}")
    if not faults:
        return None
    titles = " > ".join(f"'{title}'" for title in reversed(stated.titles))
    return f"{' and '.join(faults)}, but it is below {titles}"
