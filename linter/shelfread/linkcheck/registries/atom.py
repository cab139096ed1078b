"""Reads the ids of an Atom feed from an untrusted body."""

from __future__ import annotations

from typing import NamedTuple
from xml.parsers import expat

_ATOM = "http://www.w3.org/2005/Atom"
_TOTAL = "http://a9.com/-/spec/opensearch/1.1/ totalResults"
_MAX_DEPTH = 50
_MAX_ID = 500
"""Characters of an id; longer ones are cut."""


class Feed(NamedTuple):
    """The ids of a feed's entries, and how many entries there should be."""

    ids: tuple[str, ...]
    total: int | None


class _RefusedError(Exception):
    """A feed that is nested too deeply, or has a document type, which may define entities that expand."""


def read_feed(body: bytes) -> Feed | None:
    """Return the entries of an Atom feed; None for anything else, also if it is incomplete or has a document type."""
    path: list[str] = []
    ids: list[list[str]] = []
    total: list[str] = []

    def start(name: str, attributes: dict[str, str]) -> None:
        path.append(name)
        if len(path) > _MAX_DEPTH or path[0] != f"{_ATOM} feed":
            raise _RefusedError
        if path[1:] == [f"{_ATOM} entry"]:
            ids.append([])

    def end(name: str) -> None:
        path.pop()

    def text(data: str) -> None:
        if path[1:] == [f"{_ATOM} entry", f"{_ATOM} id"]:
            ids[-1].append(data)
        elif path[1:] == [_TOTAL]:
            total.append(data)

    def refuse(*_: object) -> None:
        raise _RefusedError

    parser = expat.ParserCreate(namespace_separator=" ")
    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = text
    parser.StartDoctypeDeclHandler = refuse
    parser.EntityDeclHandler = refuse
    try:
        parser.Parse(body, True)
    except (expat.ExpatError, _RefusedError, ValueError, LookupError):
        return None
    count = "".join(total).strip()
    known = int(count) if count.isascii() and count.isdigit() and len(count) < 9 else None
    return Feed(tuple("".join(parts).strip()[:_MAX_ID] for parts in ids), known)
