"""What may tell where an entry belongs: concepts and words in its text, its venue, the hosts of its links."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from shelfread.core.hosts import CODE_HOSTS
from shelfread.document.model import Entry
from shelfread.taxonomy.common_words import TREATMENTS
from shelfread.taxonomy.evidence import split_url
from shelfread.taxonomy.mentions import Reader, Word
from shelfread.taxonomy.taxonomy import Taxonomy

_MAX_LINKS = 4
_ANY_SUBJECT = CODE_HOSTS | frozenset("arxiv.org doi.org youtube.com youtu.be medium.com".split())
"""Hosts of things about any subject."""
_LABELS = frozenset(("prefLabel", "altLabel"))


class Text(NamedTuple):
    """What is known of an entry before it has a place."""

    title: str
    description: str = ""
    venue: str | None = None
    """The id of the venue."""
    urls: tuple[str, ...] = ()


class Term(NamedTuple):
    """What the entries of a section may have in common, as an entry states it."""

    key: str
    """`concept:quantization`, `words:load balancing`, `venue:cvpr` or `host:kaggle.com`."""
    words: str
    """As the entry states it."""
    field: str
    """Where: title, description, venue or link."""
    is_label: bool = False
    """Whether the words are a name of the concept, rather than of a narrower subject without a concept."""


def text_of(entry: Entry) -> Text:
    """Return what an entry of a list states, whatever its place. Notes below a paper may be about anything."""
    cited, described = entry.citation, entry.description if entry.kind == "classic" else None
    return Text(
        entry.title.value,
        described.value if described is not None else "",
        cited.venue.id if cited is not None and cited.venue is not None else None,
        tuple(link.link.url for link in entry.links[:_MAX_LINKS]),
    )


def find_keys(text: Text, taxonomy: Taxonomy, reader: Reader) -> set[str]:
    """Return the keys of an entry's terms."""
    found: set[str] = set()
    for _, words in _fields(text, reader):
        for label, _ in reader.labels(words):
            if label.concept not in taxonomy.forms:
                found.add(f"concept:{label.concept}")
        before = ""
        for _, one, _, _, is_silent, is_general, _, _ in words:
            if is_silent:
                before = ""
                continue
            if not is_general:
                found.add(f"words:{one}")
            if before:
                found.add(f"words:{before} {one}")
            before = one
    if text.venue is not None:
        found.add(f"venue:{text.venue}")
    found.update(f"host:{host}" for host in _hosts(text))
    return found


def find_term(key: str, text: Text, taxonomy: Taxonomy, reader: Reader) -> Term:
    """Return a term of an entry as the entry states it first."""
    kind, _, value = key.partition(":")
    for field, words in _fields(text, reader) if kind in ("concept", "words") else ():
        if kind == "concept":
            for label, written in reader.labels(words):
                if label.concept == value:
                    return Term(key, written, field, label.kind in _LABELS)
        singulars, parts = [word.singular for word in words], value.split()
        for start in range(len(words)) if kind == "words" else ():
            if singulars[start : start + len(parts)] == parts:
                written = " ".join(word.written for word in words[start : start + len(parts)])
                return Term(key, written, field)
    if kind == "venue" and value in taxonomy.vocabulary.venues:
        return Term(key, taxonomy.vocabulary.venues[value].label, kind)
    return Term(key, value, "venue" if kind == "venue" else "link")


def _fields(text: Text, reader: Reader) -> Iterator[tuple[str, list[Word]]]:
    for field, value in (("title", text.title), ("description", text.description)):
        if value:
            yield field, reader.words(value)


def _hosts(text: Text) -> Iterator[str]:
    for url in text.urls:
        host = split_url(url)[0] if "://" in url else ""
        if host and host not in _ANY_SUBJECT and not host.endswith("wikipedia.org"):
            yield host


def stems_of(texts: Iterable[str], reader: Reader) -> frozenset[str]:
    """Return the stems of the words of texts that say something about a subject."""
    return frozenset(
        word.stem
        for text in texts
        for word in reader.words(text)
        if not word.is_silent and word.written not in TREATMENTS and len(word.written) > 1
    )
