"""The rule `text/foreign-footer`."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence

from shelfread.core.diagnostics import Change, Edit, Effect, RawDiagnostic, Span
from shelfread.core.support.regex import lazy
from shelfread.document.model import Document
from shelfread.index.context import RuleContext
from shelfread.markdown.node import Block

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


def foreign_footer(document: Document, context: RuleContext) -> Iterator[RawDiagnostic]:
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
        edits = (_removal(document, blocks, first, last),)
        yield RawDiagnostic(Span(block.start, block.end), {"words": _first_line(source.text, block)}, edits)


def _first_line(text: str, block: Block) -> str:
    line = "".join(text[block.start : block.end].lstrip("#> \t").splitlines()[:1]).strip()
    return line if len(line) <= 60 else line[:57].rstrip() + "..."


def _passage(document: Document, blocks: Sequence[Block], index: int, footer: int) -> int | None:
    """Return the index of the last block of a passage that begins at an index; None if none begins there."""
    block, text = blocks[index], document.source.text
    last = index
    if block.kind == "heading":
        if not _HEADING.match(text[block.start : block.end].lstrip("#= \t")):
            return None
        while last + 1 < len(blocks) and not _ends(blocks[last + 1], block):
            last += 1
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


def _ends(block: Block, heading: Block) -> bool:
    """Return whether a block is the heading of a section that is not part of `heading`'s."""
    return block.kind == "heading" and block.level <= heading.level


def _removal(document: Document, blocks: Sequence[Block], first: int, last: int) -> Edit:
    """Return the edit that removes a passage with the blank lines around it."""
    text = document.source.text
    start = blocks[first - 1].end if first else 0
    if last + 1 < len(blocks):
        start, end = blocks[first].start, blocks[last + 1].start
    else:
        end = len(text.rstrip())
        start = start if first else 0
    return Edit(start, end, "", Effect(Change.REMOVED, text[start:end]))
