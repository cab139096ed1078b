"""Entries in lists written in HTML: `<li><a href="u">Name</a> - Description</li>`."""

from __future__ import annotations

from shelfread.core.source import Source
from shelfread.document.entry.classic import build_classic
from shelfread.document.entry.kind import is_paper
from shelfread.document.entry.paper import build_paper
from shelfread.document.entry.title_line import read_title_line
from shelfread.document.model import Entry
from shelfread.document.multi_entry import sub_block
from shelfread.document.non_entries import is_internal_url
from shelfread.document.plain_text import render_plain_text
from shelfread.markdown.node import Block, Html, Inline
from shelfread.taxonomy.vocabulary import Vocabulary

_ITEM_ENDS = frozenset({"/li", "li", "ul", "/ul", "ol", "/ol"})


def read_html_list(block: Block, section: int | None, source: Source, vocabulary: Vocabulary) -> list[Entry]:
    """Return the entries of the list items in an HTML block."""
    entries: list[Entry | None] = []
    item: list[Inline] | None = None
    for node in block.inlines:
        tag = node.tag if isinstance(node, Html) else ""
        if tag in _ITEM_ENDS:
            if item:
                entries.append(_read_item(tuple(item), block, section, source, vocabulary))
            item = [] if tag == "li" else None
        elif item is not None:
            item.append(node)
    return [entry for entry in entries if entry is not None]


def _read_item(
    inlines: tuple[Inline, ...], block: Block, section: int | None, source: Source, vocabulary: Vocabulary
) -> Entry | None:
    title_line = read_title_line(render_plain_text(inlines), vocabulary, named=True)
    link = title_line.title_link
    if not any(map(str.isalnum, title_line.title_text)) or (link and is_internal_url(link.link.url)):
        return None
    item = sub_block(inlines, block, source, "item")
    if is_paper(title_line, [], vocabulary):
        return build_paper(
            title_line, [], item, vocabulary, section=section, dialect="html-list", source=source.text
        )
    if link is None or title_line.shape != "linked":
        return None
    return build_classic(title_line, item, vocabulary, section=section, dialect="html-list")
