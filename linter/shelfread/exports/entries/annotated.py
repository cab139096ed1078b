"""Lists with what was read of each line beside it, as Markdown for people."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from shelfread.document.model import Document, Section
from shelfread.exports.entries.fields import entry_rows
from shelfread.exports.entries.row import Row, shown, source_line
from shelfread.exports.entries.tally import Tally
from shelfread.exports.entries.unread import Unread, find_unread
from shelfread.report.markdown_escape import code
from shelfread.report.terminal import TerminalStyle

_KINDS = {"item": "a list item", "details": "a summary", "bold": "bold words", "html": "an HTML heading"}


def render(documents: Iterable[Document], style: TerminalStyle) -> Iterator[str]:
    """Yield the lines of a report of lists in order, each with its counts, and the counts of all."""
    total = Tally()
    for document in documents:
        if total.files:
            yield ""
        yield from _list(document, total, style)
    if total.files > 1:
        yield ""
        yield style.paint(f"# {total.files:,} files", "bold")
        yield ""
        yield from total.render()


def _list(document: Document, total: Tally, style: TerminalStyle) -> Iterator[str]:
    """Yield a heading, the rows of a list, and its counts."""
    unread = find_unread(document)
    tally = Tally()
    for counts in (tally, total):
        counts.add(document, unread)
    yield style.paint(f"# {code(document.source.path or '-')}", "bold")
    yield ""
    blocks = list(_blocks(document, unread))
    if blocks:
        # No row can end the fence, as each begins with a number.
        width = 2 * len(str(len(document.source.lines))) + 1
        yield "```text"
        previous = ""
        for _, word, rows in blocks:
            if previous and (word != previous or word == "entry"):
                yield ""
            previous = word
            for row in rows:
                yield row.render(width, style)
        yield "```"
        yield ""
    yield from tally.render()


def _blocks(document: Document, unread: Unread) -> Iterator[tuple[int, str, Iterable[Row]]]:
    """Yield rows that belong together, in the order of their lines, with the line and what they are."""
    source = document.source
    blocks: list[tuple[int, str, Iterable[Row]]] = []
    for section in document.sections:
        blocks.append((section.line, "section", (_section(section),)))
    for item in document.non_entries:
        text = source_line(source, item.line)
        blocks.append(
            (item.line, "no entry", (Row(item.line, item.end_line, f"no entry: {item.reason}", text),))
        )
    for line in unread.lines:
        blocks.append((line, "not read", (Row(line, line, "not read:", source_line(source, line)),)))
    before = 0
    for index, entry in enumerate(document.entries):
        # Of several entries in a line, each shows its own part.
        start = entry.title_line.start if entry.line == before else 0
        before = entry.line
        blocks.append((entry.line, "entry", entry_rows(entry, document, unread.links.get(index, ()), start)))
    yield from sorted(blocks, key=lambda block: block[0])


def _section(section: Section) -> Row:
    """Return a section's title as it was read, and the venue and year that it states for what is below."""
    if section.kind == "heading":
        text = f"{'#' * section.level} {shown(section.title)}"
    else:
        text = f"{shown(section.title)} ({_KINDS.get(section.kind, section.kind)})"
    stated = []
    if section.citation is not None and section.citation.venue is not None:
        stated.append(f"venue {shown(section.citation.venue.label)}")
    if section.year is not None:
        stated.append(f"year {section.year}")
    return Row(section.line, section.line, "section", f"{text}  [{', '.join(stated)}]" if stated else text)
