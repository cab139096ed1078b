"""The tree of concepts with how lists use them, what each heading names, and the issues of a taxonomy."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from shelfread.core.diagnostics import Severity
from shelfread.core.wording import counted
from shelfread.mapping.mapped_headings import (
    BundledComparison,
    Certainty,
    ConceptRow,
    ConceptTree,
    HeadingMap,
    ListHeading,
    MappedHeading,
)
from shelfread.report.finding_lines import rule_label, severities_in_words
from shelfread.report.findings_json import severity_counts
from shelfread.report.rendering import TerminalStyle, dumps, fit, printable, width, wrapped
from shelfread.taxonomy.concept import Label
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
    concept = row.concept
    return {"id": concept.id, "label": concept.label, "broader": list(concept.broader), **row.use._asdict()}


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
        label = rule_label(issue.name, issue.severity, style)
        place = style.paint(f"{printable(issue.error.place)}:", "bold")
        yield f"{place} {label} {printable(issue.error.message)}"
    if shown:
        kinds = severities_in_words((issue.severity for issue in shown), style)
        yield f"{kinds} in {printable(_relative(name))}."
    else:
        yield style.paint(f"No problems found in {printable(_relative(name))}.", "green")
    if hidden := len(issues) - len(shown):
        yield f"{counted(hidden, 'info')} hidden (--show-info)."


def issues_json(issues: Sequence[Issue]) -> str:
    """Return all issues as JSON text; a change of its structure changes `version`."""
    return dumps(
        {
            "version": 1,
            "diagnostics": [
                {
                    "rule": issue.name,
                    "severity": issue.severity.label,
                    "message": issue.error.message,
                    "path": _relative(issue.error.path or ""),
                    "line": issue.error.line,
                    "column": issue.error.column,
                }
                for issue in issues
            ],
            "summary": severity_counts(issue.severity for issue in issues),
        }
    )


def _relative(path: str) -> str:
    return path.removeprefix(os.path.join(os.getcwd(), ""))


_MAX_TITLE = 44
_COLOURS = {
    Certainty.LABEL: "green",
    Certainty.WORDS: "cyan",
    Certainty.GUESS: "yellow",
    Certainty.NEAR: "yellow",
    Certainty.NONE: "red",
}


def headings_text(mapped: HeadingMap, style: TerminalStyle) -> Iterator[str]:
    """Yield a line for each heading: how sure it is, the number of its sections and entries, what it names."""
    yield from chosen(mapped.taxonomy, mapped.comparison, style)
    rows = _rows(mapped)
    if rows:
        titles = [cut(row.title, min(_MAX_TITLE, max(style.width * 2 // 5, LEAST_ROOM))) for row in rows]
        longest = max(map(width, titles))
        yield style.paint(f"{'heading':<{longest}}  {'how sure':<8}  {'entries':>7}  concepts", "bold")
        indent = longest + len("  how sure  entries  ")
        for row, title in zip(rows, titles, strict=True):
            sure = style.paint(f"{row.certainty.value:<8}", _COLOURS[row.certainty])
            first, *more = wrapped(printable(row.names), max(style.width - indent, LEAST_ROOM)) or [""]
            yield f"{filled(title, longest)}  {sure}  {row.entries:>7,}  {first}".rstrip()
            yield from (" " * indent + line for line in more)
        yield ""
    yield from wrapped(_summary(mapped), style.width)


def _summary(mapped: HeadingMap) -> str:
    """Return how many headings are known, and how: `41 of 60 headings are known: 30 by a label, 11 by their words`."""
    counts = {each: sum(row.certainty is each for row in mapped.headings) for each in Certainty}
    known = counts[Certainty.LABEL] + counts[Certainty.WORDS]
    others = f"; {counted(len(mapped.others), 'heading names', 'headings name')} no subject (years, venues, contents)"
    return (
        f"{known:,} of {counted(len(mapped.headings), 'heading')} known in {taxonomy_title(mapped.taxonomy)}: "
        f"{counts[Certainty.LABEL]:,} by a label, {counts[Certainty.WORDS]:,} by their words{others if mapped.others else ''}"
    )


def headings_json(mapped: HeadingMap) -> dict[str, Any]:
    counts = {each.value: sum(row.certainty is each for row in mapped.headings) for each in Certainty}
    return {
        **taxonomy_json(mapped.taxonomy, mapped.comparison),
        "headings": [_mapped(each) for each in mapped.headings],
        "no_subject": [_heading_place(heading) for heading in mapped.others],
        "summary": {"headings": len(mapped.headings), **counts, "no_subject": len(mapped.others)},
    }


def _mapped(mapped: MappedHeading) -> dict[str, Any]:
    resolution = mapped.heading.resolution
    known = resolution.is_known
    return {
        **_heading_place(mapped.heading),
        "certainty": mapped.certainty.value,
        "concepts": _ids(resolution.subjects) if known else [],
        "qualifiers": _ids(resolution.qualifiers) if known else [],
        "forms": _ids(resolution.forms) if known else [],
        "is_whole": known and resolution.certainty != "partly",
        "nearest": [{"concept": match.concept.id, "label": match.label} for match in mapped.nearest],
    }


def _heading_place(heading: ListHeading) -> dict[str, Any]:
    section = heading.document.sections[heading.section_index]
    return {
        "heading": heading.title,
        "section": list(section.path),
        "path": heading.path,
        "line": heading.line,
        "entries": heading.entries,
    }


def _ids(labels: Sequence[Label]) -> list[str]:
    return list(dict.fromkeys(label.concept for label in labels))


class _HeadingRow(NamedTuple):
    """A heading with what it names, in words; `entries` are those of all its sections."""

    title: str
    certainty: Certainty
    names: str
    entries: int


def _rows(mapping: HeadingMap) -> list[_HeadingRow]:
    rows: dict[tuple[str, str], _HeadingRow] = {}
    for each in mapping.headings:
        heading, names = each.heading, _describe(each, mapping.taxonomy)
        row = rows.get((heading.title, names), _HeadingRow(heading.title, each.certainty, names, 0))
        rows[heading.title, names] = row._replace(entries=row.entries + heading.entries)
    return list(rows.values())


def _describe(mapped: MappedHeading, taxonomy: Taxonomy) -> str:
    """Return what a heading names in words: `Quantization (Large Language Models)`, `near: Scheduling`."""
    resolution = mapped.heading.resolution
    if not resolution.is_known:
        near = ", ".join(match.preferred for match in mapped.nearest)
        what = "perhaps" if mapped.certainty is Certainty.GUESS else "near"
        return f"{what}: {near}" if near else ""
    subjects, qualifiers, forms = (
        ", ".join(dict.fromkeys(taxonomy.match(label).preferred for label in labels))
        for labels in (resolution.subjects, resolution.qualifiers, resolution.forms)
    )
    named = f"{subjects} (of: {qualifiers})" if subjects and qualifiers else subjects or qualifiers
    unread = " and more that is not known" if resolution.certainty == "partly" else ""
    form = f"form {forms}" if forms else ""
    return "; ".join(filter(None, (f"{named}{unread}", form)))
