"""Entries that do not fit the taxonomy's schema of entries, and its errors in plain words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from shelfread.core.diagnostics import Edit, RawDiagnostic, RawDiagnostics, Span
from shelfread.document.entry_data import entry_data
from shelfread.document.entry_parts import Table, cells, links_by_role, tables_by_row, tags
from shelfread.document.heading_subjects import concepts_above
from shelfread.document.model import Document, Entry, Field
from shelfread.index.context import RuleContext
from shelfread.index.order import out_of_order
from shelfread.taxonomy.label_forms import squash
from shelfread.taxonomy.problems import FIELDS

if TYPE_CHECKING:
    from shelfread.taxonomy.entry_schemas import EntrySchemas  # imports jsonschema, which takes long


_MAX_DESCRIPTION = 300
_MAX_ERROR = 200
_MAX_VALUE = 40
_MIN_RATIO = 70
_MAX_VALUES = 12  # the most allowed values that a message names


def describe(error: Any, concept: str, is_part: bool, span: Span, text: str) -> RawDiagnostic:
    """Return the diagnostic of a jsonschema ValidationError of an entry.

    `concept` is the label of the concept that states the schema, empty for the taxonomy itself; `is_part` says whether
    it is about a tag, a cell or a link role; `span` is what is wrong. The schema's own description is the message, if
    there is one.
    """
    rule, given, path = error.validator, error.instance, list(error.absolute_path)
    name = next((part for part in reversed(path) if isinstance(part, str)), "")
    is_missing = rule == "required" or given is None
    description = None if rule == "required" else _description(error)
    if description is not None:
        found = RawDiagnostic(span, {"description": description[:_MAX_DESCRIPTION]}, message="described")
    elif is_missing:
        what = name.replace("_", " ") if is_part or name in FIELDS or len(path) > 1 else f"{name} link"
        found = RawDiagnostic(
            span, {"what": what, "concept": concept}, message="demanded" if concept else "missing"
        )
    elif rule in ("enum", "const") and isinstance(given, str):
        wanted = error.validator_value if rule == "enum" else [error.validator_value]
        return _not_allowed(name, given, list(map(str, wanted)), is_part, span, text)
    elif rule == "pattern":
        pattern = str(error.validator_value)[:_MAX_ERROR]
        values = {"name": name, "value": given[:_MAX_VALUE], "pattern": pattern}
        found = RawDiagnostic(span, values, message="pattern")
    elif rule == "maxLength":
        values = {"name": name, "length": len(given), "most": error.validator_value}
        found = RawDiagnostic(span, values, message="too-long")
    else:  # jsonschema's own message, without a long value at its beginning
        field, value, said = "/".join(map(str, path)), repr(given), str(error.message)
        is_long = bool(field) and len(value) > _MAX_VALUE and said.startswith(value)
        said = said[len(value) :].strip() if is_long else said
        message = "long-value" if is_long else "field" if field else "entry"
        found = RawDiagnostic(span, {"field": field, "error": said[:_MAX_ERROR]}, message=message)
    if is_missing or not isinstance(given, str):
        return found
    return found._replace(span=_within(span, given, text))


def _not_allowed(
    name: str, given: str, wanted: list[str], is_part: bool, span: Span, text: str
) -> RawDiagnostic:
    """Return the diagnostic of a value that is not one of those allowed: with the one that it is but for its spelling."""
    span = _within(span, given, text)
    same_case = [value for value in wanted if value.casefold() == given.casefold()]
    same = same_case or [value for value in wanted if squash(value) and squash(value) == squash(given)]
    near = same[0] if len(same) == 1 else _nearest(given, wanted)
    more = f" and {len(wanted) - _MAX_VALUES} more" if len(wanted) > _MAX_VALUES else ""
    allowed = ", ".join(wanted[:_MAX_VALUES]) + more
    values = {"name": name, "value": given[:_MAX_VALUE], "allowed": allowed, "near": near}
    is_proven = is_part and len(same) == 1 and text[slice(*span)] == given
    edits = (Edit.reword(span, given, same[0]),) if is_proven else ()
    message = "similar" if near else "not-allowed"
    return RawDiagnostic(span, values, edits, safe=bool(same_case), message=message)


def _nearest(given: str, wanted: list[str]) -> str | None:
    from rapidfuzz.fuzz import ratio
    from rapidfuzz.process import extractOne

    found = extractOne(
        given[:_MAX_VALUE], wanted, scorer=ratio, processor=str.casefold, score_cutoff=_MIN_RATIO
    )
    return found[0] if found else None


def _within(span: Span, value: str, text: str) -> Span:
    """Return the span of a value within that of a part of several, such as `Apache` of `MIT/Apache`."""
    start = text.find(value, *span)
    return Span(start, start + len(value)) if value and start >= 0 else span


def _description(error: Any) -> str | None:
    """Return the description of the schema that is not fitted, or of one that it is a branch of."""
    while error is not None:
        schema = error.schema
        if isinstance(schema, dict) and (description := schema.get("description")):
            return str(description)
        error = error.parent
    return None


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
    cited = listed.citation
    single = {
        "venue": cited,
        "venue_text": cited,
        "year": cited,
        "description": listed.description,
        "name": listed.name,
    }
    part = single[key] if key in single else parts.get(str(key))
    return listed.title.span if part is None else part.span


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
