"""Reads a taxonomy's file and those that it extends, and merges their terms."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from shelfread.core.errors import TaxonomyError, UserError
from shelfread.core.support.resources import SCHEMA
from shelfread.core.support.strict_yaml import YamlFile, read
from shelfread.taxonomy.concept import LABELS
from shelfread.taxonomy.words import label_key

Terms = Mapping[str, Mapping[str, Any]]

BUNDLED = SCHEMA / "taxonomies"
VOCABULARY = ("links", "venues")
_NOT_TAXONOMIES = (*VOCABULARY, "venues-about")


@cache
def bundled_names() -> list[str]:
    """Return the names of the bundled taxonomies, sorted."""
    return sorted(file.stem for file in BUNDLED.glob("*.yaml") if file.stem not in _NOT_TAXONOMIES)


def read_chain(name_or_path: str, text: str | None = None) -> list[YamlFile]:
    """Return a file and those that it extends, each validated unless bundled.

    With `text`, that is the first file's contents, which need not be saved.
    """
    files: list[YamlFile] = []
    seen: set[Path | str] = set()
    name: str | None = name_or_path
    while name is not None:
        last = files[-1] if files else None
        if name in bundled_names():
            file, identity = read_bundled(name), name
        elif last is None and text is not None:
            file, identity = YamlFile(text, name, TaxonomyError), str(Path(name).resolve())
        else:
            path = Path(last.path or "").parent / name if last else Path(name)
            if not os.path.isfile(path):  # Path.is_file() raises for a name that is too long
                message = f"no taxonomy '{name}': neither a file nor one of {', '.join(bundled_names())}"
                raise last.fail(message, ["extends"]) if last else TaxonomyError(message)
            file, identity = read(path, TaxonomyError), str(path.resolve())
        if identity in seen:
            raise (last or file).fail(f"'{name}' extends itself", ["extends"])
        seen.add(identity)
        if not is_bundled(file):
            from shelfread.core.support.json_schema import validate
            from shelfread.taxonomy.entry import check_schemas

            validate(file, "taxonomy")
            file.data = file.data or {}  # of an empty file
            check_schemas(file)
        files.append(file)
        name = file.data.get("extends")
    return files


def read_bundled(name: str) -> YamlFile:
    """Return a bundled file."""
    return read(BUNDLED / f"{name}.yaml", TaxonomyError)


def is_bundled(file: YamlFile) -> bool:
    """Return whether a file is one of the bundled ones, which the tests check."""
    return file.path is not None and Path(file.path).parent == BUNDLED


def first(files: Iterable[YamlFile], key: str) -> Any:
    """Return the value of the first file that has a key, or None."""
    return next((file.data[key] for file in files if key in file.data), None)


def merged(files: Sequence[YamlFile], kind: str) -> dict[str, dict[str, Any]]:
    """Return the terms of all files. The first file's keys take precedence; a null term is removed.

    The labels of concepts and forms are by language, and those of a language replace those of the same. A label that
    a file states is no longer one of another concept that it extends, and a prefLabel that it replaces stays as an
    altLabel.
    """
    terms: dict[str, dict[str, Any]] = {}
    by_language = kind in ("concepts", "forms")
    for file, language in zip(reversed(files), reversed(languages_of(files)), strict=True):
        if by_language and terms:
            terms = _without_labels(terms, _stated_labels(file, language))
        for id, term in (file.data.get(kind) or {}).items():
            if term is None:
                terms.pop(id, None)
                continue
            known = terms.get(id, {})
            terms[id] = {**known, **term}
            for key in LABELS if by_language else ():
                if key in term:
                    terms[id][key] = {**known.get(key, {}), **_by_language(term[key], language)}
            if by_language and known:
                _keep_replaced(terms[id], known)
    for id, term in terms.items():
        if "prefLabel" not in term:
            raise error_at(files, f"'{id}' has no prefLabel", [kind, id], key=True)
    return terms


def in_own_order(files: Sequence[YamlFile], kind: str, terms: Terms) -> Terms:
    """Return terms in the order of the files: first those that the first file states."""
    order = dict.fromkeys(id for file in files for id in file.data.get(kind) or ())
    return {id: terms[id] for id in order if id in terms}


def _by_language(given: Any, language: str) -> dict[str, Any]:
    return given if isinstance(given, dict) else {language: given}


def _stated_labels(file: YamlFile, language: str) -> set[tuple[str, str]]:
    """Return the labels that a file states itself, each with its language, as they are compared."""
    return {
        (spoken, label_key(label))
        for kind in ("concepts", "forms")
        for term in (file.data.get(kind) or {}).values()
        for key in LABELS
        for spoken, labels in _by_language((term or {}).get(key, {}), language).items()
        for label in ((labels,) if isinstance(labels, str) else labels)
    }


def _without_labels(
    terms: Mapping[str, dict[str, Any]], stated: Collection[tuple[str, str]]
) -> dict[str, dict[str, Any]]:
    """Return terms without these labels; a prefLabel stays."""
    found = {}
    for id, term in terms.items():
        found[id] = dict(term)
        for key in LABELS[1:]:
            if key in term:
                found[id][key] = {
                    spoken: [label for label in labels if (spoken, label_key(label)) not in stated]
                    for spoken, labels in term[key].items()
                }
    return found


def _keep_replaced(term: dict[str, Any], known: Mapping[str, Any]) -> None:
    """Make the preferred labels that a file replaces alternative ones, in languages in which it states none."""
    for spoken, label in known.get("prefLabel", {}).items():
        others = term.get("altLabel", {}).get(spoken, [])
        is_replaced = label_key(label) != label_key(term["prefLabel"].get(spoken, label))
        if is_replaced and others == known.get("altLabel", {}).get(spoken, []):
            term["altLabel"] = {**term.get("altLabel", {}), spoken: [*others, label]}


def languages_of(files: Sequence[YamlFile]) -> list[str]:
    """Return the language of each file: its own, else that of the file that it extends, else English."""
    languages = ["en"]
    for file in reversed(files):
        languages.append(file.data.get("language") or languages[-1])
    return languages[:0:-1]


def error_at(
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
