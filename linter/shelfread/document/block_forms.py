"""Entries in their usual form: a title above its people, a link without a blank inside, a paragraph that is no HTML."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import pairwise

from shelfread.core.diagnostics import Span
from shelfread.core.patterns import lazy
from shelfread.core.source import Source
from shelfread.document.entry.link_labels import image_label
from shelfread.document.entry.prefix import names_nothing
from shelfread.document.entry.remarks import is_prose
from shelfread.document.entry.sub_lines import describes, read_labelled_field
from shelfread.document.entry.title_ends import in_title_case
from shelfread.document.non_entries import is_internal_url
from shelfread.document.paragraphs import inline_lines, joined_lines, sub_block
from shelfread.document.plain_text import plain_text
from shelfread.document.years import find_year
from shelfread.markdown.node import Block, Break, Emphasis, Html, Inline, Link, Text, all_links
from shelfread.taxonomy.vocabulary import Vocabulary

# `[Shelf] (https://example.org)`; `[x]` is a task.
_LABEL = lazy(r"\[(?P<label>\[[^\[\]\n]{2,200}\]|[^\[\]\n]{2,200})\] \(\Z")
_BEFORE_REFERENCE = lazy(r"\[(?P<label>[^\[\]\n]{2,200})\] \Z")
_BLANK_INSIDE = lazy(r"\] \(https?://|[^\]]\] \[\d{1,4}\](?![(\[:])")
_DOTS = ("•", "●", "▪", "◦", "‣")
_BULLET_MARKS = frozenset("-*+")
_TITLE_IN_BRACKETS = lazy(
    r"(?P<mark>[^\w\s\[\]()]{1,4}\s{1,3}|:\w{1,40}:\s{0,3})?\[(?P<title>[^\[\]\n]{12,300})\](?![(\[:])"
)
# A title in brackets has so many words, or few before a label, and no more than so many stand behind it: else it is a
# tag or a venue.
_MIN_WORDS, _FEW_WORDS, _MAX_REST = 4, 3, 4
_MOST_BELOW = 3  # blocks of an item that a paragraph further below may describe
_MIN_ITEMS = 2  # so many lists or pages are several
_LEAST_INDENT = 2  # with so many blanks a block is a part of the item above; one may be a slip
_BOLD, _NOT_IN_PARAGRAPH = frozenset(("b", "strong")), frozenset(("p", "li", "td", "details", "div"))
_FOLDS, _NOT_IN_FOLDED = frozenset(("details", "/details", "summary", "/summary")), frozenset(("li", "td"))


def usual_blocks(blocks: tuple[Block, ...], source: Source, vocabulary: Vocabulary) -> tuple[Block, ...]:
    """Return the blocks of a document, in which entries that are written in an odd way have their usual form."""
    if _BLANK_INSIDE.search(source.text):
        blocks = tuple(map(_with_links, blocks))
    blocks = _with_parts_inside(blocks, _notes_below(blocks, vocabulary), source)
    if below := _paragraphs_below(blocks):
        blocks = _with_parts_inside(blocks, below, source)
    usual = (_listed_pages(block, source) or _usual_list(block, vocabulary) for block in blocks)
    return _put_together(usual, vocabulary)


def _with_parts_inside(blocks: Sequence[Block], parts: Collection[int], source: Source) -> tuple[Block, ...]:
    """Return blocks in which the parts of an item that stand below it are inside it, and the items behind them go on the list.

    Those are what begins at the offsets `parts`, and what is indented: below `10. ` a page wants four blanks, but people
    write the three that are enough below `9. `.
    """
    found: list[Block] = []
    deeper = None  # the block that was put inside the item above
    for block in blocks:
        above = found[-1] if found else None
        if above is None or above.kind != "list" or block.kind in ("heading", "rule"):
            found.append(block)
            continue
        indent = _column(block, source) - _column(above, source)
        if indent >= _LEAST_INDENT or block.start in parts:
            item = above.blocks[-1]
            item = item._replace(end=block.end, last=block.last, blocks=(*item.blocks, block))
            items, deeper = (*above.blocks[:-1], item), block
        elif deeper is not None and indent == 0 and (block.kind, block.marker) == ("list", above.marker):
            items = (*above.blocks, *block.blocks)
        else:
            found.append(block)
            continue
        found[-1] = above._replace(end=block.end, last=block.last, blocks=items)
    return tuple(found)


def _notes_below(blocks: Sequence[Block], vocabulary: Vocabulary) -> frozenset[int]:
    """Return where the lists begin that have another mark than the item on the line above, and name nothing.

    That mark stands only there, or the other one is a number.
    """
    pairs = [
        (above, below)
        for above, below in pairwise(blocks)
        if above.kind == below.kind == "list" and above.marker != below.marker and above.last == below.first
    ]
    above = {list_above.marker for list_above, _ in pairs}
    above -= _BULLET_MARKS if above - _BULLET_MARKS else set()  # leaves numbers
    notes = {below.start: below for _, below in pairs if below.marker not in above}
    marks = {below.marker for below in notes.values()}
    elsewhere = any(
        block.kind == "list" and block.marker in marks and block.start not in notes for block in blocks
    )
    items = (item for block in notes.values() for item in block.blocks)
    if elsewhere or any(_begins_with_name(item, vocabulary) for item in items):
        return frozenset()
    return frozenset(notes)


def _begins_with_name(item: Block, vocabulary: Vocabulary) -> bool:
    """Return whether an item begins with a link that names something, and is neither a label nor an address."""
    first = item.blocks[0] if item.blocks else item
    link = next(iter(all_links((first,))), None)
    if link is None or link.form in ("bare", "autolink"):
        return False
    words = plain_text((link,))
    begins = plain_text(first.inlines).lstrip(" [(*_").startswith(words.lstrip(" [("))
    return begins and vocabulary.role(words.strip("[]() ")) is None


def _paragraphs_below(blocks: Sequence[Block]) -> frozenset[int]:
    """Return where the sentences begin that stand between the items of a list, each below its item, which most make a list of its own.

    They are prose, and a paragraph that introduces the next items does not stand above the first.
    """
    found = set[int]()
    first = 0
    for index, block in enumerate([*blocks, None]):
        if block is not None and block.kind != "heading":
            continue
        section = blocks[first:index]
        first = index + 1
        lists = [block for block in section if block.kind == "list"]
        if len(lists) < _MIN_ITEMS or len({block.marker for block in lists}) > 1:
            continue
        pairs = [(above, part) for above, part in pairwise(section) if part.kind == "paragraph"]
        below = [part for above, part in pairs if above.kind != "html" and part.start > lists[0].start]
        described = [above for above, _ in pairs if above.kind == "list"]
        alone = sum(len(block.blocks) == 1 for block in described)
        is_led = section[0].kind == "paragraph" and section[-1].kind != "paragraph"
        are_described = len(described) >= _MIN_ITEMS and 2 * alone >= len(described)
        if are_described and not is_led and all(map(_is_said, below)):
            found |= {part.start for part in below}
    return frozenset(found)


def _is_said(block: Block) -> bool:
    """Return whether a paragraph is sentences or prose, and begins with no link or markup."""
    first = block.inlines[0] if block.inlines else None
    text = plain_text(block.inlines).rstrip()
    return isinstance(first, Text) and (
        text.endswith((".", "!", "?", "。")) or (text[-1:] not in (":", "：") and is_prose(text))
    )


def _column(block: Block, source: Source) -> int:
    return block.start - source.starts[block.first]


def _put_together(blocks: Iterable[Block], vocabulary: Vocabulary) -> tuple[Block, ...]:
    """Return blocks, in which what belongs to the item above it is a part of that.

    These are a paragraph that says that it describes the item above, and a quote on the line below an item. Pictures below
    a title are left out.
    """
    found: list[Block] = []
    for block in blocks:
        above = found.pop() if found else None
        if above is None:
            found.append(block)
        elif _is_picture(block, vocabulary) and _is_bare_title(above):
            found.append(above)
        elif (
            block.kind == "paragraph" and describes(block.inlines) and _is_one_entry(above, vocabulary)
        ) or (block.kind == "quote" and above.kind == "list" and above.last == block.first):
            item = above.blocks[-1]
            item = item._replace(end=block.end, last=block.last, blocks=(*item.blocks, block))
            found.append(above._replace(end=block.end, last=block.last, blocks=(*above.blocks[:-1], item)))
        else:
            found += (above, block)
    return tuple(found)


def _is_one_entry(block: Block, vocabulary: Vocabulary) -> bool:
    """Return whether a list is one item with a link that names something, and is no label."""
    texts = (plain_text((link,)) for link in all_links((block,)) if link.children)
    is_one = block.kind == "list" and len(block.blocks) == 1 and len(block.blocks[0].blocks) < _MOST_BELOW
    return is_one and any(vocabulary.role(text) is None and not names_nothing(text) for text in texts)


def _is_picture(block: Block, vocabulary: Vocabulary) -> bool:
    """Return whether a paragraph is nothing but pictures, and no badge that labels its link."""
    nodes = [node for node in block.inlines if not isinstance(node, Break)]
    return block.kind == "paragraph" and all(
        isinstance(node, Link) and (node.image or not (plain_text((node,)) or image_label(node, vocabulary)))
        for node in nodes
    )


def _is_bare_title(block: Block) -> bool:
    """Return whether a paragraph without a link is a title: it begins in bold or italics, or is all in title case."""
    if block.kind != "paragraph" or not block.inlines or any(all_links((block,))):
        return False
    return isinstance(block.inlines[0], Emphasis) or in_title_case(plain_text(block.inlines))


def _joined(title: Block, links: Block) -> Block:
    """Return a paragraph of a title and the row of links below it."""
    inlines = (*title.inlines, Break(title.end, links.start, hard=True), *links.inlines)
    return title._replace(end=links.end, last=links.last, inlines=inlines)


def _usual_list(block: Block, vocabulary: Vocabulary) -> Block:
    """Return a list in which titles are in bold instead of brackets, also in those nested in it."""
    if block.kind not in ("list", "item"):
        return _with_bold_title(block, vocabulary) if block.kind == "paragraph" else block
    blocks = tuple(_usual_list(child, vocabulary) for child in block.blocks)
    if block.kind == "item" and blocks:
        blocks = (html_paragraph(blocks[0]) or _unfolded(blocks[0]) or blocks[0], *blocks[1:])
    if block.kind == "item" and _lists_below(blocks, vocabulary):
        blocks = (blocks[0], _as_list(blocks[1:]))
        return block._replace(blocks=blocks)
    are_two = block.kind == "item" and len(blocks) > 1 and blocks[0].kind == "paragraph"
    if are_two and not any(all_links(blocks[:1])) and (_is_row_of_links(blocks[1]) or _goes_on(*blocks[:2])):
        blocks = (_joined(*blocks[:2]), *blocks[2:])
    if any(one is not other for one, other in zip(blocks, block.blocks, strict=True)):
        return block._replace(blocks=blocks)
    return block


def _lists_below(blocks: Sequence[Block], vocabulary: Vocabulary) -> bool:
    """Return whether paragraphs that end with links which are no labels stand below words and a colon, `Sources:`, or each behind a dot."""
    first, *below = blocks or (None,)
    if first is None or any(all_links((first,))) or any(block.kind != "paragraph" for block in below):
        return False
    are_dotted = [plain_text(block.inlines).startswith(_DOTS) for block in below]
    if any(are_dotted):  # what else stands between them says what follows: `a. **Oak**`
        return all(
            is_dotted == any(all_links((block,))) for is_dotted, block in zip(are_dotted, below, strict=True)
        )
    text = plain_text(first.inlines)
    if not text.endswith((":", "：")) or read_labelled_field(text) is not None:
        return False
    return len(below) >= _MIN_ITEMS and all(_ends_with_link(block, vocabulary) for block in below)


def _ends_with_link(block: Block, vocabulary: Vocabulary) -> bool:
    last = block.inlines[-1] if block.inlines else None
    return isinstance(last, Link) and not last.image and vocabulary.role(plain_text((last,))) is None


def _as_list(blocks: Sequence[Block]) -> Block:
    """Return paragraphs as the items of a list."""
    items = tuple(block._replace(kind="item", inlines=(), blocks=(block,)) for block in blocks)
    return items[0]._replace(kind="list", end=items[-1].end, last=items[-1].last, blocks=items)


def _goes_on(first: Block, second: Block) -> bool:
    """Return whether a paragraph ends with a colon or a line break, and the next one has the rest: `Ada Stone:`, `"Tidy Shelves."`"""
    *_, last = (None, *first.inlines)
    is_open = plain_text(first.inlines).endswith((":", "：")) or isinstance(last, Html)
    return is_open and second.kind == "paragraph" and not any(all_links((second,)))


def _is_row_of_links(block: Block) -> bool:
    """Return whether a paragraph is nothing but links with a text or badge, such as those below a title."""
    return block.kind == "paragraph" and all(
        (isinstance(node, Link) and node.form not in ("bare", "autolink"))
        or isinstance(node, Break)
        or (isinstance(node, Text) and not node.value.strip())
        for node in block.inlines
    )


def _listed_pages(block: Block, source: Source) -> Block | None:
    """Return a paragraph of lines that are links to pages of the list itself as a list of them: `[Tidy Shelves](notes/ts.md)`."""
    lines = [joined_lines([line]) for line in inline_lines(block.inlines)]
    if block.kind != "paragraph" or not all(
        len(line) == 1 and isinstance(line[0], Link) and _leads_to_page(line[0]) for line in lines
    ):
        return None
    parts = (sub_block(line, block, source) for line in lines)
    return block._replace(
        kind="list", blocks=tuple(part._replace(blocks=(part,)) for part in parts), inlines=()
    )


def _leads_to_page(link: Link) -> bool:
    is_page = not link.image and is_internal_url(link.url) and not ("#" in link.url or link.url[:2] == "..")
    return is_page and bool(plain_text((link,)))


def _with_bold_title(block: Block, vocabulary: Vocabulary) -> Block:
    """Return a paragraph with the title that it begins with in bold instead of brackets: `[Tidy Shelves for All] KDD 2014`."""
    first = block.inlines[0] if block.inlines else None
    title = _TITLE_IN_BRACKETS.match(first.value) if isinstance(first, Text) else None
    if title is None or not isinstance(first, Text):
        return block
    link = next(iter(all_links((block,))), None)
    is_labelled = link is not None and vocabulary.role(plain_text((link,)).strip("[]() ")) is not None
    if len(title["title"].split()) < (_FEW_WORDS if is_labelled else _MIN_WORDS):
        return block
    rest = [node.value for node in block.inlines[1:] if isinstance(node, Text)]
    behind = first.value[title.end() :]
    if find_year(title["title"]) or sum(len(words.split()) for words in (behind, *rest)) > _MAX_REST:
        return block  # `[Journal of Shelf Science, 2019] Tidy Shelves for All`
    start, end = (first.start + offset for offset in title.span("title"))
    bold = Emphasis(start - 1, end + 1, "**", (Text(start, end, title["title"]),))
    before = (Text(first.start, start - 1, title["mark"]),) if title["mark"] else ()
    after = (Text(end + 1, first.end, behind),) if behind else ()
    return block._replace(inlines=(*before, bold, *after, *block.inlines[1:]))


def _with_links(block: Block) -> Block:
    """Return a block in which a label and the address, or the number of one, in brackets behind it are a link: `[Shelf] [1]`."""
    if block.blocks:
        return block._replace(blocks=tuple(map(_with_links, block.blocks)))
    waiting = list(block.inlines)
    nodes: list[Inline] = []  # the last one first
    while waiting:
        node = waiting.pop()
        before, after = waiting[-1] if waiting else None, nodes[-1] if nodes else None
        if not isinstance(node, Link) or not isinstance(before, Text):
            nodes.append(node)
            continue
        label = None
        if node.form == "bare" and isinstance(after, Text) and after.value.startswith(")"):
            label = _LABEL.search(before.value)
        elif node.form == "reference" and plain_text((node,)).isdigit():
            label = _BEFORE_REFERENCE.search(before.value)
        if label is not None:
            start, end = (before.start + offset for offset in label.span("label"))
            words = Text(start, end, label["label"])
            node = node._replace(start=start - 1, text=Span(start, end), children=(words,))
            if isinstance(after, Text) and node.form == "bare":
                nodes[-1:] = [Text(after.start + 1, after.end, after.value[1:])] if after.value[1:] else []
                node = node._replace(end=after.start + 1, form="inline")
            waiting[-1:] = (
                [Text(before.start, start - 1, before.value[: label.start()])] if label.start() else []
            )
        nodes.append(node)
    return block._replace(inlines=tuple(reversed(nodes)))


def html_paragraph(block: Block) -> Block | None:
    """Return a paragraph of HTML that begins with bold text or a link as that of Markdown: `<p><b>Shelf</b><br>...</p>`."""
    if block.kind != "html" or len(block.inlines) < 3:
        return None
    opening, *inner, closing = block.inlines
    tags = {node.tag for node in inner if isinstance(node, Html)}
    first = next((node for node in inner if not isinstance(node, Text) or node.value.strip()), None)
    if not (isinstance(opening, Html) and opening.value.casefold() == "<p>"):
        return None  # centred text is a heading
    is_named = isinstance(first, Link) or (isinstance(first, Html) and first.tag in _BOLD)
    if not (is_named and isinstance(closing, Html) and closing.tag == "/p"):
        return None
    if not tags.isdisjoint(_NOT_IN_PARAGRAPH):
        return None
    return _as_paragraph(block, inner)


def _unfolded(block: Block) -> Block | None:
    """Return the folded text that an item begins with as a paragraph: `- <details><summary><b>Shelf</b></summary> ...`."""
    tags = [node.tag if isinstance(node, Html) else "" for node in block.inlines]
    if block.kind != "html" or tags[:1] != ["details"] or not _NOT_IN_FOLDED.isdisjoint(tags):
        return None
    return _as_paragraph(
        block, [node for node, tag in zip(block.inlines, tags, strict=True) if tag not in _FOLDS]
    )


def _as_paragraph(block: Block, nodes: Sequence[Inline]) -> Block:
    """Return a block of HTML as a paragraph of some of its nodes: the line ends of HTML are blanks."""
    lines = (
        node._replace(value=node.value.replace("\n", " ")) if isinstance(node, Text) else node
        for node in nodes
    )
    return block._replace(kind="paragraph", inlines=tuple(lines))
