"""Taxonomies read from YAML: the bundled ones trusted (tests validate them), a list's own ones checked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any

from shelfread.core.errors import TaxonomyError, UserError
from shelfread.core.support.resources import SCHEMA
from shelfread.core.support.strict_yaml import YamlFile, read
from shelfread.core.support.yaml_cache import load_cached
from shelfread.taxonomy.taxonomy import Affiliation, Concept, Taxonomy
from shelfread.taxonomy.vocabulary import Name, Role, Venue, Vocabulary, Years

Terms = Mapping[str, Mapping[str, Any]]

_BUNDLED = SCHEMA / "taxonomies"
_VOCABULARY = ("links", "venues")
_PARTS = (*_VOCABULARY, "venues-about")


def load(name_or_path: str | None = None) -> Taxonomy:
    """The taxonomy of that bundled name or file; None has the vocabulary alone.

    Raises TaxonomyError, with file, line and column, for a file that does not fit its schema or
    contradicts itself.
    """
    if name_or_path is None:
        return Taxonomy("", vocabulary())
    files = _chain(name_or_path)
    concepts, affiliations = _merged(files, "concepts"), _merged(files, "affiliations")
    if any(file.data.get(kind) for file in files for kind in _VOCABULARY):
        below = [_bundled(name) for name in _VOCABULARY]
        roles, venues = _merged([*files, *below], "links"), _merged([*files, *below], "venues")
        known = _vocabulary(venues, roles)
    else:
        known, roles, venues = vocabulary(), {}, {}
    # A bundled taxonomy is checked by the tests.
    if any(not _is_bundled(file) for file in files):
        from shelfread.taxonomy.integrity import check_integrity

        terms = {"concepts": concepts, "affiliations": affiliations, "links": roles, "venues": venues}
        check_integrity(terms, known, partial(_blame, files))
    return Taxonomy(
        name=Path(name_or_path).stem,
        vocabulary=known,
        title=_first(files, "title") or Path(name_or_path).stem,
        iri=_first(files, "iri") or f"urn:shelfread:{Path(name_or_path).stem}:",
        language=_first(files, "language") or "en",
        concepts={id: _concept(id, term) for id, term in concepts.items()},
        affiliations={
            id: Affiliation(id, term["prefLabel"], _all(term)) for id, term in affiliations.items()
        },
        entry=_first(files, "entry"),
        files=tuple(files),
    )


@cache
def vocabulary() -> Vocabulary:
    """The bundled venues and link roles."""
    files = [_BUNDLED / f"{name}.yaml" for name in _VOCABULARY]
    links, venues = load_cached(_BUNDLED, files, lambda path: read(path, TaxonomyError).data).values()
    return _vocabulary(venues["venues"], links["links"])


def venue_details(venue: str) -> Mapping[str, Any]:
    """What no run needs to know of a bundled venue: publisher, area, pages, dblp, note, doubt."""
    known: Mapping[str, Any] = _bundled("venues-about").data["venues"].get(venue, {})
    return known


def bundled_names() -> list[str]:
    """The bundled taxonomies that a config may name."""
    return sorted(file.stem for file in _BUNDLED.glob("*.yaml") if file.stem not in _PARTS)


@cache
def _bundled(name: str) -> YamlFile:
    return read(_BUNDLED / f"{name}.yaml", TaxonomyError)


def _is_bundled(file: YamlFile) -> bool:
    return file.path is not None and Path(file.path).parent == _BUNDLED


def _chain(name_or_path: str) -> list[YamlFile]:
    """The file and what it extends, each validated unless bundled."""
    files: list[YamlFile] = []
    seen: set[Path | str] = set()
    wanted: str | None = name_or_path
    while wanted is not None:
        last = files[-1] if files else None
        if wanted in bundled_names():
            file, identity = _bundled(wanted), wanted
        else:
            path = Path(last.path or "").parent / wanted if last else Path(wanted)
            if not path.is_file():
                raise _no_such(wanted, path, last)
            file, identity = read(path, TaxonomyError), str(path.resolve())
        if identity in seen:
            raise (last or file).fail(f"'{wanted}' extends itself", ["extends"])
        seen.add(identity)
        if not _is_bundled(file):
            from shelfread.core.support.json_schema import validate
            from shelfread.taxonomy.entry import check_schemas

            validate(file, "taxonomy")
            check_schemas(file)
        files.append(file)
        wanted = file.data.get("extends")
    return files


def _no_such(wanted: str, path: Path, last: YamlFile | None) -> UserError:
    message = f"no taxonomy '{wanted}': neither a file nor one of {', '.join(bundled_names())}"
    return last.fail(message, ["extends"]) if last else TaxonomyError(message)


def _first(files: Iterable[YamlFile], key: str) -> Any:
    return next((file.data[key] for file in files if key in file.data), None)


def _merged(files: Sequence[YamlFile], kind: str) -> Terms:
    """Terms of all files, the first file's keys over the others'; a term that is null is taken out."""
    terms: dict[str, dict[str, Any]] = {}
    for file in reversed(files):
        for id, term in (file.data.get(kind) or {}).items():
            if term is None:
                terms.pop(id, None)
            else:
                terms[id] = {**terms.get(id, {}), **term}
    for id, term in terms.items():
        if "prefLabel" not in term:
            raise _blame(files, f"'{id}' has no prefLabel", [kind, id], key=True)
    return terms


def _blame(
    files: Sequence[YamlFile], message: str, keys: Sequence[str | int], key: bool = False
) -> UserError:
    """The error at `keys` of the first file that has them."""
    for file in files:
        at = file.data
        for step in keys:
            if isinstance(at, dict) and step in at:
                at = at[str(step)]
            elif isinstance(at, list) and isinstance(step, int) and step < len(at):
                at = at[step]
            else:
                break
        else:
            return file.fail(message, keys, key)
    return files[0].fail(message)


def _vocabulary(venues: Terms, roles: Terms) -> Vocabulary:
    return Vocabulary(
        {id: _venue(id, term) for id, term in venues.items()},
        {
            id: Role(id, term["prefLabel"], _all(term), tuple(term.get("hosts", ())))
            for id, term in roles.items()
        },
    )


def _all(term: Mapping[str, Any]) -> tuple[str, ...]:
    return (term["prefLabel"], *term.get("altLabel", ()))


def _venue(id: str, term: Mapping[str, Any]) -> Venue:
    label = term["prefLabel"]
    full = term.get("name", label)
    named = term.get("names", {})
    return Venue(
        id,
        label,
        term.get("kind", "other"),
        tuple(dict.fromkeys((label, full, *term.get("altLabel", ()), *named))),
        tuple(map(_years, term.get("years", ()))),
        tuple(Name(name, *_years(years)[:2]) for name, years in named.items()),
        term.get("confidence", "high"),
        _years(term.get("known", "..")),
        full,
        term.get("publishedIn"),
        term,
    )


def _years(given: int | str) -> Years:
    """2004 that year, `2004..` from it on, `..2017` up to it, `1994..2020/2` every second one."""
    if isinstance(given, int):
        return Years(given, given)
    first, _, rest = given.partition("..")
    last, _, step = rest.partition("/")
    return Years(int(first) if first else None, int(last) if last else None, int(step) if step else 1)


def _concept(id: str, term: Mapping[str, Any]) -> Concept:
    return Concept(
        id,
        term["prefLabel"],
        tuple(term.get("altLabel", ())),
        tuple(term.get("hiddenLabel", ())),
        term.get("definition"),
        _ids(term, "broader"),
        _ids(term, "related"),
        term.get("scopeNote"),
        tuple(term.get("exactMatch", ())),
        tuple(term["links"]) if "links" in term else None,
        term.get("entry"),
    )


def _ids(term: Mapping[str, Any], key: str) -> tuple[str, ...]:
    given = term.get(key, ())
    return (given,) if isinstance(given, str) else tuple(given)
