"""What each heading of lists names: its concepts, or those that are nearest."""

from __future__ import annotations

from collections.abc import Sequence

from shelfread.core.support.named_tuple import NamedTuple
from shelfread.mapping.choose import Comparison
from shelfread.mapping.headings import (
    Certainty,
    Heading,
    certainty_of,
    find_headings,
    nearest_concepts,
)
from shelfread.mapping.lists import ProjectLists
from shelfread.taxonomy.taxonomy import Match, Taxonomy


class MappedHeading(NamedTuple):
    """A heading, and the concepts that are nearest if it names none."""

    heading: Heading
    certainty: Certainty
    nearest: Sequence[Match] = ()


class Mapping(NamedTuple):
    """What the headings of lists name in a taxonomy."""

    taxonomy: Taxonomy
    comparison: Comparison | None
    headings: Sequence[MappedHeading]
    others: Sequence[Heading]
    """Headings that name no subject: years, venues, `Contents`, the title of a page."""


def map_headings(lists: ProjectLists) -> Mapping:
    """Return what the headings of sections with entries name, in the order of the files."""
    taxonomy = lists.taxonomy
    found = find_headings(lists.documents, lists.context, taxonomy)
    mapped = []
    for heading in found.subjects:
        nearest = nearest_concepts(heading, taxonomy)
        mapped.append(MappedHeading(heading, certainty_of(heading, nearest), nearest))
    return Mapping(taxonomy, lists.comparison, mapped, found.others)
