"""Merges the terms of a taxonomy's file and of those that it extends."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

from shelfread.core.errors import UserError
from shelfread.core.yaml_files import YamlFile
from shelfread.taxonomy.chain import canonical, is_bundled, languages_of, prefix_of, read_bundled
from shelfread.taxonomy.concept import LABELS, TEXTS
from shelfread.taxonomy.label_forms import label_key
from shelfread.taxonomy.vocabulary import VOCABULARY_FILES, Terms


def merged_terms(files: Sequence[YamlFile]) -> dict[str, Terms]:
    """Return the terms of each kind; venues and links with the bundled ones, or none if no file has any."""
    terms: dict[str, Terms] = {kind: merged(files, kind) for kind in ("concepts", "affiliations", "forms")}
    terms["forms"] = {id: term for id, term in terms["forms"].items() if id not in terms["concepts"]}
    if any(file.data.get(kind) for file in files for kind in VOCABULARY_FILES):
        all_files = [*files, *(read_bundled(name) for name in VOCABULARY_FILES)]
        return terms | {kind: merged(all_files, kind) for kind in VOCABULARY_FILES}
    return terms | {kind: {} for kind in VOCABULARY_FILES}


def merged(files: Sequence[YamlFile], kind: str) -> dict[str, dict[str, Any]]:
    """Return the terms of all files by kind: the first file's take precedence by key and language, and a null term is removed."""
    terms: dict[str, dict[str, Any]] = {}
    by_language = (*LABELS, *TEXTS) if kind in ("concepts", "forms") else ()
    for file, language in zip(reversed(files), reversed(languages_of(files)), strict=True):
        if by_language and terms:
            terms = _without_labels(terms, _stated_labels(file, language))
        for id, term in (file.data.get(kind) or {}).items():
            if term is None:
                terms.pop(id, None)
                continue
            known = terms.get(id, {})
            terms[id] = {**known, **term}
            for key in by_language:
                if key in term:
                    terms[id][key] = {**known.get(key, {}), **_by_language(term[key], language)}
            if by_language and known:
                _keep_replaced(terms[id], known)
    return terms


def in_own_order(files: Sequence[YamlFile], kind: str, terms: Terms) -> Terms:
    """Return terms in the order of the files: first those that the first file states."""
    order = dict.fromkeys(id for file in files for id in file.data.get(kind) or ())
    return {id: terms[id] for id in order if id in terms}


def _by_language(given: Any, language: str) -> dict[str, Any]:
    own = given if isinstance(given, dict) else {language: given}
    return {canonical(tag): value for tag, value in own.items()}


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
                    spoken: kept
                    for spoken, labels in term[key].items()
                    if (kept := [label for label in labels if (spoken, label_key(label)) not in stated])
                }
    return found


def _keep_replaced(term: dict[str, Any], known: Mapping[str, Any]) -> None:
    """Make the preferred labels that a file replaces alternative ones, in languages in which it states none."""
    for spoken, label in known.get("prefLabel", {}).items():
        others = term.get("altLabel", {}).get(spoken, [])
        is_replaced = label_key(label) != label_key(term["prefLabel"].get(spoken, label))
        if is_replaced and others == known.get("altLabel", {}).get(spoken, []):
            term["altLabel"] = {**term.get("altLabel", {}), spoken: [*others, label]}


def iris_of(files: Sequence[YamlFile], terms: Mapping[str, Terms]) -> dict[str, str]:
    """Return the IRI of each concept and form: its own, else that of the taxonomy which defines it, and its id."""
    prefixes: dict[str, str] = {}
    for file in files:
        prefix = prefix_of(file)
        for kind in ("concepts", "forms"):
            prefixes |= {id: prefix for id, term in (file.data.get(kind) or {}).items() if term}
    prefixes |= dict.fromkeys(renamed_concepts(files), prefix_of(files[0]))
    return {
        id: term.get("iri") or f"{prefixes.get(id, '')}{id}"
        for kind in ("forms", "concepts")
        for id, term in terms[kind].items()
    }


def renamed_concepts(files: Sequence[YamlFile]) -> dict[str, str]:
    """Return the concepts to which the first file gives names that contradict those that they have where it extends
    them, with the IRIs that they have there.

    One IRI with two preferred labels of a language would break S14 where the files of both are read together, and a
    label of two kinds S13. So such a concept is one of its own, and an exactMatch of the other.
    """
    file, *others = files
    if not others or is_bundled(file):
        return {}
    language = languages_of(files)[0]
    terms = merged_terms(others)
    renamed = [
        id
        for kind in ("concepts", "forms")
        for id, term in (file.data.get(kind) or {}).items()
        if term and id in terms[kind] and "iri" not in term and _contradict(terms[kind][id], term, language)
    ]
    iris = iris_of(others, terms) if renamed else {}
    return {id: iris[id] for id in renamed}


def _contradict(known: Mapping[str, Any], stated: Mapping[str, Any], language: str) -> bool:
    """Return whether a term names another preferred label in a language, or a label as one of another kind."""
    kinds: dict[tuple[str, str], str] = {}
    for key in LABELS[:3]:
        for given in (known.get(key, {}), _by_language(stated.get(key, {}), language)):
            for tag, labels in given.items():
                for label in (labels,) if isinstance(labels, str) else labels:
                    if kinds.setdefault((tag, label), key) != key:
                        return True
    preferred = _by_language(stated.get("prefLabel", {}), language)
    return any(known.get("prefLabel", {}).get(tag, label) != label for tag, label in preferred.items())


class FilePlaces(NamedTuple):
    """Where the terms of files are; the first file extends the others."""

    files: Sequence[YamlFile]

    def error(self, message: str, keys: Sequence[str | int], key: bool = False) -> UserError:
        """Return the error for the value (or key) at `keys` of the first file that has it, or what it is part of."""
        for length in range(len(keys), 0, -1):
            for file in self.files:
                own = _own_keys(file.data, keys[:length])
                if own is not None:
                    return file.fail(message, own, key or length < len(keys))
        return self.files[0].fail(message)

    def depth(self, *keys: str | int) -> int:
        """Return the index of the first file that has a value at `keys`."""
        found = (index for index, file in enumerate(self.files) if _own_keys(file.data, keys) is not None)
        return next(found, len(self.files))

    def removes(self, kind: str, id: str) -> bool:
        """Return whether a file removes a term of those that it extends."""
        return any((file.data.get(kind) or {}).get(id, "") is None for file in self.files)


def _own_keys(value: Any, keys: Sequence[str | int]) -> list[str | int] | None:
    """Return `keys` as a file has them: its languages as it writes them, and none if it states no language."""
    own = list[str | int]()
    for step in keys:
        if isinstance(value, dict):
            known = step if step in value else None
            if known is None and len(own) == 3:  # a language
                known = next((tag for tag in value if canonical(tag) == step), None)
            if known is None:
                return None
            value = value[known]
            own.append(known)
        elif isinstance(value, list) and isinstance(step, int) and step < len(value):
            value = value[step]
            own.append(step)
        elif not (isinstance(step, str) and isinstance(value, str | list)):
            return None  # other than a label without its language
    return own
