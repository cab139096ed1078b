"""The edits of the links that lead to a renamed heading: their destinations, and texts that are its title."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape, unescape
from urllib.parse import quote, unquote

from markdown_it.common.utils import unescapeAll

from shelfread.checks.contents.item_style import renamed_words
from shelfread.core.diagnostics import Change, Edit, Effect, Span
from shelfread.core.support.named_tuple import NamedTuple
from shelfread.document.model import Document
from shelfread.document.plain_text import plain_text
from shelfread.index.anchors import Landmark
from shelfread.markdown.escape import destination
from shelfread.markdown.node import Emphasis, Link
from shelfread.server.features.places import blocks_around
from shelfread.server.features.targets import LinkTarget, LocalLink, TargetFinder, local_links


class Renaming(NamedTuple):
    """A heading's new title, and the anchors that change with it."""

    target: LinkTarget
    before: tuple[str, str]
    """The title as written and as shown."""
    after: tuple[str, str]
    anchors: dict[int, str]
    """The new anchors by the indexes of their landmarks."""


def link_edits(
    renaming: Renaming, document: Document, finder: TargetFinder, landmarks: Sequence[Landmark]
) -> Iterator[Edit]:
    """Yield the edits of a file's links to the headings whose anchors change, and of the texts of these links."""
    path, text = document.source.path or "", document.source.text
    written_out = {each.text for each in landmarks if not each.heading}
    for link in local_links(document, finder):
        if link.target is None or link.target.page != renaming.target.page or link.target.landmark is None:
            continue
        anchor = renaming.anchors.get(link.target.landmark)
        # An id or a name in a tag stays, and so does a link to it.
        if anchor is not None and unquote(link.fragment) not in written_out:
            yield _readdressed(link, anchor, text)._replace(path=path)
        if link.target == renaming.target and isinstance(link.link, Link):
            yield from _reworded(link.link, renaming, document)


def _readdressed(link: LocalLink, anchor: str, text: str) -> Edit:
    """Return the edit of a link's destination, encoded as it was."""
    url, (start, end) = link.link.url, link.destination
    prefix = "user-content-" if link.fragment.startswith("user-content-") else ""
    fragment = prefix + (quote(anchor, safe="-_") if "%" in link.fragment else anchor)
    after = f"{link.file}#{fragment}"
    if text[start:end] == url:
        return Edit.relink(Span(end - len(link.fragment), end), url, after, fragment)
    is_html = isinstance(link.link, Link) and link.link.form == "html"
    return Edit.relink(Span(start, end), url, after, escape(after) if is_html else destination(after))


def _reworded(link: Link, renaming: Renaming, document: Document) -> Iterator[Edit]:
    """Yield the edit of a link's text if that is the heading's title, as in a table of contents."""
    nodes = link.children
    while len(nodes) == 1 and isinstance(nodes[0], Emphasis):
        nodes = nodes[0].children
    if not nodes or any(isinstance(node, Link) for node in nodes):
        return
    span, (_, title) = Span(nodes[0].start, nodes[-1].end), renaming.after
    words = document.source.text[slice(*span)]
    after = renamed_words(words, renaming.before, renaming.after)
    if link.form == "html":  # whose text is no Markdown
        is_plain = "<" not in title and unescape(title) == title
        after = title if plain_text(nodes) == renaming.before[1] and is_plain else None
    if after is not None and after != words:
        yield reword(document, span, after)


def reword(document: Document, span: Span, after: str) -> Edit:
    """Return the edit of words; it states them as shown, without the escapes of Markdown."""
    words = document.source.text[slice(*span)]
    is_html = any(block.kind == "html" for block in blocks_around(document.tree.blocks, span.start))
    shown = (words, after) if is_html else (unescapeAll(words), unescapeAll(after))
    return Edit(*span, after, Effect(Change.WORDS, *shown), document.source.path or "")
