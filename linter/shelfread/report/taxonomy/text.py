"""Taxonomies on a terminal: the tree of concepts, and a table of headings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from shelfread.core.support.plurals import counted
from shelfread.mapping.choose import Comparison
from shelfread.mapping.headings import Certainty, Heading
from shelfread.mapping.mapping import Mapping
from shelfread.mapping.tree import Row, Tree
from shelfread.report.taxonomy.rows import group_headings
from shelfread.report.terminal import TerminalStyle, fit, printable, width, wrapped
from shelfread.taxonomy.taxonomy import Taxonomy

_COUNTS = ("sections", "entries", "of its own")
_MAX_DEPTH = 12
_MAX_NAME = 60
_MAX_UNKNOWN = 20
_MAX_TITLE = 44
_LEAST_ROOM = 14
"""Columns that a name gets on the narrowest terminal."""
_COLOURS = {
    Certainty.LABEL: "green",
    Certainty.WORDS: "cyan",
    Certainty.NEAR: "yellow",
    Certainty.NONE: "red",
}


def tree(tree: Tree, style: TerminalStyle, *, whole: bool) -> Iterator[str]:
    """Yield the tree of concepts with the numbers of their sections and entries, then the unknown headings."""
    yield from _chosen(tree.taxonomy, tree.comparison, style)
    share = f"{tree.placed:,} of {counted(tree.entries, 'entry', 'entries')}"
    used = sum(bool(row.use.all_sections) for row in tree.concepts)
    concepts = f"{used:,} of {counted(len(tree.taxonomy.concepts), 'concept')} in use"
    yield from wrapped(f"{_name(tree.taxonomy)}: {concepts}, {share}", style.width)
    room = max(style.width - len("  ".join(("", *_COUNTS))), _LEAST_ROOM)
    longest = max((width(_indented(row, room)) for row in (*tree.concepts, *tree.forms)), default=0)
    for title, part in (("Concepts", tree.concepts), ("Forms", tree.forms)):
        if part:
            yield ""
            yield style.paint(f"{title:<{longest}}  {'  '.join(_COUNTS)}", "bold")
            yield from (_row(row, _filled(_indented(row, room), longest), style) for row in part)
    if tree.unknown:
        yield ""
        yield from _unknown(tree, style, whole)


def _row(row: Row, name: str, style: TerminalStyle) -> str:
    use = row.use
    counts = (use.all_sections, use.all_entries, use.entries)
    cells = (
        f"{count:>{len(title)},}" if count else "-".rjust(len(title))
        for count, title in zip(counts, _COUNTS, strict=True)
    )
    line = f"{name}  {'  '.join(cells)}"
    return style.paint(line, "dim") if not use.all_sections else line


def _indented(row: Row, room: int) -> str:
    indent = "  " * min(row.depth, _MAX_DEPTH)
    return indent + _cut(row.concept.label, min(_MAX_NAME, max(room - len(indent), _LEAST_ROOM)))


def _unknown(tree: Tree, style: TerminalStyle, whole: bool) -> Iterator[str]:
    entries = sum(heading.entries for found in tree.unknown.values() for heading in found)
    title = f"Not in the taxonomy: {counted(len(tree.unknown), 'heading')} with {counted(entries, 'entry', 'entries')}"
    yield style.paint(title, "bold")
    shown = list(tree.unknown)[: None if whole else _MAX_UNKNOWN]
    places = {name: _place(tree.unknown[name]) for name in shown}
    room = style.width - len("  ") - len("  12,345  ") - max(map(width, places.values()))
    labels = {name: _cut(name, min(_MAX_NAME, max(room, _LEAST_ROOM))) for name in shown}
    longest = max(map(width, labels.values()))
    for name in shown:
        count = sum(heading.entries for heading in tree.unknown[name])
        yield f"  {_filled(labels[name], longest)}  {count:>6,}  {places[name]}"
    if len(shown) < len(tree.unknown):
        yield f"  {style.ellipsis} {len(tree.unknown) - len(shown):,} more: 'shelfread taxonomy map' lists all"


def _place(headings: Sequence[Heading]) -> str:
    """Return where a heading is first, and how often it is elsewhere."""
    more = f" and {len(headings) - 1} more" if len(headings) > 1 else ""
    return printable(f"{headings[0].path}:{headings[0].line}") + more


def mapping(found: Mapping, style: TerminalStyle) -> Iterator[str]:
    """Yield a line for each heading: how sure it is, the number of its sections and entries, what it names."""
    yield from _chosen(found.taxonomy, found.comparison, style)
    rows = group_headings(found)
    if rows:
        titles = [_cut(row.title, min(_MAX_TITLE, max(style.width * 2 // 5, _LEAST_ROOM))) for row in rows]
        longest = max(map(width, titles))
        yield style.paint(f"{'heading':<{longest}}  {'how sure':<8}  {'entries':>7}  concepts", "bold")
        indent = longest + len("  how sure  entries  ")
        for row, title in zip(rows, titles, strict=True):
            sure = style.paint(f"{row.certainty.value:<8}", _COLOURS[row.certainty])
            first, *more = wrapped(printable(row.names), max(style.width - indent, _LEAST_ROOM)) or [""]
            yield f"{_filled(title, longest)}  {sure}  {row.entries:>7,}  {first}".rstrip()
            yield from (" " * indent + line for line in more)
        yield ""
    yield from wrapped(summary(found), style.width)


def summary(found: Mapping) -> str:
    """Return how many headings are known, and how: `41 of 60 headings are known: 30 by a label, 11 by their words`."""
    counts = {each: sum(row.certainty is each for row in found.headings) for each in Certainty}
    known = counts[Certainty.LABEL] + counts[Certainty.WORDS]
    others = f"; {counted(len(found.others), 'heading names', 'headings name')} no subject (years, venues, contents)"
    return (
        f"{known:,} of {counted(len(found.headings), 'heading')} known in {_name(found.taxonomy)}: "
        f"{counts[Certainty.LABEL]:,} by a label, {counts[Certainty.WORDS]:,} by their words{others if found.others else ''}"
    )


def _chosen(taxonomy: Taxonomy, comparison: Comparison | None, style: TerminalStyle) -> Iterator[str]:
    """Yield what was compared, if no taxonomy is configured."""
    if comparison is not None:
        known = ", ".join(f"{name} {count:,}" for name, count in comparison.known.items())
        headings = counted(comparison.headings, "heading")
        said = f"No taxonomy is configured. Of {headings}, the bundled ones know: {known}. Using {taxonomy.name}."
        yield from wrapped(said, style.width)
        yield ""


def _name(taxonomy: Taxonomy) -> str:
    return printable(
        f"{taxonomy.title} ({taxonomy.name})" if taxonomy.title != taxonomy.name else taxonomy.name
    )


def _filled(text: str, columns: int) -> str:
    return text + " " * (columns - width(text))


def _cut(text: str, room: int) -> str:
    """Return a text that takes at most `room` columns."""
    text = printable(text)
    if width(text) <= room:
        return text
    return "".join(fit(text, room - 3)[0]) + "..."
