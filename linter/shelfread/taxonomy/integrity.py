"""Checks what no JSON Schema can: labels are unique, ids exist, the hierarchy of concepts has no cycles."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from graphlib import CycleError, TopologicalSorter
from typing import Any, Protocol

from shelfread.core.errors import UserError
from shelfread.core.support.suggest import did_you_mean
from shelfread.taxonomy.fold import fold, squash
from shelfread.taxonomy.vocabulary import Vocabulary
from shelfread.taxonomy.words import label_key

Term = Mapping[str, Any]
_Path = tuple[str | int, ...]


class ErrorAt(Protocol):
    """Returns the error for the value (or key) of a path."""

    def __call__(self, message: str, keys: Sequence[str | int], key: bool = False) -> UserError: ...


def check_integrity(kinds: Mapping[str, Mapping[str, Term]], vocabulary: Vocabulary, error: ErrorAt) -> None:
    """Raise the error for the first contradiction in the merged terms of concepts, affiliations, links and venues."""
    concepts = kinds["concepts"]
    for kind in ("affiliations", "links", "venues"):
        _check_labels(kind, kinds[kind], error)
    _check_labels_by_language(kinds, error)
    for id, term in concepts.items():
        for key in ("broader", "related"):
            for path, other in _values(("concepts", id), term, key):
                _check_exists(other, concepts, "concept", path, error)
        for path, role in _values(("concepts", id), term, "links"):
            _check_exists(role, vocabulary.roles, "link role", path, error)
    for id, term in kinds["venues"].items():
        for path, venue in _values(("venues", id), term, "publishedIn"):
            _check_exists(venue, vocabulary.venues, "venue", path, error)
    _check_hierarchy(concepts, error)


def _values(path: _Path, term: Term, key: str) -> Iterator[tuple[_Path, str]]:
    """Yield the value or values of a key, each with its path."""
    given = term.get(key, ())
    if isinstance(given, str):
        yield (*path, key), given
    else:
        for index, value in enumerate(given):
            yield (*path, key, index), value


def _check_labels_by_language(kinds: Mapping[str, Mapping[str, Term]], error: ErrorAt) -> None:
    """Raise an error for a label of two concepts or forms in one language, or that a concept has twice."""
    seen: dict[tuple[str, str], tuple[str, str, str]] = {}
    for kind in ("concepts", "forms"):
        for id, term in kinds[kind].items():
            for key in ("prefLabel", "altLabel", "hiddenLabel", "includes"):
                for language in term.get(key, {}):
                    for path, label in _values((kind, id, key), term[key], language):
                        folded = label_key(label)
                        if not folded:
                            raise error(f"the label '{label}' has neither letters nor digits", path)
                        known = seen.setdefault((language, folded), (id, key, label))
                        if known[0] != id:
                            message = (
                                f"'{label}' is already a label of '{known[0]}' ({known[1]} '{known[2]}')"
                            )
                            raise error(message, path)
                        if known[2] is not label:
                            raise error(f"'{label}' is already the {known[1]} '{known[2]}' of '{id}'", path)


def _check_labels(kind: str, terms: Mapping[str, Term], error: ErrorAt) -> None:
    """Raise an error for a label of two terms. Labels are equal if they are the same once normalised."""
    normalise = squash if kind == "venues" else fold
    seen: dict[str, tuple[str, str, str]] = {}
    for id, term in terms.items():
        for key in ("prefLabel", "altLabel", "hiddenLabel"):
            for path, label in _values((kind, id), term, key):
                folded = normalise(label)
                if not folded:
                    raise error(f"the label '{label}' has neither letters nor digits", path)
                # A term may list spellings that are the same once normalised.
                other, its_key, its_label = seen.setdefault(folded, (id, key, label))
                if other != id:
                    raise error(f"'{label}' is already a label of '{other}' ({its_key} '{its_label}')", path)


def _check_exists(id: str, terms: Mapping[str, object], noun: str, path: _Path, error: ErrorAt) -> None:
    if id not in terms:
        raise error(f"no {noun} '{id}'{did_you_mean(id, terms)}", path)


def _check_hierarchy(concepts: Mapping[str, Term], error: ErrorAt) -> None:
    broader = {id: [other for _, other in _values((), term, "broader")] for id, term in concepts.items()}
    try:
        order = list(TopologicalSorter(broader).static_order())
    except CycleError as cycle_error:
        cycle = cycle_error.args[1]
        message = f"'{cycle[0]}' is broader than itself: {' < '.join(cycle)}"
        raise error(message, ("concepts", cycle[0], "broader")) from None
    ancestors: dict[str, set[str]] = {}
    for id in order:
        ancestors[id] = set(broader[id]).union(*(ancestors[other] for other in broader[id]))
    for id, term in concepts.items():
        for path, other in _values(("concepts", id), term, "related"):
            if other == id or other in ancestors[id] or id in ancestors[other]:
                relation = "itself" if other == id else "broader or narrower already"
                raise error(f"'{other}' cannot be related to '{id}': it is {relation}", path)
