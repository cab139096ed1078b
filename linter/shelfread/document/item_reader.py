"""Parses list items: the title line, the sub-lines, the nested lists, and further entries."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from shelfread.core.patterns import lazy
from shelfread.document.entry.classic import find_habits
from shelfread.document.entry.entry_fields import Habits
from shelfread.document.entry.link_labels import has_words, only_labels, usual_labels
from shelfread.document.entry.paper import is_byline, is_field_line, is_paper
from shelfread.document.entry.readings import Line, Reading, choose_reading
from shelfread.document.entry.sub_lines import (
    SubLine,
    is_address,
    parse_sub_line,
    read_labelled_field,
)
from shelfread.document.entry.title_line import (
    OpenLine,
    TitleLine,
    open_line,
    read_open_line,
    read_simple_title_line,
)
from shelfread.document.entry.titles import Title
from shelfread.document.identity import is_paper_url
from shelfread.document.paragraphs import inline_lines, joined_lines, split_entries
from shelfread.document.plain_text import PlainText, TextLink, TextRange, plain_text, render_plain_text
from shelfread.document.recognizers.people import are_authors
from shelfread.document.recognizers.venues import find_mentions
from shelfread.markdown.node import Block, Code, Emphasis, Html, Inline, Link, Text, all_links
from shelfread.taxonomy.vocabulary import Vocabulary

_YEAR = lazy(r"\W?(?:19|20)\d\d\W?")
_LEAD = lazy(r"\W{0,3}(?P<words>[^\W\d_](?:[^\s:：,，]{0,30} ?){1,4}?)\s?[*_]{0,2}[:：][*_]{0,2}\s?")
# So many lines of a list are a series of their own. Fewer are read as their form is elsewhere in the
# document.
_MIN_SERIES = 5
_MAX_TITLE = 30
_FEWEST_REMARKED = 3  # items with a remark before their titles, and words of such a title
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
        self._usual_labels = usual_labels(first_inlines(item) for item in all_items(blocks))
        # The lines by which readings were chosen.
        self._opened: dict[int, OpenLine] = {}
        self._simple: dict[int, TitleLine] = {}
        self.blocks = blocks
        self._readings = self._choose_readings(blocks)
        self._led = _find_led(blocks, vocabulary) | _find_remarked(blocks, vocabulary)
        self._items: dict[int, ListItem] = {}  # by the start of the block

    def read(self, block: Block) -> ListItem:
        """Return a list item (cached)."""
        item = self._items.get(block.start)
        if item is None or item.block is not block:
            item = self._items[block.start] = self._parse(block)
        return item

    def nested(self, item: ListItem) -> list[ListItem]:
        """Return the items that are nested in another, without those nested in them."""
        return [self.read(block) for child in item.lists for block in child.blocks]

    def _parse(self, block: Block) -> ListItem:
        first = block.blocks[0] if block.blocks and block.blocks[0].kind == "paragraph" else None
        lists = lists_in(block)
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
            lines.append(opened.in_series)
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
        """Return a nested item, and what is nested in it if nothing there has a link: `Idea:`, and `Sort books.`"""
        lists = lists_in(item)
        if not lists or any(all_links(tuple(lists))):
            return [item]
        return [item, *(part for child in lists for below in child.blocks for part in self._parts(below))]

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

    @cached_property
    def habits(self) -> Habits:
        """How nearly all lines of the document say who made what they list, and what they call it."""
        items = all_items(self.blocks)
        return find_habits([line for item in items if (line := self.read(item).title_line) is not None])

    @cached_property
    def _usual_form(self) -> tuple[str, str] | None:
        """The form of most items of the document, if it has a label: `Tidy Shelves [[Paper](u)]`."""
        items = [item for item in all_items(self.blocks) if item.kind == "item"]
        forms = Counter(_labelled_form(self.read(item)) for item in items)
        form, count = forms.most_common(1)[0] if forms else (None, 0)
        return form if count >= max(_MIN_SERIES, 0.5 * len(items)) else None

    def are_like_items(self, blocks: Iterable[Block]) -> bool:
        """Return whether paragraphs have the form that most items of the document have: a title, and the same label behind it."""
        return self._usual_form is not None and all(
            _labelled_form(self.read(block)) == self._usual_form for block in blocks
        )


def _series(blocks: Iterable[Block]) -> Iterator[tuple[str, list[Block]]]:
    """Yield the items of each form in each list, nested ones too."""
    for block in all_lists(blocks):
        series: defaultdict[str, list[Block]] = defaultdict(list)
        for item in block.blocks:
            series[line_form(first_inlines(item))].append(item)
        # A paragraph that is no entry says nothing of the forms of items.
        kind = "" if block.blocks[0].kind == "item" else "paragraph "
        yield from ((kind + form, items) for form, items in series.items() if form)


def all_lists(blocks: Iterable[Block]) -> Iterator[Block]:
    """Yield the lists among blocks, nested ones too."""
    waiting = [block for block in blocks if block.kind == "list"]
    while waiting:
        block = waiting.pop()
        waiting += [child for item in block.blocks for child in lists_in(item)]
        yield block


def all_items(blocks: Iterable[Block]) -> Iterator[Block]:
    """Yield the items of the lists among blocks, nested ones too."""
    return (item for block in all_lists(blocks) for item in block.blocks)


def lists_in(item: Block) -> list[Block]:
    return [child for child in item.blocks if child.kind == "list"]


def line_form(inlines: tuple[Inline, ...]) -> str:
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


def _find_remarked(blocks: Iterable[Block], vocabulary: Vocabulary) -> frozenset[int]:
    """Return where the items begin whose linked title stands behind a remark in italics, as it does in most that begin so.

    `*How to tidy up* [Sorting Shelves at Scale](u)`; a name, people or a venue in italics is no remark.
    """
    begun, said, remarked = 0, 0, list[int]()
    for item in all_items(blocks):
        inlines = first_inlines(item)
        if len(inlines) < 2 or not isinstance(inlines[0], Emphasis) or len(inlines[0].delimiter) != 1:
            continue
        begun += 1
        remark = plain_text(inlines[:1])
        link = next((node for node in inlines[1:] if not isinstance(node, Text) or node.value.strip()), None)
        is_title = isinstance(link, Link) and len(plain_text((link,)).split()) >= _FEWEST_REMARKED
        if is_title and not are_authors(remark) and not find_mentions(remark, vocabulary):
            remarked.append(item.start)
            said += sum(word.islower() for word in remark.split()) > 1
    return frozenset(remarked if 2 * said >= max(2 * _FEWEST_REMARKED, begun) else ())


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
    lead = TextRange(0, len(line.plain.text[: link.start].rstrip(" :：*_")))
    title = TextRange(link.start, link.end)
    return line._replace(
        shape="linked", title=title, title_link=link, name=None, lead=lead, after_title=link.end
    )


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


def first_inlines(block: Block) -> tuple[Inline, ...]:
    """Return the nodes of an item's first paragraph."""
    return block.blocks[0].inlines if block.blocks else ()


def leads_below(item: ListItem) -> bool:
    """Return whether an item is a name or title without a link, and its address is all that stands below it."""
    line = item.title_line
    if line is None or item.plain.links or not 0 < len(line.title_text.split()) <= _MAX_TITLE:
        return False
    below = item.sub_lines
    return bool(below) and all(is_address(part) or _is_row_of_paragraph(item, part) for part in below)


def _is_row_of_paragraph(item: ListItem, below: SubLine) -> bool:
    """Return whether a line below a paragraph that is no sentence is nothing but labels: `Oak`, and `[[Code]](u)`."""
    is_name = item.block.kind == "paragraph" and not item.plain.text.rstrip().endswith((".", ":", "。", "："))
    links, text = below.plain.links, below.plain.text
    return is_name and bool(links) and not text[: links[0].start].strip(" [(") and not has_words(below.unread)
