"""What entries of both kinds are built from."""

from __future__ import annotations

from shelfread.core.diagnostics import Span
from shelfread.document.entry.title_line import TitleLine
from shelfread.document.model import Field
from shelfread.document.plain_text import PlainText, TextRange
from shelfread.document.recognizers.organisations import find_organisations
from shelfread.markdown.node import Block

_BRACES = str.maketrans("", "", "{}")
_TITLE_START = " \n\t\0*_,;:–—\u200b\u200e\u200f"
_TITLE_EDGE = " \n\t\0*_,;:–—-.。\u200b\u200e\u200f"


def clean_field(plain: PlainText, field: TextRange) -> Field:
    """Return a title or name without BibTeX braces, punctuation at its edges and repeated whitespace."""
    start, end = field
    text = plain.text
    while start < end and text[start] in _TITLE_START:
        start += 1
    while end > start and text[end - 1] in _TITLE_EDGE and not text.endswith(("...", "et al."), start, end):
        end -= 1
    value = text[start:end]
    if "{" in value:
        value = value.translate(_BRACES)
    return Field(" ".join(value.split()), plain.span(start, end))


def title_line_span(block: Block) -> Span:
    inlines = block.inlines or (block.blocks[0].inlines if block.kind == "item" and block.blocks else ())
    return Span(inlines[0].start, inlines[-1].end) if inlines else Span(block.start, block.end)


def leading_organisations(title_line: TitleLine) -> list[Field]:
    found = title_line.organisation
    return find_organisations(title_line.plain, *found) if found is not None else []
