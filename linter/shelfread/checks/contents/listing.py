"""The headings that a table of contents lists, and those that it omits."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import cached_property

from shelfread.core.diagnostics import Span
from shelfread.core.patterns import lazy
from shelfread.document.model import Document
from shelfread.document.plain_text import plain_text
from shelfread.index.item_style import Writer
from shelfread.index.table_of_contents import Contents, Item, core, fold, is_section
from shelfread.markdown.node import all_links

# Headings at the beginning or end of a page that it may omit too.
_OPTIONAL_AROUND = lazy(
    r"(?i)\W*(?:related|similar|other|see also|further|more|intro\w*|overview|about|preface|background|explanation|how to|"
    r"what is|why|support|community|join|faq|references|resources|links|external|misc\w*|notes?|icons|legend|symbols)\b.*"
)
# Words at the end of a section, which is no part of what it lists.
_CLOSING = lazy(
    r"(?i)\W*(?:congrat\w*|conclu\w*|closing\b.*|what(?:['’]?s| is) next|next steps?|epilogue|the end|outro)\W*"
)
_LEAST_LISTED = 3
_MOST_PARTS = 4  # a list with fewer of the items is a line of links above the contents, if it stands there
_LEAST_LEVEL = 4
_MANY = 9
_OFTEN = 3


class ListedHeadings:
    """The headings that a table of contents lists; an item with a wrong target lists the heading that it means."""

    def __init__(self, document: Document, contents: Contents) -> None:
        self.document = document
        self.contents = contents
        self.headings = contents.headings
        self.writer = Writer(document.source, contents)
        self.meant: dict[Span, int] = {}
        self.repeated: set[Span] = set()
        self.items = [item for part in contents.parts for item in part.items]
        self.listed = Counter(item.heading for item in self.items if item.heading is not None)
        self.start = self._start()

    def _start(self) -> int:
        """Return where the sections may begin: below the large parts of the contents above the first listed one."""
        parts = [part for part in self.contents.parts if part.is_large]
        most = max(len(part.items) for part in parts)
        starts = [part.block.start for part in parts if len(part.items) * _MOST_PARTS >= most]
        below = [
            heading.span.start
            for index, heading in enumerate(self.headings)
            if index in self.listed and heading.span.start > starts[0]
        ]
        return max((start for start in starts if start < min(below, default=0)), default=min(starts))

    def heading_of(self, item: Item) -> int | None:
        """Return the heading that an item means, as far as is known."""
        return self.meant.get(span_of(item), item.heading)

    def set_heading(self, item: Item, heading: int) -> None:
        """Record the heading that an item with a wrong target means."""
        self.meant[span_of(item)] = heading
        self.listed[heading] += 1

    def is_first(self, index: int) -> bool:
        """Return whether an omitted heading is above all sections that are listed: it may be pinned there."""
        above = (heading for heading in self.listed if 0 <= heading < index)
        return not any(self.headings[heading].span.start > self.start for heading in above)

    @cached_property
    def ends(self) -> list[int]:
        """For each heading, the index of the first heading after its section."""
        ends = list(range(1, len(self.headings) + 1))
        for index in reversed(range(len(ends))):
            while ends[index] < len(ends) and self.headings[ends[index]].level > self.headings[index].level:
                ends[index] = ends[ends[index]]
        return ends

    @cached_property
    def entries(self) -> list[int]:
        """The offsets at which the entries of the page begin."""
        return sorted(entry.span.start for entry in self.document.entries)

    def line(self, offset: int) -> int:
        """Return the line of an offset, counted from 1."""
        return self.document.source.line_at(offset) + 1


def span_of(item: Item) -> Span:
    return item.link.destination or Span(item.link.start, item.link.end)


def omitted(listing: ListedHeadings) -> list[int]:
    """Return the omitted headings whose siblings are nearly all listed, or nearly all headings of their level."""
    found = _omitted(listing)
    if not found:
        return []
    unlisted = Counter(
        fold(heading.title) for index, heading in enumerate(listing.headings) if index not in listing.listed
    )
    listed = {fold(listing.headings[index].title) for index in listing.listed if index >= 0}
    places = {
        (fold(item.text), listing.headings[heading].parent if heading >= 0 else None)
        for item in listing.items
        if (heading := listing.heading_of(item)) is not None
    }
    elsewhere = {
        core(plain_text(link.children))
        for link in all_links(tuple(part.block for part in listing.contents.parts))
        if link.url[:1] != "#" and not link.image
    }
    blocks = listing.document.tree.blocks

    def is_missed(index: int) -> bool:
        name, start = fold(listing.headings[index].title), listing.headings[index].span.start
        if (name, listing.headings[index].parent) in places:
            return False  # the heading is repeated
        if core(listing.headings[index].title) in elsewhere:
            return False  # listed with another page
        around = blocks[bisect_right(blocks, start, key=lambda block: block.start) - 1]
        is_subtitle = unlisted[name] >= _OFTEN and name not in listed  # `2021`, `Papers` below many headings
        # A rule that is indented makes a heading of an item; a quote is a note.
        return not is_subtitle and around.kind not in ("list", "quote")

    return [index for index in sorted(found) if is_missed(index)]


def _omitted(listing: ListedHeadings) -> set[int]:
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
        # A heading above all listed ones, without entries, is an introduction.
        sections = (index for index in others if is_section(listing.headings[index].title))
        lacking = [
            index for index in sections if index > min(listed, default=0) or _has_entries(listing, index)
        ]
        if level == top:
            lacking = [index for index in lacking if _is_among(listing, index, listed)]
        elif lacking and lacking[-1] == group[-1] and _CLOSING.fullmatch(listing.headings[group[-1]].title):
            lacking.pop()
        if len(listed) >= _LEAST_LISTED and (len(lacking) == 1 or len(listed) >= 4 * len(lacking)):
            found.update(lacking)
        if parent < 0 or parent in listing.listed or listing.headings[parent].span.start < listing.start:
            levels[level][0].extend(listed)
            levels[level][1].extend(lacking)
    for listed, lacking in levels.values():
        if len(listed) >= (_LEAST_LEVEL if len(lacking) == 1 else _MANY * len(lacking)):
            found.update(lacking)
    return found


def _is_among(listing: ListedHeadings, index: int, listed: Sequence[int]) -> bool:
    """Return whether a heading is a section with entries before or after listed ones, or between them, where others may have none too."""
    has_entries = _has_entries(listing, index)
    if not listed or listed[0] < index < listed[-1]:
        return bool(listed) and (has_entries or not all(_has_entries(listing, each) for each in listed))
    title = listing.headings[index].title
    is_optional = any(words.fullmatch(title) for words in (_OPTIONAL_AROUND, _CLOSING))
    return len(listed) >= _LEAST_LISTED and not is_optional and has_entries


def _has_entries(listing: ListedHeadings, index: int) -> bool:
    heading, end = listing.headings[index], listing.ends[index]
    first, after = bisect_left(listing.entries, heading.span.start), listing.headings[end : end + 1]
    return first < (bisect_left(listing.entries, after[0].span.start) if after else len(listing.entries))
