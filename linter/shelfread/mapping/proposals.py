"""What a taxonomy would have to get so that it knows all headings of lists."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from typing import NamedTuple

from shelfread.document.heading_subjects import resolve_section
from shelfread.mapping.mapped_headings import Certainty, ListHeading, MappedHeading
from shelfread.mapping.subject_names import label_of, make_ids
from shelfread.taxonomy.label_forms import fold, label_key
from shelfread.taxonomy.taxonomy import Taxonomy

_MIN_SIMILARITY = 0.88  # a heading this similar to a label is misspelt, and should be renamed instead

_MAX_BACK = 100  # how many sections back another one is looked for


class NewLabel(NamedTuple):
    """A heading that is read by its words, as a label of its concept. `kind` is altLabel or includes."""

    concept: str
    kind: str
    label: str
    language: str
    heading: ListHeading


@dataclass(slots=True)
class NewConcept:
    """A heading that names no concept, as one. `broader` are ids; `after` is the id of the concept before it."""

    id: str
    label: str
    broader: list[str]
    after: str | None
    heading: ListHeading


class Refused(NamedTuple):
    """A heading that is left alone, and why."""

    heading: ListHeading
    reason: str


@dataclass(slots=True)
class Proposals:
    """What is to be added to a taxonomy, in the order of the lists."""

    labels: list[NewLabel] = field(default_factory=list)
    concepts: list[NewConcept] = field(default_factory=list)
    refused: list[Refused] = field(default_factory=list)

    @property
    def is_empty(self) -> bool:
        return not (self.labels or self.concepts)


def propose(mapped: Sequence[MappedHeading], taxonomy: Taxonomy) -> Proposals:
    """Return what is to be added to a taxonomy for the headings that are no labels.

    A heading that is read by its words becomes an `altLabel` of its concept, or if it names a narrower subject, one
    of those that the concept `includes`. A heading that names no concept becomes one.
    """
    found = Proposals()
    slips = {id(each): slip for each in mapped if (slip := _slip(each)) is not None}
    new = _new_ids((each for each in mapped if id(each) not in slips), taxonomy)
    concepts: dict[str, NewConcept] = {}
    labels: set[str] = set()
    for each in mapped:
        heading, label = each.heading, label_of(each.heading.title)
        key = label_key(label)
        if heading.resolution.is_label or not key:
            continue
        if each.certainty is Certainty.WORDS:
            named = heading.resolution
            if (
                len(named.subjects) == 1
                and not named.forms
                and named.certainty != "partly"
                and key not in labels
            ):
                (subject,) = named.subjects
                kind = "includes" if named.qualifiers else "altLabel"
                labels.add(key)
                found.labels.append(NewLabel(subject.concept, kind, label, taxonomy.language, heading))
            continue
        if id(each) in slips:
            reason = f"it is nearly '{slips[id(each)]}': rename it, or add it by hand"
            found.refused.append(Refused(heading, reason))
            continue
        concept = new[key]
        if concept not in concepts:
            concepts[concept] = NewConcept(concept, label, [], _before(heading, new, taxonomy), heading)
        known = concepts[concept].broader
        for broader in _broader(heading, new, taxonomy):
            if broader not in (concept, *known) and not _is_above(concept, broader, concepts):
                known.append(broader)
    found.concepts = list(concepts.values())
    return found


def _new_ids(mapped: Iterable[MappedHeading], taxonomy: Taxonomy) -> dict[str, str]:
    """Return the id of each heading that becomes a concept, by the key of its label."""
    unknown = (each for each in mapped if not each.heading.resolution.is_known)
    titles = {label_key(label): label for each in unknown if (label := label_of(each.heading.title))}
    return make_ids(titles, {*taxonomy.concepts, *taxonomy.forms})


def _slip(mapped: MappedHeading) -> str | None:
    """Return the label that a heading means, if it is misspelt."""
    title = fold(mapped.heading.title)
    for match in mapped.nearest if not mapped.heading.resolution.is_known else ():
        if SequenceMatcher(None, title, fold(match.label)).ratio() >= _MIN_SIMILARITY:
            return match.preferred
    return None


def _above(heading: ListHeading, new: Mapping[str, str], taxonomy: Taxonomy) -> Iterator[str]:
    """Yield the concepts of the sections above a heading, the nearest first; a heading of several subjects has none."""
    sections = heading.document.sections
    index = sections[heading.section_index].parent
    while index is not None:
        id = _concept(heading, index, new, taxonomy)
        if id is not None:
            yield id
        index = sections[index].parent


def _concept(heading: ListHeading, index: int, new: Mapping[str, str], taxonomy: Taxonomy) -> str | None:
    title = heading.document.sections[index].title
    found = resolve_section(heading.document, index, taxonomy)
    if found.is_known:
        return found.subjects[0].concept if len(found.subjects) == 1 else None
    return new.get(label_key(label_of(title)))


def _broader(heading: ListHeading, new: Mapping[str, str], taxonomy: Taxonomy) -> tuple[str, ...]:
    """Return the concept of the section above, else the one that the heading names a kind of."""
    above = next(_above(heading, new, taxonomy), None)
    heads = tuple(
        label.concept for label in heading.resolution.subjects if label.concept in taxonomy.concepts
    )
    return (above,) if above is not None else heads[:1]


def _before(heading: ListHeading, new: Mapping[str, str], taxonomy: Taxonomy) -> str | None:
    """Return the concept of the section before a heading, below the same one; else of the one above."""
    sections = heading.document.sections
    parent = sections[heading.section_index].parent
    first = max(parent if parent is not None else -1, heading.section_index - _MAX_BACK)
    for index in range(heading.section_index - 1, first, -1):
        if sections[index].parent == parent:
            id = _concept(heading, index, new, taxonomy)
            if id is not None:
                return id
    return next(_above(heading, new, taxonomy), None)


def _is_above(id: str, other: str, concepts: Mapping[str, NewConcept]) -> bool:
    seen = [other]
    for each in seen:  # grows while it is read
        if each in concepts:
            seen += [broader for broader in concepts[each].broader if broader not in seen]
    return id in seen
