"""Headings as rows: those of one title that name the same are one row."""

from __future__ import annotations

from shelfread.core.support.named_tuple import NamedTuple
from shelfread.mapping.headings import Certainty, Heading
from shelfread.mapping.mapping import MappedHeading, Mapping
from shelfread.taxonomy.label_index import Label
from shelfread.taxonomy.taxonomy import Taxonomy


class HeadingRow(NamedTuple):
    """A heading with what it names, in words; `entries` are those of all its sections."""

    title: str
    certainty: Certainty
    names: str
    sections: int
    entries: int
    first: Heading


def group_headings(mapping: Mapping) -> list[HeadingRow]:
    """Return a row for each title and what it names, in the order of the lists."""
    rows: dict[tuple[str, str], HeadingRow] = {}
    for each in mapping.headings:
        heading, names = each.heading, describe(each, mapping.taxonomy)
        row = rows.get((heading.title, names))
        if row is None:
            row = HeadingRow(heading.title, each.certainty, names, 0, 0, heading)
        row = row._replace(sections=row.sections + 1, entries=row.entries + heading.entries)
        rows[heading.title, names] = row
    return list(rows.values())


def describe(mapped: MappedHeading, taxonomy: Taxonomy) -> str:
    """Return what a heading names in words: `Quantization (Large Language Models)`, `near: Scheduling`."""
    found = mapped.heading.found
    if not found.is_known:
        near = ", ".join(match.preferred for match in mapped.nearest)
        return f"near: {near}" if near else ""
    subjects, qualifiers, forms = (
        ", ".join(_preferred(label, taxonomy) for label in labels)
        for labels in (found.subjects, found.qualifiers, dict.fromkeys(found.forms))
    )
    named = f"{subjects} (of: {qualifiers})" if subjects and qualifiers else subjects or qualifiers
    unread = " and more that is not known" if found.certainty == "partly" else ""
    form = f"form {forms}" if forms else ""
    return "; ".join(filter(None, (f"{named}{unread}", form)))


def _preferred(label: Label, taxonomy: Taxonomy) -> str:
    return taxonomy.match(label).preferred
