"""Inline nodes as plain text, with the way back to the source."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import NamedTuple

from shelfread.core.diagnostics import Span
from shelfread.core.patterns import lazy
from shelfread.document.model import Field
from shelfread.markdown.node import Break, Code, Emphasis, Html, Inline, Link, Text

# GitHub shows a picture for `:star:` and `:+1:`. Between letters or colons it may be code: `std::sort::less`.
SHORTCODE = r":(?:[a-z][a-z0-9_+-]{1,39}|[+-]1):"  # the pattern of an emoji's name on GitHub, such as `:zap:`
_SHORTCODE = lazy(rf"(?<![\w:])(?:{SHORTCODE})+(?![\w:])")
# `[Shelf](u){target=_blank}`, `[Shelf](u){:.external}`: attributes, which some generators of sites read.
_ATTRIBUTES = lazy(r"\{(?:[:.#][^{}\n]{0,80}|[\w-]{1,40}=[^{}\n]{0,80})\}")
# What an icon is a word of: `Only for ![Linux](u).`
_LEADS_TO_WORD, _ENDS_WORD = (
    lazy(r"(?i)\b(?:and|at|by|for|from|in|is|of|on|only|or|to|via|with) \Z"),
    ".,;!?)",
)
# Blanks of other widths, and those at which no line ends: readers of fields need to know one blank only.
_BLANK = lazy(r"[\u00a0\u2002-\u200a\u202f\u205f\u3000]")
_TAGS = {
    "b": "strong",
    "strong": "strong",
    "code": "code",
    **dict.fromkeys(("i", "em", "u", "ins"), "emphasis"),
}


class TextRange(NamedTuple):
    """A half-open range of a plain text."""

    start: int
    end: int


class TextLink(NamedTuple):
    """A link and the half-open range of its text in the plain text."""

    start: int
    end: int
    link: Link


class PlainText(NamedTuple):
    """The text of inline nodes as rendered, and the ranges of links, strong emphasis, emphasis and code in it.

    A hard line break is a newline, a soft one a space, and so is a blank of any width. `offsets` (rising) are those at
    which segments of the text begin, `source_offsets` the offset in the source of each of them. `escaped` has those of
    `\\*` and `\\_`.
    """

    text: str
    links: list[TextLink]
    strong: list[TextRange]
    emphasis: list[TextRange]
    code: list[TextRange]
    images: list[Link]
    offsets: list[int]
    source_offsets: list[int]
    escaped: list[int]

    def span(self, start: int, end: int) -> Span:
        """Return the span in the source of a range of the text."""
        offsets, sources = self.offsets, self.source_offsets
        if len(offsets) == 1:
            return Span(sources[0] + start, sources[0] + end)
        first = bisect_right(offsets, start) - 1
        last = max(bisect_right(offsets, end - 1) - 1, first) if end > start else first
        if first < 0:
            return Span(0, 0)
        return Span(sources[first] + start - offsets[first], sources[last] + end - offsets[last])

    def offset(self, source: int) -> int:
        """Return the offset in the text of an offset in the source, or of the next character that is shown."""
        index = bisect_right(self.source_offsets, source) - 1
        if index < 0:
            return 0
        end = self.offsets[index + 1] if index + 1 < len(self.offsets) else len(self.text)
        return min(self.offsets[index] + source - self.source_offsets[index], end)

    def range_of(self, span: Span) -> TextRange:
        """Return the range of the text that a span of the source has."""
        return TextRange(self.offset(span.start), self.offset(span.end - 1) + 1)


def render_plain_text(inlines: Sequence[Inline]) -> PlainText:
    """Return the plain text of inline nodes. Comments, tags, `:star:` and images that no sentence leads to have none; `<br>` is a newline."""
    if len(inlines) == 1 and isinstance(only := inlines[0], Text) and only.value.count(":") < 2:
        return PlainText(_with_spaces(only.value), [], [], [], [], [], [0], [only.start], [])
    if 0 < len(inlines) < 3 and (simple := _render_name(inlines)) is not None:
        return simple
    plain = PlainText("", [], [], [], [], [], [], [], [])
    parts: list[str] = []
    _render(inlines, parts, 0, plain, {})
    return PlainText(_with_spaces("".join(parts)), *plain[1:])


def _with_spaces(text: str) -> str:
    return text if text.isascii() else _BLANK.sub(" ", text)


def _render_name(inlines: Sequence[Inline]) -> PlainText | None:
    """Return the plain text of the most common line, a link and a text, or None for any other."""
    link, rest = inlines[0], inlines[-1]
    if type(link) is not Link or link.image or len(link.children) != 1:
        return None
    label = link.children[0]
    if type(label) is not Text or label.value.count(":") > 1:
        return None
    length = len(label.value)
    links = [TextLink(0, length, link)]
    if rest is link:
        return PlainText(_with_spaces(label.value), links, [], [], [], [], [0], [label.start], [])
    if type(rest) is not Text or rest.value.count(":") > 1 or rest.value[0] == "{":
        return None
    starts = [label.start, rest.start]
    return PlainText(_with_spaces(label.value + rest.value), links, [], [], [], [], [0, length], starts, [])


def plain_text(inlines: Sequence[Inline]) -> str:
    """Return the text of inline nodes without markup, with each run of whitespace as one space."""
    return " ".join(render_plain_text(inlines).text.split())


def find_fields(values: list[str], plain: PlainText, text: str, start: int, end: int) -> list[Field]:
    """Return the values found one after the other between two offsets of `text`, with their spans.

    `text` is the text of `plain` or of the same length. Values that are empty or not found are left out.
    """
    fields: list[Field] = []
    for value in values:
        offset = text.find(value, start, end)
        if value and offset >= 0:
            start = offset + len(value)
            fields.append(Field(" ".join(value.split()), plain.span(offset, start)))
    return fields


def _render(
    inlines: Sequence[Inline], parts: list[str], length: int, plain: PlainText, opened: dict[str, int]
) -> int:
    """Add the text of nodes to `parts` and return its new length. `opened` has the starts of open tags."""
    offsets, source_offsets = plain.offsets, plain.source_offsets
    before: Inline | None = None
    for index, node in enumerate(inlines):
        last, before = before, node
        if type(node) is Text:
            value = node.value
            if value[:1] == "{" and isinstance(last, Link) and (attributes := _ATTRIBUTES.match(value)):
                value = value[attributes.end() :]
                node = node._replace(value=value, start=node.start + attributes.end())
            if value.count(":") > 1:
                length = _render_with_shortcodes(node, parts, length, plain)
                continue
            if value in ("*", "_") and node.end > node.start + 1:
                plain.escaped.append(length)
            offsets.append(length)
            source_offsets.append(node.start)
            parts.append(value)
            length += len(value)
        elif type(node) is Link:
            if node.image:
                plain.images.append(node)
                if isinstance(last, Text) and _LEADS_TO_WORD.search(last.value):
                    after = inlines[index + 1] if index + 1 < len(inlines) else None
                    if after is None or (isinstance(after, Text) and after.value[0] in _ENDS_WORD):
                        length = _render(node.children, parts, length, plain, opened)
                continue
            start = length
            if (
                len(node.children) == 1
                and type(only := node.children[0]) is Text
                and only.value.count(":") < 2
            ):
                offsets.append(length)
                source_offsets.append(only.start)
                parts.append(only.value)
                length += len(only.value)
            else:
                length = _render(node.children, parts, length, plain, opened)
            plain.links.append(TextLink(start, length, node))
        elif isinstance(node, Emphasis):
            start = length
            length = _render(node.children, parts, length, plain, opened)
            if node.delimiter != "~~":
                ranges = plain.strong if len(node.delimiter) == 2 else plain.emphasis
                ranges.append(TextRange(start, length))
        elif isinstance(node, Code):
            offsets.append(length)
            source_offsets.append(node.start + (node.end - node.start - len(node.value)) // 2)
            plain.code.append(TextRange(length, length + len(node.value)))
            parts.append(node.value)
            length += len(node.value)
        elif isinstance(node, Break):
            offsets.append(length)
            source_offsets.append(node.start)
            parts.append("\n" if node.hard else " ")
            length += 1
        elif isinstance(node, Html):
            length = _render_tag(node, parts, length, plain, opened)
    return length


def _render_with_shortcodes(node: Text, parts: list[str], length: int, plain: PlainText) -> int:
    done = 0
    for start, end in [match.span() for match in _SHORTCODE.finditer(node.value)] + [(len(node.value),) * 2]:
        if start > done:
            plain.offsets.append(length)
            plain.source_offsets.append(node.start + done)
            parts.append(node.value[done:start])
            length += start - done
        done = end
    return length


def _render_tag(node: Html, parts: list[str], length: int, plain: PlainText, opened: dict[str, int]) -> int:
    name = node.tag.lstrip("/")
    if name == "br":
        plain.offsets.append(length)
        plain.source_offsets.append(node.start)
        parts.append("\n")
        return length + 1
    if name in _TAGS:
        if node.tag == name:
            opened.setdefault(name, length)
        elif name in opened:
            ranges: list[TextRange] = getattr(plain, _TAGS[name])
            ranges.append(TextRange(opened.pop(name), length))
    return length
