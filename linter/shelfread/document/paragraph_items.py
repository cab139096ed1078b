"""Runs of paragraphs as lists: each paragraph is an item, and what lists read of items is read of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from shelfread.core.patterns import lazy
from shelfread.core.source import Source
from shelfread.document.bare_titles import states_year
from shelfread.document.block_forms import html_paragraph
from shelfread.document.entry.link_labels import only_labels
from shelfread.document.entry.prefix import MAX_NAME_WORDS
from shelfread.document.entry.remarks import is_prose
from shelfread.document.entry.sub_lines import read_field_name, read_labelled_field
from shelfread.document.entry.title_ends import in_title_case
from shelfread.document.item_reader import ItemReader, ListItem, leads_below, may_be_paper
from shelfread.document.non_entries import (
    is_bold_name,
    is_internal_url,
    is_named_first,
    is_sentence,
    is_text,
    leads_elsewhere,
    links_internally,
    names_link,
)
from shelfread.document.outline import bold_title
from shelfread.document.paragraphs import begins_with_name, inline_lines, joined_lines, named_lines, sub_block
from shelfread.document.plain_text import PlainText, plain_text, render_plain_text
from shelfread.document.years import find_year
from shelfread.markdown.node import Block, Break, Emphasis, Html, Inline, Link, Text
from shelfread.taxonomy.vocabulary import Vocabulary

# What a paragraph has that is an entry: a link, a year, a label.
_MAY_CITE = lazy(r"://|\]\(|\]\[|(?:19|20)\d\d|'\d\d|[:：]")
_REFERENCE = lazy(r"\[(\d{1,4})\]\s")
_MIN_LABELLED = 3  # a label that begins so many lines of paragraphs labels a field
_MAX_FIELDS, _FEW_WORDS, _MAX_TITLE = 12, 6, 14
# So many paragraphs in a row, or in the document, are entries, and as many as this share of those with links.
_MIN_RUN, _MIN_ENTRIES, _MOST, _NEARLY_ALL = 3, 5, 0.6, 0.9


class Run(NamedTuple):
    """Paragraphs that follow each other, as a list, and how many blocks they are."""

    items: Block
    length: int


class _Line(NamedTuple):
    """A line of a paragraph: the words before the colon that it begins with, folded, and whether they label a field."""

    inlines: tuple[Inline, ...]
    label: str
    is_field: bool


def find_runs(blocks: Sequence[Block], source: Source, vocabulary: Vocabulary) -> dict[int, Run]:
    """Return the runs of paragraphs by the index of their first block. A quote belongs to the paragraph above it.

    The paragraphs in quotes that stand below none are a run too.
    """
    blocks = [html_paragraph(block) or block for block in blocks]
    spans = [
        (start, end, _quoted(blocks[start:end]))
        for start, end in _runs(blocks, vocabulary)
        if _MAY_CITE.search(source.text, blocks[start].start, blocks[end - 1].end)
    ]
    labels = Counter(
        label
        for _, _, run in spans
        for block in run
        if block.kind == "paragraph"
        for label in (_read_line(line).label for line in inline_lines(block.inlines)[1:])
    )
    known = {label for label, count in labels.items() if label and count >= _MIN_LABELLED}
    firsts = Counter(label for _, _, run in spans for label in set(map(_bold_label, run)) if label)
    runs: dict[int, Run] = {}
    for start, end, run in spans:
        items: list[Block] = []
        lead = _lead_label(run, firsts)
        for block in run:
            is_below = bool(items) and bool(lead) and _bold_label(block) != lead
            if block.kind == "paragraph" and not (is_below or (items and _are_fields(block, vocabulary))):
                lines = named_lines(block.inlines, vocabulary)
                parts = [sub_block(line, block, source) for line in lines] if len(lines) > 1 else [block]
                items += [item for part in parts for item in _items(part, known, source)]
            elif items:
                below = block.blocks if block.kind == "quote" else (block,)
                below = tuple(child for child in below if child.kind in ("paragraph", "list"))
                items[-1] = items[-1]._replace(
                    end=block.end, last=block.last, blocks=(*items[-1].blocks, *below)
                )
        if items:
            last = items[-1]
            whole = blocks[start]._replace(
                kind="list", end=last.end, last=last.last, blocks=tuple(items), inlines=()
            )
            runs[start] = Run(whole, end - start)
    return runs


def _bold_label(block: Block) -> str:
    """Return the words in bold before a colon that a paragraph begins with, folded: `**Title:** [Tidy Shelves](u)`."""
    first = next(iter(block.inlines), None) if block.kind == "paragraph" else None
    is_bold = isinstance(first, Emphasis) and len(first.delimiter) == 2
    return _read_line(inline_lines(block.inlines)[0]).label if is_bold else ""


def _lead_label(run: Sequence[Block], firsts: Counter[str]) -> str:
    """Return the label that begins each entry of a run whose fields are paragraphs with labels of their own, or an empty one."""
    found = [label for block in run if firsts[label := _bold_label(block)] >= _MIN_LABELLED]
    return found[0] if len({*found}) >= _MIN_LABELLED and found[0] == _bold_label(run[0]) else ""


def find_runs_of_entries(
    runs: Mapping[int, Run], reader: ItemReader, vocabulary: Vocabulary
) -> dict[int, Run]:
    """Return the runs of which most paragraphs are entries, with those; short runs if most of all paragraphs are."""
    found: dict[int, Run] = {}
    described: dict[int, Block] = {}  # the prose below a title in a markup, by the start of the entry
    certain = linked = unmarked = count = only_prose = 0
    for index, run in runs.items():
        items = list(map(reader.read, run.items.blocks))
        evident = [item for item in items if _begins_with_what_it_names(item.plain, vocabulary)]
        if len(evident) < max(_MIN_ENTRIES, _NEARLY_ALL * len(items)):
            named = [item for item in items if begins_with_name(item.plain, vocabulary, may_be_label=True)]
            sure = sum(begins_with_name(item.plain, vocabulary) for item in named)
            may_be_label = 2 * sure >= len(named)
            evident = [
                item for item in items if leads_below(item) or _is_evident(item, vocabulary, may_be_label)
            ]
        evident = references(items) or evident
        starts = {item.block.start for item in evident}
        others = [item for item in items if item.block.start not in starts]
        links = sum(1 for item in others if any(leads_elsewhere(link.link) for link in item.plain.links))
        certain, linked = certain + len(evident), linked + links
        unmarked += sum(not _is_marked(item) for item in evident)
        if evident and len(evident) >= _MOST * (len(evident) + links):
            starts |= {item.block.start for item in others if _is_probable(item)}
            entries = tuple(item.block for item in items if item.block.start in starts)
            found[index] = run._replace(items=run.items._replace(blocks=entries))
            count += len(entries)
            for item, below in pairwise(items):
                if item.block.start in starts and _is_marked(item) and _describes(below):
                    described[item.block.start] = below.block
                    only_prose += below.block.start not in starts
    if only_prose >= max(_MIN_ENTRIES, _MOST * count):
        found = {index: run._replace(items=_with_prose(run.items, described)) for index, run in found.items()}
    are_usual = certain >= max(_MIN_ENTRIES if linked or unmarked else _MIN_RUN, _MOST * (certain + linked))
    return {
        index: run
        for index, run in found.items()
        if are_usual or len(run.items.blocks) >= _MIN_RUN or reader.are_like_items(run.items.blocks)
    }


def references(items: Sequence[ListItem]) -> list[ListItem]:
    """Return the paragraphs that are numbered as references are, if nearly all numbers follow each other: `[7] Tidy Shelves, 1964`."""
    numbered = [(item, int(number[1])) for item in items if (number := _REFERENCE.match(item.plain.text))]
    following = sum(after == before + 1 for (_, before), (_, after) in pairwise(numbered))
    if len(numbered) < _MIN_RUN or following < _NEARLY_ALL * (len(numbered) - 1):
        return []
    return [item for item, _ in numbered if may_be_paper(item) and not _is_remark(item.plain.text)]


def _is_remark(text: str) -> bool:
    return text.rstrip().endswith(".") and find_year(text) is None and is_prose(text)


def _is_marked(item: ListItem) -> bool:
    """Return whether the title of a paragraph has a markup."""
    return item.title_line is not None and item.title_line.shape != "plain"


def _describes(item: ListItem) -> bool:
    """Return whether a paragraph may be what is said of the one above it."""
    return not _is_marked(item) and is_prose(item.plain.text)


def _with_prose(items: Block, described: Mapping[int, Block]) -> Block:
    """Return a list of entries, each with the prose below it as its own."""
    taken = {below.start for below in described.values()}
    blocks = (
        item._replace(end=below.end, last=below.last, blocks=(*item.blocks, *below.blocks))
        if (below := described.get(item.start)) is not None
        else item
        for item in items.blocks
        if item.start not in taken
    )
    return items._replace(blocks=tuple(blocks))


def _begins_with_what_it_names(plain: PlainText, vocabulary: Vocabulary) -> bool:
    """Return whether a line begins with a link, or with a name and the link behind it: `Oak: https://oak.example.org shelves`."""
    if is_named_first(plain):
        return True
    label = read_field_name(plain) or ""
    is_field = read_labelled_field(plain.text) is not None or vocabulary.role(label) is not None
    return names_link(plain) and 0 < len(label.split()) <= MAX_NAME_WORDS and not is_field


def _is_evident(item: ListItem, vocabulary: Vocabulary, may_be_label: bool) -> bool:
    """Return whether a paragraph surely is an entry, and no sentence about one. `may_be_label` is that of `begins_with_name`."""
    line = item.title_line
    if line is None or links_internally(line) or is_sentence(line) or _leads_nowhere(item):
        return False
    if not item.plain.links and states_year(item.plain.text):
        return True
    is_named = begins_with_name(item.plain, vocabulary, may_be_label=may_be_label)
    if is_named or is_bold_name(line) or _is_titled_address(item.plain):
        return True
    is_dated = any(mention.year for mention in line.mentions)
    labelled = bool(line.labels) or any(below.labels for below in item.sub_lines)
    has_year = is_dated or line.year is not None
    if not item.is_paper or (len(line.title_text.split()) < 3 and not (has_year and labelled)):
        return False
    if line.leading_authors is not None:
        return True
    is_cited = is_dated or line.shape != "plain"
    if not (is_cited or labelled or any(read_labelled_field(below.plain.text) for below in item.sub_lines)):
        return False
    return line.attribution is None and ((is_dated and labelled) or not is_text(item.plain))


def _leads_nowhere(item: ListItem) -> bool:
    """Return whether a paragraph has links, all are without an address, and it cites nothing: `Title ([pdf](), [code]())`."""
    is_cited = item.title_line is not None and bool(item.title_line.mentions)
    return not is_cited and bool(item.plain.links) and not any(link.link.url for link in item.plain.links)


def _is_titled_address(plain: PlainText) -> bool:
    """Return whether a line is a title in title case and its address: `Sorting Shelves at Scale: https://example.org`."""
    link = plain.links[0] if len(plain.links) == 1 else None
    if link is None or not _is_address(link.link) or plain.text[link.end :].strip():
        return False
    title = plain.text[: link.start].rstrip()
    return title.endswith((":", "：")) and in_title_case(title) and len(title.split()) <= _MAX_TITLE


def _is_probable(item: ListItem) -> bool:
    """Return whether a paragraph among entries is one."""
    line = item.title_line
    if line is None or is_sentence(line) or _leads_nowhere(item):
        return False
    return item.is_paper or (bool(item.sub_lines) and may_be_paper(item))


def _runs(blocks: Sequence[Block], vocabulary: Vocabulary) -> Iterator[tuple[int, int]]:
    """Yield where paragraphs that are no bold headings, and quotes and lists of fields below them, begin and end.

    Quotes below no paragraph are yielded by themselves.
    """
    start = end = -1
    for index, block in enumerate(blocks):
        if index == end and block.kind != "quote" and blocks[start].kind == "quote":
            yield start, end
            start = end = -1
        if block.kind == "paragraph":
            following = blocks[index + 1] if index + 1 < len(blocks) else None
            if bold_title(block) is None or (following is not None and _are_fields(following, vocabulary)):
                start, end = (start if index == end else index), index + 1
        elif block.kind == "quote" and index != end:
            start, end = index, index + 1
        elif index == end and (
            block.kind == "quote" or _are_fields(block, vocabulary) or _is_said_of(block, blocks[index - 1])
        ):
            end = index + 1
        if index >= end > start:
            yield start, end
            start = end = -1
    if end > start:
        yield start, end


def _is_said_of(block: Block, above: Block) -> bool:
    """Return whether a list right below a paragraph that begins with a link says more of it.

    It is one item below nothing but the link, or stands below the label of a field: `**Idea**:`.
    """
    first = next(iter(above.inlines), None)
    if block.kind != "list" or block.first != above.last or not isinstance(first, Link):
        return False
    if len(above.inlines) == 1:
        return len(block.blocks) == 1 and leads_elsewhere(first)
    return plain_text(above.inlines).rstrip().endswith((":", "："))


def _quoted(run: Sequence[Block]) -> Sequence[Block]:
    """Return the blocks of a run, or those in its quotes if it is quotes."""
    return [block for quote in run for block in quote.blocks] if run[0].kind == "quote" else run


def _are_fields(block: Block, vocabulary: Vocabulary) -> bool:
    """Return whether a paragraph, or most items of a list, state a field: `Code: https://github.com/stone/shelf`, `[PDF](u)`."""
    if block.kind == "paragraph":
        is_field = _is_part(inline_lines(block.inlines)[0], set())
        return (
            is_field or _is_row_of_badges(block) or only_labels(render_plain_text(block.inlines), vocabulary)
        )
    if block.kind != "list" or len(block.blocks) > _MAX_FIELDS:
        return False
    lines = [_read_line(item.blocks[0].inlines if item.blocks else ()) for item in block.blocks]
    if not any(map(_states_field, lines)):
        return False
    others = [line for line in lines if not line.label]
    is_short = all(
        len(plain_text(line.inlines).split()) <= _FEW_WORDS or _is_address(line.inlines[-1])
        for line in others
    )
    return 2 * len(others) <= len(lines) and is_short


def _is_row_of_badges(block: Block) -> bool:
    """Return whether a paragraph is nothing but links around pictures: `[![Paper](badge.svg)](u)`."""
    nodes = [node for node in block.inlines if not isinstance(node, Text) or node.value.strip()]
    return bool(nodes) and all(isinstance(node, Link) and _is_around_pictures(node) for node in nodes)


def _is_around_pictures(link: Link) -> bool:
    pictures = [child for child in link.children if isinstance(child, Link) and child.image]
    return bool(pictures) and len(pictures) == len(link.children) and not is_internal_url(link.url)


def _states_field(line: _Line) -> bool:
    """Return whether the first line of an item is a field, or ends with the link that its words label."""
    return line.is_field or (bool(line.label) and isinstance(line.inlines[-1], Link))


def _items(block: Block, labels: set[str], source: Source) -> Iterator[Block]:
    """Yield the entries of a paragraph, with each line of a field as a block of its own.

    What follows the fields of an entry is the next one, but for a sentence at the end.
    """
    parts: list[list[tuple[Inline, ...]]] = []
    lines = inline_lines(block.inlines)
    for index, line in enumerate(lines):
        if all(isinstance(node, Break | Html) for node in line):
            if parts:
                parts[-1].append(line)  # a `<br>` of its own
            continue
        bare = _without_bullet(line)
        if not parts or _is_part(line, labels) or bare is not None:
            parts.append([])
        elif len(parts) > 1 and isinstance(lines[0][0], Link) and not isinstance(line[0], Link):
            pass  # the field above goes on: entries begin with links
        elif len(parts) > 1 and _is_sentence(joined_lines(lines[index:])):
            parts.append([*lines[index:]])
            break
        elif len(parts) > 1:
            yield _item(parts, block, source)
            parts = [[]]
        parts[-1].append(line if bare is None else bare)
    if parts:
        yield _item(parts, block, source)


def _is_sentence(inlines: tuple[Inline, ...]) -> bool:
    text = "" if any(isinstance(node, Link) for node in inlines) else plain_text(inlines)
    return text.endswith((".", "!")) and is_prose(text)


def _item(parts: list[list[tuple[Inline, ...]]], block: Block, source: Source) -> Block:
    blocks = tuple(sub_block(joined_lines(part), block, source) for part in parts)
    first, last = blocks[0], blocks[-1]
    return first._replace(end=last.end, last=last.last, blocks=blocks)


def _is_part(nodes: tuple[Inline, ...], labels: set[str]) -> bool:
    """Return whether a line below a title states a field: by a label, or as a URL, `https://example.org/shelves.pdf`."""
    line = _read_line(nodes)
    if line.is_field or line.label in labels:
        return True
    link = joined_lines([nodes])
    return len(link) == 1 and _is_address(link[0])


def _without_bullet(line: tuple[Inline, ...]) -> tuple[Inline, ...] | None:
    """Return a line without the mark of an item that it begins with, and that stands too far to the right to make it one; None if it has none."""
    first = line[0]
    bare = first.value.lstrip() if isinstance(first, Text) else ""
    if not bare.startswith(("- ", "* ", "+ ")):
        return None
    value = bare[2:].lstrip()
    return (Text(first.end - len(value), first.end, value), *line[1:])


def _is_address(node: Inline) -> bool:
    return isinstance(node, Link) and node.form in ("bare", "autolink")


def _read_line(inlines: tuple[Inline, ...]) -> _Line:
    """Return a line with its label; that of a note may begin a title, `TRACE: Temporal Regression`, and is no field."""
    plain = render_plain_text(inlines)
    labelled = read_labelled_field(plain.text)
    is_field = labelled is not None and labelled[0] != "note"
    return _Line(inlines, (read_field_name(plain) or "").casefold(), is_field)
