"""Checks the spans of a syntax tree against the source text and upstream's own parse."""

import html
import re

from markdown_it.common.utils import MD_TRIM_CHARS, unescapeAll

from shelfread.core.source import Source
from shelfread.markdown.node import Block, Break, Code, Definition, Emphasis, Html, Inline, Link, Text, Tree
from support.markdown_upstream import UPSTREAM, squash, without_front_matter

_BREAK = re.compile(r"(?: *|\\)(?:\r\n|\r|\n)[ \t>]*")
_LINE_END = re.compile(r"(?:\r\n|\r|\n)[ \t>]*")


def _rendered(escaped: str) -> str:
    return "".join(token.content for token in UPSTREAM.parseInline(escaped)[0].children or [])


class Oracle:
    """Collects the errors of a tree."""

    def __init__(self, source: Source, tree: Tree) -> None:
        self.text = source.text
        self.source = source
        self.wrong: list[str] = []
        env: dict = {}
        text = source.text
        UPSTREAM.parse(without_front_matter(source), env)
        self.references = {"references": env.get("references", {})}
        self.blocks(tree.blocks, 0, len(text))
        for definition in tree.definitions:
            self.definition(definition)
        last = 0
        for zone in tree.protected:
            self.check(last <= zone.start < zone.end <= len(text), "zone", zone)
            last = zone.end
        for comment in tree.comments:
            self.check(self.text.startswith("<!--", comment.start), "comment", comment)

    def check(self, holds: object, what: str, node: object) -> None:
        if not holds:
            start, end = getattr(node, "start", 0), getattr(node, "end", 0)
            self.wrong.append(f"{what}: {self.text[start:end]!r} {str(node)[:300]}")

    def slice(self, start: int, end: int, in_cell: bool = False) -> str:
        written = self.text[start:end]
        return written.replace("\\|", "|") if in_cell else written

    # ------------------------------------------------------------------ blocks
    def blocks(self, blocks: tuple[Block, ...], start: int, end: int, kind: str = "document") -> None:
        for block in blocks:
            self.check(start <= block.start <= block.end <= end, f"outside of {kind}", block)
            start = block.end
            self.block(block)
            self.blocks(block.blocks, block.start, block.end, block.kind)
            if block.kind == "html":
                self.html_block(block)
            elif block.kind in ("heading", "paragraph", "cell"):
                self.prose(block)

    def block(self, block: Block) -> None:
        written = self.text[block.start : block.end]
        starts = self.source.starts
        self.check(block.first < block.last <= len(starts), "lines", block)
        self.check(self.source.line_at(block.start) == block.first, "first", block)
        self.check(self.source.line_at(max(block.start, block.end - 1)) == block.last - 1, "last", block)
        if block.kind == "heading" and block.marker == "#":
            self.check(re.match(rf"#{{{block.level}}}(?!#)", written), "heading", block)
        elif block.kind == "heading":
            self.check(written.endswith(block.marker), "underline", block)
        elif block.kind == "item":
            number = rf"0*{block.level}" if block.marker in ".)" else ""
            self.check(re.match(rf"{number}{re.escape(block.marker)}(?!\S)", written), "item", block)
        elif block.kind == "list":
            self.check(re.match(rf"\d*{re.escape(block.marker)}(?!\S)", written), "list", block)
            self.check({item.kind for item in block.blocks} == {"item"}, "not items", block)
        elif block.kind == "quote":
            self.check(written.startswith(">"), "quote", block)
        elif block.kind == "code":
            self.check(written.startswith(block.marker or written[:1].strip(" \t")), "code", block)
        elif block.kind == "html":
            self.check(re.match(r"(- |\d+[.)] )*<", written), "html", block)
        elif block.kind == "rule":
            self.check(re.fullmatch(r"([-*_])[ \t]*(\1[ \t]*){2,}", written), "rule", block)
        elif block.kind in ("row", "cell"):
            self.check(not re.search(r"[\r\n]", written), block.kind, block)

    def prose(self, block: Block) -> None:
        nodes = block.inlines
        in_cell = block.kind == "cell"
        self.inlines(nodes, block.start, block.end, in_cell, False)
        if nodes:
            before = self.text[block.start : nodes[0].start]
            after = self.text[nodes[-1].end : block.end]
            heading = "#=-\r\n>" if block.kind == "heading" else ""
            self.check(
                not before.strip(MD_TRIM_CHARS + heading + ">" * (not in_cell)), f"before {before!r}", block
            )
            self.check(
                not after.strip(MD_TRIM_CHARS + heading + ">" * ("\n" in after or "\r" in after)),
                f"after {after!r}",
                block,
            )
        else:
            written = self.text[block.start : block.end].strip(MD_TRIM_CHARS + "#=->")
            self.check(not written, "not covered", block)

    def html_block(self, block: Block) -> None:
        self.inlines(block.inlines, block.start, block.end, False, True)
        self.check(block.inlines and block.inlines[0].start == block.start, "html begins", block)

    # ----------------------------------------------------------------- inlines
    def inlines(
        self, nodes: tuple[Inline, ...], start: int, end: int, in_cell: bool, html: bool, whole: bool = False
    ) -> None:
        """`whole`: the nodes fill the range from edge to edge."""
        at = start
        for i, node in enumerate(nodes):
            self.check(at <= node.start < node.end <= end, f"not in {start}:{end} after {at}", node)
            gap = self.text[at : node.start]
            if i or whole:
                self.check(
                    not gap or (in_cell and gap == "\\") or (html and not squash(gap)), f"gap {gap!r}", node
                )
            at = node.end
            self.inline(node, in_cell, html)
        if whole:
            self.check(at == end or (in_cell and not self.text[at:end].strip("\\")), "does not fill", end)

    def inline(self, node: Inline, in_cell: bool, in_html: bool) -> None:
        written = self.slice(node.start, node.end, in_cell)
        if isinstance(node, Text):
            if in_html:
                self.check(squash(html.unescape(written)) == squash(node.value), "html text", node)
            else:
                self.check(node.value == written or node.value == _rendered(written), "text", node)
        elif isinstance(node, Code):
            size = len(written) - len(written.lstrip("`"))
            self.check(size and written.endswith("`" * size), "code marks", node)
            self.check(squash(written[size:-size]) == squash(node.value), "code value", node)
        elif isinstance(node, Break):
            self.check(_BREAK.fullmatch(written), "break", node)
            self.check(node.hard == written.startswith(("\\", "  ")), "hard", node)
        elif isinstance(node, Html):
            self.check(written.startswith("<"), "html", node)
            self.check(squash(written) == squash(node.value), "html value", node)
        elif isinstance(node, Emphasis):
            size = len(node.delimiter)
            self.check(written.startswith(node.delimiter) and written.endswith(node.delimiter), "marks", node)
            self.inlines(node.children, node.start + size, node.end - size, in_cell, in_html, True)
        else:
            self.link(node, written, in_cell, in_html)

    def link(self, link: Link, written: str, in_cell: bool, in_html: bool) -> None:
        text = self.text
        if link.destination is not None:
            self.check(
                link.start <= link.destination.start <= link.destination.end <= link.end, "place", link
            )
            destination = self.slice(*link.destination, in_cell)
            if link.form == "html":
                value = html.unescape(destination)
                self.check(squash(value) == squash(link.url), f"html destination {value!r}", link)
            elif link.form in ("autolink", "bare"):
                self.check(
                    link.url in (destination, "mailto:" + destination, "http://" + destination), "auto", link
                )
            else:
                # Upstream takes a backslash and the end of its line into a destination.
                same = squash if "\\\n" in link.url else str
                self.check(
                    same(unescapeAll(destination)) == same(link.url), f"destination {destination!r}", link
                )
        whole = link.form in ("inline", "reference", "html")
        if not (link.form == "html" and link.image):
            self.inlines(link.children, link.text.start, link.text.end, in_cell, in_html, whole)
        if link.form in ("inline", "reference"):
            opening = "![" if link.image else "["
            self.check(written.startswith(opening), "opening", link)
            self.check(written.endswith(")" if link.form == "inline" else "]"), "closing", link)
            self.check(link.text.start == link.start + len(opening), "text start", link)
            self.check(text[link.text.end] == "]", "text end", link)
            if link.title is not None:
                quotes = text[link.title.start - 1] + text[link.title.end]
                self.check(quotes in ('""', "''", "()"), "title", link)
        elif link.form == "html":
            self.check(written.startswith("<") and written.endswith(">"), "anchor", link)
        elif link.form == "autolink":
            self.check(written == f"<{text[link.text.start : link.text.end]}>", "autolink", link)
        if link.form in ("inline", "reference", "autolink"):
            self.alone(link, written)

    def alone(self, link: Link, written: str) -> None:
        """The strongest test: the text of the span, parsed by itself, is one link to the same destination."""
        flat = _LINE_END.sub("\n", written)
        tokens = UPSTREAM.parseInline(flat, dict(self.references))[0].children or []
        first, last = tokens[0], tokens[-1]
        if link.image:
            self.check(len(tokens) == 1 and first.attrs.get("src") == link.url, "alone", link)
        else:
            self.check(first.type == "link_open" and first.attrs["href"] == link.url, "alone", link)
            self.check(last.type == "link_close" and last.level == 0, "alone to the end", link)

    def definition(self, definition: Definition) -> None:
        text = self.text
        written = text[definition.start : definition.end]
        self.check(re.match(r"\[", written), "definition", definition)
        around = text[definition.text.start - 1] + text[definition.text.end : definition.text.end + 2]
        self.check(around == "[]:", "definition's label", definition)
        self.check(unescapeAll(text[slice(*definition.destination)]) == definition.url, "its url", definition)
        self.check(definition.label in self.references["references"], "its folded label", definition)
        if definition.title is not None:
            quotes = text[definition.title.start - 1] + text[definition.title.end]
            self.check(quotes in ('""', "''", "()"), "its title", definition)


def faults(source: Source, tree: Tree) -> list[str]:
    """Return all errors in the spans of a tree."""
    return Oracle(source, tree).wrong
