"""Brackets and quotes that do not pair."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from shelfread.checks.common.prose import entry_spans, find_passages, texts, within
from shelfread.checks.text.brackets import (
    FULL,
    PARTNER,
    Mark,
    Unpaired,
    differs,
    find_unpaired,
    is_cut_off,
    lines_that_differ,
    same_kind,
)
from shelfread.checks.text.quotes import CURLY, Amiss, curly_quotes, find_amiss
from shelfread.core.diagnostics import Applicability, Change, Edit, Effect, RawDiagnostic, Span
from shelfread.core.source import Source
from shelfread.core.support.regex import lazy
from shelfread.document.model import Document
from shelfread.index.context import RuleContext
from shelfread.markdown.node import Block, Link

_MARKUP = Effect(Change.MARKUP)
_MANY = 4
_WIDE_WORD = lazy(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_NARROW_WORD = lazy(r"\(\w")
_FULL_WORD = lazy(r"（\w")
_ADDRESS = lazy(r"\((?:<?https?:|www\.|/|\./|#)")


class _Fault(NamedTuple):
    """What does not pair: the mark to show, the words for it, and edits."""

    start: int
    end: int
    words: str
    signs: str
    edits: tuple[Edit, ...] = ()
    safe: Applicability = Applicability.SAFE


def brackets(document: Document, context: RuleContext) -> Iterator[RawDiagnostic]:
    """Brackets and quotes of an entry that do not pair."""
    for fault in context.table(_faults, document, context):
        if within(context.table(entry_spans, document), fault.start):
            yield RawDiagnostic(Span(fault.start, fault.end), {"fault": fault.words}, fault.edits, fault.safe)


def punctuation_pairs(document: Document, context: RuleContext) -> Iterator[RawDiagnostic]:
    """Curly quotes and brackets of CJK scripts that do not pair."""
    if document.source.text.isascii():
        return
    for fault in context.table(_faults, document, context):
        if any(sign in FULL or CURLY.match(sign) for sign in fault.signs):
            yield RawDiagnostic(Span(fault.start, fault.end), {"fault": fault.words})


def _faults(document: Document, context: RuleContext) -> tuple[_Fault, ...]:
    """What does not pair, anywhere in a document."""
    return tuple(_find(document, context))


def _find(document: Document, context: RuleContext) -> Iterator[_Fault]:
    source = document.source
    text = source.text
    straight = text.count('"') >= text.count("“")
    done = -1
    for number in _lines(source):
        at = source.starts[number] + len(source.lines[number].rstrip()) - 1
        if at < done:
            continue
        for block, around in find_passages(document, at):
            done = block.end
            shown = list(texts(block.inlines))
            if all(differs(text[start:end]) for start, end in ((block.start, block.end), *around)):
                found = find_unpaired(shown, text, document.tree.protected)
                # Where most do not pair, they are no brackets.
                for unpaired in found if len(found) <= _MANY else ():
                    fault = _bracket(document, context, block, unpaired)
                    if fault is not None:
                        yield fault
            wrong = find_amiss(shown, straight)
            if wrong is not None:
                yield _quote(wrong)


def _lines(source: Source) -> list[int]:
    """The lines, from 0, in which something may not pair."""
    curly = {source.line_at(at) for at in curly_quotes(source.text)}
    return sorted(curly.union(lines_that_differ(source)))


# ---------------------------------------------------------------------------------------- brackets
def _bracket(document: Document, context: RuleContext, block: Block, unpaired: Unpaired) -> _Fault | None:
    text = document.source.text
    opening, closing = unpaired
    if opening is not None and closing is not None:
        words = f"`{opening.sign}` is closed by `{closing.sign}`"
        edits, safe = _agreed(document, context, block, opening, closing)
        return _Fault(closing.start, closing.end, words, opening.sign + closing.sign, edits, safe)
    if opening is not None:
        if is_cut_off(text, opening.end, block.end) or _ADDRESS.match(text, opening.start):
            return None
        words = f"`{opening.sign}` has no `{PARTNER[opening.sign]}`"
        edits = _closed(document, block, opening)
        return _Fault(opening.start, opening.end, words, opening.sign, edits)
    assert closing is not None
    words = f"`{closing.sign}` has no `{PARTNER[closing.sign]}`"
    edits = _opened(document, block, closing)
    return _Fault(closing.start, closing.end, words, closing.sign, edits)


def _agreed(
    document: Document, context: RuleContext, block: Block, opening: Mark, closing: Mark
) -> tuple[tuple[Edit, ...], Applicability]:
    """Two brackets made to go together: as the list has them, and as what they hold wants it."""
    text = document.source.text
    held = text[opening.end : closing.start]
    if (opening.sign in FULL) is (closing.sign in FULL) or not same_kind(opening, closing):
        edit = Edit(closing.start, closing.end, PARTNER[opening.sign], _MARKUP)
        tight = any(link.start == opening.end and link.end == closing.start for link in _links(block))
        return (edit,), Applicability.SAFE if tight else Applicability.UNSAFE
    wide = _WIDE_WORD.search(held) is not None
    keep, change = (opening, closing) if (opening.sign in FULL) is wide else (closing, opening)
    edit = Edit(change.start, change.end, PARTNER[keep.sign], _MARKUP)
    return (edit,), Applicability.SAFE if wide is context.table(_is_wide, document) else Applicability.UNSAFE


def _is_wide(document: Document) -> bool:
    """Whether a list's brackets are mostly full-width ones."""
    text = document.source.text
    return len(_FULL_WORD.findall(text)) > len(_NARROW_WORD.findall(text))


def _closed(document: Document, block: Block, opening: Mark) -> tuple[Edit, ...]:
    """The bracket that a label lacks behind it, where the entry's other labels have one."""
    text = document.source.text
    for link in _links(block):
        if opening.sign == "[" and link.start == opening.end and text[link.end : link.end + 1] != "]":
            form = _form(text, block, link)
            at = {"outer": link.end, "inner": link.text.end}.get(form)
            return () if at is None else (Edit(at, at, "]", _MARKUP),)
    return ()


def _opened(document: Document, block: Block, closing: Mark) -> tuple[Edit, ...]:
    """The bracket that a label lacks before it, where the entry's other labels have one."""
    text = document.source.text
    if text[closing.start - 1] == closing.sign == "]" and _ADDRESS.match(text, closing.end):
        at = text.rfind("[", block.start, closing.start)
        if at >= 0 and _form(text, block, None) == "inner":
            return (Edit(at, at, "[", Effect(Change.STRUCTURE)),)  # `[Code]](u)` is no link yet
    for link in _links(block):
        if closing.sign == "]" and link.end == closing.start and _form(text, block, link) == "outer":
            others = (text[max(0, one.start - 2) : one.start] for one in _links(block) if one is not link)
            escaped = any(before == "\\[" for before in others)
            return (Edit(link.start, link.start, "\\[" if escaped else "[", _MARKUP),)
    return ()


def _links(block: Block) -> list[Link]:
    return [node for node in block.inlines if isinstance(node, Link) and not node.image]


def _form(text: str, block: Block, link: Link | None) -> str:
    """Where all labels of a passage but one have their brackets: outer, inner, or neither."""
    forms = set()
    for one in _links(block):
        if one is link:
            continue
        if text[one.start - 1 : one.start] == "[" and text[one.end : one.end + 1] in ("]", "\\"):
            forms.add("outer")
        elif (
            text[one.text.start : one.text.start + 1] == "[" and text[one.text.end - 1 : one.text.end] == "]"
        ):
            forms.add("inner")
    return forms.pop() if len(forms) == 1 else ""


# ------------------------------------------------------------------------------------------ quotes
def _quote(wrong: Amiss) -> _Fault:
    first, second = wrong.first, wrong.second
    if second is None:
        return _Fault(first.start, first.start + 1, f"`{first.sign}` has no partner", first.sign)
    edits = tuple(
        Edit(one.start, one.start + len(one.sign), right, _MARKUP)
        for one, right in zip((first, second), wrong.right or (), strict=True)
        if one.sign != right
    )
    words = f"`{first.sign}` is closed by `{second.sign}`"
    return _Fault(second.start, second.start + len(second.sign), words, first.sign + second.sign, edits)
