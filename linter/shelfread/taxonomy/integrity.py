"""What no JSON Schema can say of a taxonomy: labels are unique, ids exist, nothing is above itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from graphlib import CycleError, TopologicalSorter
from typing import Any, Protocol

from shelfread.core.errors import UserError
from shelfread.taxonomy.fold import fold, squash
from shelfread.taxonomy.vocabulary import Vocabulary

Term = Mapping[str, Any]
_Path = tuple[str | int, ...]


class ErrorAt(Protocol):
    """Makes the error that stands at the value (or key) of a path."""

    def __call__(self, message: str, keys: Sequence[str | int], key: bool = False) -> UserError: ...


def check_integrity(kinds: Mapping[str, Mapping[str, Term]], known: Vocabulary, blame: ErrorAt) -> None:
    """Raise the first contradiction of the merged terms (by kind: concepts, affiliations, links, venues)."""
    for kind, terms in kinds.items():
        _labels(kind, terms, squash if kind == "venues" else fold, blame)
    concepts = kinds["concepts"]
    for id, term in concepts.items():
        for key in ("broader", "related"):
            for path, other in _values(("concepts", id), term, key):
                _exists(other, concepts, "concept", path, blame)
        for path, role in _values(("concepts", id), term, "links"):
            _exists(role, known.roles, "link role", path, blame)
    for id, term in kinds["venues"].items():
        if "publishedIn" in term:
            _exists(term["publishedIn"], known.venues, "venue", ("venues", id, "publishedIn"), blame)
    _hierarchy(concepts, blame)


def _values(place: _Path, term: Term, key: str) -> Iterator[tuple[_Path, str]]:
    """A key's value or values, each with its path."""
    given = term.get(key, ())
    if isinstance(given, str):
        yield (*place, key), given
    else:
        for at, value in enumerate(given):
            yield (*place, key, at), value


def _labels(kind: str, terms: Mapping[str, Term], comparable: Callable[[str], str], blame: ErrorAt) -> None:
    """Two labels that look alike to a reader are one."""
    seen: dict[str, tuple[str, str, str]] = {}
    for id, term in terms.items():
        for key in ("prefLabel", "altLabel", "hiddenLabel"):
            for path, label in _values((kind, id), term, key):
                folded = comparable(label)
                if not folded:
                    raise blame(f"the label '{label}' has neither letters nor digits", path)
                other, its_key, its_label = seen.setdefault(folded, (id, key, label))
                if other != id:
                    raise blame(f"'{label}' is already a label of '{other}' ({its_key} '{its_label}')", path)
                # Venues may list spellings that the look-up takes as one.
                if kind == "concepts" and its_label is not label:
                    raise blame(f"'{label}' is already the {its_key} '{its_label}' of '{id}'", path)


def _exists(id: str, terms: Mapping[str, object], noun: str, path: _Path, blame: ErrorAt) -> None:
    if id not in terms:
        near = get_close_matches(id, terms, 1)
        raise blame(f"no {noun} '{id}'" + (f", did you mean '{near[0]}'?" if near else ""), path)


def _hierarchy(concepts: Mapping[str, Term], blame: ErrorAt) -> None:
    above = {id: [up for _, up in _values((), term, "broader")] for id, term in concepts.items()}
    try:
        order = list(TopologicalSorter(above).static_order())
    except CycleError as cycle:
        ring = cycle.args[1]
        message = f"'{ring[0]}' is broader than itself: {' < '.join(ring)}"
        raise blame(message, ("concepts", ring[0], "broader")) from None
    line: dict[str, set[str]] = {}
    for id in order:
        line[id] = set(above[id]).union(*(line[up] for up in above[id]))
    for id, term in concepts.items():
        for path, other in _values(("concepts", id), term, "related"):
            if other == id or other in line[id] or id in line[other]:
                what = "itself" if other == id else "broader or narrower already"
                raise blame(f"'{other}' cannot be related to '{id}': it is {what}", path)
