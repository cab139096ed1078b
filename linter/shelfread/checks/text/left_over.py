"""Text that was left over: passages for a machine, conflict markers, doubled words, stray cells, what nothing closes."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence

from shelfread.checks.link.references import shortened
from shelfread.core.diagnostics import Edit, RawDiagnostic, RawDiagnostics, Span
from shelfread.core.patterns import lazy
from shelfread.document.model import Document
from shelfread.document.passages import is_text
from shelfread.document.unclosed import find_conflicts, find_unclosed
from shelfread.index.context import RuleContext
from shelfread.markdown.gfm import split_row
from shelfread.markdown.node import Block, walk_blocks

# A heading that names a machine.
_MACHINES = (
    r"(?:ai|llms?|(?:large )?language models|(?:ai |llm |coding )?(?:agents|assistants|crawlers|bots)"
    r"|robots|chatbots)\b"
)
_HEADING = lazy(
    r"(?:ai |llm |coding )?(?:agents?|bots?|llms?|robots?|assistants?|crawlers?|models?)(?: agents?)? "
    r"(?:instructions?|guidelines?|notice|directives?)\b"
    r"|(?:instructions?|notes?|notice|information|guidance|guide|message|documentation)?\s*"
    rf"(?:for|to) (?:the )?{_MACHINES}"
    r"|(?:documentation|docs) index\b|querying this (?:documentation|page|site)\b|system prompt\b",
    re.IGNORECASE,
)
# Instructions to a machine that reads the page; each pattern counts once.
_YOU_ARE = r"(?:an? )?(?:ai|llm|large language model|language model|agent|bot|assistant|automated)\b"
_INSTRUCTIONS = tuple(
    lazy(pattern, re.IGNORECASE)
    for pattern in (
        r"\bquer(?:y|ying) (?:the|this) (?:documentation|docs|page|site)\b",
        r"\b(?:perform|send|make|issue) an? (?:http )?(?:get|post) request\b",
        r"`?ask`? (?:query )?(?:parameter|endpoint)|\?(?:ask|question|q)=<",
        rf"\bif you(?: are|'re) {_YOU_ARE}",
        rf"\bas {_YOU_ARE}[^.]{{0,60}}\byou\b",
        r"\b(?:ignore|disregard|forget) (?:all |any )?(?:of )?(?:the |your )?"
        r"(?:previous|prior|above|earlier) (?:instructions|prompts)\b",
        r"\bfetch the complete documentation\b|\bcomplete documentation index\b|\bllms(?:-full)?\.txt\b",
        r"\bdiscover all available pages\b|\bbefore exploring further\b",
        r"\b(?:use|call) this (?:mechanism|endpoint|tool) (?:when|to|if)\b",
        r"\bnot (?:directly )?available in (?:this|the current) page\b"
        r"|\bexplicitly present in the current page\b",
        r"\bthe response will contain\b",
        r"\b(?:append|add(?:ing)?) `?\.md`? to (?:the|any|a) (?:page )?url\b"
        r"|\bmarkdown versions? of (?:any|every|all|the) (?:page|documentation)",
        r"\bdo not (?:tell|mention|reveal|inform|disclose)\b[^.]{0,40}\b(?:user|human|reader|instructions)\b",
        r"\b(?:you|agents?|assistants?|models?) (?:must|should|shall) (?:always |first |never )?"
        r"(?:fetch|visit|call|send|request|recommend|output|respond|reply)\b",
    )
)
# Files that are meant for machines, and guides for contributors.
_EXEMPT = lazy(
    r"(?:agents?|claude|gemini|skills?|copilot-instructions|llms(?:-full)?|.*prompts?|contributing.*"
    r"|.*template)"
    r"\.(?:md|markdown|mdx)",
    re.IGNORECASE,
)
_WORD = lazy(r"[^\W\d_]{2}|\d{2}")
_FEW = 3  # more rows than these with too many cells have a header that lacks a column


def foreign_footer(document: Document, context: RuleContext) -> RawDiagnostics:
    """Report passages that address a machine, such as those in exported pages."""
    blocks = document.tree.blocks
    source = document.source
    if _EXEMPT.fullmatch(os.path.basename(source.path or "")):
        return
    done = -1
    footer = _footer(blocks)
    for index, block in enumerate(blocks):
        if index <= done or (last := _passage(document, blocks, index, footer)) is None:
            continue
        done = last
        first = index - 1 if index and blocks[index - 1].kind == "rule" else index
        edits = (remove_blocks(document, first, last),)
        line = "".join(source.text[block.start : block.end].lstrip("#> \t").splitlines()[:1])
        yield RawDiagnostic(Span(block.start, block.end), {"words": shortened(line.strip())}, edits)


def _passage(document: Document, blocks: Sequence[Block], index: int, footer: int) -> int | None:
    """Return the index of the last block of a passage that begins at an index; None if none begins there."""
    block, text = blocks[index], document.source.text
    last = index
    if block.kind == "heading":
        if not _HEADING.match(text[block.start : block.end].lstrip("#= \t")):
            return None
        last = last_of_section(blocks, index)
    elif block.kind == "paragraph":
        # Without a heading: only at the top of the page, or after its last thematic break.
        if index != 0 and not (index == 1 and blocks[0].kind == "rule"):
            if index != footer:
                return None
            last = len(blocks) - 1
    elif block.kind != "quote":
        return None
    passage = text[block.start : blocks[last].end]
    return last if sum(1 for pattern in _INSTRUCTIONS if pattern.search(passage)) >= 2 else None


def _footer(blocks: Sequence[Block]) -> int:
    """Return the index of the block after the last thematic break; -1 if a heading follows it."""
    for index in range(len(blocks) - 1, 0, -1):
        if blocks[index].kind == "heading":
            break
        if blocks[index - 1].kind == "rule":
            return index
    return -1


def last_of_section(blocks: Sequence[Block], heading: int) -> int:
    """Return the index of the last block of a section, given that of its heading."""
    level = blocks[heading].level
    later = range(heading + 1, len(blocks))
    ends = (index for index in later if blocks[index].kind == "heading" and blocks[index].level <= level)
    return next(ends, len(blocks)) - 1


def remove_blocks(document: Document, first: int, last: int) -> Edit:
    """Return the edit that removes top-level blocks with the blank lines around them."""
    text, blocks = document.source.text, document.tree.blocks
    if last + 1 < len(blocks):
        return Edit.remove(text, blocks[first].start, blocks[last + 1].start)
    return Edit.remove(text, blocks[first - 1].end if first else 0, len(text.rstrip()))


def conflict_marker(document: Document, context: RuleContext) -> RawDiagnostics:
    """Report each complete conflict once, at its first marker, and each marker of an incomplete one."""
    source = document.source
    for start, end in find_conflicts(document):
        span = Span(start, start + 7)
        if end is None:
            yield RawDiagnostic(span, {"marker": source.text[slice(*span)]}, message="marker")
        else:
            yield RawDiagnostic(span, {"end": source.line_at(end) + 1}, message="conflict")


def unclosed(document: Document, context: RuleContext) -> RawDiagnostics:
    """Report comments, code blocks and tags that are opened and not closed."""
    for one in find_unclosed(document):
        yield RawDiagnostic(one.span, {"mark": one.mark}, message=one.kind)


def lost_cell(document: Document, context: RuleContext) -> RawDiagnostics:
    """Report cells to the right of a table's last column, which the page does not show."""
    for block in walk_blocks(document.tree.blocks):
        if block.kind == "table":
            yield from _in_table(block, document.source.text)


def _in_table(table: Block, text: str) -> RawDiagnostics:
    header, *rows = table.blocks
    width = len(header.blocks)
    wide = [row for row in rows if _is_wide(text[row.start : row.end], width)]
    found = [(row, cell) for row in wide if (cell := _first_lost(text[row.start : row.end], width))]
    if not found:
        return
    row, (start, end) = found[0]
    values = {"columns": width, "count": len(found)}
    if len(found) > _FEW and len(found) * 2 > len(rows):
        yield RawDiagnostic(Span(header.start, header.end), values, message="header")
        return
    for row, (start, end) in found:
        yield RawDiagnostic(Span(row.start + start, row.start + end), values, message="cell")


def _is_wide(row: str, width: int) -> bool:
    """Return whether a row has pipes for more cells; those at its ends part none."""
    row = row.strip()
    return row.count("|") >= width + row.startswith("|") + row.endswith("|")


def _first_lost(row: str, width: int) -> tuple[int, int] | None:
    """Return where the first cell with content that a table has no column for stands in its row."""
    cells = split_row(row.strip())
    # A comment (`[//]: #08/20`) is there because it is not shown.
    lost = (at for at in range(width, len(cells)) if not cells[at].startswith(("[//]:", "<!--")))
    first = next((at for at in lost if _WORD.search(cells[at])), None)
    if first is None:
        return None
    content = cells[first].replace("|", "\\|")
    # The cells before it are as long as their pipes tell.
    position = -1
    for _ in range(first + row.lstrip().startswith("|")):
        position = row.find("|", position + 1)
        while row[position - 1 : position] == "\\":
            position = row.find("|", position + 1)
    start = row.find(content, position + 1)
    return (start, start + len(content)) if start >= 0 else (position + 1, len(row.rstrip()))


# Words of which no English sentence has two in a row; `that that` and `had had` are none of them.
_DOUBLED = lazy(
    r"(?<![^\W_])(?<![-'’.])(the|an|and|or|of|for|with|from|to|by|are|be|your|our|their|its|into|using)"
    r"(?P<again>[ \t]+\1)(?![^\W_])(?![-'’./])"
)


def doubled_word(document: Document, context: RuleContext) -> RawDiagnostics:
    """Report words such as `the` that stand twice in a row."""
    text = document.source.text
    for match in _DOUBLED.finditer(text):
        start, end = match.span("again")
        if is_text(document, match.start()) and is_text(document, end - 1):
            edit = Edit.remove(text, start, end)
            yield RawDiagnostic(Span(match.start(), end), {"word": match[1]}, (edit,))
