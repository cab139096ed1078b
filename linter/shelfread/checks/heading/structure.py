"""Headings: their levels, names that repeat, sections with nothing in them, headings shown as text, and their words."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Sequence
from itertools import zip_longest

from shelfread.checks.common import Capitals
from shelfread.core.diagnostics import MARKUP, STRUCTURE, Edit, RawDiagnostic, RawDiagnostics, Severity, Span
from shelfread.core.patterns import lazy
from shelfread.document.model import Document, Section
from shelfread.document.passages import texts
from shelfread.document.plain_text import plain_text
from shelfread.index.anchors import heading_text, slug_of
from shelfread.index.context import RuleContext
from shelfread.markdown.node import Block, Emphasis, Html, Inline, Link, Text

# If more names than these are repeated, and a quarter of all headings, the list repeats them by design.
_MANY = 3
_SENTENCE = lazy(r"(?s)(?:\S+\s+){5,40}\S*[.!?。！？]\W*")
_HABIT = 3  # so many skips to one level show that the list always uses that level for such headings
_LEAST_SUBTITLE = 6  # words of a heading below the title that say what the list is
_LEAST_LEAVES = 2  # with fewer headings without subsections a page is a stub


def increment(document: Document, context: RuleContext) -> RawDiagnostics:
    """Yield headings more than one level below the previous one, unless the list always omits a level."""
    headings = _headings(document)
    levels = [heading.level for heading in headings]
    jumps = [index for index in range(1, len(levels)) if levels[index] > levels[index - 1] + 1]
    if not jumps:
        return
    jumps_from, jumps_to = (Counter(levels[index - back] for index in jumps) for back in (1, 0))
    steps = _steps(headings)
    titles = [plain_text(heading.inlines).casefold() for heading in headings]
    repeats = Counter(zip(levels, titles, strict=True))
    starts = [entry.span.start for entry in document.entries]
    borders = [*(heading.start for heading in headings), len(document.source.text)]
    for index in jumps:
        above, level = levels[index - 1], levels[index]
        regular = sum(count for (parent, own), count in steps.items() if parent == above and own < level)
        if jumps_from[above] * 2 > regular or jumps_to[level] >= _HABIT or repeats[level, titles[index]] > 1:
            continue  # the list omits the levels in between, or all such headings have that level
        if index == 1 and any(own < level for own in levels[2:]):
            continue  # a notice below the title, before the sections
        first, end = (bisect_left(starts, borders[i]) for i in (index, _end(headings, index)))
        if first == end:
            continue  # a note may have a small heading
        values = {"level": level, "above": above, "expected": above + 1}
        edits = _lifted(document, headings, index)
        yield RawDiagnostic(headings[index].content, values, edits, False, Severity.INFO)


def depth(document: Document, context: RuleContext, *, max: int = 4) -> RawDiagnostics:
    """Yield headings of a deeper level than `max`."""
    for heading in _headings(document):
        if heading.level > max:
            yield RawDiagnostic(heading.content, {"level": heading.level, "max": max})


def _steps(headings: Sequence[Block]) -> Counter[tuple[int, int]]:
    """Return how many headings of each level have a parent of each level, as (parent's level, level)."""
    found: Counter[tuple[int, int]] = Counter()
    above: list[int] = []
    for heading in headings:
        while above and above[-1] >= heading.level:
            above.pop()
        if above:
            found[above[-1], heading.level] += 1
        above.append(heading.level)
    return found


def _end(headings: Sequence[Block], index: int) -> int:
    """Return the index of the first heading behind a heading, its siblings and all below."""
    end = index + 1
    while end < len(headings) and headings[end].level >= headings[index].level:
        end += 1
    return end


def _lifted(document: Document, headings: Sequence[Block], index: int) -> tuple[Edit, ...]:
    """Return the edits that lift a heading, its siblings and all below; none if another would become its child."""
    above, level = headings[index - 1].level, headings[index].level
    end = _end(headings, index)
    if end < len(headings) and headings[end].level > above + 1:
        return ()
    surplus = level - above - 1
    text = document.source.text
    starts = (text.index("#", heading.start) for heading in headings[index:end])
    return tuple(Edit(start, start + surplus, "", STRUCTURE) for start in starts)


def _headings(document: Document) -> list[Block]:
    return [block for block in document.tree.blocks if block.kind == "heading"]


def duplicate(document: Document, context: RuleContext) -> RawDiagnostics:
    """Yield sections with the name of an earlier one below the same heading."""
    first: dict[tuple[int | None, str], Section] = {}
    found: list[tuple[Section, Section]] = []
    named = 0
    for section in document.sections:
        name = " ".join(section.title.casefold().split())
        if section.kind not in ("heading", "html") or not name:
            continue
        named += 1
        other = first.setdefault((section.parent, name), section)
        if other is not section:
            found.append((section, other))
    if len(found) > _MANY and len(found) * 4 > named:
        return
    changed = context.base.changed_lines.get(document.source.path or "", ()) if context.base else ()
    for section, other in found:
        if (
            max(section.line, other.line) <= len(changed)
            and changed[other.line - 1] > changed[section.line - 1]
        ):
            section, other = other, section  # the new one is to blame, although it comes first
        yield RawDiagnostic(section.span, {"title": section.title, "line": other.line})


def empty(document: Document, context: RuleContext) -> RawDiagnostics:
    """Yield sections with nothing in them, unless the list uses headings as entries."""
    blocks = [block for block in document.tree.blocks if not _is_invisible(block)]
    first = next((index for index, block in enumerate(blocks) if block.kind == "heading"), 0)
    found: list[Block] = []
    leaves = 0
    for index, (block, below) in enumerate(zip_longest(blocks, blocks[1:])):
        if block.kind != "heading":
            continue
        if below is not None and below.kind == "heading" and below.level > block.level:
            continue
        leaves += 1
        if below is not None and (below.kind != "heading" or _has_link(below.inlines)):
            continue  # a heading with a link is an entry
        if below is None and not document.entries:
            continue  # a part of a page, such as a header for which a generator writes the rest
        words = plain_text(block.inlines).strip()
        is_subtitle = index == first + 1 and len(words.split()) >= _LEAST_SUBTITLE
        is_name = block.inlines and not _has_link(block.inlines) and not _SENTENCE.fullmatch(words)
        if index != first and not is_subtitle and is_name:
            found.append(block)
    if len(found) > max(3, 0.25 * leaves) or leaves < _LEAST_LEAVES:
        return
    for block in found:
        yield RawDiagnostic(block.content, {"title": plain_text(block.inlines).strip()})


def _has_link(nodes: Sequence[Inline]) -> bool:
    emphasised = (node.children for node in nodes if isinstance(node, Emphasis))
    return any(isinstance(node, Link) for node in nodes) or any(map(_has_link, emphasised))


def _is_invisible(block: Block) -> bool:
    """Return whether a block is a thematic break, an empty line of HTML, or an anchor."""
    if block.kind == "rule":
        return True
    if block.kind not in ("html", "paragraph"):
        return False
    return all(
        (isinstance(node, Html) and node.tag in ("a", "/a", "br", "p", "/p", "div", "/div", "hr"))
        or (isinstance(node, Text) and not node.value.strip())
        for node in block.inlines
    )


# Spaces that CommonMark does not accept after `#`.
_ODD = "\u00a0\u2000-\u200b\u202f\u205f\u3000\ufeff"
_CANDIDATE = lazy(rf"[\r\n] {{0,3}}#{{1,6}}(?:[^\s#]|[{_ODD}])")
_MARKS = lazy(rf" {{0,3}}(#{{1,6}})([ \t{_ODD}]*)(\S.*)$")
_HASHTAG = lazy(r"(?:^|\s)#\w")


def malformed(document: Document, context: RuleContext) -> RawDiagnostics:
    """Yield headings that are shown as text."""
    yield from _in_html(document)
    if not _CANDIDATE.search("\n" + document.source.text):
        return
    headings = _headings(document)
    is_hashed = any(block.marker == "#" for block in headings)
    has_title = any(block.level == 1 for block in headings)
    for block in document.tree.blocks:
        if block.kind == "paragraph":
            yield from _in_paragraph(document, block, is_hashed, has_title)


def _in_html(document: Document) -> RawDiagnostics:
    """Yield headings that belong to the HTML of an anchor on the line above, which goes on up to the next blank line."""
    shown = {block.first + 1 for block in document.tree.blocks if block.kind != "html"}
    source = document.source
    for section in document.sections:
        if section.kind == "heading" and section.line not in shown:
            above = source.lines[section.line - 2].strip() if section.line > 1 else ""
            if above.startswith("<a "):
                yield RawDiagnostic(section.span, message="in-html")


def _in_paragraph(document: Document, block: Block, is_hashed: bool, has_title: bool) -> RawDiagnostics:
    source = document.source
    for line in range(block.first, block.last):
        words, start = source.lines[line], source.starts[line]
        match = _MARKS.match(words)
        if match is None or not _is_text(block, start + match.start(1)):
            continue
        marker, gap, title = match.groups()
        span = Span(start + match.start(1), start + match.end(2))
        if gap:
            message, edit = "odd-space", Edit(start + match.start(2), span.end, " ", STRUCTURE)
        elif (is_hashed or line == 0) and _begins_heading(
            marker, title, block.last - block.first == 1, may_be_word=has_title or line > 0
        ):
            message, edit = "no-space", Edit(span.end, span.end, " ", STRUCTURE)
        else:
            continue
        yield RawDiagnostic(span, {"marker": marker}, (edit,), message=message)


def _is_text(block: Block, offset: int) -> bool:
    """Return whether an offset is in plain text of a block, not in a link or in emphasis."""
    index = bisect_right(block.inlines, offset, key=lambda node: node.start) - 1
    return index >= 0 and isinstance(node := block.inlines[index], Text) and offset < node.end


def _begins_heading(marker: str, title: str, is_single_line: bool, may_be_word: bool) -> bool:
    """Return whether `#` right before a word was meant to begin a heading; not in `#tag` and `#1`."""
    if title[0] in "!/#" or _HASHTAG.search(title):
        return False
    if len(marker) > 1:
        return title[0].isalnum() or title[0] in "[`*_\"'(" or not title[0].isascii()
    has_words = " " in title.strip() or not may_be_word
    is_capitalized = title[0].isalpha() and title[0] == title[0].upper()
    return is_single_line and has_words and is_capitalized and not title.endswith((".", "!"))


_STOP = lazy(r"(?:(?<![ \t])[ \t]+)?(?<![.,:;。，：；、])[.,:;。，：；、]+[ \t]*$")
_ABBREVIATED = lazy(
    r"(?:\.\.|(?:^|[^A-Za-z])(?:[A-Za-z]|etc|vs|inc|ltd|co|corp|jr|sr|al|misc|no|vol|ed|eds|approx|dept|est))\.$",
    # `Foo Inc.`, `U.S.`, `...`
    2,
)
_LETTER = lazy(r"[^\W\d_]")


def punctuation(document: Document, context: RuleContext) -> RawDiagnostics:
    """Report headings that end in a full stop, a comma or a colon."""
    for block in _headings(document):
        last = block.inlines[-1] if block.inlines else None
        if not isinstance(last, Text) or last.end - last.start != len(last.value):
            continue
        match = _STOP.search(last.value)
        words = heading_text(block.inlines)
        if match is None or _ABBREVIATED.search(words) or not _LETTER.search(words):
            continue
        span = Span(last.start + match.start(), last.start + match.end())
        shortened = words[: len(words) - len(match[0])]
        keeps_anchor = slug_of(words, context.slugs) == slug_of(shortened, context.slugs)
        edits = (Edit(*span, "", MARKUP),) if keeps_anchor else ()
        yield RawDiagnostic(span, {"mark": match[0].strip()}, edits)


def title_case(document: Document, context: RuleContext, *, style: Capitals = "learned") -> RawDiagnostics:
    """Report headings that are not in the style."""
    from shelfread.checks.common.capitals import check_capitals  # few lists ask for it

    headings = (block for block in _headings(document) if block.inlines)
    titles = ((block.content, list(texts(block.inlines))) for block in headings)
    return check_capitals(document, titles, style)
