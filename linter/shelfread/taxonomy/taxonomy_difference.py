"""What differs between two taxonomies."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from shelfread.taxonomy.concept import Concept, Label
from shelfread.taxonomy.taxonomy import Taxonomy

RELATIONS = ("broader", "related")


class Removed(NamedTuple):
    """A concept that is gone, and those that have its preferred label now."""

    concept: Concept
    replaced_by: tuple[str, ...]


class Renamed(NamedTuple):
    """A concept with another preferred label in a language."""

    id: str
    language: str
    before: str
    after: str


class LabelChange(NamedTuple):
    """A label that was added, removed, or moved to another concept or kind; `before` and `after` are None for neither."""

    text: str
    language: str
    before: Label | None
    after: Label | None


class PropertyChange(NamedTuple):
    """The values of a property of a concept that were added and removed, such as ids, IRIs or texts."""

    id: str
    property: str
    added: tuple[str, ...]
    removed: tuple[str, ...]


class TaxonomyDifference(NamedTuple):
    """All differences, in the order of the newer taxonomy. Forms are compared like concepts."""

    added: list[Concept]
    removed: list[Removed]
    renamed: list[Renamed]
    # those of added and removed concepts are in it only if another concept had or has them.
    labels: list[LabelChange]
    relations: list[PropertyChange]
    others: list[PropertyChange]  # definitions, scope notes and concepts of other vocabularies
    reordered: bool

    @property
    def is_empty(self) -> bool:
        """Whether both taxonomies say the same."""
        return not any(self)


def compare(base: Taxonomy, head: Taxonomy) -> TaxonomyDifference:
    """Return what changed from one taxonomy to another; concepts are the same if their ids are."""
    old, new = _concepts(base), _concepts(head)
    both = [id for id in new if id in old]
    had, has = _labels(old), _labels(new)
    changes = [change for id in both for change in _changes(old[id], new[id])]
    return TaxonomyDifference(
        added=[concept for id, concept in new.items() if id not in old],
        removed=[
            Removed(concept, _replacements(concept, has)) for id, concept in old.items() if id not in new
        ],
        renamed=[renamed for id in both for renamed in _renamed(old[id], new[id])],
        labels=list(_label_changes(had, has, old, new)),
        relations=[change for change in changes if change.property in RELATIONS],
        others=[change for change in changes if change.property not in RELATIONS],
        reordered=[id for id in old if id in new] != both,
    )


def _concepts(taxonomy: Taxonomy) -> dict[str, Concept]:
    return {**taxonomy.concepts, **taxonomy.forms}


def _labels(concepts: Mapping[str, Concept]) -> dict[tuple[str, str], Label]:
    return {(label.text, label.language): label for concept in concepts.values() for label in concept.labels}


def _names(concept: Concept) -> dict[str, str]:
    return {label.language: label.text for label in concept.labels if label.kind == "prefLabel"}


def _replacements(concept: Concept, labels: Mapping[tuple[str, str], Label]) -> tuple[str, ...]:
    found = (labels.get((text, language)) for language, text in _names(concept).items())
    return tuple(dict.fromkeys(label.concept for label in found if label))


def _renamed(old: Concept, new: Concept) -> Iterator[Renamed]:
    before, after = _names(old), _names(new)
    for language, name in after.items():
        if language in before and before[language] != name:
            yield Renamed(new.id, language, before[language], name)


def _label_changes(
    had: Mapping[tuple[str, str], Label],
    has: Mapping[tuple[str, str], Label],
    old: Mapping[str, Concept],
    new: Mapping[str, Concept],
) -> Iterator[LabelChange]:
    for key, after in has.items():
        before = had.get(key)
        if before is None:
            if after.concept in old and not _is_new_name(after, old):
                yield LabelChange(*key, None, after)
        elif before[:2] != after[:2] and (before.concept in new or after.concept in old):
            yield LabelChange(*key, before, after)
    for key, before in had.items():
        if key not in has and before.concept in new and not _is_new_name(before, new):
            yield LabelChange(*key, before, None)


def _is_new_name(label: Label, others: Mapping[str, Concept]) -> bool:
    """Return whether a label takes the place of another preferred one in its language: that is a rename."""
    return label.kind == "prefLabel" and label.language in _names(others[label.concept])


def _changes(old: Concept, new: Concept) -> Iterator[PropertyChange]:
    before, after = _values(old), _values(new)
    for key in {**before, **after}:
        was, now = before.get(key, ()), after.get(key, ())
        added = tuple(value for value in now if value not in was)
        removed = tuple(value for value in was if value not in now)
        if added or removed:
            yield PropertyChange(new.id, key, added, removed)


def _values(concept: Concept) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {"broader": [*concept.broader], "related": [*concept.related]}
    for key, text, language in concept.texts:
        found.setdefault(key, []).append(f"{text} ({language})")
    for key, iri in concept.matches:
        found.setdefault(key, []).append(iri)
    return found
