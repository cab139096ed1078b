"""The links of lists: where their URLs are, in which entry, which are requested, and which the configuration ignores."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

from shelfread.core.diagnostics import Span
from shelfread.core.patterns import compile_untrusted
from shelfread.core.source import Source
from shelfread.document.file_kind import is_placeholder
from shelfread.document.model import Document, EntryIndex
from shelfread.document.passages import addresses
from shelfread.document.read import read
from shelfread.project.config import REGEX, IgnoredUrl
from shelfread.taxonomy.hosts import is_reserved, key_of, page_anchor

if TYPE_CHECKING:
    from shelfread.project.history import BaseRevision
    from shelfread.taxonomy.vocabulary import Vocabulary


class LinkOccurrence(NamedTuple):
    """One place of a URL. `url` is as written, with its fragment; `title` is the title of the entry."""

    url: str
    span: Span
    title: str = ""

    @property
    def key(self) -> str:
        """The URL as it is requested."""
        return self.url.partition("#")[0]


class LinkTargets(NamedTuple):
    """The URLs to check, in the order of the lists; the pages of `anchors` are read for their ids."""

    urls: tuple[str, ...]
    anchors: frozenset[str]
    # how many URLs have a placeholder for a host (`https://example.org/your-project`): they are never
    # requested.
    reserved: int = 0


def occurrences(document: Document) -> tuple[LinkOccurrence, ...]:
    """Return every place of an http or https URL in a list."""
    entries = EntryIndex(document.entries)

    def title_around(offset: int) -> str:
        entry = entries.around(Span(offset, offset + 1))
        return entry.title.value if entry is not None else ""

    # A definition belongs to the first entry that refers to it.
    of_label: dict[str, str] = {}
    for link in document.links if document.tree.definitions else ():
        if link.label and link.label not in of_label:
            of_label[link.label] = title_around(link.start)
    of_definition: dict[Span, str] = {}
    for definition in document.tree.definitions:
        of_definition.setdefault(definition.destination, of_label.get(definition.label, ""))
    return tuple(
        LinkOccurrence(url, span, of_definition.get(span) or title_around(span.start))
        for url, span, _ in addresses(document)
        if key_of(url) is not None and not (document.kind.explains_entries and is_placeholder(url))
    )


def link_targets(links: Iterable[LinkOccurrence], allowed_hosts: Iterable[str] = ()) -> LinkTargets:
    """Return what to request for some links; `allowed_hosts` are requested even if their name is a placeholder."""
    allowed = frozenset(allowed_hosts)
    urls: dict[str, None] = {}
    anchors: set[str] = set()
    reserved: set[str] = set()
    for link in links:
        key = link.key
        if key in reserved or (is_reserved(key) and not allowed & _host_names(key)):
            reserved.add(key)
            continue
        urls[key] = None
        if page_anchor(link.url) is not None:
            anchors.add(key)
    return LinkTargets(tuple(urls), frozenset(anchors), len(reserved))


def new_occurrences(
    base: BaseRevision, current: Mapping[str, Sequence[LinkOccurrence]], vocabulary: Vocabulary
) -> dict[str, Sequence[LinkOccurrence]]:
    """Return the links, by path, whose URL no list had at an earlier commit."""
    known = {link.url for path, links in current.items() if path not in base.changed for link in links}
    for file in (*base.changed.values(), *base.deleted):
        if file is not None:
            document = read(Source(file.text, file.path), vocabulary)
            known.update(address.url for address in addresses(document))
    return {path: [link for link in links if link.url not in known] for path, links in current.items()}


def _host_names(url: str) -> frozenset[str]:
    """The host as `--allow-private` names it, with and without its port."""
    parts = urlsplit(url)
    return frozenset((parts.hostname or "", parts.netloc.lower()))


def matching_ignore(url: str, ignores: Iterable[IgnoredUrl], today: date) -> IgnoredUrl | None:
    """Return the first ignore that matches a URL, with or without its fragment, and is valid; `until` is its last day."""
    valid = (ignore for ignore in ignores if not _has_ended(ignore, today))
    return next((ignore for ignore in valid if _matches(url, ignore.pattern)), None)


def expired_ignore(url: str, ignores: Iterable[IgnoredUrl], today: date) -> IgnoredUrl | None:
    """Return the ignore for a URL that ended last, which is why it is reported again, if none matches it now."""
    ended = [ignore for ignore in ignores if _has_ended(ignore, today) and _matches(url, ignore.pattern)]
    return max(ended, key=lambda ignore: ignore.until or date.min, default=None)


def _has_ended(ignore: IgnoredUrl, today: date) -> bool:
    return ignore.until is not None and ignore.until < today


def _matches(url: str, pattern: str) -> bool:
    """Whether a pattern matches a URL: a regular expression anywhere in it, any other pattern all of it."""
    if pattern.startswith(REGEX):
        return compile_untrusted(pattern[len(REGEX) :]).search(url) is not None
    page = url.partition("#")[0]
    return _glob_matches(url, pattern) or (page != url and _glob_matches(page, pattern))


def _glob_matches(text: str, pattern: str) -> bool:
    """Whether a pattern with `*` matches a text, in linear time: each piece is searched after the previous one."""
    first, *middle = pattern.split("*")
    if not middle:
        return text == pattern
    last = middle.pop()
    end = len(text) - len(last)
    index = len(first)
    if index > end or not text.startswith(first) or not text.endswith(last):
        return False
    for piece in middle:
        index = text.find(piece, index, end)
        if index < 0:
            return False
        index += len(piece)
    return True
