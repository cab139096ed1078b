"""Headings that a table of contents omits."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from shelfread.checks.contents.coverage import Listing
from shelfread.core.support.regex import lazy
from shelfread.document.plain_text import plain_text
from shelfread.index.contents.table_of_contents import is_section
from shelfread.index.heading_names import core, fold
from shelfread.markdown.node import Block, all_links

# Headings at the beginning or end of a page that it may omit too.
_OPTIONAL_AROUND = lazy(
    r"(?i)\W*(?:related|similar|other|see also|further|more|intro\w*|overview|about|preface|background|explanation|how to|"
    r"what is|why|support|community|join|faq|references|resources|external|misc\w*|notes?|icons|legend|symbols)\b.*"
)
_LEAST_LISTED = 3
_LEAST_LISTED_AROUND = 5
_LEAST_LEVEL = 4
_MANY = 9
_OFTEN = 3
_LONGEST_REDIRECT = 10
_RULE = " \t-*_"


def omitted(listing: Listing) -> list[int]:
    """Return the omitted headings whose siblings are nearly all listed, or nearly all headings of their level."""
    found = _omitted(listing)
    if not found:
        return []
    names = _names_elsewhere(listing)
    unlisted = Counter(
        fold(heading.title) for index, heading in enumerate(listing.headings) if index not in listing.listed
    )
    listed = {fold(listing.headings[index].title) for index in listing.listed if index >= 0}

    blocks = listing.document.tree.blocks

    def is_missed(index: int) -> bool:
        title, start = listing.headings[index].title, listing.headings[index].span.start
        around = blocks[bisect_right(blocks, start, key=lambda block: block.start) - 1]
        if around.kind in ("list", "quote"):
            return False  # a rule that is indented makes a heading of an item; a quote is a note
        name = fold(title)
        is_subtitle = unlisted[name] >= _OFTEN and name not in listed  # `2021`, `Papers` below many headings
        return not (is_subtitle or name in names or core(title) in names or _is_redirect(listing, index))

    return [index for index in sorted(found) if is_missed(index)]


def _omitted(listing: Listing) -> set[int]:
    siblings: dict[tuple[int, int], list[int]] = defaultdict(list)
    for index, heading in enumerate(listing.headings):
        if heading.span.start > listing.start:
            siblings[heading.parent, heading.level].append(index)
    below = (listing.headings[index] for index in listing.listed if index >= 0)
    top = min((heading.level for heading in below if heading.span.start > listing.start), default=0)
    found: set[int] = set()
    levels: dict[int, tuple[list[int], list[int]]] = defaultdict(lambda: ([], []))
    for (parent, level), group in siblings.items():
        listed = [index for index in group if index in listing.listed]
        others = (index for index in group if index not in listing.listed)
        lacking = [index for index in others if is_section(listing.headings[index].title)]
        if level == top:
            lacking = [index for index in lacking if _is_among(listing, index, listed)]
        if len(listed) >= _LEAST_LISTED and (len(lacking) == 1 or len(listed) >= 4 * len(lacking)):
            found.update(lacking)
        if parent < 0 or parent in listing.listed or listing.headings[parent].span.start < listing.start:
            levels[level][0].extend(listed)
            levels[level][1].extend(lacking)
    for listed, lacking in levels.values():
        if len(listed) >= (_LEAST_LEVEL if len(lacking) == 1 else _MANY * len(lacking)):
            found.update(lacking)
    return found


def _is_among(listing: Listing, index: int, listed: Sequence[int]) -> bool:
    """Return whether a heading is between listed ones, or is a section with entries before or after them."""
    if not listed or listed[0] < index < listed[-1]:
        return bool(listed)
    heading = listing.headings[index]
    if len(listed) < _LEAST_LISTED_AROUND or _OPTIONAL_AROUND.fullmatch(heading.title):
        return False
    end = listing.ends[index]
    first, after = bisect_left(listing.entries, heading.span.start), listing.headings[end : end + 1]
    return first < (bisect_left(listing.entries, after[0].span.start) if after else len(listing.entries))


def _is_redirect(listing: Listing, index: int) -> bool:
    """Return whether a section is one line that leads to another place of the list."""
    heading, source = listing.headings[index], listing.document.source
    following = (
        listing.headings[index + 1].span.start if index + 1 < len(listing.headings) else len(source.text)
    )
    first, last = source.line_at(heading.span.end) + 1, source.line_at(following)
    if last - first > _LONGEST_REDIRECT or listing.ends[index] > index + 1:
        return False
    if sum(1 for line in source.lines[first:last] if line.strip(_RULE)) != 1:
        return False
    starts = listing.link_starts
    links = listing.links[bisect_left(starts, heading.span.end) : bisect_left(starts, following)]
    return len(links) == 1 and links[0].url != "" and "://" not in links[0].url


def _names_elsewhere(listing: Listing) -> set[str]:
    """Return the folded names of items that lead to another page, or nowhere, and of all lists above the sections."""
    texts = {text for part in listing.contents.parts for text in _texts(part.block)}
    starts = (listing.headings[index].span.start for index in listing.listed if index >= 0)
    body = min(starts, default=0)
    for block in listing.document.tree.blocks:
        if block.start >= body:
            break
        if (
            block.kind == "list"
        ):  # beside the contents, or a part of it in which most items lead to other pages
            texts.update(_texts(block))
    return ({fold(text) for text in texts} | {core(text) for text in texts}) - {""}


def _texts(block: Block) -> Iterator[str]:
    if block.kind != "list":
        for link in all_links((block,)):
            if link.url[:1] != "#" and not link.image:
                yield plain_text(link.children)
        return
    for item in block.blocks:
        for inner in item.blocks:
            if inner.kind == "list":
                yield from _texts(inner)
            elif inner.inlines:
                links = [link for link in all_links((inner,)) if not link.image]
                yield from (plain_text(link.children) for link in links if link.url[:1] != "#")
                if not links:
                    yield plain_text(inner.inlines)
