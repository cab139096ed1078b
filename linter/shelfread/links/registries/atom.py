"""Reads Atom feeds from untrusted bodies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from xml.parsers import expat

from shelfread.core.support.named_tuple import NamedTuple

_ATOM = "http://www.w3.org/2005/Atom"
_TOTAL = "http://a9.com/-/spec/opensearch/1.1/ totalResults"
_MAX_DEPTH = 50
_MAX_ID = 500
"""Characters of an id; longer ones are cut."""


class Feed(NamedTuple):
    """The entries of a feed, and how many there should be."""

    entries: tuple[Mapping[str, Sequence[str]], ...]
    """The texts of each entry by the path of their elements, without namespaces: `title`, `author/name`."""
    total: int | None

    @property
    def ids(self) -> tuple[str, ...]:
        """The id of each entry; empty for one without."""
        return tuple("".join(entry.get("id", ())[:1])[:_MAX_ID] for entry in self.entries)


class _RefusedError(Exception):
    """A feed that is nested too deeply, or has a document type, which may define entities that expand."""


def read_feed(body: bytes) -> Feed | None:
    """Return the entries of an Atom feed; None for anything else, also if it is incomplete or has a document type."""
    path: list[str] = []
    entries: list[dict[str, list[str]]] = []
    total: list[str] = []

    def start(name: str, attributes: dict[str, str]) -> None:
        path.append(name)
        if len(path) > _MAX_DEPTH or path[0] != f"{_ATOM} feed":
            raise _RefusedError
        if path[1:] == [f"{_ATOM} entry"]:
            entries.append({})
        elif place := _place(path):
            entries[-1].setdefault(place, []).append("")

    def end(name: str) -> None:
        path.pop()

    def text(data: str) -> None:
        if place := _place(path):
            entries[-1][place][-1] += data
        elif path[1:] == [_TOTAL]:
            total.append(data)

    def refuse(*_: object) -> None:
        raise _RefusedError

    parser = expat.ParserCreate(namespace_separator=" ")
    parser.buffer_text = True
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
    stripped = (
        {place: [text.strip() for text in texts] for place, texts in entry.items()} for entry in entries
    )
    return Feed(tuple(stripped), known)


def _place(path: Sequence[str]) -> str:
    """Return the path of an element within an entry, without namespaces; empty outside of entries."""
    if len(path) < 3 or path[1] != f"{_ATOM} entry":
        return ""
    return "/".join(name.rpartition(" ")[2] for name in path[2:])
