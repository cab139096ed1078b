"""Parses list items: the title line, the sub-lines, the nested lists, and further entries."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from shelfread.core.patterns import lazy
from shelfread.document.entry.classic import find_habits
from shelfread.document.entry.entry_fields import Habits
from shelfread.document.entry.kind import is_byline, is_field_line, is_paper
from shelfread.document.entry.link_labels import LABEL_WORDS, has_words, only_labels, usual_labels
from shelfread.document.entry.prefix import MAX_NAME_WORDS, names_nothing
from shelfread.document.entry.readings import Line, Reading, choose_reading
from shelfread.document.entry.sub_lines import (
    SubLine,
    is_address,
    parse_sub_line,
    read_field_name,
    read_labelled_field,
)
from shelfread.document.entry.title_ends import in_title_case
from shelfread.document.entry.title_line import (
    OpenLine,
    TitleLine,
    open_line,
    read_open_line,
    read_simple_title_line,
)
from shelfread.document.entry.titles import Title
from shelfread.document.identity import is_paper_url
from shelfread.document.non_entries import begins_with_link
from shelfread.document.paragraphs import inline_lines, joined_lines, split_entries
from shelfread.document.plain_text import PlainText, TextLink, TextRange, plain_text, render_plain_text
from shelfread.document.recognizers.venues import is_citation
from shelfread.document.years import find_year
from shelfread.markdown.node import Block, Code, Emphasis, Html, Inline, Link, Text, all_links
from shelfread.taxonomy.hosts import CODE_HOSTS, split_url
from shelfread.taxonomy.vocabulary import Vocabulary

# A label of nested items is that of parts if it stands below so many items, and below such a share of them.
_MIN_PARENTS, _MIN_SHARE = 3, 0.02
_LEAST_ROLES = 0.25  # so many of the links below items without links say what they are: `Website`
_YEAR = lazy(r"\W?(?:19|20)\d\d\W?")
_NOT_LETTERS = lazy(r"[\W\d_]+")
_DESCRIBED = lazy(r"\s*[-–—:]\s")
_BETWEEN_NAMES = lazy(r" \+ |, | \(")
_LEAD = lazy(r"\W{0,3}(?P<words>[^\W\d_](?:[^\s:：,，]{0,30} ?){1,4}?)\s?[*_]{0,2}[:：][*_]{0,2}\s?")
_BEFORE_TEXT = lazy(r":\s|\s[-–—]\s")
# So many lines of a list are a series of their own. Fewer are read as their form is elsewhere in the
# document.
_MIN_SERIES = 5
_MAX_TITLE, _MAX_CITED, _FEW_WORDS = 30, 200, 2
_SAMPLE = 24  # of so many lines of a form, the reading of all of them is chosen


class ListItem(NamedTuple):
    """A list item.

    `is_paper` is True if the item has what only papers have. `further` has the inlines of the other entries in its
    first paragraph.
    """

    block: Block
    plain: PlainText
    title_line: TitleLine | None
    sub_lines: list[SubLine]
    lists: list[Block]
    is_paper: bool
    further: list[tuple[Inline, ...]]

    @property
    def title_link(self) -> TextLink | None:
        """The link that the title is, or is part of."""
        return self.title_line.title_link if self.title_line is not None else None


class ItemReader:
    """Parses list items. Each is cached, since nested items are needed before they are read."""

    def __init__(self, vocabulary: Vocabulary, blocks: Sequence[Block]) -> None:
        """`blocks` are those of the whole document."""
        self.vocabulary = vocabulary
        self._usual_labels = usual_labels(
            first_inlines(item) for block in _lists(blocks) for item in block.blocks
        )
        # The lines by which readings were chosen.
        self._opened: dict[int, OpenLine] = {}
        self._simple: dict[int, TitleLine] = {}
        self._blocks = blocks
        self._readings = self._choose_readings(blocks)
        self._part_labels = _find_part_labels(blocks)
        self._led = _find_led(blocks, vocabulary)
        self._items: dict[int, ListItem] = {}  # by the start of the block

    def read(self, block: Block) -> ListItem:
        """Return a list item (cached)."""
        item = self._items.get(block.start)
        if item is None or item.block is not block:
            item = self._items[block.start] = self._parse(block)
        return item

    def _parse(self, block: Block) -> ListItem:
        first = block.blocks[0] if block.blocks and block.blocks[0].kind == "paragraph" else None
        lists = _lists_in(block)
        if first is None:
            return ListItem(block, render_plain_text(()), None, [], lists, False, [])
        inlines = first.inlines
        sub_lines = self._sub_lines(block, lists) if len(block.blocks) > 1 else []
        reading, opened = self._readings.get(block.start), self._opened.get(block.start)
        plain = render_plain_text(inlines) if opened is None else opened.plain
        title_line = self._simple.get(block.start) if reading is None else None
        if title_line is None and reading is None and opened is None:
            title_line = read_simple_title_line(inlines, plain, self.vocabulary)
        if title_line is not None:
            paper = is_paper(title_line, sub_lines, self.vocabulary)
            return ListItem(block, plain, title_line, sub_lines, lists, paper, [])
        entries = split_entries(inlines, self.vocabulary) if len(inlines) > 2 else []
        if len(entries) > 1:
            plain, opened = render_plain_text(entries[0]), None
        opened = opened or open_line(plain, self.vocabulary, usual=self._usual_labels)
        title_line = read_open_line(opened, self.vocabulary, reading)
        paper = is_paper(title_line, sub_lines, self.vocabulary) or _is_cited(title_line, reading)
        paper = paper and not is_field_line(title_line) and not is_byline(title_line)
        if not paper and block.start in self._led:
            title_line = _behind_lead(title_line)
        return ListItem(block, plain, title_line, sub_lines, lists, paper, entries[1:])

    def _choose_readings(self, blocks: Iterable[Block]) -> dict[int, Reading]:
        """Return how items are read, by their offsets; those are left out that are best read each by itself.

        The items of a form in one list are a series. Small ones are read as that form is elsewhere in the document, and
        so are lines that begin with a link, which mostly is the title.
        """
        readings: dict[int, Reading] = {}
        usual: dict[str, Reading] = {}
        small: defaultdict[str, list[list[Block]]] = defaultdict(list)
        for form, items in _series(blocks):
            if len(items) < _MIN_SERIES or form.endswith("link"):
                small[form].append(items)
            elif (reading := self._choose_reading(items, usual.get(form))) is not None:
                usual[form] = reading
                readings |= dict.fromkeys((item.start for item in items), reading)
        for form, lists in small.items():
            together = self._choose_reading([item for items in lists for item in items], usual.get(form))
            for items in lists:
                if (reading := together or self._choose_reading(items, None)) is not None:
                    readings |= dict.fromkeys((item.start for item in items), reading)
        return readings

    def _choose_reading(self, items: list[Block], usual: Reading | None) -> Reading | None:
        lines: list[Line] = []
        sample = items[:: -(-len(items) // _SAMPLE)]
        for item in sample:
            if (simple := self._simple_line(item)) is not None:
                title = Title(simple.shape, simple.title, link=simple.title_link)
                lines.append(Line(simple.plain, simple.plain.text, 0, title))
                continue
            opened = self._opened.get(item.start)
            if opened is None:
                plain = render_plain_text(first_inlines(item))
                opened = self._opened[item.start] = open_line(
                    plain, self.vocabulary, usual=self._usual_labels
                )
            plain = opened.plain
            lines.append(
                Line(
                    plain,
                    opened.unread,
                    opened.prefix.title_start,
                    opened.title,
                    bool(opened.prefix.mentions),
                )
            )
        if usual is None and all(item.start in self._simple for item in sample):
            return None
        return choose_reading(lines, self.vocabulary, usual)

    def _simple_line(self, item: Block) -> TitleLine | None:
        """Return the title line of an item if it is of the most common form (cached)."""
        if item.start not in self._simple and item.start not in self._opened:
            inlines = first_inlines(item)
            simple = read_simple_title_line(inlines, render_plain_text(inlines), self.vocabulary)
            if simple is not None:
                self._simple[item.start] = simple
        return self._simple.get(item.start)

    def _sub_lines(self, block: Block, lists: list[Block]) -> list[SubLine]:
        """Return the lines below an item's first paragraph, except those that are papers of their own."""
        below = (
            child.blocks if child.kind == "quote" else _folded(child) if child.kind == "html" else (child,)
            for child in block.blocks[1:]
        )
        blocks = [
            part
            for group in below
            for child in group
            if child.kind == "paragraph"
            for part in _without_labels(child, self.vocabulary)
        ]
        below_lists = (item for child in lists for item in child.blocks)
        blocks += [part for item in below_lists for part in self._parts(item) if not self.is_own_paper(part)]
        lines = (parse_sub_line(sub_line, self.vocabulary, self._usual_labels) for sub_line in blocks)
        return [line for line in lines if line is not None]

    def _parts(self, item: Block) -> list[Block]:
        """Return a nested item, and if it is nothing but words before a colon, what is nested in it: `Idea:`, and `Sort books.`"""
        lists = _lists_in(item)
        if not lists or not plain_text(first_inlines(item)).rstrip().endswith((":", "：")):
            return [item]
        nested = [below for child in lists for below in child.blocks]
        return [item] if any(any(all_links((below,))) for below in nested) else [item, *nested]

    def is_own_paper(self, block: Block) -> bool:
        """Return whether a nested item is a paper of its own: its title, of five words or more, links to one."""
        inlines = first_inlines(block)
        if not any(isinstance(node, Link) for node in inlines):
            return False
        item = self.read(block)
        title_line = item.title_line
        if title_line is not None and title_line.attribution is not None:
            return True
        if not any(isinstance(node, Link) and is_paper_url(node.url, self.vocabulary) for node in inlines):
            return False
        if title_line is None or title_line.shape != "linked" or not item.is_paper:
            return False
        if title_line.title_link is None or len(title_line.title_text.split()) < 5:
            return False
        return is_paper_url(title_line.title_link.link.url, self.vocabulary)

    def title_below(self, item: ListItem) -> ListItem | None:
        """Return the nested item that has the title of the name above it: `**TS**` and below it `Paper: [Tidy ...](u)`."""
        if item.lists and _is_short_name(item, self.vocabulary) and self._have_titles_below:
            titles = self._titles_below(item)
            return titles[0] if _may_have_one_title(item, titles) else None
        return None

    @cached_property
    def _have_titles_below(self) -> bool:
        """Whether most short names of the document have one title each below them, and are no headings of papers."""
        found: Counter[bool] = Counter()
        parents = (item for block in _lists(self._blocks) for item in block.blocks if _lists_in(item))
        for parent in parents:
            item = self.read(parent)
            if _is_short_name(item, self.vocabulary) and (
                (titles := self._titles_below(item)) or item.plain.links
            ):
                found[_may_have_one_title(item, titles)] += 1
        return found[True] >= _MIN_PARENTS and found[False] <= 0.5 * found[True]

    @cached_property
    def _have_rows_below(self) -> bool:
        """Whether below most titles without links one row of labels stands each."""
        parents = [
            self.read(item) for block in _lists(self._blocks) for item in block.blocks if _lists_in(item)
        ]
        return sum(map(_is_row_below, parents)) >= max(_MIN_PARENTS, 0.5 * len(parents))

    @cached_property
    def habits(self) -> Habits:
        """How nearly all lines of the document say who made what they list, and what they call it."""
        items = (item for block in _lists(self._blocks) for item in block.blocks)
        return find_habits([line for item in items if (line := self.read(item).title_line) is not None])

    @cached_property
    def _usual_form(self) -> tuple[str, str] | None:
        """The form of most items of the document, if it has a label: `Tidy Shelves [[Paper](u)]`."""
        items = [item for block in _lists(self._blocks) for item in block.blocks if item.kind == "item"]
        forms = Counter(_labelled_form(self.read(item)) for item in items)
        form, count = forms.most_common(1)[0] if forms else (None, 0)
        return form if count >= max(_MIN_SERIES, 0.5 * len(items)) else None

    def are_like_items(self, blocks: Iterable[Block]) -> bool:
        """Return whether paragraphs have the form that most items of the document have: a title, and the same label behind it."""
        return self._usual_form is not None and all(
            _labelled_form(self.read(block)) == self._usual_form for block in blocks
        )

    def _titles_below(self, item: ListItem) -> list[ListItem]:
        """Return the nested items that link to a paper with the words of its title, or cite what the name links to.

        Or the first one, if it has no link, and the others are links and next to nothing else.
        """
        nested = [self.read(block) for child in item.lists for block in child.blocks]
        titles = [
            child
            for child in nested
            if _links_to_title(first_inlines(child.block), self.vocabulary)
            or (item.plain.links and _cites_title(child))
        ]
        if titles or item.plain.links or len(nested) < 2:
            return titles
        first, *others = nested
        is_title = not first.plain.links and may_be_paper(first) and all(map(_is_row_of_links, others))
        return [first] if is_title else []

    def has_parts(self, item: ListItem) -> bool:
        """Return whether an item without a link is an entry, as most of what is nested in it are parts of it."""
        text = item.plain.text
        if item.title_line is None or item.title_link is not None or not item.lists:
            return False
        if len(item.title_line.title_text.split()) > 14:
            return False
        if not any(map(str.isalpha, text)):
            return False  # a date
        nested = [self.read(block) for child in item.lists for block in child.blocks]
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
        roles = (self.vocabulary.role(read_field_name(child.plain) or "") for child in nested)
        return all(map(_is_field_link, nested)) and (bool(parts) or any(roles))

    def leads_below(self, item: ListItem) -> bool:
        """Return whether an item is a name or title without a link, and its address is all that stands below it."""
        line = item.title_line
        if line is None or item.plain.links or not 0 < len(line.title_text.split()) <= _MAX_TITLE:
            return False
        below = item.sub_lines
        return bool(below) and all(is_address(part) or _is_row_of_paragraph(item, part) for part in below)

    def find_parts(self, item: ListItem) -> list[ListItem]:
        """Return the nested items that are links of an item, and no entries: `- [Lecture Notes](u)`.

        They are a link and few words. Some have a label, or the host of the item's own link.
        """
        nested = [self.read(block) for child in item.lists for block in child.blocks]
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
        roles = sum(self.vocabulary.role(label) is not None for label in labels)
        return len(links) == len(nested) > 1 and 2 * roles > len(links)

    @cached_property
    def _over_labels(self) -> frozenset[int]:
        """Where the items without links begin below which nothing but links stands, as below others of their lists.

        Most of the links' texts are labels, or stand below several: `Shelving, Oak University`, and `[Playlist](u)`, `[Website](v)`.
        """
        series: list[dict[int, list[str]]] = []
        for block in _lists(self._blocks):
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
            roles = sum(self.vocabulary.role(label) is not None for label in labels)
            known = sum(counts[label] > 1 or self.vocabulary.role(label) is not None for label in labels)
            if 2 * known > len(labels) and roles >= _LEAST_ROLES * len(labels):
                found.update(below)
        return frozenset(found)

    def _links_below(self, item: Block) -> list[str]:
        """Return the texts of the links that stand below an item, none if anything else does."""
        nested = [self.read(block) for child in _lists_in(item) for block in child.blocks]
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
        return self.vocabulary.role(text[links[0].start : links[0].end].strip("[]() ")) is not None

    def _lists_labels(self, item: ListItem) -> bool:
        """Return whether an item is nothing but links and commas, and the text of one is a label: `[Talk by Ada](u), [Notebook](v)`."""
        text = item.plain.text
        texts = [text[link.start : link.end] for link in item.plain.links]
        return (
            len(texts) > 1
            and not item.lists
            and text.strip() == ", ".join(texts)
            and any(self.vocabulary.role(label) is not None for label in texts)
        )

    def field_lines(self, item: ListItem, parts: list[ListItem]) -> list[SubLine]:
        """Return the lines below a linked item that state something of it and are no entries of their own."""
        if self.leads_below(item):
            return item.sub_lines
        part_starts = {part.block.start for part in parts}
        lines: list[SubLine] = []
        for line in item.sub_lines:
            if line.block.kind == "item":
                child = self.read(line.block)
                is_linked = child.title_line is not None and child.title_line.shape == "linked"
                is_labelled = read_field_name(child.plain) is not None and not begins_with_link(child.plain)
                is_entry = (child.is_paper or is_linked) and not is_labelled
                if line.block.start in part_starts or child.lists or is_entry:
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
            or self.leads_below(item)
        ):
            return False
        if self.title_below(item) is not None or (self._have_rows_below and _is_row_below(item)):
            return False
        if any(label.role or label.label.casefold() in LABEL_WORDS for label in title_line.labels):
            return False
        if title_line.mentions and not is_citation(text, self.vocabulary):
            return False
        nested = [self.read(block) for child in item.lists for block in child.blocks]
        entries = [
            child
            for child in nested
            if child.is_paper or child.lists or (child.title_link is not None and not _is_only_address(child))
        ]
        if title_line.labels and any(map(_is_only_link, nested)):
            return False  # with more labels below it, it is an entry
        # Half of them are enough below `Training:`.
        return 2 * len(entries) >= len(nested) + (not text.endswith((":", "："))) and bool(entries)


def _series(blocks: Iterable[Block]) -> Iterator[tuple[str, list[Block]]]:
    """Yield the items of each form in each list, nested ones too."""
    for block in _lists(blocks):
        series: defaultdict[str, list[Block]] = defaultdict(list)
        for item in block.blocks:
            series[_form(first_inlines(item))].append(item)
        # A paragraph that is no entry says nothing of the forms of items.
        kind = "" if block.blocks[0].kind == "item" else "paragraph "
        yield from ((kind + form, items) for form, items in series.items() if form)


def _lists(blocks: Iterable[Block]) -> Iterator[Block]:
    """Yield the lists among blocks, nested ones too."""
    waiting = [block for block in blocks if block.kind == "list"]
    while waiting:
        block = waiting.pop()
        waiting += [child for item in block.blocks for child in _lists_in(item)]
        yield block


def _lists_in(item: Block) -> list[Block]:
    return [child for child in item.blocks if child.kind == "list"]


def _form(inlines: tuple[Inline, ...]) -> str:
    """Return the markup that a line begins with: link, year (a link that shows one), strong, emphasis, code or text."""
    for node in inlines:
        if isinstance(node, Text) and not any(map(str.isalnum, node.value)):
            continue
        if isinstance(node, Emphasis):
            return "strong" if len(node.delimiter) == 2 else "emphasis"
        if isinstance(node, Link) and not node.image and _YEAR.fullmatch(plain_text(node.children)):
            return "year"
        if isinstance(node, (Text, Code)) or (isinstance(node, Link) and not node.image):
            return type(node).__name__.lower()
    return ""


def _find_part_labels(blocks: Iterable[Block]) -> frozenset[str]:
    """Return the labels that nested items of many items begin with: what they label is a part of those items."""
    counts: Counter[str] = Counter()
    parents = 0
    for item in (item for block in _lists(blocks) for item in block.blocks):
        if lists := _lists_in(item):
            parents += 1
            children = (child for nested in lists for child in nested.blocks)
            labels = {part_label(render_plain_text(first_inlines(child))) for child in children}
            counts.update(labels - {""})
    least = max(_MIN_PARENTS, _MIN_SHARE * parents)
    return frozenset(label for label, count in counts.items() if count >= least)


def _find_led(blocks: Iterable[Block], vocabulary: Vocabulary) -> frozenset[int]:
    """Return where the items begin whose links follow words and a colon that others repeat: `Must read: [Tidy Shelves](u)`.

    What stands there beside them in their lists is no name either.
    """
    lists: list[dict[int, tuple[str, str, str]]] = []
    for block in blocks:
        if block.kind == "list":
            found = {item.start: lead for item in block.blocks if (lead := _lead_of(item, vocabulary))}
            lists += [found] if found else []
    led = {lead for items in lists for lead in items.values()}
    texts = Counter(text for _, text, _ in led)
    leads = Counter(lead for lead, text, _ in led if texts[text] == 1)
    return frozenset(
        start
        for items in lists
        for start, (lead, text, _) in items.items()
        if texts[text] == 1
        and (leads[lead] > 1 or sum(leads[other] > 1 for other, _, _ in items.values()) >= 0.5 * len(items))
    )


def _lead_of(item: Block, vocabulary: Vocabulary) -> tuple[str, str, str] | None:
    """Return the words before a colon and a link that an item begins with, the link's text and its address."""
    inlines = first_inlines(item)
    if not any(isinstance(node, Link) for node in inlines[1:3]) or isinstance(inlines[0], Link):
        return None
    if isinstance(inlines[0], Text) and not any(colon in inlines[0].value for colon in ":："):
        return None  # most items
    plain = render_plain_text(inlines)
    link = next(iter(plain.links), None)
    lead = _LEAD.fullmatch(plain.text, 0, link.start) if link is not None else None
    if link is None or lead is None or read_labelled_field(plain.text):
        return None
    text = plain.text[link.start : link.end].casefold()
    is_name = text[:1].isalnum() and link.link.form not in ("bare", "autolink")
    if not is_name or any(vocabulary.role(words) is not None for words in (lead["words"], text)):
        return None
    return lead["words"].casefold(), text, link.link.url


def _behind_lead(line: TitleLine) -> TitleLine:
    """Return a line with its first link as its title, and what stands before it as no part of it."""
    link = line.plain.links[0]
    lead, title = (
        TextRange(0, len(line.plain.text[: link.start].rstrip(" :：*_"))),
        TextRange(link.start, link.end),
    )
    return line._replace(
        shape="linked", title=title, title_link=link, name=None, lead=lead, after_title=link.end
    )


def _is_short_name(item: ListItem, vocabulary: Vocabulary) -> bool:
    """Return whether an item is a few words, none of them a link and not all a venue, with or without labels."""
    line = item.title_line
    if line is None or item.title_link is not None or len(line.plain.links) > len(line.labels):
        return False
    if is_citation(item.plain.text, vocabulary):
        return False
    names = _BETWEEN_NAMES.split(line.title_text)  # `MIT + Google`, `Oak, Stone Labs`, `Oak (Deep Shelves)`
    return all(len(name.split()) <= MAX_NAME_WORDS for name in names) and not names_nothing(line.title_text)


def _is_row_of_paragraph(item: ListItem, below: SubLine) -> bool:
    """Return whether a line below a paragraph that is no sentence is nothing but labels: `Oak`, and `[[Code]](u)`."""
    is_name = item.block.kind == "paragraph" and not item.plain.text.rstrip().endswith((".", ":", "。", "："))
    links, text = below.plain.links, below.plain.text
    return is_name and bool(links) and not text[: links[0].start].strip(" [(") and not has_words(below.unread)


def _may_have_one_title(item: ListItem, titles: Sequence[ListItem]) -> bool:
    """Return whether the first of the titles below a name is its own: the only one, or the name has the links."""
    return len(titles) == 1 or (bool(titles) and bool(item.plain.links))


def _is_row_below(item: ListItem) -> bool:
    """Return whether all that stands below a title without links is a row of labels: `Oak [[paper]](u) [[code]](v)`."""
    line, below = item.title_line, item.sub_lines
    is_title = line is not None and not item.plain.links and in_title_case(line.title_text)
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


def part_label(plain: PlainText) -> str:
    """Return the label that a nested item begins with, without its number: `Screenshot`, `地址`. Empty if there is none."""
    label = read_field_name(plain) or ""
    first = plain.links[0] if plain.links else None
    if not label and first is not None and not plain.text[: first.start].strip(" [(*_"):
        label = _BEFORE_TEXT.split(plain.text[first.start : first.end], maxsplit=1)[0]
        label = "" if first.link.url.startswith("#") else label
    return " ".join(_NOT_LETTERS.split(label.casefold())).strip() if len(label.split()) <= 4 else ""


def _is_cited(line: TitleLine, reading: Reading | None) -> bool:
    """Return whether the reading of its series shows that a line states a venue or a year of its title."""
    states = line.year is not None or bool(line.mentions) or line.leading_authors is not None
    return reading is not None and reading.order != "marked" and states and len(line.title_text.split()) > 2


def may_be_paper(item: ListItem) -> bool:
    """Return whether an item among papers can be one too, though it has nothing that only papers have."""
    title_line = item.title_line
    if title_line is None or title_line.title is None or is_field_line(title_line) or is_byline(title_line):
        return False
    return len(title_line.title_text.split()) >= 3


def _labelled_form(item: ListItem) -> tuple[str, str] | None:
    """Return how the title of an item is marked, and the first label behind it, none if it has no label."""
    line = item.title_line
    if line is None or line.title is None or not line.labels:
        return None
    return line.shape, line.labels[0].label.casefold()


def is_label_item(item: ListItem) -> bool:
    """Return whether an item is nothing but links whose texts are labels: `[Website](u)`."""
    line = item.title_line
    is_bare = line is not None and line.title is None and not item.lists and not has_words(line.unread)
    return is_bare and bool(item.plain.links)


def _site(url: str) -> str:
    """Return the host of a URL, with the repository on hosts of repositories."""
    host, path = split_url(url)
    return host + "/".join(path.split("/")[:3]) if host in CODE_HOSTS else host


def _without_labels(block: Block, vocabulary: Vocabulary) -> list[Block]:
    """Return a paragraph whose first line is nothing but labels as that line and the others."""
    first, *below = inline_lines(block.inlines)
    others = joined_lines(below)
    if not others or not only_labels(render_plain_text(first), vocabulary):
        return [block]
    return [
        block._replace(end=first[-1].start, inlines=first[:-1]),
        block._replace(start=others[0].start, inlines=others),
    ]


def _folded(block: Block) -> list[Block]:
    """Return the summary of folded text and the text below it as paragraphs: `<details><summary>Ada Stone</summary>`."""
    tags = {
        node.tag: index for index, node in reversed([*enumerate(block.inlines)]) if isinstance(node, Html)
    }
    if "details" not in tags or not tags["details"] < tags.get("summary", -1) < tags.get("/summary", -1):
        return []
    nodes = block.inlines
    parts = nodes[tags["summary"] + 1 : tags["/summary"]], nodes[tags["/summary"] + 1 : tags.get("/details")]
    return [
        block._replace(kind="paragraph", start=part[0].start, end=part[-1].end, blocks=(), inlines=part)
        for part in parts
        if len(plain_text(part).split()) > 1
    ]


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


def first_inlines(block: Block) -> tuple[Inline, ...]:
    """Return the nodes of an item's first paragraph."""
    return block.blocks[0].inlines if block.blocks else ()
