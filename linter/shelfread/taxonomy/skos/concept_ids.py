"""The ids of concepts that have IRIs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from unicodedata import normalize

from shelfread.core.patterns import lazy

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
    taken = set(first)
    for iri in iris:
        if iri not in ids:
            ids[iri] = _unused(_made(_split(iri)[1]), taken)
            taken.add(ids[iri])
    return ids


def _split(iri: str) -> tuple[str, str]:
    """Return the namespace of an IRI, with the sign at its end, and the name in it."""
    end = max(iri.rfind(sign) for sign in _ENDS) + 1
    return iri[:end], iri[end:]


def _made(name: str) -> str:
    plain = normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return _NOT_IN_ID.sub("-", plain).strip("-._")[:76] or "concept"


def _unused(id: str, taken: set[str]) -> str:
    if id not in taken:
        return id
    number = 2
    while f"{id}-{number}" in taken:
        number += 1
    return f"{id}-{number}"
