"""The parts of an entry's title line as written: title, venue and labels with what is around them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import NamedTuple

from shelfread.core.diagnostics import Span, TextEdit, apply_edits
from shelfread.document.model import Entry, LabelledLink
from shelfread.index.line_style import main_link
from shelfread.markdown.node import Code, Emphasis, Inline, Link

_BRACKETS = {"[": "]", "(": ")", "（": "）", "【": "】", "\\[": "\\]"}
_MARKERS = ("**", "__", "*", "_", "`")
QUOTES = {'"': '"', "“": "”", "「": "」", "《": "》"}
_EDGE = re.compile(r"[\s.,;:。]*")
# Separators between the parts of a line.
_SEPARATOR = re.compile(r"[\s,;|/·&+、，]*")
_BLANKS = re.compile(r"[ \t\r\n]+")
_NOTHING = re.compile(r"(?:[\s.,;:|·/–—-]|\\$|\\\n)*")

TORN = "what is emphasised is more than its title"


def unwrapped(text: str) -> str:
    """Return a text on one line; blanks that are none to Markdown stay, as they may stand in an address."""
    return _BLANKS.sub(" ", text).strip(" ")


class Label(NamedTuple):
    """A label link and the brackets around it."""

    link: LabelledLink
    span: Span  # with its brackets, if they hold nothing else
    # what is before the link, around its text, and behind it: `[`, empty, empty, `]` of `[[Paper](u)]`.
    form: tuple[str, str, str, str]
    words: str  # its text as written, without brackets
    target: str | None  # see `link_target`


class TitleLine(NamedTuple):
    """The parts of a title line; spans are in `text`, the whole text of the file."""

    entry: Entry
    text: str
    span: Span
    main: LabelledLink | None  # the link that the title is, or begins with
    title: Span  # the title with the markers within it, and with its link if that is only its beginning
    outer: Span  # the title with its link and all markers around it that hold nothing else
    linked: Span  # `outer`, and the rest of the link's text: `[Title (OSDI 2020)](u)`
    markers: str  # the markers of `outer`: `**`, a quote, or none
    # the citation with its brackets and markers; None if it is elsewhere or within a label.
    venue: Span | None
    venue_bracket: str  # the venue's opening bracket; empty if it has none
    citation: Span | None  # the citation's text, in `venue` or within a label
    labels: tuple[Label, ...]
    # the venue and the labels; labels in a row are one part with the brackets around them.
    parts: tuple[Span, ...]
    is_torn: bool  # whether the title is emphasised together with words that are no part of it

    @property
    def plain_title(self) -> str:
        """The title as written, without its link."""
        link = self.main.link if self.main else None
        (start, end), text = self.title, self.text
        if link is None or link.start < start or end < link.end:
            return unwrapped(text[start:end])
        title = text[start : link.start] + text[link.text.start : link.text.end] + text[link.end : end]
        return unwrapped(title)

    @property
    def behind(self) -> str:
        """What is behind the title, without venue and labels."""
        return self._without_parts(self.linked.end, self.span.end)

    @property
    def has_nothing_behind(self) -> bool:
        return _NOTHING.fullmatch(self.behind) is not None

    @property
    def before(self) -> str:
        """What is before the title, without venue and labels, and a space if that is anything."""
        before = self._without_parts(self.span.start, self.linked.start).strip(" .,:;|-")
        return f"{before} " if before else ""

    def _without_parts(self, start: int, end: int) -> str:
        return apply_edits(self.text, (TextEdit(*part, "") for part in self.parts), start, end)

    def label_targets(self) -> list[tuple[str, str]] | None:
        """Return words and target of each label; None if one has no target."""
        found = [(label.words, label.target) for label in self.labels if label.target is not None]
        return found if len(found) == len(self.labels) else None


def parse_title_line(entry: Entry, span: Span, inlines: Sequence[Inline], text: str) -> TitleLine:
    """Return the parts of an entry's line, which is `text[span]`."""
    main = main_link(entry)
    title = _with_cut_nodes(entry.title.span, inlines)
    outer, markers = _with_markers(title, inlines, text)
    linked = outer
    if main is not None:
        linked = Span(min(outer.start, main.link.start), max(outer.end, main.link.end))
    links = (link for link in entry.links if link is not main and not is_within(link.link, title))
    found = [parse_label(link, text) for link in links if span.start <= link.link.start < span.end]
    labels = tuple(sorted(found, key=lambda label: label.span))
    venue = citation = None
    bracket = ""
    cited = entry.citation.span if entry.citation else None
    if cited and cited.start < cited.end and is_within(cited, span) and not is_within(cited, title):
        citation = cited
        if not any(label.span.start <= cited.start < label.span.end for label in labels) and not (
            main is not None and main.link.start <= cited.start < main.link.end
        ):
            venue, bracket = with_venue_brackets(cited, text)
    parts = tuple(sorted([*label_rows(labels, text), *([venue] if venue else [])]))
    return TitleLine(
        entry=entry,
        text=text,
        span=span,
        main=main,
        title=title,
        outer=outer,
        linked=linked,
        markers=markers,
        venue=venue,
        venue_bracket=bracket,
        citation=citation,
        labels=labels,
        parts=parts,
        is_torn=_is_torn(title, parts, inlines, text),
    )


def _is_torn(title: Span, parts: Sequence[Span], inlines: Sequence[Inline], text: str) -> bool:
    for node in inlines:
        if isinstance(node, Emphasis) and node.start <= title.start and title.end <= node.end:
            links = (child for child in node.children if isinstance(child, Link))
            whole = next((Span(*link[:2]) for link in links if is_within(title, Span(*link[:2]))), title)
            edits = (TextEdit(*part, "") for part in (whole, *parts))
            rest = apply_edits(text, edits, node.start, node.end)
            return any(map(str.isalnum, rest)) or _is_torn(title, parts, node.children, text)
        if isinstance(node, Link) and is_within(title, Span(*node[:2])):
            return _is_torn(title, parts, node.children, text)
    return False


def label_rows(labels: Sequence[Label], text: str, *, across_lines: bool = True) -> Iterator[Span]:
    """Yield labels with only separators between them as one span, with the brackets around them."""
    row: list[Label] = []
    for label, following in zip_longest(labels, labels[1:]):
        row.append(label)
        gap = (label.span.end, following.span.start) if following is not None else None
        if (
            gap is not None
            and _SEPARATOR.fullmatch(text, *gap)
            and (across_lines or "\n" not in text[slice(*gap)])
        ):
            continue
        start, end = row[0].span.start, row[-1].span.end
        yield _with_brackets(start, end, text) if len(row) > 1 else Span(start, end)
        row = []


def _with_brackets(start: int, end: int, text: str) -> Span:
    """Return a span with the brackets that hold nothing else."""
    for opening, closing in _BRACKETS.items():
        for close in dict.fromkeys((closing, closing.lstrip("\\"))):
            escaped = opening == "[" and text.endswith("\\[", 0, start)
            if text.endswith(opening, 0, start) and not escaped and text.startswith(close, end):
                return Span(start - len(opening), end + len(close))
    return Span(start, end)


def parse_label(link: LabelledLink, text: str) -> Label:
    """Return a label link with the brackets around it and around its text."""
    node = link.link
    opening = closing = ""
    inner = text[node.text.start : node.text.end]
    for left, right in (*_BRACKETS.items(), ("`", "`"), ("`[", "]`")):
        if len(inner) > len(left + right) and inner.startswith(left) and inner.endswith(right):
            opening, closing = left, right
    span = _with_brackets(node.start, node.end, text)
    form = text[span.start : node.start], opening, closing, text[node.end : span.end]
    words = inner[len(opening) : len(inner) - len(closing)]
    return Label(link, span, form, words, link_target(node, text))


def link_target(link: Link, text: str) -> str | None:
    """Return the destination as written, `(u "title")` or `[label]`; None if the link's text is it."""
    if link.form == "inline" or (link.form == "reference" and link.end - link.text.end > 3):
        return text[link.text.end + 1 : link.end]
    return None


def is_within(inner: Span | Link, outer: Span) -> bool:
    return outer.start <= inner.start and inner.end <= outer.end


def _with_cut_nodes(title: Span, inlines: Sequence[Inline]) -> Span:
    """Return a title with the whole of the nodes that reach over one of its ends."""
    start, end = title
    for node in inlines:
        if not isinstance(node, Emphasis | Link | Code):
            continue
        if node.start <= title.start and title.end <= node.end and not isinstance(node, Code):
            return _with_cut_nodes(title, node.children)
        if node.start < title.end and title.start < node.end:
            start, end = min(start, node.start), max(end, node.end)
    return Span(start, end)


def _with_markers(title: Span, inlines: Sequence[Inline], text: str) -> tuple[Span, str]:
    """Return a title with the nodes and quotes that hold nothing else, and the outermost marker."""
    chain: list[Emphasis | Link] = []
    while True:
        nodes = (node for node in inlines if isinstance(node, Emphasis | Link) and node[:2] != title)
        outer = next((node for node in nodes if node.start <= title.start and title.end <= node.end), None)
        if outer is None:
            break
        chain.append(outer)
        inlines = outer.children
    span, markers = _with_quotes(title, text)
    for node in reversed(chain):
        size = 0 if isinstance(node, Link) else len(node.delimiter)
        start, end = node.text if isinstance(node, Link) else (node.start + size, node.end - size)
        around = text[start : span.start] + text[span.end : end]
        if not _EDGE.fullmatch(around):
            break
        span = Span(node.start, node.end)
        markers = node.delimiter if isinstance(node, Emphasis) else markers
        span, quote = _with_quotes(span, text)
        markers = quote or markers
    return span, markers


def _with_quotes(span: Span, text: str) -> tuple[Span, str]:
    """Return a span with the quotes around it, and the opening one."""
    quote = text[span.start - 1 : span.start] if span.start else ""
    after = _EDGE.match(text, span.end, span.end + 3)
    end = after.end() if after else span.end
    if quote in QUOTES and text.startswith(QUOTES[quote], end):
        return Span(span.start - 1, end + 1), quote
    return span, ""


def with_venue_brackets(span: Span, text: str) -> tuple[Span, str]:
    """Return a citation with the markers and brackets that hold nothing else, and the opening bracket."""
    start, end = span
    bracket = ""
    for _ in range(4):
        for opening, closing in (*((marker, marker) for marker in _MARKERS), *_BRACKETS.items()):
            if text.endswith(opening, max(0, start - 2), start) and text.startswith(closing, end):
                if opening in _BRACKETS:
                    if bracket:
                        continue
                    bracket = opening
                start, end = start - len(opening), end + len(closing)
                break
        else:
            break
    if bracket == "[" and text.startswith("(", end):
        bracket = ""  # those of a link's text
    return Span(start, end), bracket
