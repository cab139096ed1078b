"""Where lists name addresses of the web, and for which entry."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

from shelfread.checks.common.addresses import addresses
from shelfread.checks.common.targets import is_reserved, key_of, page_anchor
from shelfread.core.diagnostics import Span
from shelfread.core.source import Source
from shelfread.document.model import Document
from shelfread.document.read import read

if TYPE_CHECKING:
    from shelfread.project.history import BaseRevision
    from shelfread.taxonomy.vocabulary import Vocabulary


class LinkOccurrence(NamedTuple):
    """One place of an address; `url` is as written, its fragment too, `title` that of the entry."""

    url: str
    span: Span
    title: str = ""

    @property
    def key(self) -> str:
        """The address as it is asked for."""
        return self.url.partition("#")[0]


class Targets(NamedTuple):
    """What is to be asked, in the order of the lists; `anchors` are those whose page is to be read."""

    urls: tuple[str, ...]
    anchors: frozenset[str]
    reserved: int = 0
    """Addresses of no host (`https://example.org/your-project`), which nobody asks."""


def mentions(document: Document) -> tuple[LinkOccurrence, ...]:
    """Every place of a list that names an address of the web."""
    titles = _Titles(document)
    return tuple(
        LinkOccurrence(address.url, address.span, titles.at(address.span))
        for address in addresses(document)
        if key_of(address.url) is not None
    )


def targets(found: Iterable[LinkOccurrence], freed: Iterable[str] = ()) -> Targets:
    """What to ask for some mentions; a host in `freed` is asked whatever it is called."""
    allowed = frozenset(freed)
    urls: dict[str, None] = {}
    anchors: set[str] = set()
    reserved: set[str] = set()
    for mention in found:
        key = mention.key
        if key in reserved or (is_reserved(key) and not allowed & _names(key)):
            reserved.add(key)
            continue
        urls[key] = None
        if page_anchor(mention.url) is not None:
            anchors.add(key)
    return Targets(tuple(urls), frozenset(anchors), len(reserved))


def new_mentions(
    past: BaseRevision, today: Mapping[str, Sequence[LinkOccurrence]], vocabulary: Vocabulary
) -> dict[str, Sequence[LinkOccurrence]]:
    """The mentions of addresses that no list named at an earlier commit."""
    known = {one.url for path, some in today.items() if path not in past.changed for one in some}
    former = [*(one for one in past.changed.values() if one is not None), *past.deleted]
    for one in former:
        document = read(Source(one.text, one.path), vocabulary)
        known.update(address.url for address in addresses(document))
    return {path: [one for one in some if one.url not in known] for path, some in today.items()}


def _names(url: str) -> frozenset[str]:
    """A host as `--allow-private` names it, with and without its port."""
    parts = urlsplit(url)
    return frozenset((parts.hostname or "", parts.netloc.lower()))


class _Titles:
    """The titles of entries by place; a definition is of the first entry that refers to it."""

    def __init__(self, document: Document) -> None:
        self._entries = sorted(document.entries, key=lambda entry: entry.span)
        self._starts = [entry.span.start for entry in self._entries]
        self._users: dict[Span, str] = {}
        labels: dict[str, str] = {}
        for link in document.links if document.tree.definitions else ():
            if link.label and link.label not in labels:
                labels[link.label] = self._around(link.start)
        for definition in document.tree.definitions:
            self._users.setdefault(definition.destination, labels.get(definition.label, ""))

    def at(self, span: Span) -> str:
        return self._users.get(span) or self._around(span.start)

    def _around(self, offset: int) -> str:
        """The title of the innermost entry around an offset."""
        at = bisect_right(self._starts, offset) - 1
        for entry in reversed(self._entries[max(at - 50, 0) : at + 1]):
            if offset < entry.span.end:
                return entry.title.value
        return ""
