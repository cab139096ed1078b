"""Format a text and write its entries in one style."""

from __future__ import annotations

from shelfread.core.source import Source
from shelfread.document.read import read
from shelfread.format.entries.house_style import Counts, count_forms
from shelfread.format.entries.restyle import restyle
from shelfread.format.entries.title_lines import find_title_lines
from shelfread.format.format import format_source
from shelfread.format.result import FormatResult
from shelfread.format.style import Style
from shelfread.taxonomy.taxonomy import Taxonomy

_MAX_ROUNDS = 4


def format_entries(
    source: Source, style: Style, taxonomy: Taxonomy, counts: Counts | None = None
) -> FormatResult:
    """Return the formatted text; `counts` are the forms of the entries in the project's other files."""
    result = format_source(source, style)
    if style.entry == "keep":
        return result
    for _ in range(_MAX_ROUNDS):  # rewritten entries may need formatting, or change what most of the text has
        restyled, settled = restyle(Source(result.text, source.path), style.entry, taxonomy, counts)
        restyled = restyled.following(result)
        if restyled.text != result.text:
            result = format_source(Source(restyled.text, source.path), style).following(restyled)
        if restyled.text == result.text and settled:
            break
    return result._replace(unformatted=tuple(sorted({*result.unformatted, *restyled.unformatted})))


def count_entry_forms(source: Source, style: Style, taxonomy: Taxonomy) -> Counts:
    """Count the forms of a file's entries."""
    document = read(source, taxonomy.vocabulary)
    lines, _ = find_title_lines(document, with_rows=style.entry == "table")
    return count_forms(lines.values(), taxonomy.vocabulary)
