"""The canonical form of a text whose entries are to be written in one style, too."""

from __future__ import annotations

from shelfread.core.source import Source
from shelfread.document.read import read
from shelfread.format.entries.house_style import Counts, count_habits
from shelfread.format.entries.restyle import restyle
from shelfread.format.entries.title_lines import title_lines
from shelfread.format.format import format_source
from shelfread.format.result import FormatResult
from shelfread.format.style import Style
from shelfread.taxonomy.taxonomy import Taxonomy

_ROUNDS = 4


def format_entries(
    source: Source, style: Style, taxonomy: Taxonomy, counts: Counts | None = None
) -> FormatResult:
    """The canonical form; `counts` says how the project's other files write their entries."""
    if style.entry == "keep":
        return format_source(source, style)
    result = format_source(source, style)
    for _ in range(_ROUNDS):  # what is rewritten may be out of line, or show what the text mostly does
        restyled = restyle(Source(result.text, source.path), style.entry, taxonomy, counts)
        if restyled.text != result.text:
            result = format_source(Source(restyled.text, source.path), style)
        if restyled.text == result.text and restyled.settled:
            break
    return FormatResult(result.text, tuple(sorted({*result.unformatted, *restyled.unformatted})))


def count_entries(source: Source, style: Style, taxonomy: Taxonomy) -> Counts:
    """How the entries of a file are written."""
    document = read(source, taxonomy.vocabulary)
    lines = title_lines(document, style.entry == "table", {})
    return count_habits(lines.values(), source.text, taxonomy.vocabulary)
