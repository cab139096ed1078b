"""Entries that stand in another section than the one in which they seem to belong, and the edits that move them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from math import log
from typing import NamedTuple

from shelfread.core.diagnostics import Edit
from shelfread.document.heading_subjects import is_general
from shelfread.document.model import Document, Entry, EntryIndex
from shelfread.index.order_moves import RunLines
from shelfread.index.placement.section_model import Place, SectionModel, Text, keys_of, learn
from shelfread.index.sorted_lists import runs

# Of the entries of real lists one in twenty is `UNLIKE` the others of its section, three in two hundred are `DOUBTED` where they stand,
# and two in a thousand are `WRONG`; of entries put elsewhere at random, 60, 36 and 16 in a hundred (benchmarks/results/placement.md).
UNLIKE, DOUBTED, WRONG = 0.5, 1.6, 2.9
_LEAST_ENTRIES = 3  # beside the entry, to know what a section collects
_EXPECTED = 2 / 3  # a large section has the larger share of any entry, though less than in proportion
_LEAST_SHARE = 0.001  # shares below it say the same
_NEAR = 0.2  # of the share of the best section; others with less are not named
# How much less doubt there is the less the other entries of a section seem to belong there, by a sample of
# them.
_AGREEMENT, _SAMPLE = 0.6, 8
# And if the better section is beside it, the section is one for the rest, or its heading has a word of the
# entry.
_SIBLING, _GENERAL, _NAMED = 0.5, 0.7, 0.8
_UNSAID = 0.8  # and if no word of the entry speaks for the better section, but a host or a year does


class Misplaced(NamedTuple):
    """An entry, by its index, the section that it stands in, and where it seems to belong."""

    entry: int
    section: int
    places: tuple[Place, ...]  # up to three, the best first, without its own
    doubt: float  # how improbable the section is, beside what its size lets expect


def find_misplaced(
    document: Document, among: Iterable[int] | None = None, least: float = DOUBTED
) -> Iterator[Misplaced]:
    """Yield the entries of a list, or those `among` them by index, with at least so much doubt about their section."""
    entries = document.entries
    indexes = range(len(entries)) if among is None else sorted(among)
    if not indexes or len({entry.section for entry in entries} - {None}) < 2:
        return
    doubts = Doubts(learn(document))
    model = doubts.model
    around = EntryIndex(entries)
    for index in indexes:
        section = entries[index].section
        if section is None or len(model.entries[section]) <= _LEAST_ENTRIES:
            continue
        shares = model.shares_of(index)
        best = max(shares, key=shares.__getitem__)
        doubt = doubts.of(index, section, shares, least)
        if (
            doubt >= least
            and best not in model.copies.get(index, ())
            and not _are_nested(document, best, section)
            and not (document.sections[best].year and document.sections[section].year)  # its year says where
            and around.around(entries[index].title.span) is entries[index]
        ):
            places = [place for place in model.places_of(index, 4) if place.section != section][:3]
            near = (place for place in places if place.share >= _NEAR * places[0].share)
            yield Misplaced(index, section, tuple(near), doubt)


class Doubts:
    """How much speaks against the sections of a list as places of entries."""

    def __init__(self, model: SectionModel) -> None:
        self.model = model
        self._known: dict[int, float] = {}

    def of(self, index: int, section: int, shares: Mapping[int, float], least: float = 0.0) -> float:
        """Return how much speaks against a section for an entry, by the shares of all; what is below `least` is not exact."""
        doubt = _EXPECTED * log(self.model.part(section)) - log(shares[section] + _LEAST_SHARE)
        if doubt < least:
            return doubt
        sections = self.model.document.sections
        best = max(shares, key=shares.__getitem__)
        doubt -= _SIBLING * (sections[best].parent == sections[section].parent)
        doubt -= _GENERAL * is_general(sections[section].title)
        doubt -= _NAMED * (not set(keys_of(Text(sections[section].title))).isdisjoint(self.model.keys[index]))
        if doubt >= least:
            telling = self.model.telling(self.model.keys[index], section, best)
            doubt -= _UNSAID * all(":" in key for key in telling)
        return doubt if doubt < least else doubt - _AGREEMENT * self._disagreement(section)

    def _disagreement(self, section: int) -> float:
        """Return how much the entries of a section seem to belong elsewhere: 0 if none does."""
        if section not in self._known:
            indexes = self.model.entries[section]
            sample = indexes[:: -(-len(indexes) // _SAMPLE)]
            gaps = 0.0
            for index in sample:
                shares = self.model.shares_of(index)
                gaps += log(max(shares.values()) + _LEAST_SHARE) - log(shares[section] + _LEAST_SHARE)
            self._known[section] = gaps / len(sample)
        return self._known[section]


def _are_nested(document: Document, one: int, other: int) -> bool:
    """Return whether one of two sections is below the other, or is that."""
    paths = [document.sections[section].path for section in (one, other)]
    shorter = min(map(len, paths))
    return paths[0][:shorter] == paths[1][:shorter]


class SectionMoves:
    """What moves entries to the end of a section's only list of their form; nothing moves rows and numbered items."""

    def __init__(self, document: Document) -> None:
        self._document = document

    @cached_property
    def _runs(self) -> list[list[Entry]]:
        return runs(self._document, 1)

    def edits(self, index: int, section: int) -> tuple[Edit, ...]:
        """Return the edits that move an entry, by its index; none if that cannot be done."""
        entry = self._document.entries[index]
        here = next((run for run in self._runs if any(other is entry for other in run)), None)
        there = [run for run in self._runs if any(other.section == section for other in run)]
        if here is None or len(there) != 1 or any(other.section != section for other in there[0]):
            return ()
        target = there[0]
        if not self._are_alike(entry, target):
            return ()
        lines, target_lines = (RunLines(self._document.source, run) for run in (here, target))
        if not lines.have_own_lines() or not target_lines.have_own_lines():
            return ()
        place = next(place for place, other in enumerate(here) if other is entry)
        edits = (
            target_lines.insertion(len(target) - 1, None, [lines.text_of(place, None)]),
            lines.removal(place, {place}),
        )
        return tuple(sorted(edits))

    def _are_alike(self, entry: Entry, run: Sequence[Entry]) -> bool:
        """Return whether an entry can stand in a list as it is: an item with the same bullet and indentation."""
        other = run[0]
        return (
            entry.block.kind == other.block.kind == "item"
            and entry.block.marker == other.block.marker
            and entry.block.marker in ("-", "*", "+")
            and entry.dialect == other.dialect
            and self._indentation(entry) == self._indentation(other)
        )

    def _indentation(self, entry: Entry) -> str:
        source = self._document.source
        return source.text[source.starts[entry.block.first] : entry.block.start]
