"""Entries that do not fit the taxonomy's schema of entries."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from shelfread.checks.taxonomy.schema_errors import describe
from shelfread.core.diagnostics import RawDiagnostic, RawDiagnostics, Span
from shelfread.document.entry_data import entry_data
from shelfread.document.entry_parts import Table, cells, links_by_role, tables_by_row
from shelfread.document.heading_subjects import concepts_above
from shelfread.document.model import Document, Entry, Field
from shelfread.document.tags import tags
from shelfread.index.context import RuleContext
from shelfread.index.order import out_of_order

if TYPE_CHECKING:
    from shelfread.taxonomy.entry_schemas import EntrySchemas  # imports jsonschema, which takes long


def entry(document: Document, context: RuleContext) -> RawDiagnostics:
    """Report entries that do not fit the schemas of the taxonomy and of their concepts, at the part that is wrong."""
    taxonomy, text = context.taxonomy, document.source.text
    if not taxonomy.have_schemas:
        return
    tables = tables_by_row(document)
    checked: set[int] = set()
    for listed in document.entries:
        schemas = taxonomy.entry_schemas(concepts_above(document, listed.section, taxonomy))
        if not schemas.schemas:
            continue
        table, row = tables.get(listed.block.start, (None, None))
        parts = dict(links_by_role(listed))
        absent: set[str] = set()
        if table is not None and row is not None:
            parts |= cells(table, row, schemas.columns)
            absent = {name for name in schemas.columns if table.column(name) is None} | {*schemas.tags}
            if table.span.start not in checked and len(absent - {*schemas.tags}) < len(schemas.columns):
                checked.add(table.span.start)
                yield from _header(table, schemas.columns)
        else:
            parts |= tags(listed, schemas.tags)
            absent = {*schemas.columns}
        data = entry_data(listed, document, taxonomy)
        if data["venue_text"]:
            absent.add("venue")  # it is stated, but not in the vocabulary
        if data["description"]:
            data["description"] = _without_tags(data["description"], parts, schemas.tags)
        named = {**{name: part.value for name, part in parts.items() if part.value}, **data}
        yield from _violations(listed, named, parts, absent, schemas, text)
        yield from _misplaced(listed, parts, schemas.order)


def _without_tags(description: str, parts: Mapping[str, Field], tags: Sequence[str]) -> str:
    """Return a description without the tags at its end."""
    for part in sorted((parts[name] for name in tags if name in parts), key=lambda part: -part.span.start):
        for form in (part.value, f"[{part.value}]"):
            description = description.removesuffix(form).rstrip()
    return description


def _violations(
    listed: Entry,
    data: Mapping[str, Any],
    parts: Mapping[str, Field],
    absent: set[str],
    schemas: EntrySchemas,
    text: str,
) -> RawDiagnostics:
    """Report what does not fit the schemas. What several of them demand is reported once, for the broadest."""
    seen: set[tuple[str, Span]] = set()
    for concept, _, validator in schemas.schemas:
        for error in validator.iter_errors(data):
            path = list(error.absolute_path)
            name = str(path[0]) if path else ""
            if error.validator == "required" and name in absent:
                continue
            span = _span(listed, parts, path)
            found = describe(error, concept, name in (*parts, *schemas.tags, *schemas.columns), span, text)
            key = f"{error.validator} {path}", found.span
            if key not in seen:
                seen.add(key)
                yield found


def _span(listed: Entry, parts: Mapping[str, Field], path: Sequence[str | int]) -> Span:
    """Return the span of what is at a path of an entry's data, or that of the title if it has none."""
    key = path[0] if path else ""
    index = path[1] if len(path) > 1 and isinstance(path[1], int) else None
    fields: dict[str | int, Sequence[Field]] = {
        "authors": listed.authors, "affiliations": listed.affiliations, "notes": listed.notes
    }  # fmt: skip
    if key == "links" and index is not None:
        return [label.link for label in listed.links if label.link.url][index].text
    if fields.get(key):
        return fields[key][index or 0].span
    if key in _SINGLE and (span := _SINGLE[key](listed)) is not None:
        return span
    if key in parts and key not in _SINGLE:
        return parts[str(key)].span
    return listed.title.span


def _citation_span(listed: Entry) -> Span | None:
    return listed.citation.span if listed.citation is not None else None


def _description_span(listed: Entry) -> Span | None:
    return listed.description.span if listed.description is not None else None


def _name_span(listed: Entry) -> Span | None:
    return listed.name.span if listed.name is not None else None


_SINGLE: Mapping[str | int, Callable[[Entry], Span | None]] = {
    "venue": _citation_span,
    "venue_text": _citation_span,
    "year": _citation_span,
    "description": _description_span,
    "name": _name_span,
}


# --------------------------------------------------------------------------------------------- order
def _misplaced(listed: Entry, parts: Mapping[str, Field], order: Sequence[str]) -> RawDiagnostics:
    """Report the fewest parts of an entry that are not in the order of the schema."""
    placed: list[tuple[Span, int]] = []
    for rank, name in enumerate(order):
        span = _span(listed, parts, [name])
        if name == "title" or span != listed.title.span:
            placed.append((span, rank))
    placed.sort()
    yield from _moved([span for span, _ in placed], [order[rank] for _, rank in placed], order, "order")


def _header(table: Table, columns: Sequence[str]) -> RawDiagnostics:
    """Report the columns that a table lacks, and those that are not in order."""
    indexes = {name: table.column(name) for name in columns}
    present = sorted((index, name) for name, index in indexes.items() if index is not None)
    for name, index in indexes.items():
        if index is None:
            yield RawDiagnostic(table.span, {"name": name}, message="no-column")
    spans = [table.header[index].span for index, _ in present]
    yield from _moved(spans, [name for _, name in present], columns, "column-order")


def _moved(spans: Sequence[Span], names: Sequence[str], order: Sequence[str], message: str) -> RawDiagnostics:
    """Report the fewest names that are not in order. `spans` and `names` are as they stand."""
    ranks = [order.index(name) for name in names]
    moved = out_of_order(ranks)
    kept = [index for index in range(len(names)) if index not in moved]
    for index in moved:
        before = [other for other in kept if other < index and ranks[other] > ranks[index]]
        after = [other for other in kept if other > index and ranks[other] < ranks[index]]
        side, other = ("after", before[0]) if before else ("before", after[-1])
        values = {"name": names[index], "side": side, "other": names[other], "order": ", ".join(order)}
        yield RawDiagnostic(spans[index], values, message=message)
