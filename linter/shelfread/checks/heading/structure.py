"""How headings make up a list: their levels, names that repeat, and sections with nothing in them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from shelfread.core.diagnostics import STRUCTURE, Applicability, Edit, RawDiagnostic, Severity, Span
from shelfread.core.patterns import lazy
from shelfread.document.model import Document, Section
from shelfread.document.non_entries import is_changes_title, names_day
from shelfread.document.plain_text import plain_text
from shelfread.index.context import RuleContext
from shelfread.markdown.node import Block, Break, Emphasis, Html, Inline, Link, Text

_LEAST_AROUND = 4
"""As many headings on both sides show which level is the usual one."""
_MANY = 3
"""If more names than these are repeated, and a quarter of all headings, the list repeats them by design."""
_CONTENTS = lazy(r"(?i)\W*(?:table of )?contents?\W*|\W*toc\W*|\W*index\W*|\W*目录\W*")
_SENTENCE = lazy(r"(?s)(?:\S+\s+){5,}\S*[.!?。！？]\W*")
_LEAST_LEAVES = 2
"""With fewer headings without subsections a page is a stub."""


def increment(document: Document, context: RuleContext) -> Iterator[RawDiagnostic]:
    """Yield headings more than one level below the previous one, and one whose level no other heading has.

    A level that the list always omits may be omitted.
    """
    headings = _headings(document)
    levels = [heading.level for heading in headings]
    if (lone := _find_lone(levels)) is not None:
        heading = headings[lone]
        values = {"level": levels[lone], "usual": levels[lone] + 1}
        start = document.source.text.index("#", heading.start) if heading.marker == "#" else heading.start
        lowered = (Edit(start, start, "#", STRUCTURE),) if heading.marker == "#" else ()
        yield RawDiagnostic(_title_span(heading), values, lowered, Applicability.UNSAFE, message="lone")
    jumps = [index for index in range(1, len(levels)) if levels[index] > levels[index - 1] + 1]
    if not jumps:
        return
    jumps_from = Counter(levels[index - 1] for index in jumps)
    steps = _steps(headings)
    for index in jumps:
        above, level = levels[index - 1], levels[index]
        regular = sum(count for (parent, own), count in steps.items() if parent == above and own < level)
        if jumps_from[above] * 2 > regular:
            continue  # the list omits the levels in between
        values = {"level": level, "above": above, "expected": above + 1}
        edits = _lifted(document, headings, index)
        span = _title_span(headings[index])
        yield RawDiagnostic(span, values, edits, Applicability.UNSAFE, Severity.INFO, "jump")


def _find_lone(levels: Sequence[int]) -> int | None:
    """Return the index of the only heading of its level, amid headings one level below; None if there is none."""
    if not levels:
        return None
    counts = Counter(levels[1:])
    usual = min((level for level, count in counts.items() if count > 1), default=0)
    if counts[usual - 1] != 1 or levels[0] == usual - 1:
        return None
    lone = levels.index(usual - 1, 1)
    around = levels[1:lone].count(usual), levels[lone:].count(usual)
    return lone if min(around) >= _LEAST_AROUND and min(levels[1:]) == usual - 1 else None


def depth(document: Document, context: RuleContext, *, max: int = 4) -> Iterator[RawDiagnostic]:
    """Yield headings of a deeper level than `max`."""
    for heading in _headings(document):
        if heading.level > max:
            yield RawDiagnostic(_title_span(heading), {"level": heading.level, "max": max})


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


def _lifted(document: Document, headings: Sequence[Block], index: int) -> tuple[Edit, ...]:
    """Return the edits that lift a heading, its siblings and all below; none if another would become its child."""
    above, level = headings[index - 1].level, headings[index].level
    end = index
    while end < len(headings) and headings[end].level >= level:
        end += 1
    if end < len(headings) and headings[end].level > above + 1:
        return ()
    surplus = level - above - 1
    text = document.source.text
    starts = (text.index("#", heading.start) for heading in headings[index:end])
    return tuple(Edit(start, start + surplus, "", STRUCTURE) for start in starts)


def _headings(document: Document) -> list[Block]:
    return [block for block in document.tree.blocks if block.kind == "heading"]


def _title_span(heading: Block) -> Span:
    """Return the span of a heading's title; of the heading if the title is empty."""
    if not heading.inlines:
        return Span(heading.start, heading.end)
    return Span(heading.inlines[0].start, heading.inlines[-1].end)


def duplicate(document: Document, context: RuleContext) -> Iterator[RawDiagnostic]:
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


def empty(document: Document, context: RuleContext) -> Iterator[RawDiagnostic]:
    """Yield sections with nothing in them, unless the list uses headings as entries."""
    blocks = [block for block in document.tree.blocks if not _is_invisible(block)]
    headings = [index for index, block in enumerate(blocks) if block.kind == "heading"]
    found: list[Block] = []
    leaves = 0
    for index in headings:
        block = blocks[index]
        below = blocks[index + 1] if index + 1 < len(blocks) else None
        if below is not None and below.kind == "heading" and below.level > block.level:
            continue
        leaves += 1
        if below is not None and (below.kind != "heading" or _has_link(below.inlines)):
            continue  # a heading with a link is an entry
        if below is not None and _announces(block, below):
            continue
        if below is None and not document.entries:
            continue  # a part of a page, such as a header for which a generator writes the rest
        if not _is_title(blocks, headings, index) and _is_section(block) and not _is_announced(blocks, index):
            found.append(block)
    if len(found) > max(3, 0.25 * leaves) or leaves < _LEAST_LEAVES:
        return
    for block in found:
        span = Span(block.inlines[0].start, block.inlines[-1].end)
        yield RawDiagnostic(span, {"title": plain_text(block.inlines).strip()})


def _is_title(blocks: Sequence[Block], headings: Sequence[int], index: int) -> bool:
    """Return whether a heading is the page's title, or a subtitle right below it."""
    if index == headings[0]:
        return True
    return headings[0] == index - 1 and blocks[index].level > blocks[index - 1].level + 1


def _is_announced(blocks: Sequence[Block], index: int) -> bool:
    """Return whether a heading is text in large letters, which the paragraph above it leads to."""
    above = blocks[index - 1] if index else None
    if above is None or above.kind != "paragraph":
        return False
    return plain_text(above.inlines).rstrip().endswith((":", "："))


def _announces(block: Block, below: Block) -> bool:
    """Return whether a heading is called news, and that of a day on its own level follows."""
    titles = (plain_text(each.inlines).strip() for each in (block, below))
    return is_changes_title(next(titles)) and names_day(next(titles))


def _is_section(block: Block) -> bool:
    """Return whether a heading is only words, no sentence, and not that of a table of contents."""
    if (
        not block.inlines
        or _has_link(block.inlines)
        or _SENTENCE.fullmatch(plain_text(block.inlines).strip())
    ):
        return False
    return not _CONTENTS.fullmatch("".join(node.value for node in block.inlines if isinstance(node, Text)))


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
        or isinstance(node, Break)
        for node in block.inlines
    )
