"""Lists written in HTML: `<li><a href="u">Name</a> - Description</li>`."""

from __future__ import annotations

from shelfread.core.diagnostics import Span
from shelfread.core.source import Source
from shelfread.document.entry.build import build_classic, build_paper, is_paper
from shelfread.document.entry.title_line import read_title_line
from shelfread.document.model import Entry
from shelfread.document.non_entries import is_internal_url
from shelfread.document.plain_text import render_plain_text
from shelfread.markdown.node import Block, Html, Inline
from shelfread.taxonomy.vocabulary import Vocabulary

_ENDS = frozenset({"/li", "li", "ul", "/ul", "ol", "/ol"})


def read_html_list(block: Block, section: int | None, source: Source, vocabulary: Vocabulary) -> list[Entry]:
    """The entries of the list items in an HTML block."""
    entries: list[Entry] = []
    item: list[Inline] | None = None
    for node in block.inlines:
        tag = node.tag if isinstance(node, Html) else ""
        if item is not None and tag in _ENDS:
            if entry := _read_item(tuple(item), block, section, source, vocabulary):
                entries.append(entry)
            item = None
        if tag == "li":
            item = []
        elif item is not None:
            item.append(node)
    return entries


def _read_item(
    inlines: tuple[Inline, ...], block: Block, section: int | None, source: Source, vocabulary: Vocabulary
) -> Entry | None:
    if not inlines:
        return None
    head = read_title_line(render_plain_text(inlines), vocabulary, named=True)
    if head.title is None or not any(map(str.isalnum, head.plain.text[head.title.start : head.title.end])):
        return None
    start, end = inlines[0].start, inlines[-1].end
    first, last = source.line_at(start), source.line_at(max(end - 1, start)) + 1
    place = block._replace(kind="item", start=start, end=end, first=first, last=last, inlines=inlines)
    lines = Span(first + 1, last)
    if head.title_link is not None and is_internal_url(head.title_link.link.url):
        return None
    if is_paper(head, [], vocabulary):
        return build_paper(head, [], place, section, "html-list", source.text, lines, vocabulary)
    if head.title_link is None or head.shape != "linked":
        return None
    return build_classic(head, place, section, "html-list", lines, vocabulary)
