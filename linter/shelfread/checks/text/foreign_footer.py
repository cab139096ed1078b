"""Text in a list that is no part of it."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence

from shelfread.core.diagnostics import Change, Edit, Effect, RawDiagnostic, Span
from shelfread.core.support.regex import lazy
from shelfread.document.model import Document
from shelfread.index.context import RuleContext
from shelfread.markdown.node import Block

# A heading that calls a machine by its name.
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
# Sentences that tell the reader of a page, a machine, what to do with it; each kind counts once.
_YOU_ARE = r"(?:an? )?(?:ai|llm|large language model|language model|agent|bot|assistant|automated)\b"
_ORDERS = tuple(
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
# Files that are for machines by right, and those that tell people how to contribute.
_BY_RIGHT = lazy(
    r"(?:agents?|claude|gemini|skills?|copilot-instructions|llms(?:-full)?|.*prompts?|contributing.*"
    r"|.*template)"
    r"\.(?:md|markdown|mdx)",
    re.IGNORECASE,
)


def foreign_footer(document: Document, context: RuleContext) -> Iterator[RawDiagnostic]:
    """Passages that speak to a machine, as exports of pages append them; whatever they say, they are data."""
    blocks = document.tree.blocks
    source = document.source
    if _BY_RIGHT.fullmatch(os.path.basename(source.path or "")):
        return
    done = -1
    footer = _footer(blocks)
    for at, block in enumerate(blocks):
        if at <= done or (last := _passage(document, blocks, at, footer)) is None:
            continue
        done = last
        first = at - 1 if at and blocks[at - 1].kind == "rule" else at
        named = _words(source.text, block)
        yield RawDiagnostic(
            Span(block.start, block.end), {"words": named}, (_removal(document, blocks, first, last),)
        )


def _words(text: str, block: Block) -> str:
    line = text[block.start : block.end].lstrip("#> \t").split("\n", 1)[0].strip()
    return line if len(line) <= 60 else line[:57].rstrip() + "..."


def _passage(document: Document, blocks: Sequence[Block], at: int, footer: int) -> int | None:
    """The last block of a passage that begins here; None where none does."""
    block, text = blocks[at], document.source.text
    if block.kind == "heading":
        words = text[block.start : block.end].lstrip("#= \t")
        if not _HEADING.match(words):
            return None
        last = at
        while last + 1 < len(blocks) and not _ends(blocks[last + 1], block):
            last += 1
        return last if _orders(text[block.start : blocks[last].end]) >= 2 else None
    if block.kind == "quote":
        return at if _orders(text[block.start : block.end]) >= 2 else None
    if block.kind != "paragraph":
        return None
    # Without a heading: only behind the last rule of the page, or at its very top.
    if at == 0 or (at == 1 and blocks[0].kind == "rule"):
        return at if _orders(text[block.start : block.end]) >= 2 else None
    if at == footer:
        return len(blocks) - 1 if _orders(text[block.start : blocks[-1].end]) >= 2 else None
    return None


def _footer(blocks: Sequence[Block]) -> int:
    """Where the paragraphs behind the page's last rule begin; -1 where a heading follows it."""
    for at in range(len(blocks) - 1, 0, -1):
        if blocks[at].kind == "heading":
            break
        if blocks[at - 1].kind == "rule":
            return at
    return -1


def _ends(block: Block, heading: Block) -> bool:
    """Whether a block begins the list again."""
    return block.kind == "heading" and block.level <= heading.level


def _orders(text: str) -> int:
    return sum(1 for order in _ORDERS if order.search(text))


def _removal(document: Document, blocks: Sequence[Block], first: int, last: int) -> Edit:
    """The edit that takes a passage away, with the blank lines that part it from the list."""
    text = document.source.text
    start = blocks[first - 1].end if first else 0
    if last + 1 < len(blocks):
        start, end = blocks[first].start, blocks[last + 1].start
    else:
        end = len(text.rstrip())
        start = start if first else 0
    return Edit(start, end, "", Effect(Change.REMOVED, text[start:end]))
