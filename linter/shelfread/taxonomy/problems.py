"""Checks a taxonomy's own files, those that they extend, and the fields, roles, tags and columns that its schemas demand."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any
from unicodedata import category

from shelfread.core.diagnostics import Severity
from shelfread.core.errors import TaxonomyError
from shelfread.core.wording import counted, did_you_mean
from shelfread.core.yaml_files import YamlFile
from shelfread.taxonomy.chain import first, is_bundled, languages_of, prefix_of
from shelfread.taxonomy.concept import LABELS, MATCHES, TEXTS
from shelfread.taxonomy.hierarchy import ancestors, clusters
from shelfread.taxonomy.integrity import (
    SCHEMES,
    Issue,
    Path,
    Places,
    Term,
    Terms,
    broader_of,
    error,
    integrity_issues,
    schema_issues,
    values,
)
from shelfread.taxonomy.merge import FilePlaces, iris_of, merged_terms
from shelfread.taxonomy.vocabulary import Vocabulary

# What `export` prints of each entry.
FIELDS = (
    "title name description venue venue_text year authors affiliations notes identifiers links section concept dialect"
    " path line end_line"
).split()


def checked_terms(files: Sequence[YamlFile], name: str, known: Vocabulary) -> dict[str, Terms]:
    """Return the merged terms of files; raises TaxonomyError for the first error, with the number of others."""
    terms, issues = _errors(files, known)
    if issues:
        # What follows from a key that is wrong is said after it.
        raise first_error(
            _sorted([issue for issue in issues if "schema" in issue.name] or issues, files), name, len(issues)
        )
    return terms


def first_error(issues: Sequence[Issue], name: str, count: int = 0) -> TaxonomyError:
    """Return the first error of a taxonomy, with the number of others, of `count` or of these."""
    error, others = issues[0].error, (count or len(issues)) - 1
    more = f" (and {others:,} more: shelfread taxonomy check {name})" if others else ""
    return TaxonomyError(f"{error.message}{more}", error.path, error.line, error.column)


def find_issues(files: Sequence[YamlFile], known: Vocabulary) -> list[Issue]:
    """Return all issues of a taxonomy and what it extends, by place; what is worth improving only in files that are not bundled."""
    terms, issues = _errors(files, known)
    iris = iris_of(files, terms)
    places = FilePlaces(files)
    own = {file.path for file in files if file is files[0] or not is_bundled(file)}
    if not any(issue.name == "schema" for issue in issues):
        better = quality_issues(terms, {iri: id for id, iri in iris.items()}, languages_of(files)[0], places)
        issues += (issue for issue in better if issue.error.path in own)
    return _sorted(issues, files)


def _errors(files: Sequence[YamlFile], known: Vocabulary) -> tuple[dict[str, Terms], list[Issue]]:
    """Return the terms that fit the schema, and everything that is wrong."""
    issues: list[Issue] = []
    for file in files:
        if not is_bundled(file):
            issues += schema_issues(file)
    terms = merged_terms(files)
    places = FilePlaces(files)
    issues += integrity_issues(terms, terms["links"] or known.roles, terms["venues"] or known.venues, places)
    issues += name_issues(first(files, "entry"), terms, terms["links"] or known.roles, places)
    issues += _repeated_iris(iris_of(files, terms), terms, places)
    return terms, issues


def _repeated_iris(iris: dict[str, str], terms: dict[str, Terms], places: Places) -> Iterator[Issue]:
    """Yield concepts with the IRI of another one, or of a scheme (S9)."""
    schemes = {f"{prefix_of(file)}{end}" for file in places.files for end in ("", "-forms")}
    seen: dict[str, str] = {}
    for kind in ("forms", "concepts"):
        for id in terms[kind]:
            iri = iris[id]
            if iri in schemes:
                message = f"<{iri}> is the IRI of the taxonomy: a concept needs another one"
                yield error("repeated-iri", places.error(message, [kind, id, "iri"]))
            elif seen.setdefault(iri, id) != id:
                message = f"<{iri}> is the IRI of '{seen[iri]}' already"
                yield error("repeated-iri", places.error(message, [kind, id, "iri"]))


def _sorted(issues: Iterable[Issue], files: Sequence[YamlFile]) -> list[Issue]:
    order = {file.path: index for index, file in enumerate(files)}
    worst = sorted(issues, key=lambda issue: -issue.severity)
    return sorted(
        worst,
        key=lambda issue: (
            order.get(issue.error.path, len(order)),
            issue.error.line or 0,
            issue.error.column or 0,
        ),
    )


def name_issues(
    entry: Mapping[str, Any] | None,
    kinds: Mapping[str, Mapping[str, Term]],
    roles: Collection[str],
    places: Places,
) -> Iterator[Issue]:
    """Yield what schemas name that no entry has, and parts with a name that is taken."""
    schemas = [
        (("entry",), entry),
        *(
            ((kind, id, "entry"), term.get("entry"))
            for kind in ("concepts", "forms")
            for id, term in kinds[kind].items()
        ),
    ]
    stated = [(path, schema) for path, schema in schemas if schema]
    parts = {name for _, schema in stated for key in ("tags", "columns") for name in schema.get(key, ())}
    known = {*FIELDS, *roles, *parts}
    for path, schema in stated:
        for name, place in _names(schema, ("tags", "columns")):
            if name in FIELDS or name in roles:
                what = "a field" if name in FIELDS else "a link role"
                message = f"'{name}' is the name of {what} already: choose another one"
                yield error("entry-name", places.error(message, (*path, *place)))
        for name, place in _names(schema, ("required", "optional", "order", "properties")):
            if name not in known:
                message = f"no field, link role, tag or column '{name}'{did_you_mean(name, known)}"
                yield error("entry-name", places.error(message, (*path, *place), place[0] == "properties"))


def _names(schema: Mapping[str, Any], keys: Sequence[str]) -> Iterator[tuple[str, tuple[str | int, ...]]]:
    """Yield the names that a schema states, each with its path."""
    for key in keys:
        given = schema.get(key, ())
        if isinstance(given, Mapping):
            yield from ((name, (key, name)) for name in given)
        else:
            yield from ((name, (key, index)) for index, name in enumerate(given))


_JOINERS = "\u200c\u200d"  # they are part of emoji and of scripts
_SCHEMES_OF_IRIS = ("http", "https", "urn")


# What makes a taxonomy worse, but not wrong. The names are those of qSKOS's quality issues
# (https://github.com/cmader/qSKOS/wiki/Quality-Issues).


def quality_issues(
    kinds: Mapping[str, Terms], iris: Mapping[str, str], language: str, places: Places
) -> Iterator[Issue]:
    """Yield what could be better, in no order; `iris` has the ids of concepts and forms by their IRIs."""
    for kind in SCHEMES:
        for id, term in kinds[kind].items():
            yield from _labels(kind, id, term, language, places)
            yield from _repeated_relations(kind, id, term, places)
        yield from _hierarchy(kind, kinds[kind], places)
        yield from _languages(kind, kinds[kind], places)
    yield from _mappings(kinds, iris, places)


def _warning(name: str, message: str, path: Path, places: Places, key: bool = False) -> Issue:
    return Issue(name, Severity.WARNING, places.error(message, path, key))


def _info(name: str, message: str, path: Path, places: Places) -> Issue:
    return Issue(name, Severity.INFO, places.error(message, path, key=True))


def _labels(kind: str, id: str, term: Term, language: str, places: Places) -> Iterator[Issue]:
    for key in LABELS:
        for tag in term.get(key, {}):
            for path, label in values((kind, id, key), term[key], tag):
                if hidden := next((char for char in label if _is_unprintable(char)), None):
                    message = f"the label contains U+{ord(hidden):04X}, which nobody sees: remove it"
                    yield _warning("unprintable-characters", message, path, places)
    if term.get("prefLabel") and language not in term["prefLabel"]:
        message = f"'{id}' has no prefLabel in '{language}', the language of the taxonomy"
        yield _warning("no-common-language", message, (kind, id, "prefLabel"), places)
    if not any(key in term for key in TEXTS):
        message = f"'{id}' has neither a definition nor a scopeNote"
        yield _info("undocumented-concept", message, (kind, id), places)


def _is_unprintable(char: str) -> bool:
    return not char.isprintable() and char not in _JOINERS and category(char) != "Zs"


def _repeated_relations(kind: str, id: str, term: Term, places: Places) -> Iterator[Issue]:
    for key in ("broader", "related", *MATCHES):
        seen: set[str] = set()
        for path, other in values((kind, id), term, key):
            if other in seen:
                yield _warning("repeated-relation", f"'{other}' is stated twice", path, places)
            seen.add(other)


def _hierarchy(kind: str, terms: Terms, places: Places) -> Iterator[Issue]:
    broader = broader_of(terms)
    above = ancestors(broader)
    related: dict[str, list[str]] = {}
    for id, term in terms.items():
        stated = set(broader[id])
        over = 0
        for other in stated:
            over |= above.bits[other]
        for path, other in values((kind, id), term, "broader"):
            if other in stated and above.is_in(over, other):
                between = next(each for each in broader[id] if above.has(each, other))
                message = f"'{other}' is above '{between}' already: remove it here"
                yield _warning("hierarchical-redundancy", message, path, places)
        related[id] = [other for _, other in values((), term, "related") if other in terms]
        for path, other in values((kind, id), term, "related"):
            if other in terms and other != id and (shared := stated.intersection(broader[other])):
                message = f"'{id}' and '{other}' are related by '{min(shared)}' already, which is above both"
                yield Issue("valueless-relation", Severity.INFO, places.error(message, path))
    groups = clusters({id: [*broader[id], *related[id]] for id in terms})
    for group in groups[1:] if len(groups[0:1]) and len(groups[0]) > 1 else ():
        if len(group) == 1:
            message = f"no other {kind.removesuffix('s')} is broader, narrower or related to '{group[0]}'"
            yield _info("orphan-concept", message, (kind, group[0]), places)
        else:
            others = counted(len(group) - 1, f"other {kind.removesuffix('s')}")
            message = f"'{group[0]}' is connected with {others} only, not with the rest"
            yield _info("disconnected-cluster", message, (kind, group[0]), places)


def _languages(kind: str, terms: Terms, places: Places) -> Iterator[Issue]:
    every = dict.fromkeys(tag for term in terms.values() for tag in term.get("prefLabel", {}))
    for id, term in terms.items():
        missing = [tag for tag in every if tag not in term.get("prefLabel", {})]
        if missing and term.get("prefLabel"):
            message = f"'{id}' has no prefLabel in {', '.join(missing)}, unlike others"
            yield _info("incomplete-language-coverage", message, (kind, id), places)


def _mappings(kinds: Mapping[str, Terms], iris: Mapping[str, str], places: Places) -> Iterator[Issue]:
    exact: dict[str, str] = {}
    for kind in SCHEMES:
        for id, term in kinds[kind].items():
            for key in MATCHES:
                for path, iri in values((kind, id), term, key):
                    if iri in iris:
                        message = f"<{iri}> is '{iris[iri]}' of this taxonomy: use broader or related"
                        yield _warning("mapping-relations-misuse", message, path, places)
                    elif key == "exactMatch" and exact.setdefault(iri, id) != id:
                        message = f"<{iri}> is the exactMatch of '{exact[iri]}' already: one of the two is not the same"
                        yield _warning("mapping-relations-misuse", message, path, places)
                    if iri.partition(":")[0].lower() not in _SCHEMES_OF_IRIS:
                        message = f"<{iri}> begins with neither http: nor https: nor urn:"
                        yield _warning("http-uri-scheme-violation", message, path, places)
