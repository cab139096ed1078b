"""What stands between the parts of an entry: its marker and its text, separators and spaces."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence

from shelfread.checks.common.styles import LocalStyles, expected_style
from shelfread.core.diagnostics import MARKUP, STRUCTURE, Edit, RawDiagnostic, RawDiagnostics, Span
from shelfread.core.patterns import lazy
from shelfread.document.model import Document, Entry
from shelfread.index.context import RuleContext
from shelfread.index.conventions import Convention, Question, When, learn
from shelfread.index.line_style import BLANKS, SEPARATOR, Separator, gaps, is_described, lacks_space_before
from shelfread.index.line_style import separator as find_separator
from shelfread.index.observations import GAP
from shelfread.markdown.node import Block, Break, Inline, Link, Text

_INNER = frozenset({"list", "item", "quote"})
# A line that begins with a marker directly before a link, a word or bold text.
_ANY = lazy(r"\n[ \t>]*(?:[-*+]|\d{1,9}[.)])(?:!?\[|[^\W\d_]|\*\*(?:\[|[^\W_]))")
_MARKER = lazy(r"(?:([-*+])|(\d{1,9})([.)]))(?=(!?\[|[^\W\d_]|\*\*(?:\[|[^\W_])))")
_TASK = lazy(r"\[[ xX]\][ \t]+\S")
_BULLETS = ("-", "*", "+")
_ALONE = 3  # as many lines with links are a list even without items above or below them


def marker_space(document: Document, context: RuleContext) -> RawDiagnostics:
    """Report lines that would be list items if a space followed their marker."""
    text = document.source.text
    offsets = [match.end() for match in _ANY.finditer("\n" + text.replace("\r", "\n"))]
    if not offsets:
        return
    bullets = Counter(block.marker for block in document.tree.blocks if block.marker in _BULLETS)
    usual = bullets.most_common(1)[0][0] if bullets else ""
    levels: list[tuple[Block, ...]] = [document.tree.blocks]
    while levels:
        level = levels.pop()
        for index, (block, before) in enumerate(zip(level, [None, *level], strict=False)):
            near = bisect_left(offsets, block.start)
            if near == len(offsets) or offsets[near] > block.end + 1:
                continue
            if block.kind in _INNER:
                levels.append(block.blocks)
            if block.kind == "list":
                for item in block.blocks:
                    if item.blocks and item.blocks[0].kind == "paragraph":
                        for line in _lines(item.blocks[0])[1:]:
                            yield from _check_line(line, block.marker, True, text)
            elif block.kind == "paragraph":
                yield from _paragraph(block, before, level[index + 1 :], text, usual)


def _paragraph(
    block: Block, before: Block | None, following: Sequence[Block], text: str, usual: str
) -> RawDiagnostics:
    """Yield the lines of a paragraph directly above a list, or of one that has only such lines.

    `usual` is the bullet of most lists: with it, a line that begins with a link is an item even if it stands alone.
    """
    lines = _lines(block)
    after = following[0] if following else None
    if not any(_MARKER.match(text, line[0].start) for line in lines):
        return
    if after is not None and after.kind == "list" and after.first == block.last:
        for line in lines:
            yield from _check_line(line, after.marker, True, text)
        return
    beside = [other.marker for other in (before, after) if other is not None and other.kind == "list"]
    first = _MARKER.match(text, lines[0][0].start)
    marker = (first[1] or first[3]) if first else ""
    if marker in beside or marker == usual or len(lines) >= _ALONE:
        found = [raw for line in lines for raw in _check_line(line, marker, False, text)]
        if len(found) == len(lines):  # all have this marker
            yield from found


def _lines(block: Block) -> list[tuple[Inline, ...]]:
    """Return the first two nodes of each line of a paragraph."""
    nodes = block.inlines
    starts = [0, *(index + 1 for index, node in enumerate(nodes) if isinstance(node, Break))]
    return [nodes[start : start + 2] for start in starts if start < len(nodes)]


def _check_line(line: tuple[Inline, ...], marker: str, among_items: bool, text: str) -> RawDiagnostics:
    """Yield a line that begins with a list's marker and a link, or `among_items` with other text."""
    match = _MARKER.match(text, line[0].start) if isinstance(line[0], Text) else None
    if match is None or (match[1] or match[3]) != marker:
        return
    end = match.end()
    task = _TASK.match(text, end)
    if match[4] in ("[", "!["):
        linked = len(line) > 1 and isinstance(line[1], Link) and line[1].start == end
        if not linked and not task:
            return
    elif not among_items or (len(match[4]) == 1 and not match[4].isupper()) or marker == "+":
        return
    edits = [Edit(end, end, " ", STRUCTURE)]
    if task and (done := task[0][1]) != " ":
        # The letter was a word of the text and becomes the tick of a box.
        edits.append(Edit.reword(Span(end + 1, end + 2), done, "", done))
    if match[2]:
        # The number was a word of the text and becomes a marker.
        edits.insert(0, Edit.reword(Span(*match.span(2)), match[2], "", match[2]))
    yield RawDiagnostic(Span(match.start(), end), {"marker": match[0]}, tuple(edits))


_SPACES = lazy(" {2,}")
# Dashes have messages of their own, because they look like hyphens.
_MESSAGES = {"": "missing", "–": "en-dash", "—": "em-dash"}
# The parts of an entry as its readers call them: the main link is its name.
_PARTS = {"link": "name", "label": "link", "text": "description"}

_WIDE_MARKS = frozenset(
    "。，、；：！？．）】」』》〉”"
)  # marks that have a space of their own on their right


def separator(document: Document, context: RuleContext, *, when: When = "learned") -> RawDiagnostics:
    """Report separators between link and description that differ from the expected one."""
    style = expected_style(document, context, Question(SEPARATOR), (" - ",), when)
    if style is None:
        yield from _one_sided(document, when)
    if style is None or not (mark := style.form.strip(BLANKS)):
        return
    text = document.source.text
    usual = style.form
    separators = ((entry, find_separator(entry, text)) for entry in document.entries)
    cases = [
        (entry, found)
        for entry, found in separators
        if found is not None and (found.mark or _is_sentence(entry, text, found))
    ]
    styles = LocalStyles(document, ((entry, "", found.form) for entry, found in cases))
    # Where only other files have it, a section without any is no worse.
    has_usual = any(found.form == usual for entry, found in cases if is_described(entry))
    for entry, found in cases:
        if found.form == usual or not is_described(entry):
            continue
        if (found.mark or not has_usual) and styles.has(entry, "", found.form, usual, when):
            continue
        if found.mark == "," and "," not in usual:
            continue  # `[Foo](u), by Bar` continues the sentence
        if found.mark == ":" and entry.block.blocks and entry.block.blocks[-1].kind == "list":
            continue  # it announces the items below
        if found.mark == "：" and mark != ":" and not text[found.span.end].isascii():
            continue  # the colon of a Chinese sentence
        if found.mark != mark:
            yield _diagnostic(found, _MESSAGES.get(found.mark, "other"), style, text)
        # The usual form may be the odd one.
        elif not lacks_space_before(found.form, usual) and not _look_alike(found.form, usual):
            yield _diagnostic(found, "spacing", style, text)


def _one_sided(document: Document, when: When) -> RawDiagnostics:
    """Yield separators without a space behind them, if nearly all that have one before them have one there too."""
    cases = [found for _, found in _separators(document) if found.mark and found.form[0] == " "]
    style = learn(Counter(found.form for found in cases)) if when == "learned" else None
    for found in cases if style is not None and style.form == f" {style.form.strip()} " else ():
        if style is not None and found.form == style.form[:-1]:
            yield _diagnostic(found, "one-sided", style, document.source.text)


def _look_alike(form: str, other: str) -> bool:
    """Return whether two forms look alike on the page, which shows two spaces as one."""
    return _SPACES.sub(" ", form) == _SPACES.sub(" ", other)


def _separators(document: Document) -> Iterator[tuple[Entry, Separator]]:
    for entry in document.entries:
        if is_described(entry) and (found := find_separator(entry, document.source.text)) is not None:
            yield entry, found


def _is_sentence(entry: Entry, text: str, found: Separator) -> bool:
    """Return whether a text directly after its link is a sentence of its own, and does not continue the link's."""
    start = found.span.end
    if entry.description is None or entry.description.span.start != start or not text[start].isupper():
        return False
    return found.form != "" and not any(f" {mark} " in text[start : entry.title_line.end] for mark in "-–—|")


def _diagnostic(found: Separator, message: str, convention: Convention, text: str) -> RawDiagnostic:
    """Return a diagnostic whose edit writes the usual separator and keeps a line break."""
    written = text[slice(*found.span)]
    safe = "\n" not in written and "\r" not in written
    counts = {"count": convention.cases, "total": convention.total}
    values = {"separator": found.mark, "usual": f"'{convention.form}'", **counts}
    edits = (Edit(*found.span, convention.form, MARKUP),)
    return RawDiagnostic(found.span, values, edits, safe, message=message)


def glued(document: Document, context: RuleContext, *, when: When = "learned") -> RawDiagnostics:
    """Report parts of an entry with fewer, more or other spaces between them than the list has there."""
    text = document.source.text
    conventions = context.departures(document, GAP, when)
    if not conventions:
        return
    # The spaces of a heading are a part of its anchor.
    entries = (entry for entry in document.entries if not entry.is_heading)
    found = [(entry, gap) for entry in entries for gap in gaps(entry, text) if gap.kind in conventions]
    styles = LocalStyles(document, ((entry, gap.kind, gap.form) for entry, gap in found))
    for entry, (kind, between, span) in found:
        convention = conventions[kind]
        form = convention.form
        if _look_alike(between, form) or (not between and text[span.start - 1 : span.start] in _WIDE_MARKS):
            continue
        if lacks_space_before(between, form) or styles.has(entry, kind, between, form, when):
            continue  # the usual form is the odd one, or the part has a style of its own
        missing = len(form) - len(between)
        mark = between.strip(BLANKS)
        same = "side" if mark and mark == form.strip(BLANKS) else "other"
        message = "missing" if missing > 0 else "extra" if missing else same
        before, after = (_PARTS.get(part, part) for part in kind.partition(" ")[0].split("-"))
        parts = "two links" if before == after == "link" else f"{before} and {after}"
        values = {"parts": parts, "mark": mark, "count": convention.cases, "total": convention.total}
        if missing != -1 or " " in form or " " not in between:  # a space where others have none is no worse
            yield RawDiagnostic(span, values, (Edit(*span, form, MARKUP),), message=message)
