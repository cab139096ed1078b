"""An entry's title line taken apart as it is written: its title, venue and labels with all that is around them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from shelfread.core.diagnostics import Span
from shelfread.document.model import Entry, LabelledLink
from shelfread.index.conventions.title_line import main_link
from shelfread.markdown.node import Code, Emphasis, Inline, Link

_PAIRS = {"[": "]", "(": ")", "（": "）", "【": "】", "\\[": "\\]"}
_MARKS = ("**", "__", "*", "_", "`")
_QUOTES = {'"': '"', "“": "”", "「": "」", "《": "》"}
_EDGE = re.compile(r"[\s.,;:。]*")
# What parts the parts of a line and says nothing itself.
_BETWEEN = re.compile(r"[\s,;|/·&+、，]*")
NOTHING = re.compile(r"(?:[\s.,;:|·/–—-]|\\$|\\\n)*")


class Label(NamedTuple):
    """A label link and the brackets around it."""

    link: LabelledLink
    span: Span
    """With its brackets, where they hold nothing else."""
    form: tuple[str, str, str, str]
    """What stands before the link, around its text, and behind it: `[`, empty, empty, `]` of `[[Paper](u)]`."""


class Line(NamedTuple):
    """A title line."""

    entry: Entry
    span: Span
    main: LabelledLink | None
    """The link that the title is, or begins with."""
    title: Span
    """The title with the marks within it, its link where that is but its beginning."""
    outer: Span
    """The title with its link and all marks around it that hold nothing else."""
    whole: Span
    """All that, and the rest of what the link says: `[Title (OSDI 2020)](u)`."""
    marks: str
    """Those marks: `**`, a quote, or none."""
    venue: Span | None
    """The citation with its brackets and marks; None where it stands elsewhere or within a label."""
    venue_brackets: str
    """Its opening bracket; empty where it has none."""
    cites: Span | None
    """The citation's text, in `venue` or within a label."""
    labels: tuple[Label, ...]
    holes: tuple[Span, ...]
    """Venue and labels, those in a row and the brackets around them as one."""


def take_apart(entry: Entry, span: Span, inlines: Sequence[Inline], text: str) -> Line:
    """The parts of an entry's line, which is `text[span]`."""
    main = main_link(entry)
    title = _whole(entry.title.span, inlines)
    outer, marks = _outer(title, inlines, text)
    whole = outer
    if main is not None:
        whole = Span(min(outer.start, main.link.start), max(outer.end, main.link.end))
    labels = tuple(
        sorted(
            (
                label_of(link, text)
                for link in entry.links
                if link is not main
                and span.start <= link.link.start < span.end
                and not _within(link.link, title)
            ),
            key=lambda label: label.span,
        )
    )
    venue = cites = None
    brackets = ""
    cited = entry.citation.span if entry.citation else None
    if cited is not None and span.start <= cited.start < cited.end <= span.end and not _within(cited, title):
        cites = cited
        if not any(label.span.start <= cited.start < label.span.end for label in labels) and not (
            main is not None and main.link.start <= cited.start < main.link.end
        ):
            venue, brackets = _bracketed(cited, text)
    holes = tuple(sorted([*_rows(labels, text), *([venue] if venue else [])]))
    return Line(entry, span, main, title, outer, whole, marks, venue, brackets, cites, labels, holes)


def _rows(labels: Sequence[Label], text: str) -> Iterator[Span]:
    """Labels that only separators part, with the brackets around several of them."""
    row: list[Label] = []
    for at, label in enumerate(labels):
        row.append(label)
        if at + 1 < len(labels) and _BETWEEN.fullmatch(text, label.span.end, labels[at + 1].span.start):
            continue
        start, end = row[0].span.start, row[-1].span.end
        if len(row) > 1:
            start, end = _in_brackets(start, end, text)
        yield Span(start, end)
        row = []


def _in_brackets(start: int, end: int, text: str) -> tuple[int, int]:
    """A stretch with the brackets that hold it alone."""
    for one, other in _PAIRS.items():
        for close in dict.fromkeys((other, other.lstrip("\\"))):
            escaped = one == "[" and text.endswith("\\[", 0, start)
            if text.endswith(one, 0, start) and not escaped and text.startswith(close, end):
                return start - len(one), end + len(close)
    return start, end


def label_of(link: LabelledLink, text: str) -> Label:
    """A label link with the brackets that hold it alone."""
    node = link.link
    opening = closing = ""
    inner = text[node.text.start : node.text.end]
    for one, other in _PAIRS.items():
        if inner.startswith(one) and inner.endswith(other):
            opening, closing = one, other
    start, end = _in_brackets(node.start, node.end, text)
    before, after = text[start : node.start], text[node.end : end]
    return Label(link, Span(start, end), (before, opening, closing, after))


def target_of(link: Link, text: str) -> str | None:
    """Where a link leads, as written: `(u "title")`, `[label]`; None where its text itself says it."""
    if link.form == "inline" or (link.form == "reference" and link.end - link.text.end > 3):
        return text[link.text.end + 1 : link.end]
    return None


def words_of_label(label: Label, text: str) -> str:
    """A label's text as written, without its brackets."""
    _, opening, closing, _ = label.form
    span = label.link.link.text
    return text[span.start + len(opening) : span.end - len(closing)]


def pairs_of(line: Line, text: str) -> list[tuple[str, str]] | None:
    """A line's labels, each its words and its target as written; None where one has none."""
    found = []
    for label in line.labels:
        target = target_of(label.link.link, text)
        if target is None:
            return None
        found.append((words_of_label(label, text), target))
    return found


def behind(line: Line, text: str) -> str:
    """What a line says behind its title beside venue and labels."""
    return _without(text, line.whole.end, line.span.end, line.holes)


def before(line: Line, text: str) -> str:
    """What a line says before its title beside venue and labels, and a blank if that is anything."""
    said = _without(text, line.span.start, line.whole.start, line.holes).strip(" .,:;|-")
    return f"{said} " if said else ""


def _without(text: str, start: int, end: int, holes: Sequence[Span]) -> str:
    parts, at = [], start
    for hole in holes:
        if at <= hole.start and hole.end <= end:
            parts.append(text[at : hole.start])
            at = hole.end
    return "".join([*parts, text[at:end]])


def _within(one: Span | Link, other: Span) -> bool:
    return other.start <= one.start and one.end <= other.end


def _nodes(inlines: Sequence[Inline]) -> Iterator[Emphasis | Link | Code]:
    for node in inlines:
        if isinstance(node, Emphasis | Link | Code):
            yield node


def _whole(title: Span, inlines: Sequence[Inline]) -> Span:
    """A title with the whole of the nodes that reach over one of its ends."""
    start, end = title
    for node in _nodes(inlines):
        if node.start <= title.start and title.end <= node.end and not isinstance(node, Code):
            return _whole(title, node.children)
        if node.start < title.end and title.start < node.end:
            start, end = min(start, node.start), max(end, node.end)
    return Span(start, end)


def _outer(title: Span, inlines: Sequence[Inline], text: str) -> tuple[Span, str]:
    """A title with the nodes and quotes around it that hold nothing else, and the outermost mark of them."""
    chain: list[Emphasis | Link] = []
    while node := next(
        (
            node
            for node in _nodes(inlines)
            if not isinstance(node, Code)
            and node.start <= title.start
            and title.end <= node.end
            and node[:2] != title
        ),
        None,
    ):
        chain.append(node)
        inlines = node.children
    span, marks = _quoted(title, text)
    for node in reversed(chain):
        inner = (
            Span(*node.text)
            if isinstance(node, Link)
            else Span(node.start + len(node.delimiter), node.end - len(node.delimiter))
        )
        around = text[inner.start : span.start] + text[span.end : inner.end]
        if not _EDGE.fullmatch(around):
            break
        span = Span(node.start, node.end)
        marks = node.delimiter if isinstance(node, Emphasis) else marks
        span, quote = _quoted(span, text)
        marks = quote or marks
    return span, marks


def _quoted(span: Span, text: str) -> tuple[Span, str]:
    """A stretch with the quotes around it."""
    mark = text[span.start - 1 : span.start] if span.start else ""
    after = _EDGE.match(text, span.end, span.end + 3)
    end = after.end() if after else span.end
    if mark in _QUOTES and text.startswith(_QUOTES[mark], end):
        return Span(span.start - 1, end + 1), mark
    return span, ""


def _bracketed(span: Span, text: str) -> tuple[Span, str]:
    """A citation with the marks and brackets that hold it alone."""
    start, end = span
    bracket = ""
    for _ in range(4):
        for one, other in (*((mark, mark) for mark in _MARKS), *_PAIRS.items()):
            if text.endswith(one, max(0, start - 2), start) and text.startswith(other, end):
                if one in _PAIRS:
                    if bracket:
                        continue
                    bracket = one
                start, end = start - len(one), end + len(other)
                break
        else:
            break
    return Span(start, end), bracket
