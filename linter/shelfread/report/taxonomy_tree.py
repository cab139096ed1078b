"""The tree of concepts with how lists use them, and the issues of a taxonomy, on a terminal and as JSON."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from shelfread.core.diagnostics import Severity
from shelfread.core.wording import counted
from shelfread.mapping.concept_tree import ConceptRow, ConceptTree
from shelfread.mapping.mapped_headings import BundledComparison, ListHeading
from shelfread.report.finding_lines import COLOURS, rule_label
from shelfread.report.rendering import TerminalStyle, dumps, fit, printable, width, wrapped
from shelfread.taxonomy.integrity import Issue
from shelfread.taxonomy.taxonomy import Taxonomy

_COUNTS = ("sections", "entries", "of its own")
_MAX_DEPTH = 12
_MAX_NAME = 60
_MAX_UNKNOWN = 20
LEAST_ROOM = 14  # columns that a name gets on the narrowest terminal


def tree_text(tree: ConceptTree, style: TerminalStyle, *, whole: bool) -> Iterator[str]:
    """Yield the tree of concepts with the numbers of their sections and entries, then the unknown headings."""
    yield from chosen(tree.taxonomy, tree.comparison, style)
    share = f"{tree.placed:,} of {counted(tree.entries, 'entry', 'entries')} below one"
    known = f"{tree.headings - _sections(tree):,} of {counted(tree.headings, 'heading')} known"
    used = sum(bool(row.use.all_sections) for row in tree.concepts)
    concepts = f"{used:,} of {counted(len(tree.taxonomy.concepts), 'concept')} in use"
    yield from wrapped(f"{taxonomy_title(tree.taxonomy)}: {known}, {share}; {concepts}", style.width)
    room = max(style.width - len("  ".join(("", *_COUNTS))), LEAST_ROOM)
    longest = max((width(_indented(row, room)) for row in (*tree.concepts, *tree.forms)), default=0)
    for title, part in (("Concepts", tree.concepts), ("Forms", tree.forms)):
        if part:
            yield ""
            yield style.paint(f"{title:<{longest}}  {'  '.join(_COUNTS)}", "bold")
            yield from (_row(row, filled(_indented(row, room), longest), style) for row in part)
    if tree.unknown:
        yield ""
        yield from _unknown(tree, style, whole)


def _row(row: ConceptRow, name: str, style: TerminalStyle) -> str:
    use = row.use
    counts = (use.all_sections, use.all_entries, use.entries)
    cells = (
        f"{count:>{len(title)},}" if count else "-".rjust(len(title))
        for count, title in zip(counts, _COUNTS, strict=True)
    )
    line = f"{name}  {'  '.join(cells)}"
    return style.paint(line, "dim") if not use.all_sections else line


def _indented(row: ConceptRow, room: int) -> str:
    indent = "  " * min(row.depth, _MAX_DEPTH)
    return indent + cut(row.concept.label, min(_MAX_NAME, max(room - len(indent), LEAST_ROOM)))


def _unknown(tree: ConceptTree, style: TerminalStyle, whole: bool) -> Iterator[str]:
    entries = sum(heading.entries for found in tree.unknown.values() for heading in found)
    title = f"Not in the taxonomy: {counted(_sections(tree), 'heading')} with {counted(entries, 'entry', 'entries')}"
    yield style.paint(title, "bold")
    shown = list(tree.unknown)[: None if whole else _MAX_UNKNOWN]
    places = {name: _place(tree.unknown[name]) for name in shown}
    room = style.width - len("  ") - len("  12,345  ") - max(map(width, places.values()))
    labels = {name: cut(name, min(_MAX_NAME, max(room, LEAST_ROOM))) for name in shown}
    longest = max(map(width, labels.values()))
    for name in shown:
        count = sum(heading.entries for heading in tree.unknown[name])
        yield f"  {filled(labels[name], longest)}  {count:>6,}  {places[name]}"
    if len(shown) < len(tree.unknown):
        yield f"  {style.ellipsis} {len(tree.unknown) - len(shown):,} more: 'shelfread taxonomy map' lists all"


def _sections(tree: ConceptTree) -> int:
    """Return the number of unknown headings, each as often as it occurs."""
    return sum(map(len, tree.unknown.values()))


def _place(headings: Sequence[ListHeading]) -> str:
    more = f" and {len(headings) - 1} more" if len(headings) > 1 else ""
    return printable(f"{headings[0].path}:{headings[0].line}") + more


def tree_json(tree: ConceptTree) -> dict[str, Any]:
    """Return the concepts with their sections and entries, and the headings that are unknown."""
    return {
        **taxonomy_json(tree.taxonomy, tree.comparison),
        "concepts": [_row_json(row) for row in tree.concepts],
        "forms": [_row_json(row) for row in tree.forms],
        "unknown": [
            {
                "heading": title,
                "sections": len(headings),
                "entries": sum(heading.entries for heading in headings),
                "path": headings[0].path,
                "line": headings[0].line,
            }
            for title, headings in tree.unknown.items()
        ],
        "summary": {
            "concepts": len(tree.taxonomy.concepts),
            "headings": tree.headings,
            "known": tree.headings - _sections(tree),
            "entries": tree.entries,
            "placed": tree.placed,
        },
    }


def _row_json(row: ConceptRow) -> dict[str, Any]:
    concept, use = row.concept, row.use
    return {
        "id": concept.id,
        "label": concept.label,
        "broader": list(concept.broader),
        "sections": use.sections,
        "entries": use.entries,
        "all_sections": use.all_sections,
        "all_entries": use.all_entries,
    }


def taxonomy_json(taxonomy: Taxonomy, comparison: BundledComparison | None) -> dict[str, Any]:
    """Return the beginning of what is said of a taxonomy; a change of its structure changes `version`."""
    compared = {} if comparison is None else {"headings": comparison.headings, "known": comparison.known}
    return {
        "version": 1,
        "taxonomy": {"name": taxonomy.name, "title": taxonomy.title},
        "compared": compared or None,
    }


def chosen(taxonomy: Taxonomy, comparison: BundledComparison | None, style: TerminalStyle) -> Iterator[str]:
    """Yield what was compared, if no taxonomy is configured."""
    if comparison is not None:
        known = ", ".join(f"{name} {count:,}" for name, count in comparison.known.items())
        headings = counted(comparison.headings, "heading")
        said = f"No taxonomy is configured. Of {headings}, the bundled ones know: {known}. Using {taxonomy.name}."
        yield from wrapped(said, style.width)
        yield ""


def taxonomy_title(taxonomy: Taxonomy) -> str:
    """Return the title of a taxonomy, with its name if that is another."""
    return printable(
        f"{taxonomy.title} ({taxonomy.name})" if taxonomy.title != taxonomy.name else taxonomy.name
    )


def filled(text: str, columns: int) -> str:
    """Return a text with blanks up to a width in columns."""
    return text + " " * (columns - width(text))


def cut(text: str, room: int) -> str:
    """Return a text that takes at most `room` columns."""
    text = printable(text)
    if width(text) <= room:
        return text
    return "".join(fit(text, room - 3)[0]) + "..."


def issues_text(issues: Sequence[Issue], name: str, least: Severity, style: TerminalStyle) -> Iterator[str]:
    """Yield `path:line:column: severity[name] message` for each issue of at least a severity, and a summary."""
    shown = [issue for issue in issues if issue.severity >= least]
    for issue in shown:
        error = issue.error
        place = ":".join(str(part) for part in (_path(issue), error.line, error.column) if part is not None)
        label = rule_label(issue.name, issue.severity, style)
        yield f"{style.paint(f'{printable(place)}:', 'bold')} {label} {printable(error.message)}"
    counts = Counter(issue.severity for issue in shown)
    kinds = [
        style.paint(counted(number, severity.label), COLOURS[severity], "bold")
        for severity, number in sorted(counts.items(), reverse=True)
    ]
    if kinds:
        yield f"{', '.join(kinds)} in {printable(_relative(name))}."
    else:
        yield style.paint(f"No problems found in {printable(_relative(name))}.", "green")
    if hidden := len(issues) - len(shown):
        yield f"{counted(hidden, 'info')} hidden (--show-info)."


def issues_json(issues: Sequence[Issue]) -> str:
    """Return all issues as JSON text; a change of its structure changes `version`."""
    counts = Counter(issue.severity for issue in issues)
    return dumps(
        {
            "version": 1,
            "diagnostics": [
                {
                    "rule": issue.name,
                    "severity": issue.severity.label,
                    "message": issue.error.message,
                    "path": _path(issue),
                    "line": issue.error.line,
                    "column": issue.error.column,
                }
                for issue in issues
            ],
            "summary": {
                "errors": counts[Severity.ERROR],
                "warnings": counts[Severity.WARNING],
                "infos": counts[Severity.INFO],
            },
        }
    )


def _path(issue: Issue) -> str:
    return _relative(issue.error.path or "")


def _relative(path: str) -> str:
    return path.removeprefix(os.path.join(os.getcwd(), ""))
