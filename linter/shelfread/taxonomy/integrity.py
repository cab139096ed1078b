"""Errors in taxonomies: what does not fit the schema, and what no JSON Schema can say.

Labels are unique, ids exist, the hierarchy has no cycle, and relations do not contradict each other. S13 to S46 are
the integrity conditions of the SKOS reference (https://www.w3.org/TR/skos-reference/).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from shelfread.core.diagnostics import Severity
from shelfread.core.errors import UserError
from shelfread.core.wording import did_you_mean
from shelfread.core.yaml_files import YamlFile
from shelfread.taxonomy.chain import canonical
from shelfread.taxonomy.concept import LABELS, successor
from shelfread.taxonomy.hierarchy import ancestors, cycles
from shelfread.taxonomy.label_forms import fold, label_key, squash, without_accents

Term = Mapping[str, Any]
Terms = Mapping[str, Term]
Path = tuple[str | int, ...]
SCHEMES = ("concepts", "forms")
_TONES = ("vi",)  # languages in which accents tell common words apart
_MOST_SUGGESTIONS = 20  # the most unknown ids for which a similar one is looked for: that takes time
_MOST_SHOWN = 10  # the most concepts of a cycle that are named
_OTHER_MATCHES = ("broadMatch", "narrowMatch", "relatedMatch")


class Issue(NamedTuple):
    """An issue of a taxonomy. `name` is that of the check, and `error` has the message and the place."""

    name: str
    severity: Severity
    error: UserError


def error(name: str, found: UserError) -> Issue:
    """Return the issue of an error: the taxonomy cannot be used."""
    return Issue(name, Severity.ERROR, found)


class Places(Protocol):
    """Where the terms are."""

    @property
    def files(self) -> Sequence[YamlFile]: ...

    def error(self, message: str, keys: Sequence[str | int], key: bool = False) -> UserError: ...

    def depth(self, *keys: str | int) -> int: ...

    def removes(self, kind: str, id: str) -> bool: ...


def schema_issues(file: YamlFile) -> list[Issue]:
    """Return what does not fit the schema of taxonomies, and remove it from the file's data."""
    from shelfread.core.json_schema import mismatches
    from shelfread.taxonomy.schema_keywords import schema_errors

    found: list[Issue] = []
    wrong = list(mismatches(file.data, "taxonomy"))
    found += (error("schema", file.fail(*mismatch)) for mismatch in wrong)
    for _, keys, _ in sorted(wrong, key=lambda mismatch: -len(mismatch.keys)):
        _remove(file, keys)
    found += (error("entry-schema", fault) for fault in schema_errors(file))
    for kind in SCHEMES:
        for id, term in (file.data.get(kind) or {}).items():
            for key in LABELS if term else ():
                if isinstance(term.get(key), dict):
                    found += _repeated_languages(file, [kind, id, key], term[key])
    return found


def _remove(file: YamlFile, keys: list[str | int]) -> None:
    """Remove the value at `keys`; a term without its prefLabel keeps an empty one, as that error is known."""
    if not keys:
        file.data = {}
        return
    value: Any = file.data
    for step in keys[:-1]:
        value = value.get(step) if isinstance(value, dict) else None
    if isinstance(value, dict) and keys[-1] in value:
        if len(keys) == 3 and keys[-1] == "prefLabel":
            value["prefLabel"] = {}
        elif len(keys) != 2 or not isinstance(
            value[keys[-1]], dict
        ):  # an invalid id may still be referred to
            del value[keys[-1]]
    elif len(keys) > 1:
        _remove(file, keys[:-1])  # an item of a list


def _repeated_languages(file: YamlFile, keys: list[str | int], by_language: Term) -> Iterator[Issue]:
    seen: dict[str, str] = {}
    for tag in by_language:
        if seen.setdefault(canonical(tag), tag) != tag:
            message = f"'{tag}' is the language '{seen[canonical(tag)]}' again: case does not tell tags apart"
            yield error("schema", file.fail(message, [*keys, tag], key=True))


def integrity_issues(
    kinds: Mapping[str, Terms], roles: Collection[str], venues: Collection[str], places: Places
) -> Iterator[Issue]:
    """Yield every contradiction in the merged terms, in no order; `roles` and `venues` are the ids of all of them."""
    for kind, terms in kinds.items():
        for id, term in terms.items():
            if "prefLabel" not in term:
                yield error("missing-label", places.error(f"'{id}' has no prefLabel", [kind, id], key=True))
    for kind in ("affiliations", "links", "venues"):
        yield from _shared_labels(kind, kinds[kind], places)
    yield from _concept_labels(kinds, places)
    for kind in SCHEMES:
        for id, term in kinds[kind].items():
            yield from _mapping_clashes(kind, id, term, places)
        yield from _relations(kind, kinds[kind], places)
        yield from _retired(kind, kinds[kind], places)
    ids = {**kinds, "links": roles, "venues": venues}
    for index, (noun, id, kind, path) in enumerate(_unknown_ids(kinds, ids)):
        if noun in ("concept", "form") and places.removes(kind, id):
            message = f"'{id}' is removed here, but '{path[1]}' refers to it as {path[2]}"
            yield error("unknown-id", places.error(message, [kind, id], key=True))
        else:
            near = did_you_mean(id, ids[kind]) if index < _MOST_SUGGESTIONS else ""
            yield error("unknown-id", places.error(f"no {noun} '{id}'{near}", path))
    yield from _two_schemes(places)


def values(path: Path, term: Term, key: str) -> Iterator[tuple[Path, str]]:
    """Yield the value or values of a key, each with its path."""
    given = term.get(key, ())
    if isinstance(given, str):
        yield (*path, key), given
    else:
        for index, value in enumerate(given):
            yield (*path, key, index), value


def own_last(kind: str, terms: Terms, places: Places) -> list[tuple[str, Term]]:
    """Return terms so that what a file states comes after what it extends: of two, the later one is to blame."""
    return sorted(terms.items(), key=lambda item: -places.depth(kind, item[0]))


def _concept_labels(kinds: Mapping[str, Terms], places: Places) -> Iterator[Issue]:
    """Yield labels of two concepts or forms in one language, and those that a concept has twice (S13)."""
    seen: dict[tuple[str, str], tuple[str, str, str]] = {}
    unaccented: dict[tuple[str, str], tuple[str, str, str]] = {}
    for kind in SCHEMES:
        for id, term in own_last(kind, kinds[kind], places):
            for key in LABELS:
                for language in term.get(key, {}):
                    for path, label in values((kind, id, key), term[key], language):
                        folded = label_key(label)
                        if not folded:
                            message = f"the label '{label}' has neither letters nor digits"
                            yield error("empty-label", places.error(message, path))
                            continue
                        own = id, key, label
                        known = seen.setdefault((language, folded), own)
                        if known[0] != id:
                            yield error("overlapping-labels", places.error(_is_label_of(label, known), path))
                            continue
                        if known[2] is not label:
                            message = f"'{label}' is already the {known[1]} '{known[2]}' of '{id}'"
                            yield error("disjoint-labels", places.error(message, path))
                            continue
                        if language in _TONES:
                            continue
                        known = unaccented.setdefault((language, without_accents(folded)), own)
                        if known[0] != id:
                            message = f"'{label}' differs by accents alone from a label of '{known[0]}'"
                            found = places.error(f"{message} ({known[1]} '{known[2]}')", path)
                            yield error("overlapping-labels", found)


def _is_label_of(label: str, known: tuple[str, str, str]) -> str:
    return f"'{label}' is already a label of '{known[0]}' ({known[1]} '{known[2]}')"


def _shared_labels(kind: str, terms: Terms, places: Places) -> Iterator[Issue]:
    """Yield labels of two terms. Labels are equal if they are the same once normalised."""
    normalise = squash if kind == "venues" else fold
    seen: dict[str, tuple[str, str, str]] = {}
    for id, term in own_last(kind, terms, places):
        for key in ("prefLabel", "altLabel"):
            for path, label in values((kind, id), term, key):
                folded = normalise(label)
                if not folded:
                    message = f"the label '{label}' has neither letters nor digits"
                    yield error("empty-label", places.error(message, path))
                    continue
                # A term may list spellings that are the same once normalised.
                known = seen.setdefault(folded, (id, key, label))
                if known[0] != id:
                    yield error("overlapping-labels", places.error(_is_label_of(label, known), path))


def _unknown_ids(
    kinds: Mapping[str, Terms], ids: Mapping[str, Collection[str]]
) -> Iterator[tuple[str, str, str, Path]]:
    """Yield references to terms that do not exist: what they should be, the id, its kind, and the path."""
    for kind in SCHEMES:
        for id, term in kinds[kind].items():
            for key, noun, other_kind in (
                ("broader", kind[:-1], kind),
                ("related", kind[:-1], kind),
                ("links", "link role", "links"),
            ):
                for path, other in values((kind, id), term, key):
                    if other not in ids[other_kind]:
                        yield noun, other, other_kind, path
            if (next_one := successor(term)) and next_one not in kinds[kind]:
                yield kind[:-1], next_one, kind, (kind, id, "retired")
    for id, term in kinds["venues"].items():
        for path, other in values(("venues", id), term, "publishedIn"):
            if other not in ids["venues"]:
                yield "venue", other, "venues", path


def _relations(kind: str, terms: Terms, places: Places) -> Iterator[Issue]:
    """Yield cycles of broader concepts, and what is related and broader at once (S27)."""
    broader = broader_of(dict(own_last(kind, terms, places)))
    for cycle in cycles(broader):
        first = min(cycle[:-1], key=lambda id: places.depth(kind, id, "broader"))
        start = cycle.index(first)
        way = [*cycle[start:-1], *cycle[:start], first]
        shown = way if len(way) <= _MOST_SHOWN else [*way[: _MOST_SHOWN - 2], "...", *way[-2:]]
        message = f"'{first}' is broader than itself: {' < '.join(shown)}"
        yield error("cyclic-hierarchy", places.error(message, (kind, first, "broader")))
    above = ancestors(broader)
    for id, term in terms.items():
        for path, other in values((kind, id), term, "related"):
            if other == id:
                message = f"'{id}' cannot be related to itself"
                yield error("reflexive-relation", places.error(message, path))
            elif other in terms and (above.has(id, other) or above.has(other, id)):
                message = f"'{other}' cannot be related to '{id}': it is broader or narrower already"
                yield error("relation-clash", places.error(message, path))


def _retired(kind: str, terms: Terms, places: Places) -> Iterator[Issue]:
    """Yield retired concepts whose successor is retired too."""
    for id, term in terms.items():
        other = successor(term)
        if terms.get(other, {}).get("retired"):
            message = f"'{id}' is to be replaced by '{other}', which is retired itself"
            yield error("retired-successor", places.error(message, (kind, id, "retired")))


def broader_of(terms: Terms) -> dict[str, list[str]]:
    """Return the broader concepts of each that exist."""
    return {
        id: [other for _, other in values((), term, "broader") if other in terms]
        for id, term in terms.items()
    }


def _mapping_clashes(kind: str, id: str, term: Term, places: Places) -> Iterator[Issue]:
    """Yield concepts of other vocabularies that are the same and another one at once (S46)."""
    exact = set(term.get("exactMatch", ()))
    for key in _OTHER_MATCHES if exact else ():
        for path, iri in values((kind, id), term, key):
            if iri in exact:
                message = f"<{iri}> cannot be a {key} and an exactMatch of '{id}'"
                yield error("mapping-clash", places.error(message, path))


def _two_schemes(places: Places) -> Iterator[Issue]:
    """Yield forms that a file states as concepts too."""
    for file in places.files:
        concepts, forms = (file.data.get(kind) or {} for kind in SCHEMES)
        for id in forms:
            if id in concepts:
                message = f"'{id}' is already a concept: a form needs another id"
                yield error("two-schemes", file.fail(message, ["forms", id], key=True))
