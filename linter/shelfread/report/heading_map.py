"""What each heading of lists names, on a terminal and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from shelfread.core.wording import counted
from shelfread.mapping.mapped_headings import Certainty, HeadingMap, ListHeading, MappedHeading
from shelfread.report.rendering import TerminalStyle, printable, width, wrapped
from shelfread.report.taxonomy_tree import LEAST_ROOM, chosen, cut, filled, taxonomy_json, taxonomy_title
from shelfread.taxonomy.label_index import Label
from shelfread.taxonomy.taxonomy import Taxonomy

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
    """Return what each heading names."""
    counts = {each.value: sum(row.certainty is each for row in mapped.headings) for each in Certainty}
    return {
        **taxonomy_json(mapped.taxonomy, mapped.comparison),
        "headings": [_mapped(each) for each in mapped.headings],
        "no_subject": [_place(heading) for heading in mapped.others],
        "summary": {"headings": len(mapped.headings), **counts, "no_subject": len(mapped.others)},
    }


def _mapped(mapped: MappedHeading) -> dict[str, Any]:
    resolution = mapped.heading.resolution
    known = resolution.is_known
    return {
        **_place(mapped.heading),
        "certainty": mapped.certainty.value,
        "concepts": _ids(resolution.subjects) if known else [],
        "qualifiers": _ids(resolution.qualifiers) if known else [],
        "forms": _ids(resolution.forms) if known else [],
        "is_whole": known and resolution.certainty != "partly",
        "nearest": [{"concept": match.concept.id, "label": match.label} for match in mapped.nearest],
    }


def _place(heading: ListHeading) -> dict[str, Any]:
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
    sections: int
    entries: int
    first: ListHeading


def _rows(mapping: HeadingMap) -> list[_HeadingRow]:
    rows: dict[tuple[str, str], _HeadingRow] = {}
    for each in mapping.headings:
        heading, names = each.heading, _describe(each, mapping.taxonomy)
        row = rows.get((heading.title, names))
        if row is None:
            row = _HeadingRow(heading.title, each.certainty, names, 0, 0, heading)
        row = row._replace(sections=row.sections + 1, entries=row.entries + heading.entries)
        rows[heading.title, names] = row
    return list(rows.values())


def _describe(mapped: MappedHeading, taxonomy: Taxonomy) -> str:
    """Return what a heading names in words: `Quantization (Large Language Models)`, `near: Scheduling`."""
    resolution = mapped.heading.resolution
    if not resolution.is_known:
        near = ", ".join(match.preferred for match in mapped.nearest)
        what = "perhaps" if mapped.certainty is Certainty.GUESS else "near"
        return f"{what}: {near}" if near else ""
    subjects, qualifiers, forms = (
        ", ".join(taxonomy.match(label).preferred for label in labels)
        for labels in (resolution.subjects, resolution.qualifiers, dict.fromkeys(resolution.forms))
    )
    named = f"{subjects} (of: {qualifiers})" if subjects and qualifiers else subjects or qualifiers
    unread = " and more that is not known" if resolution.certainty == "partly" else ""
    form = f"form {forms}" if forms else ""
    return "; ".join(filter(None, (f"{named}{unread}", form)))
