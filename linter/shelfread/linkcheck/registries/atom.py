"""The ids of an Atom feed, read from a body that anybody may have written."""

from __future__ import annotations

from typing import NamedTuple
from xml.parsers import expat

_ATOM = "http://www.w3.org/2005/Atom"
_TOTAL = "http://a9.com/-/spec/opensearch/1.1/ totalResults"
_DEEPEST = 50
_LONGEST = 500
"""Letters of an id; what comes after is dropped."""


class Feed(NamedTuple):
    """What a feed holds of its entries: their ids, and how many there are to be."""

    ids: tuple[str, ...]
    total: int | None


class _RefusedError(Exception):
    """A feed with a document type, which may define entities that grow, or nested too deep."""


def read_feed(body: bytes) -> Feed | None:
    """The entries of an Atom feed; None for anything else, and for what is cut off or has a document type."""
    path: list[str] = []
    ids: list[list[str]] = []
    total: list[str] = []

    def start(name: str, attributes: dict[str, str]) -> None:
        path.append(name)
        if len(path) > _DEEPEST or path[0] != f"{_ATOM} feed":
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
    return Feed(tuple("".join(parts).strip()[:_LONGEST] for parts in ids), known)
