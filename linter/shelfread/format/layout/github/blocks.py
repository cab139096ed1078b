"""Read a text line by line: which open blocks a line continues, which it begins, and where its text belongs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from shelfread.format.layout.github import starts, table
from shelfread.format.layout.github.line import Line
from shelfread.format.layout.github.node import Node

_CODE_INDENT = 4
_MAX_DEPTH = 100
_LINES_OF_TEXT = frozenset({"paragraph", "heading", "code", "html", "row"})

WithoutDefinitions: TypeAlias = Callable[[str], str]
"""Returns the content of a paragraph without the link reference definitions at its beginning."""


def read_blocks(lines: Sequence[str], without_definitions: WithoutDefinitions) -> Node:
    """Return the document that lines are."""
    reader = _Reader(without_definitions)
    for number, line in enumerate(lines):
        reader.read_line(Line(line), number)
    reader.close_to(reader.document)
    return reader.document


class _Reader:
    def __init__(self, without_definitions: WithoutDefinitions) -> None:
        self.without_definitions = without_definitions
        self.document = self.tip = Node("document", None, 0)
        self.number = 0
        self.not_tables: set[int] = set()
        """The paragraphs, by identity, whose last line is not the header above a delimiter row."""

    def read_line(self, line: Line, number: int) -> None:
        self.number = number
        matched = self._continued(line)
        if matched is not None:  # else it is the end of a fence
            self._add_text(line, self._begin_blocks(line, matched), matched)

    # ------------------------------------------------------------------------------ blocks that are open
    def _continued(self, line: Line) -> Node | None:
        """Return the innermost open block that a line continues; None if the line ends a fence."""
        node = self.document
        while node.blocks and node.blocks[-1].is_open:
            node = node.blocks[-1]
            if node.kind == "code" and node.numbers and line.indent < _CODE_INDENT:
                mark, length = str(node.attributes[0])[0], node.numbers[1]
                run = line.text[line.first :].rstrip(" \t")
                if len(run) >= length and not run.strip(mark):
                    self.tip = self._close(node)
                    return None
            if not _continues(node, line):
                return node.parent
        return node

    # ------------------------------------------------------------------------------- blocks that begin
    def _begin_blocks(self, line: Line, container: Node) -> Node:
        may_be_lazy = self.tip.kind == "paragraph"
        depth = 1
        while container.kind not in ("code", "html"):
            begun = self._begin_block(line, container, depth, may_be_lazy)
            if begun is None:
                break
            container = begun
            if container.kind in _LINES_OF_TEXT:
                break
            may_be_lazy = False
            depth += 1
        return container

    def _begin_block(self, line: Line, container: Node, depth: int, may_be_lazy: bool) -> Node | None:
        text, first, in_paragraph = line.text, line.first, container.kind == "paragraph"
        if line.indent >= _CODE_INDENT:
            if may_be_lazy or line.is_blank:
                return None
            line.skip_columns(_CODE_INDENT)
            return self._add(container, "code")
        if text.startswith(">", first):
            line.skip_to(first + 1)
            line.skip_space()
            return self._add(container, "quote")
        if match := starts.HEADING.match(text, first):
            line.skip_to(match.end())
            heading = self._add(container, "heading")
            heading.attributes = ("#", len(match[1]))
            return heading
        if match := starts.FENCE.match(text, first):
            node = self._add(container, "code")
            node.attributes = (match[0][0], text[match.end() :].strip(" \t"))
            node.numbers = (line.indent, len(match[0]))
            line.skip_to(len(text))
            return node
        if (html := starts.html_start(text, first, in_paragraph)) is not None:
            node = self._add(container, "html")
            node.numbers = (html,)
            return node
        if in_paragraph and (match := starts.SETEXT.match(text, first)):
            content = self.without_definitions("\n".join(container.lines))
            if not content:
                return None
            container.kind, container.lines = "heading", content.split("\n")
            container.attributes = ("", 1 if match[1][0] == "=" else 2)
            line.skip_to(len(text))
            return container
        if starts.RULE.match(text, first):
            node = self._add(container, "rule")
            line.skip_to(len(text))
            return node
        if depth < _MAX_DEPTH and (match := starts.FOOTNOTE.match(text, first)):
            node = self._add(container, "footnote")
            node.attributes = (match[1],)
            line.skip_to(match.end())
            return node
        if depth < _MAX_DEPTH and (marker := starts.list_marker(line, in_paragraph)):
            return self._add_item(container, line, marker)
        return self._begin_extension(line, container)

    def _add_item(self, container: Node, line: Line, marker: starts.Marker) -> Node:
        column, width = line.indent, marker.end - line.first
        line.skip_to(marker.end)
        at = line.column
        saved = line.offset, line.column, line.is_tab_cut
        while line.column - at <= 5 and line.skip_space():
            pass
        padding = line.column - at
        if not 1 <= padding < 5 or line.offset >= len(line.text):
            line.offset, line.column, line.is_tab_cut = saved
            line.first = -1
            line.find_text()
            if padding > 0:
                line.skip_space()
            padding = 1
        if container.kind != "list" or container.attributes[0] != marker.character:
            container = self._add(container, "list")
            container.attributes = (marker.character, marker.start)
        item = self._add(container, "item")
        item.numbers = (column, width + padding)
        return item

    def _begin_extension(self, line: Line, container: Node) -> Node | None:
        """Begin a table or one of its rows, or make an item a task."""
        rest = line.text[line.first :]
        if container.kind == "table" and not line.is_blank:
            return self._add_row(line, container)
        if container.kind == "paragraph" and id(container) not in self.not_tables:
            if table.DELIMITER_ROW.match(rest) is None:
                return None
            return self._begin_table(line, container, table.split_row(rest))
        if container.kind == "item" and not container.blocks and not container.attributes:
            match = starts.TASK.match(line.text) if container.first == self.number else None
            if match is not None and match.end(1) > line.first:
                container.attributes = ("task", match[1] != " ")
                line.skip_to(match.end(1) + 1)
        return None  # what follows a box is text

    def _begin_table(self, line: Line, paragraph: Node, delimiters: list[str]) -> Node | None:
        header = table.split_row(paragraph.lines[-1])
        if len(header) != len(delimiters):
            self.not_tables.add(id(paragraph))
            return None
        parent = paragraph.parent
        assert parent is not None
        if len(paragraph.lines) > 1:
            above = Node("paragraph", parent, paragraph.first)
            above.is_open = False
            above.lines = paragraph.lines[:-1]
            parent.blocks.insert(-1, above)
        paragraph.kind, paragraph.lines = "table", []
        paragraph.attributes = tuple((cell.startswith(":"), cell.endswith(":")) for cell in delimiters)
        row = Node("row", paragraph, self.number)
        row.is_open = False
        row.lines = header
        paragraph.blocks.append(row)
        line.skip_to(len(line.text))
        return paragraph

    def _add_row(self, line: Line, container: Node) -> Node:
        width = len(container.attributes)
        cells = table.split_row(line.text[line.first :])[:width]
        row = self._add(container, "row")
        row.lines = cells + [""] * (width - len(cells))
        line.skip_to(len(line.text))
        return row

    # ------------------------------------------------------------------------------------------- text
    def _add_text(self, line: Line, container: Node, matched: Node) -> None:
        if line.is_blank and container.blocks:
            container.blocks[-1].ends_blank = True
        container.ends_blank = line.is_blank and not (
            container.kind in ("quote", "heading", "rule")
            or (container.kind == "code" and container.numbers)
            or (container.kind == "item" and not container.blocks and container.first == self.number)
        )
        above = container.parent
        while above is not None:
            above.ends_blank = False
            above = above.parent
        if (
            self.tip is not matched
            and container is matched
            and not line.is_blank
            and self.tip.kind == "paragraph"
        ):
            self.tip.lines.append(line.rest)
            return
        if container is matched:
            self.close_to(matched)
        if container.kind == "code":
            if not (container.numbers and container.first == self.number):
                container.lines.append(line.rest)
        elif container.kind == "html":
            container.lines.append(line.rest)
            if starts.is_html_end(line.text[line.first :], container.numbers[0]):
                container = self._close(container)
        elif line.is_blank:
            pass
        elif container.kind == "paragraph":
            container.lines.append(line.text[line.first :])
        elif container.kind == "heading":
            container.lines.append(_without_hashes(line))
        elif container.kind not in ("rule", "row", "table"):
            container = self._add(container, "paragraph")
            container.lines.append(line.text[line.first :])
        self.tip = container

    # ------------------------------------------------------------------------------------ open and close
    def _add(self, parent: Node, kind: str) -> Node:
        self.close_to(parent)
        while not parent.can_contain(kind):
            parent = self._close(parent)
        node = Node(kind, parent, self.number)
        parent.blocks.append(node)
        self.tip = node
        return node

    def close_to(self, node: Node) -> None:
        """Close all open blocks below one."""
        while self.tip is not node:
            self.tip = self._close(self.tip)

    def _close(self, node: Node) -> Node:
        """Close a block and return the one that it is in."""
        node.is_open = False
        assert node.parent is not None, "the document stays open"
        if (
            node.kind == "paragraph"
            and node.lines[0].startswith("[")
            and any("]:" in line for line in node.lines)
        ):
            content = self.without_definitions("\n".join(node.lines))
            if not content:
                node.parent.blocks.remove(node)
            node.lines = content.split("\n")
        return node.parent


def _continues(node: Node, line: Line) -> bool:
    """Return whether a line continues an open block, after reading the beginning that shows it."""
    kind = node.kind
    if kind == "quote":
        if line.indent >= _CODE_INDENT or not line.text.startswith(">", line.first):
            return False
        line.skip_to(line.first + 1)
        line.skip_space()
        return True
    if kind == "item":
        content = sum(node.numbers)
        if line.indent >= content:
            line.skip_columns(content)
        elif line.is_blank and node.blocks:
            line.skip_to(line.first)
        else:
            return False
        return True
    if kind == "code" and node.numbers:
        for _ in range(node.numbers[0]):
            if not line.skip_space():
                break
        return True
    if kind in ("code", "footnote"):
        if line.indent >= _CODE_INDENT:
            line.skip_columns(_CODE_INDENT)
            return True
        if kind == "footnote":
            return not line.text
        if line.is_blank:
            line.skip_to(line.first)
        return line.is_blank
    if kind == "html":
        return not line.is_blank or not starts.ends_with_blank_line(node.numbers[0])
    return kind == "list" or (kind in ("paragraph", "table") and not line.is_blank)


def _without_hashes(line: Line) -> str:
    """Return the text of a heading, without the `#` at its end."""
    text = line.text.rstrip(" \t")
    bare = text.rstrip("#")
    if bare != text and bare[-1:] in (" ", "\t"):
        text = bare.rstrip(" \t")
    return text[line.first :]
