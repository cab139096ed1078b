"""What each heading names, as a Markdown table."""

from __future__ import annotations

from collections.abc import Iterator

from shelfread.mapping.mapping import Mapping
from shelfread.report.markdown_escape import escape
from shelfread.report.taxonomy.rows import group_headings
from shelfread.report.taxonomy.text import summary


def mapping(found: Mapping) -> Iterator[str]:
    """Yield a Markdown table with a row for each heading."""
    yield summary(found)
    yield ""
    yield "| heading | how sure | sections | entries | concepts |"
    yield "|---|---|--:|--:|---|"
    for row in group_headings(found):
        cells = (
            escape(row.title),
            row.certainty.value,
            f"{row.sections:,}",
            f"{row.entries:,}",
            escape(row.names),
        )
        yield f"| {' | '.join(cells)} |"
