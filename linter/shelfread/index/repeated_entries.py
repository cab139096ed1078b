"""Which entries of a file repeat something that the project lists earlier, and how sure that is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from shelfread.document.identity import fold_title
from shelfread.document.model import Document
from shelfread.index.context import RuleContext
from shelfread.index.facts import Listing
from shelfread.index.pages import are_one_list
from shelfread.index.repeats import (
    NEAR,
    STOP_WORDS,
    Repeat,
    are_separate_publications,
    are_similar_titles,
    is_same_name,
    is_wrong_identifier,
)
from shelfread.taxonomy.hosts import CODE_HOSTS

_LONG_TITLE = 5  # in spaces


class RepeatedEntry(NamedTuple):
    """An entry of a file by its index, and the earlier listing of the same thing."""

    entry: int
    other: Listing
    kind: str  # duplicate, another-name, another-title, similar-title or wrong-link
    is_certain: bool


def repeated_entries(document: Document, context: RuleContext) -> Iterator[RepeatedEntry]:
    """Yield the entries that the project lists earlier.

    Under another heading, or in a list that repeats many entries, that is not certain to be a mistake, unless the
    change since the base commit added the repetition.
    """
    path = document.source.path or ""
    facts = context.own_facts(document)
    if facts is None:
        return
    for index, repeat in context.project.duplicates.repeats(path).items():
        entry, other, listing = document.entries[index], repeat.other, facts.listings[index]
        if are_one_list(path, other.path, context.project.facts):
            continue
        kind, apart, certain = "duplicate", False, repeat.near and not repeat.design
        if entry.kind == "classic":
            if not is_same_name(listing.title, other.title, repeat.key):
                if not _may_be_wrong(document, listing, repeat, context):
                    continue
                kind = "another-name"
                certain = not repeat.design and _is_own_page(listing, repeat, context)
        elif repeat.key.startswith("title:"):
            if not _is_same(listing, other):
                continue
            apart = are_separate_publications(listing, other)
            certain = certain and not apart
        elif repeat.key.startswith(NEAR):
            kind, certain = "similar-title", False
        elif not are_similar_titles(listing.title, other.title):
            if repeat.key.startswith("url:"):
                continue
            kind = "another-title"
            if is_wrong_identifier(listing, other, repeat.key):
                kind, certain = "wrong-link", True
        if not (certain or kind not in ("duplicate", "another-name") or apart or repeat.design):
            certain = _is_new(listing, repeat, context)
        yield RepeatedEntry(index, other, kind, certain)


def _may_be_wrong(document: Document, listing: Listing, repeat: Repeat, context: RuleContext) -> bool:
    """Return whether two names with one URL are worth a look: it is no front page, and both are names.

    A link of an entry within another one (`Website`, `Source`) is no tool of its own, and different anchors are
    different places of a page.
    """
    other = repeat.other
    if listing.nested or other.nested or "/" not in repeat.key:
        return False
    titles = (listing.printed_title, other.printed_title)
    if any("://" in title or context.vocabulary.role(title) is not None for title in titles):
        return False
    if repeat.key.removeprefix("url:").partition("/")[0] in CODE_HOSTS:
        name = repeat.key.rpartition("/")[2]
        words = (word for title in titles for word in title.casefold().split())
        is_called_so = any(word in name or name in word for word in words)
        if context.project.duplicates.times[repeat.key] > 2 or not is_called_so:
            return False  # a repository of many things, that is called after none of them
    anchor = _anchor(document, listing)
    return anchor == (_anchor(document, other) if other.path == listing.path else "")


def _anchor(document: Document, listing: Listing) -> str:
    return document.entries[listing.entry].links[0].link.url.partition("#")[2]


def _is_own_page(listing: Listing, repeat: Repeat, context: RuleContext) -> bool:
    """Return whether a URL is surely that of one thing: not a repository, and no page that several names share.

    An article of an encyclopedia explains a term in several sections.
    """
    host = repeat.key.removeprefix("url:").partition("/")[0]
    if host in CODE_HOSTS or (host.endswith("wikipedia.org") and not repeat.near):
        return False
    is_account = "@" in (listing.printed_title[:1], repeat.other.printed_title[:1])
    if not repeat.near and (is_account or _share_a_word(listing.title, repeat.other.title)):
        return False  # listed below two headings, as what it does and by its name, or a person by the account
    return context.project.duplicates.times[repeat.key] <= 2 and repeat.other.path == listing.path


def _share_a_word(name: str, other: str) -> bool:
    words = set(name.split()) & set(other.split())
    return any(word not in STOP_WORDS and not word.isdigit() for word in words)


def _is_new(listing: Listing, repeat: Repeat, context: RuleContext) -> bool:
    """Return whether the change since the base commit added one of two listings, to files that existed.

    An entry that was moved or got another link is not listed more often than before. Repetitions are intended in a
    list that has many of them, and may be in a new file.
    """
    base, other = context.base, repeat.other
    if base is None:
        return False
    before = base.context.project.duplicates
    if not before.times[repeat.key] or base.paths.get(listing.path) in before.repeating:
        return False
    if base.paths.get(listing.path) is None or base.paths.get(other.path) is None:
        return False
    return any(
        all(before.times[key] < context.project.duplicates.times[key] for key in each.keys or (repeat.key,))
        for each in (listing, other)
    )


def _is_same(listing: Listing, other: Listing) -> bool:
    """Return whether two listings with the same title and without identifiers are the same thing.

    Short titles recur (the same workshop in another year), and a listing nested in one with its own title is a part of
    it: the poster, or the journal version.
    """
    if listing.title.count(" ") < _LONG_TITLE and listing.text != other.text:
        return False
    outer = len(other.section)
    nested = len(listing.section) > outer and listing.section[:outer] == other.section
    return not (nested and fold_title(listing.section[outer]) == other.title)
