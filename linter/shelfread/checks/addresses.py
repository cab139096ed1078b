"""Where a list's addresses stand: those of links, of images, and of reference definitions."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from shelfread.diagnostic import Change, Edit, Effect, Span
from shelfread.document.model import Document


class Address(NamedTuple):
    """A destination: the address without escapes, where it stands as written, and the form of its link."""

    url: str
    span: Span
    form: str
    """inline, autolink, bare, html, or definition."""


@lru_cache(maxsize=1)  # one rule after the other asks for those of one document
def addresses(document: Document) -> tuple[Address, ...]:
    """Every address that is written out, of links first, then of definitions."""
    found = [
        Address(link.url, link.destination, link.form)
        for link in document.links
        if link.destination is not None
    ]
    found += [Address(one.url, one.destination, "definition") for one in document.tree.definitions]
    return tuple(found)


def replace(address: Address, after: str, text: str) -> tuple[Edit, ...]:
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
