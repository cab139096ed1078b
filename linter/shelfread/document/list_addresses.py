"""Where a list's addresses stand: those of links, of images, and of reference definitions."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from shelfread.core.diagnostics import Change, Edit, Effect, Span
from shelfread.core.patterns import lazy
from shelfread.document.model import Document

_PLAIN = lazy(
    r"(?i:https?)://[A-Za-z0-9](?:[A-Za-z0-9_.-]*[A-Za-z0-9])?(?::[0-9]+)?"
    r"(?:[/?#](?:[A-Za-z0-9_/?#&=.%~+:;@!$*',()-]*[A-Za-z0-9_/#&=~+@)?-])?)?"
)


class Address(NamedTuple):
    """A destination: the address without escapes, where it stands as written, and the form of its link."""

    url: str
    span: Span
    form: str
    """inline, autolink, bare, html, or definition."""


@lru_cache(maxsize=1)  # many rules ask for it
def addresses(document: Document) -> tuple[Address, ...]:
    """Every address that is written out, of links first, then of definitions."""
    found = [Address(link.url, span, link.form) for link in document.links if (span := link.destination)]
    found += [Address(one.url, one.destination, "definition") for one in document.tree.definitions]
    return tuple(found)


@lru_cache(maxsize=1)
def odd_addresses(document: Document) -> tuple[Address, ...]:
    """The addresses that are not plain ones of the web, most often few: local ones, and what may have a slip."""
    return tuple(address for address in addresses(document) if not is_plain(address.url))


def is_plain(url: str) -> bool:
    """Whether nothing can be wrong with an address as far as one sees; `http` stands in it once."""
    return _PLAIN.fullmatch(url) is not None and url.find("http", 4) < 0 and not url.endswith((")", "%20"))


def edit_address(address: Address, after: str, text: str) -> tuple[Edit, ...]:
    """The smallest edit that makes `after` of an address; none where it is written with escapes."""
    start, end = address.span
    before = address.url
    if text[start:end] != before or before == after:
        return ()
    first = 0
    shortest = min(len(before), len(after))
    while first < shortest and before[first] == after[first]:
        first += 1
    last = 0
    while last < shortest - first and before[-1 - last] == after[-1 - last]:
        last += 1
    words = after[first : len(after) - last]
    return (Edit(start + first, end - last, words, Effect(Change.DESTINATION, before, after)),)
