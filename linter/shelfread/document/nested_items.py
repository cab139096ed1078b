"""What is nested in items: their titles, parts and links, the lines that say something of them, or entries of their own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cached_property

from shelfread.core.patterns import lazy
from shelfread.document.entry.link_labels import LABEL_WORDS
from shelfread.document.entry.prefix import MAX_NAME_WORDS, names_nothing
from shelfread.document.entry.sub_lines import SubLine, part_label, read_field_name, read_labelled_field
from shelfread.document.entry.title_ends import in_title_case
from shelfread.document.identity import is_paper_url
from shelfread.document.item_reader import (
    ItemReader,
    ListItem,
    all_items,
    all_lists,
    first_inlines,
    leads_below,
    lists_in,
    may_be_paper,
)
from shelfread.document.non_entries import begins_with_link
from shelfread.document.plain_text import plain_text, render_plain_text
from shelfread.document.recognizers.venues import is_citation
from shelfread.document.years import find_year
from shelfread.markdown.node import Block, Inline, Link, all_links
from shelfread.taxonomy.hosts import CODE_HOSTS, split_url
from shelfread.taxonomy.vocabulary import Vocabulary

# A label of nested items is that of parts if it stands below so many items, and below such a share of them.
_MIN_PARENTS, _MIN_SHARE = 3, 0.02
_LEAST_ROLES = 0.25  # so many of the links below items without links say what they are: `Website`
_DESCRIBED = lazy(r"\s*[-–—:]\s")
_BETWEEN_NAMES = lazy(r" \+ |, | \(")
_FEW_WORDS = 2


class NestedItems:
    """Tells what the items nested in others are, by what most of those of a document are."""

    def __init__(self, reader: ItemReader) -> None:
        self.reader, self._vocabulary = reader, reader.vocabulary
        self._part_labels = _find_part_labels(reader.blocks)

    def title_below(self, item: ListItem) -> ListItem | None:
        """Return the nested item that has the title of the name above it: `**TS**` and below it `Paper: [Tidy ...](u)`."""
        if item.lists and _is_short_name(item, self._vocabulary) and self._have_titles_below:
            titles = self._titles_below(item)
            return titles[0] if _may_have_one_title(item, titles) else None
        return None

    @cached_property
    def _have_titles_below(self) -> bool:
        """Whether most short names of the document have one title each below them, and are no headings of papers."""
        found: Counter[bool] = Counter()
        parents = (item for item in all_items(self.reader.blocks) if lists_in(item))
        for parent in parents:
            item = self.reader.read(parent)
            if _is_short_name(item, self._vocabulary) and (
                (titles := self._titles_below(item)) or item.plain.links
            ):
                found[_may_have_one_title(item, titles)] += 1
        return found[True] >= _MIN_PARENTS and found[False] <= 0.5 * found[True]

    @cached_property
    def _have_rows_below(self) -> bool:
        """Whether below most titles without links one row of labels stands each."""
        parents = [self.reader.read(item) for item in all_items(self.reader.blocks) if lists_in(item)]
        return sum(map(_is_row_below, parents)) >= max(_MIN_PARENTS, 0.5 * len(parents))

    def has_row(self, item: ListItem) -> bool:
        """Return whether an item is a title whose labels all stand in one row below it, as in most of the document."""
        return self._have_rows_below and _is_row_below(item)

    def _titles_below(self, item: ListItem) -> list[ListItem]:
        """Return the nested items that link to a paper with the words of its title, or cite what the name links to.

        Or the first one, if it has no link, and the others are links and next to nothing else.
        """
        nested = self.reader.nested(item)
        titles = [
            child
            for child in nested
            if _links_to_title(first_inlines(child.block), self._vocabulary)
            or (item.plain.links and _cites_title(child))
        ]
        if item.plain.links:
            return titles
        if titles and any(self._is_linked_name(child) for child in nested if child not in titles):
            return []  # the name above several linked names is a subject
        if titles or len(nested) < 2:
            return titles
        first, *others = nested
        is_title = not first.plain.links and may_be_paper(first) and all(map(_is_row_of_links, others))
        return [first] if is_title else []

    def _is_linked_name(self, item: ListItem) -> bool:
        """Return whether an item begins with a link that is no label."""
        line = item.title_line
        is_linked = line is not None and line.shape == "linked" and item.title_link is not None
        return is_linked and self._vocabulary.role(line.title_text if line else "") is None

    def has_parts(self, item: ListItem) -> bool:
        """Return whether an item without a link is an entry, as most of what is nested in it are parts of it."""
        text = item.plain.text
        if item.title_line is None or item.title_link is not None or not item.lists:
            return False
        if len(item.title_line.title_text.split()) > 14:
            return False
        if not any(map(str.isalpha, text)):
            return False  # a date
        nested = self.reader.nested(item)
        if item.block.start in self._over_labels or self._are_labels(nested):
            return not text.rstrip().endswith((":", "："))
        if not self._part_labels:
            return False
        parts = [
            child for child in nested if not child.lists and part_label(child.plain) in self._part_labels
        ]
        if len(parts) >= 0.5 * len(nested):
            return any(child.plain.links for child in parts)
        # With one of them, all links behind words are parts: `Course Page: [MIT](u)`, and below it `Lab Notes: [PDF](v)`.
        roles = (self._vocabulary.role(read_field_name(child.plain) or "") for child in nested)
        return all(map(_is_field_link, nested)) and (bool(parts) or any(roles))

    def find_parts(self, item: ListItem) -> list[ListItem]:
        """Return the nested items that are links of an item, and no entries: `- [Lecture Notes](u)`.

        They are a link and few words. Some have a label, or the host of the item's own link.
        """
        nested = self.reader.nested(item)
        leaves = [child for child in nested if not child.lists and child.plain.links]
        labelled = [child for child in leaves if part_label(child.plain) in self._part_labels]
        if item.title_link is None and (item.block.start in self._over_labels or self._are_labels(nested)):
            return nested
        if item.title_link is None:
            return [child for child in labelled if read_field_name(child.plain) is None]
        if len(nested) == 1 and self._lists_labels(nested[0]):
            return nested
        site = _site(item.title_link.link.url)
        links = [child for child in leaves if _is_only_link(child)]
        labelled += [child for child in leaves if child not in labelled and self._begins_with_label(child)]
        sure = sum(1 for child in links if child in labelled or _site(child.plain.links[0].link.url) == site)
        linked = sum(1 for child in nested if child.title_link is not None or child in links)
        if sure < 0.5 * linked:
            links = [child for child in links if child.plain.links[0].link.form in ("bare", "autolink")]
        return [child for child in nested if child in links or child in labelled]

    def _are_labels(self, nested: Sequence[ListItem]) -> bool:
        """Return whether nested items are nothing but links, and the texts of most are labels: `[Blog Post](u)`, `[Video](v)`."""
        links = [child.plain.links[0] for child in nested if not child.lists and _is_only_link(child)]
        labels = [plain_text((link.link,)).strip("[]() ") for link in links]
        roles = sum(self._vocabulary.role(label) is not None for label in labels)
        return len(links) == len(nested) > 1 and 2 * roles > len(links)

    @cached_property
    def _over_labels(self) -> frozenset[int]:
        """Where the items without links begin below which nothing but links stands, as below others of their lists.

        Most of the links' texts are labels, or stand below several: `Shelving, Oak University`, and `[Playlist](u)`, `[Website](v)`.
        """
        series: list[dict[int, list[str]]] = []
        for block in all_lists(self.reader.blocks):
            below = {
                item.start: links
                for item in block.blocks
                if item.kind == "item"
                and not any(all_links(item.blocks[:1]))
                and (links := self._links_below(item))
            }
            series += [below] if len(below) > 1 and 2 * len(below) > len(block.blocks) else []
        counts = Counter(label for below in series for labels in below.values() for label in {*labels})
        found: set[int] = set()
        for below in series:
            labels = [label for links in below.values() for label in links]
            roles = sum(self._vocabulary.role(label) is not None for label in labels)
            known = sum(counts[label] > 1 or self._vocabulary.role(label) is not None for label in labels)
            if 2 * known > len(labels) and roles >= _LEAST_ROLES * len(labels):
                found.update(below)
        return frozenset(found)

    def _links_below(self, item: Block) -> list[str]:
        """Return the texts of the links that stand below an item, none if anything else does."""
        nested = [self.reader.read(block) for child in lists_in(item) for block in child.blocks]
        are_links = len(item.blocks) > 1 and all(not child.lists and _is_only_link(child) for child in nested)
        return (
            [plain_text((child.plain.links[0].link,)).strip("[]() ").casefold() for child in nested]
            if are_links
            else []
        )

    def _begins_with_label(self, item: ListItem) -> bool:
        """Return whether an item begins with a link whose text is a label: `[Lecture Notes](u) of last spring`."""
        links, text = item.plain.links, item.plain.text
        if not links or text[: links[0].start].strip(" [(*_"):
            return False
        return self._vocabulary.role(text[links[0].start : links[0].end].strip("[]() ")) is not None

    def _lists_labels(self, item: ListItem) -> bool:
        """Return whether an item is nothing but links and commas, and the text of one is a label: `[Talk by Ada](u), [Notebook](v)`."""
        text = item.plain.text
        texts = [text[link.start : link.end] for link in item.plain.links]
        return (
            len(texts) > 1
            and not item.lists
            and text.strip() == ", ".join(texts)
            and any(self._vocabulary.role(label) is not None for label in texts)
        )

    def field_lines(self, item: ListItem, parts: list[ListItem]) -> list[SubLine]:
        """Return the lines below a linked item that state something of it and are no entries of their own."""
        if leads_below(item):
            return item.sub_lines
        part_starts = {part.block.start for part in parts}
        lines: list[SubLine] = []
        for line in item.sub_lines:
            if line.block.kind == "item":
                child = self.reader.read(line.block)
                is_linked = child.title_line is not None and child.title_line.shape == "linked"
                is_labelled = read_field_name(child.plain) is not None and not begins_with_link(child.plain)
                is_entry = (child.is_paper or is_linked) and not is_labelled
                is_label = bool(child.lists) and child.plain.text.rstrip().endswith((":", "："))
                has_links = any(all_links(tuple(child.lists)))
                if line.block.start in part_starts or is_label or has_links or is_entry:
                    continue
                links = child.plain.links
                is_prose = len(links) < 2 or len(child.plain.text[: links[0].start].split()) > 8
                if not is_prose and read_labelled_field(child.plain.text) is None:
                    continue
            lines.append(line)
        return lines

    def is_group_heading(self, item: ListItem) -> bool:
        """Return whether an item is the heading of the entries nested in it."""
        title_line = item.title_line
        text = item.plain.text.strip()
        if not item.lists or title_line is None or title_line.title_link is not None:
            return False
        if (
            title_line.attribution is not None
            or len(text.split()) > 14
            or self.has_parts(item)
            or leads_below(item)
        ):
            return False
        if self.title_below(item) is not None or self.has_row(item):
            return False
        if any(label.role or label.label.casefold() in LABEL_WORDS for label in title_line.labels):
            return False
        if title_line.mentions and not is_citation(text, self._vocabulary):
            return False
        nested = self.reader.nested(item)
        entries = [
            child
            for child in nested
            if child.is_paper or child.lists or (child.title_link is not None and not _is_only_address(child))
        ]
        if title_line.labels and any(map(_is_only_link, nested)):
            return False  # with more labels below it, it is an entry
        # Half of them are enough below `Training:`.
        return 2 * len(entries) >= len(nested) + (not text.endswith((":", "："))) and bool(entries)


def _find_part_labels(blocks: Iterable[Block]) -> frozenset[str]:
    """Return the labels that nested items of many items begin with: what they label is a part of those items."""
    counts: Counter[str] = Counter()
    parents = 0
    for item in all_items(blocks):
        if lists := lists_in(item):
            parents += 1
            children = (child for nested in lists for child in nested.blocks)
            labels = {part_label(render_plain_text(first_inlines(child))) for child in children}
            counts.update(labels - {""})
    least = max(_MIN_PARENTS, _MIN_SHARE * parents)
    return frozenset(label for label, count in counts.items() if count >= least)


def _is_short_name(item: ListItem, vocabulary: Vocabulary) -> bool:
    """Return whether an item is a few words, none of them a link and not all a venue, with or without labels."""
    line = item.title_line
    if line is None or item.title_link is not None or len(line.plain.links) > len(line.labels):
        return False
    if is_citation(item.plain.text, vocabulary):
        return False
    names = _BETWEEN_NAMES.split(line.title_text)  # `MIT + Google`, `Oak, Stone Labs`, `Oak (Deep Shelves)`
    return all(len(name.split()) <= MAX_NAME_WORDS for name in names) and not names_nothing(line.title_text)


def _may_have_one_title(item: ListItem, titles: Sequence[ListItem]) -> bool:
    """Return whether the first of the titles below a name is its own: the only one, or the name has the links."""
    return len(titles) == 1 or (bool(titles) and bool(item.plain.links))


def _is_row_below(item: ListItem) -> bool:
    """Return whether all that stands below a title without links is a row of labels: `Oak [[paper]](u) [[code]](v)`."""
    line, below = item.title_line, item.sub_lines
    title = line.title_text if line is not None and not item.plain.links else ""
    is_title = in_title_case(title) or ": " in title
    is_one = len(below) == 1 and below[0].block.kind == "item" and len(item.lists[0].blocks) == 1
    before = below[0].plain.text[: below[0].labels[0].link.start] if is_one and below[0].labels else None
    return is_title and before is not None and len(before.strip(" [(").split()) <= MAX_NAME_WORDS


def _cites_title(item: ListItem) -> bool:
    """Return whether an item without a link is the title of a paper and its citation: `Tidy Shelves (KDD 2014)`."""
    line = item.title_line
    if line is None or item.plain.links or len(line.title_text.split()) < 2:
        return False
    return bool(line.mentions) or line.year is not None or find_year(item.plain.text) is not None


def _is_row_of_links(item: ListItem) -> bool:
    """Return whether an item is links and few other words: `[[Paper]](u) (KDD 2014)`."""
    text = item.plain.text
    linked = sum(len(text[link.start : link.end].split()) for link in item.plain.links)
    return linked > 0 and len(text.split()) - linked <= _FEW_WORDS


def _links_to_title(inlines: tuple[Inline, ...], vocabulary: Vocabulary) -> bool:
    """Return whether a line has one link with the words of a title to a paper."""
    links = [node for node in inlines if isinstance(node, Link) and len(plain_text((node,)).split()) >= 3]
    return len(links) == 1 and is_paper_url(links[0].url, vocabulary)


def _site(url: str) -> str:
    """Return the host of a URL, with the repository on hosts of repositories."""
    host, path = split_url(url)
    return host + "/".join(path.split("/")[:3]) if host in CODE_HOSTS else host


def _is_only_link(item: ListItem) -> bool:
    """Return whether an item is one link and at most six words."""
    links, text = item.plain.links, item.plain.text
    if len(links) != 1 or text[: links[0].start].strip(" [(*_"):
        return False
    after = text[links[0].end :]
    return len(after.split()) <= 6 and not _DESCRIBED.match(after) and len(text[: links[0].end].split()) <= 6


def _is_only_address(item: ListItem) -> bool:
    """Return whether an item is an address and nothing else."""
    return _is_only_link(item) and item.plain.links[0].link.form in ("bare", "autolink")


def _is_field_link(item: ListItem) -> bool:
    """Return whether an item is a name with one link and a colon between them: `Lecture Notes: [PDF](u)`."""
    links, text = item.plain.links, item.plain.text
    is_one = not item.lists and len(links) == 1 and read_field_name(item.plain) is not None
    return is_one and text[: links[0].start].rstrip().endswith(":") and not text[links[0].end :].strip()
