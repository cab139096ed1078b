"""Entries in their usual form: a title above its people, a link without a blank inside, a paragraph that is no HTML."""

from __future__ import annotations

from shelfread.core.diagnostics import Span
from shelfread.core.patterns import lazy
from shelfread.document.plain_text import plain_text
from shelfread.document.recognizers.people import is_list_of_people
from shelfread.markdown.node import Block, Html, Inline, Link, Text, all_links

# `[Shelf] (https://example.org)`; `[x]` is a task.
_LABEL = lazy(r"\[(?P<label>\[[^\[\]\n]{2,200}\]|[^\[\]\n]{2,200})\] \(\Z")
_BLANK_INSIDE = lazy(r"\] \(https?://")
_MIN_ITEMS = 2  # so many items of a list, and half of them, are people above a title
_BOLD, _NOT_IN_PARAGRAPH = frozenset(("b", "strong")), frozenset(("p", "li", "td", "details", "div"))


def usual_blocks(blocks: tuple[Block, ...], text: str) -> tuple[Block, ...]:
    """Return the blocks of a document, in which entries that are written in an odd way have their usual form."""
    if _BLANK_INSIDE.search(text):
        blocks = tuple(map(_with_links, blocks))
    return tuple(_titles_first(block) if block.kind == "list" else block for block in blocks)


def _with_links(block: Block) -> Block:
    """Return a block in which a label and the address in brackets behind it are a link."""
    if block.blocks:
        return block._replace(blocks=tuple(map(_with_links, block.blocks)))
    waiting = list(block.inlines)
    nodes: list[Inline] = []  # the last one first
    while waiting:
        node = waiting.pop()
        before, after = waiting[-1] if waiting else None, nodes[-1] if nodes else None
        if (
            isinstance(node, Link)
            and node.form == "bare"
            and isinstance(before, Text)
            and isinstance(after, Text)
            and after.value.startswith(")")
            and before.value.endswith("] (")
            and (label := _LABEL.search(before.value)) is not None
        ):
            start, end = (before.start + offset for offset in label.span("label"))
            words = Text(start, end, label["label"])
            nodes[-1:] = [Text(after.start + 1, after.end, after.value[1:])] if after.value[1:] else []
            node = node._replace(
                start=start - 1, end=after.start + 1, form="inline", text=Span(start, end), children=(words,)
            )
            waiting[-1:] = (
                [Text(before.start, start - 1, before.value[: label.start()])] if label.start() else []
            )
        nodes.append(node)
    return block._replace(inlines=tuple(reversed(nodes)))


def _titles_first(block: Block) -> Block:
    """Return a list in which the paragraph of a title stands above that of its people."""
    above = [_are_people_above(item) for item in block.blocks]
    if sum(above) < max(_MIN_ITEMS, 0.5 * len(above)):
        return block
    items = (
        item._replace(blocks=(item.blocks[1], item.blocks[0], *item.blocks[2:])) if is_above else item
        for item, is_above in zip(block.blocks, above, strict=True)
    )
    return block._replace(blocks=tuple(items))


def _are_people_above(item: Block) -> bool:
    """Return whether the first of an item's paragraphs is people, and the second is not."""
    if len(item.blocks) < 2 or any(block.kind != "paragraph" for block in item.blocks[:2]):
        return False
    people, title = item.blocks[:2]
    if any(all_links((people,))) or not is_list_of_people(plain_text(people.inlines)):
        return False
    return not is_list_of_people(plain_text(title.inlines))


def html_paragraph(block: Block) -> Block | None:
    """Return a paragraph of HTML that begins with bold text as that of Markdown: `<p><b>Shelf</b><br>...</p>`."""
    if len(block.inlines) < 3:
        return None
    opening, *inner, closing = block.inlines
    tags = {node.tag for node in inner if isinstance(node, Html)}
    first = next((node for node in inner if not isinstance(node, Text) or node.value.strip()), None)
    if not (isinstance(opening, Html) and opening.value.casefold() == "<p>" and isinstance(first, Html)):
        return None  # centred text is a heading
    if not (isinstance(closing, Html) and closing.tag == "/p" and first.tag in _BOLD):
        return None
    if not tags.isdisjoint(_NOT_IN_PARAGRAPH):
        return None
    lines = (
        node._replace(value=node.value.replace("\n", " ")) if isinstance(node, Text) else node
        for node in inner
    )
    return block._replace(kind="paragraph", inlines=tuple(lines))
