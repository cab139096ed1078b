"""The ids of concepts that have IRIs, and names that several concepts have: headings need one meaning."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple
from unicodedata import normalize

from shelfread.core.patterns import lazy
from shelfread.taxonomy.concept import LABELS, ids
from shelfread.taxonomy.label_forms import numbered, plain_key

_ID = lazy(r"[a-z0-9][a-z0-9._-]{0,79}")
_NOT_IN_ID = lazy(r"[^a-z0-9._-]+")
_ENDS = "/#:"


def common_prefix(iris: Sequence[str], scheme: str) -> str:
    """Return what most IRIs begin with; the scheme's IRI if any concept is directly below that."""
    if any(iri.startswith(scheme) and _ID.fullmatch(iri[len(scheme) :]) for iri in iris if scheme):
        return scheme
    counts = Counter(_split(iri)[0] for iri in iris)
    counts.pop("", None)
    return max(counts, key=lambda prefix: counts[prefix], default=scheme)


def ids_of(iris: Sequence[str], prefix: str, stated: Mapping[str, str]) -> dict[str, str]:
    """Return an id for each IRI: the stated one, what comes after the prefix, or one made of its last part."""
    ids = {iri: id for iri, id in stated.items() if _ID.fullmatch(id)}
    ids |= {
        iri: iri[len(prefix) :]
        for iri in iris
        if iri not in ids and iri.startswith(prefix) and _ID.fullmatch(iri[len(prefix) :])
    }
    first = {id: iri for iri, id in reversed(ids.items())}
    ids = {iri: id for iri, id in ids.items() if first[id] == iri}
    made = {iri: _made(_split(iri)[1]) for iri in iris if iri not in ids}
    return ids | numbered(made, first)


def _split(iri: str) -> tuple[str, str]:
    """Return the namespace of an IRI, with the sign at its end, and the name in it."""
    end = max(iri.rfind(sign) for sign in _ENDS) + 1
    return iri[:end], iri[end:]


def _made(name: str) -> str:
    plain = normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return _NOT_IN_ID.sub("-", plain).strip("-._")[:76] or "concept"


_MOST_SHOWN = 5  # the most concepts of one name that are shown, and the most names above one
_Terms = dict[str, dict[str, Any]]


class Homonym(NamedTuple):
    """What is wrong with a name, and the second concept that has it."""

    message: str
    concept: str


def keep_homonyms_apart(kinds: Mapping[str, _Terms]) -> Iterator[Homonym]:
    """Tell preferred labels of several concepts apart by their broader ones; yield them, and leave out other labels taken."""
    terms = {id: term for of_kind in kinds.values() for id, term in of_kind.items()}
    names = {
        (id, language): label
        for id, term in terms.items()
        for language, label in term.get("prefLabel", {}).items()
    }
    holders: dict[tuple[str, str], list[str]] = {}
    for (id, language), label in names.items():
        holders.setdefault((language, plain_key(label)), []).append(id)
    for (language, _), same in holders.items():
        if len(same) > 1:
            shown = "; ".join(_path(id, language, terms, names) for id in same[:_MOST_SHOWN])
            more = f" and {len(same) - _MOST_SHOWN:,} more" if len(same) > _MOST_SHOWN else ""
            label = names[same[0], language]
            yield Homonym(f"'{label}' is the name of {len(same):,} concepts: {shown}{more}", same[1])
            for id in same:
                above = names.get((next(iter(ids(terms[id], "broader")), ""), language))
                terms[id]["prefLabel"][language] = f"{names[id, language]} ({above or id})"
    owner: dict[tuple[str, str], str] = {}
    for id, term in terms.items():
        for language, label in term.get("prefLabel", {}).items():
            if owner.setdefault((language, plain_key(label)), id) != id:
                term["prefLabel"][language] = f"{label} ({id})"
                owner[language, plain_key(term["prefLabel"][language])] = id
    for key in LABELS[1:]:
        for id, term in terms.items():
            for language, labels in term.get(key, {}).items():
                other = {label: owner.setdefault((language, plain_key(label)), id) for label in labels}
                for label in labels:
                    if other[label] != id:
                        first, second = (_path(each, language, terms, names) for each in (other[label], id))
                        yield Homonym(f"'{label}' is a name of 2 concepts: {first}; {second}", id)
                term[key][language] = [label for label in labels if other[label] == id]


def _path(id: str, language: str, terms: _Terms, names: Mapping[tuple[str, str], str]) -> str:
    """Return the names above a concept and its own: `Databases > Queries`."""
    path = [id]
    while len(path) < _MOST_SHOWN and (above := next(iter(ids(terms.get(path[-1], {}), "broader")), None)):
        if above in path:
            break
        path.append(above)
    return " > ".join(names.get((each, language), each) for each in reversed(path))
