"""Taxonomies on a terminal: the tree of concepts, and a table of headings."""

from __future__ import annotations

from collections.abc import Iterator

from shelfread.core.support.plurals import counted
from shelfread.engine.taxonomy.choose import Comparison
from shelfread.engine.taxonomy.headings import Certainty
from shelfread.engine.taxonomy.mapping import Mapping
from shelfread.engine.taxonomy.tree import Row, Tree
from shelfread.report.taxonomy.rows import group_headings
from shelfread.report.terminal import TerminalStyle, fit, printable, width
from shelfread.taxonomy.taxonomy import Taxonomy

_COUNTS = ("sections", "entries", "of its own")
_MAX_DEPTH = 12
_MAX_NAME = 60
_MAX_UNKNOWN = 20
_MAX_TITLE = 44
_COLOURS = {
    Certainty.LABEL: "green",
    Certainty.WORDS: "cyan",
    Certainty.NEAR: "yellow",
    Certainty.NONE: "red",
}


def tree(tree: Tree, style: TerminalStyle, *, whole: bool) -> Iterator[str]:
    """Yield the tree of concepts with the numbers of their sections and entries, then the unknown headings."""
    yield from _chosen(tree.taxonomy, tree.comparison)
    share = f"{tree.placed:,} of {counted(tree.entries, 'entry', 'entries')}"
    used = sum(bool(row.use.all_sections) for row in tree.concepts)
    yield f"{_name(tree.taxonomy)}: {used:,} of {counted(len(tree.taxonomy.concepts), 'concept')} in use, {share}"
    rows = [*tree.concepts, *tree.forms]
    longest = max((width(_indented(row)) for row in rows), default=0)
    for title, part in (("Concepts", tree.concepts), ("Forms", tree.forms)):
        if part:
            yield ""
            yield style.paint(f"{title:<{longest}}  {'  '.join(_COUNTS)}", "bold")
            yield from (_row(row, longest, style) for row in part)
    if tree.unknown:
        yield ""
        yield from _unknown(tree, style, whole)


def _row(row: Row, longest: int, style: TerminalStyle) -> str:
    name, use = _indented(row), row.use
    counts = (use.all_sections, use.all_entries, use.entries)
    cells = (
        f"{count:>{len(title)},}" if count else "-".rjust(len(title))
        for count, title in zip(counts, _COUNTS, strict=True)
    )
    line = f"{name}{' ' * (longest - width(name))}  {'  '.join(cells)}"
    return style.paint(line, "dim") if not use.all_sections else line


def _indented(row: Row) -> str:
    return "  " * min(row.depth, _MAX_DEPTH) + _cut(row.concept.label, _MAX_NAME)


def _unknown(tree: Tree, style: TerminalStyle, whole: bool) -> Iterator[str]:
    entries = sum(heading.entries for found in tree.unknown.values() for heading in found)
    title = f"Not in the taxonomy: {counted(len(tree.unknown), 'heading')} with {counted(entries, 'entry', 'entries')}"
    yield style.paint(title, "bold")
    shown = list(tree.unknown)[: None if whole else _MAX_UNKNOWN]
    longest = max(width(_cut(name, _MAX_NAME)) for name in shown)
    for name in shown:
        found, label = tree.unknown[name], _cut(name, _MAX_NAME)
        count = sum(heading.entries for heading in found)
        more = f" and {len(found) - 1} more" if len(found) > 1 else ""
        place = printable(f"{found[0].path}:{found[0].line}")
        yield f"  {label}{' ' * (longest - width(label))}  {count:>5,}  {place}{more}"
    if len(shown) < len(tree.unknown):
        yield f"  {style.ellipsis} {len(tree.unknown) - len(shown):,} more: 'shelfread taxonomy map' lists all"


def mapping(found: Mapping, style: TerminalStyle) -> Iterator[str]:
    """Yield a line for each heading: how sure it is, the number of its sections and entries, what it names."""
    yield from _chosen(found.taxonomy, found.comparison)
    rows = group_headings(found)
    if rows:
        longest = max(width(_cut(row.title, _MAX_TITLE)) for row in rows)
        heads = f"{'heading':<{longest}}  {'how sure':<8}  {'entries':>7}  concepts"
        yield style.paint(heads, "bold")
        for row in rows:
            title = _cut(row.title, _MAX_TITLE)
            sure = style.paint(f"{row.certainty.value:<8}", _COLOURS[row.certainty])
            yield f"{title}{' ' * (longest - width(title))}  {sure}  {row.entries:>7,}  {printable(row.names)}".rstrip()
        yield ""
    yield summary(found)


def summary(found: Mapping) -> str:
    """Return how many headings are known, and how: `41 of 60 headings are known: 30 by a label, 11 by their words`."""
    counts = {each: sum(row.certainty is each for row in found.headings) for each in Certainty}
    known = counts[Certainty.LABEL] + counts[Certainty.WORDS]
    others = f"; {counted(len(found.others), 'heading names', 'headings name')} no subject (years, venues, contents)"
    return (
        f"{known:,} of {counted(len(found.headings), 'heading')} known in {_name(found.taxonomy)}: "
        f"{counts[Certainty.LABEL]:,} by a label, {counts[Certainty.WORDS]:,} by their words{others if found.others else ''}"
    )


def _chosen(taxonomy: Taxonomy, comparison: Comparison | None) -> Iterator[str]:
    """Yield what was compared, if no taxonomy is configured."""
    if comparison is not None:
        known = ", ".join(f"{name} {count:,}" for name, count in comparison.known.items())
        headings = counted(comparison.headings, "heading")
        yield f"No taxonomy is configured. Of {headings}, the bundled ones know: {known}. Using {taxonomy.name}."
        yield ""


def _name(taxonomy: Taxonomy) -> str:
    return printable(
        f"{taxonomy.title} ({taxonomy.name})" if taxonomy.title != taxonomy.name else taxonomy.name
    )


def _cut(text: str, room: int) -> str:
    """Return a text that takes at most `room` columns."""
    text = printable(text)
    if width(text) <= room:
        return text
    return "".join(fit(text, room - 3)[0]) + "..."
