"""Loads taxonomies from YAML. Bundled ones are trusted (the tests validate them), a list's own are checked."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any

from shelfread.core.errors import TaxonomyError, UserError
from shelfread.core.support.resources import SCHEMA
from shelfread.core.support.strict_yaml import YamlFile, read
from shelfread.core.support.yaml_cache import load_cached
from shelfread.taxonomy.labels import Label
from shelfread.taxonomy.taxonomy import MATCHES, Affiliation, Concept, Taxonomy
from shelfread.taxonomy.vocabulary import Name, Role, Venue, Vocabulary, Years

Terms = Mapping[str, Mapping[str, Any]]

_BUNDLED = SCHEMA / "taxonomies"
_VOCABULARY = ("links", "venues")
_NOT_TAXONOMIES = (*_VOCABULARY, "venues-about")
_LABELS = ("prefLabel", "altLabel", "hiddenLabel", "includes")


def load(name_or_path: str | None = None) -> Taxonomy:
    """Return the bundled taxonomy of a name, or that of a file. None returns one with the vocabulary only.

    Raises TaxonomyError, with file, line and column, for a file that does not fit its schema or
    contradicts itself.
    """
    if name_or_path is None:
        return Taxonomy("", vocabulary())
    files = _chain(name_or_path)
    concepts, affiliations = _merged(files, "concepts"), _merged(files, "affiliations")
    forms = {id: term for id, term in _merged(files, "forms").items() if id not in concepts}
    if any(file.data.get(kind) for file in files for kind in _VOCABULARY):
        all_files = [*files, *(_bundled(name) for name in _VOCABULARY)]
        roles, venues = _merged(all_files, "links"), _merged(all_files, "venues")
        words = _vocabulary(venues, roles)
    else:
        words, roles, venues = vocabulary(), {}, {}
    # A bundled taxonomy is checked by the tests.
    if any(not _is_bundled(file) for file in files):
        from shelfread.taxonomy.integrity import check_integrity

        terms = {"concepts": concepts, "forms": forms, "affiliations": affiliations}
        terms |= {"links": roles, "venues": venues}
        check_integrity(terms, words, partial(_error_at, files))
    languages = list(dict.fromkeys(_languages(files)))
    return Taxonomy(
        name=Path(name_or_path).stem,
        vocabulary=words,
        title=_first(files, "title") or Path(name_or_path).stem,
        iri=_first(files, "iri") or f"urn:shelfread:{Path(name_or_path).stem}:",
        language=languages[0],
        concepts={id: _concept(id, term, languages) for id, term in concepts.items()},
        forms={id: _concept(id, term, languages) for id, term in forms.items()},
        affiliations={
            id: Affiliation(id, term["prefLabel"], _labels(term)) for id, term in affiliations.items()
        },
        entry=_first(files, "entry"),
        files=tuple(files),
    )


@cache
def vocabulary() -> Vocabulary:
    """Return the bundled venues and link roles (cached)."""
    files = [_BUNDLED / f"{name}.yaml" for name in _VOCABULARY]
    links, venues = load_cached(_BUNDLED, files, lambda path: read(path, TaxonomyError).data).values()
    return _vocabulary(venues["venues"], links["links"])


def bundled_names() -> list[str]:
    """Return the names of the bundled taxonomies, sorted."""
    return sorted(file.stem for file in _BUNDLED.glob("*.yaml") if file.stem not in _NOT_TAXONOMIES)


@cache
def _bundled(name: str) -> YamlFile:
    return read(_BUNDLED / f"{name}.yaml", TaxonomyError)


def _is_bundled(file: YamlFile) -> bool:
    return file.path is not None and Path(file.path).parent == _BUNDLED


def _chain(name_or_path: str) -> list[YamlFile]:
    """Return a file and those that it extends, each validated unless bundled."""
    files: list[YamlFile] = []
    seen: set[Path | str] = set()
    name: str | None = name_or_path
    while name is not None:
        last = files[-1] if files else None
        if name in bundled_names():
            file, identity = _bundled(name), name
        else:
            path = Path(last.path or "").parent / name if last else Path(name)
            if not os.path.isfile(path):  # Path.is_file() raises for a name that is too long
                message = f"no taxonomy '{name}': neither a file nor one of {', '.join(bundled_names())}"
                raise last.fail(message, ["extends"]) if last else TaxonomyError(message)
            file, identity = read(path, TaxonomyError), str(path.resolve())
        if identity in seen:
            raise (last or file).fail(f"'{name}' extends itself", ["extends"])
        seen.add(identity)
        if not _is_bundled(file):
            from shelfread.core.support.json_schema import validate
            from shelfread.taxonomy.entry import check_schemas

            validate(file, "taxonomy")
            file.data = file.data or {}  # of an empty file
            check_schemas(file)
        files.append(file)
        name = file.data.get("extends")
    return files


def _first(files: Iterable[YamlFile], key: str) -> Any:
    return next((file.data[key] for file in files if key in file.data), None)


def _merged(files: Sequence[YamlFile], kind: str) -> Terms:
    """Return the terms of all files. The first file's keys take precedence; a null term is removed."""
    terms: dict[str, dict[str, Any]] = {}
    by_language = kind in ("concepts", "forms")
    for file, language in zip(reversed(files), reversed(_languages(files)), strict=True):
        for id, term in (file.data.get(kind) or {}).items():
            if term is None:
                terms.pop(id, None)
                continue
            known = terms.get(id, {})
            terms[id] = {**known, **term}
            for key in _LABELS if by_language else ():
                if key in term:
                    own = term[key] if isinstance(term[key], dict) else {language: term[key]}
                    terms[id][key] = {**known.get(key, {}), **own}
    for id, term in terms.items():
        if "prefLabel" not in term:
            raise _error_at(files, f"'{id}' has no prefLabel", [kind, id], key=True)
    return terms


def _languages(files: Sequence[YamlFile]) -> list[str]:
    """Return the language of each file: its own, else that of the file that it extends, else English."""
    languages = ["en"]
    for file in reversed(files):
        languages.append(file.data.get("language") or languages[-1])
    return languages[:0:-1]


def _error_at(
    files: Sequence[YamlFile], message: str, keys: Sequence[str | int], key: bool = False
) -> UserError:
    """Return the error for the value (or key) at `keys` of the first file that has it."""
    for file in files:
        value, own_keys = file.data, list[str | int]()
        for step in keys:
            if isinstance(value, dict) and step in value:
                value = value[str(step)]
            elif isinstance(value, list) and isinstance(step, int) and step < len(value):
                value = value[step]
            elif isinstance(step, str) and isinstance(value, str | list):
                continue  # a label without its language
            else:
                break
            own_keys.append(step)
        else:
            return file.fail(message, own_keys, key)
    return files[0].fail(message)


def _vocabulary(venues: Terms, roles: Terms) -> Vocabulary:
    return Vocabulary(
        {id: _venue(id, term) for id, term in venues.items()},
        {
            id: Role(id, term["prefLabel"], _labels(term), tuple(term.get("hosts", ())))
            for id, term in roles.items()
        },
    )


def _labels(term: Mapping[str, Any]) -> tuple[str, ...]:
    return (term["prefLabel"], *term.get("altLabel", ()))


def _venue(id: str, term: Mapping[str, Any]) -> Venue:
    label = term["prefLabel"]
    full_name = term.get("name", label)
    names = term.get("names", {})
    return Venue(
        id=id,
        label=label,
        kind=term.get("kind", "other"),
        labels=tuple(dict.fromkeys((label, full_name, *term.get("altLabel", ()), *names))),
        years=tuple(map(_years, term.get("years", ()))),
        names=tuple(Name(name, *_years(years)[:2]) for name, years in names.items()),
        confidence=term.get("confidence", "high"),
        certain_years=_years(term.get("known", "..")),
        name=full_name,
        published_in=term.get("publishedIn"),
        facts=term,
    )


def _years(given: int | str) -> Years:
    """Parse years: `2004`, `2004..` (from), `..2017` (up to), `1994..2020/2` (every second one)."""
    if isinstance(given, int):
        return Years(given, given)
    first, _, rest = given.partition("..")
    last, _, step = rest.partition("/")
    return Years(int(first) if first else None, int(last) if last else None, int(step) if step else 1)


def _concept(id: str, term: Mapping[str, Any], languages: Sequence[str]) -> Concept:
    labels = tuple(_concept_labels(id, term))
    spoken = {label.language for label in labels if label.kind == "prefLabel"}
    language = next((language for language in languages if language in spoken), min(spoken, default=""))
    own = [label for label in labels if label.language == language]
    return Concept(
        id=id,
        label=next((label.text for label in own if label.kind == "prefLabel"), id),
        alt_labels=tuple(label.text for label in own if label.kind == "altLabel"),
        hidden_labels=tuple(label.text for label in own if label.kind == "hiddenLabel"),
        definition=term.get("definition"),
        broader=_ids(term, "broader"),
        related=_ids(term, "related"),
        scope_note=term.get("scopeNote"),
        matches=tuple((kind, iri) for kind in MATCHES for iri in term.get(kind, ())),
        roles=tuple(term["links"]) if "links" in term else None,
        entry=term.get("entry"),
        labels=labels,
    )


def _concept_labels(id: str, term: Mapping[str, Any]) -> Iterator[Label]:
    """Yield the labels of a merged term, in all languages."""
    for kind in _LABELS:
        for language, given in term.get(kind, {}).items():
            for text in (given,) if isinstance(given, str) else given:
                yield Label(id, kind, text, language)


def _ids(term: Mapping[str, Any], key: str) -> tuple[str, ...]:
    given = term.get(key, ())
    return (given,) if isinstance(given, str) else tuple(given)
