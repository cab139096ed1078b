"""What makes a taxonomy worse, but not wrong: warnings and infos of `shelfread taxonomy check`.

The names are those of qSKOS's quality issues (https://github.com/cmader/qSKOS/wiki/Quality-Issues).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from unicodedata import category

from shelfread.core.diagnostics import Severity
from shelfread.core.wording import counted
from shelfread.taxonomy.concept import LABELS, MATCHES, TEXTS
from shelfread.taxonomy.hierarchy import ancestors, clusters
from shelfread.taxonomy.integrity import SCHEMES, Issue, Path, Places, Term, Terms, broader_of, values

_JOINERS = "\u200c\u200d"  # they are part of emoji and of scripts
_SCHEMES_OF_IRIS = ("http", "https", "urn")


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
