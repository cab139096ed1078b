"""What may tell where an entry belongs: the words of its title and description, its venue, the hosts of its links."""

from __future__ import annotations

import string
from collections.abc import Iterable

from shelfread.core.support.named_tuple import NamedTuple
from shelfread.core.support.regex import lazy
from shelfread.document.model import Entry
from shelfread.taxonomy.common_words import FIELDS, JOINING, PLAIN, PREPOSITIONS, TREATMENTS
from shelfread.taxonomy.evidence import split_url
from shelfread.taxonomy.hosts import CODE_HOSTS
from shelfread.taxonomy.vocabulary import Vocabulary
from shelfread.taxonomy.words import is_word, singular, stem, tokens

_SIGNS = "".join(sign for sign in string.punctuation if sign not in "+#")
"""Between words; `C++` and `C#` are not `C`."""
_BLANKS = bytes.maketrans(_SIGNS.encode(), b" " * len(_SIGNS))
_NOT_WORD = lazy(r"[^\w+#]+")
_MAX_CHARACTERS = 500
"""Of a description; what comes later is seldom its subject."""
_MAX_LINKS = 4
_SILENT = PREPOSITIONS | JOINING | PLAIN | TREATMENTS | FIELDS | {"your", "no", "or", "we"}
"""Words that say nothing about a subject alone: `of`, `Efficient`, `Evaluation`, `System`."""
_ANY_SUBJECT = CODE_HOSTS | frozenset("arxiv.org doi.org youtube.com youtu.be medium.com".split())
"""Hosts of things about any subject."""


class Term(NamedTuple):
    """What the entries of a section may have in common, as an entry states it."""

    words: str
    field: str
    """Where: title, description, venue or link."""


class Keys:
    """Finds the keys of the terms of entries: `pruning`, `venue:cvpr`, `host:kaggle.com`."""

    def __init__(self) -> None:
        self._words, self._hosts = _Words(), _Hosts()

    def of(self, entry: Entry) -> set[str]:
        """Return the keys of an entry's terms."""
        found = set(map(self._words.__getitem__, _split(" ".join(texts_of(entry)))))
        if entry.citation is not None and entry.citation.venue is not None:
            found.add(f"venue:{entry.citation.venue.id}")
        for link in entry.links[:_MAX_LINKS]:
            parts = link.link.url.split("/", 3)
            if len(parts) > 2:
                found.add(self._hosts[parts[2]])
        found.discard("")
        return found

    def term(self, key: str, entry: Entry, vocabulary: Vocabulary) -> Term:
        """Return a term of an entry as the entry states it first."""
        kind, _, value = key.rpartition(":")
        if kind == "venue":
            return Term(vocabulary.venues[value].label if value in vocabulary.venues else value, kind)
        if kind == "host":
            return Term(value, "link")
        title, description = texts_of(entry)
        for word in _split(title):
            if self._words[word] == key:
                return Term(word, "title")
        return Term(next(word for word in _split(description) if self._words[word] == key), "description")


class _Words(dict[str, str]):
    """The key of each word that was met, empty if it says nothing about a subject."""

    def __missing__(self, word: str) -> str:
        one = singular(word) if word[-1] == "s" else word
        key = self[word] = "" if len(one) == 1 or one in _SILENT else one
        return key


class _Hosts(dict[str, str]):
    """The key of each host that was met, empty if it has things about any subject."""

    def __missing__(self, written: str) -> str:
        host, _ = split_url(written)
        is_general = "." not in host or host in _ANY_SUBJECT or host.endswith("wikipedia.org")
        key = self[written] = "" if is_general else f"host:{host}"
        return key


def texts_of(entry: Entry) -> tuple[str, str]:
    """Return the title and the description of an entry. Notes below a paper may be about anything."""
    described = entry.description if entry.kind == "classic" else None
    return entry.title.value, described.value[:_MAX_CHARACTERS] if described is not None else ""


def stems_of(texts: Iterable[str]) -> set[str]:
    """Return the stems of the words of texts that say something about a subject."""
    words = (word for text in texts for word in tokens(text))
    return {stem(word) for word in words if is_word(word) and word not in _SILENT and len(word) > 1}


def _split(text: str) -> list[str]:
    """Return the words of a text in lower case."""
    if text.isascii():
        return text.lower().encode().translate(_BLANKS).decode().split()
    return _NOT_WORD.sub(" ", text.casefold()).split()
