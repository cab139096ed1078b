"""The rows of an audit: one for each list, entry, finding and link. docs/audit.md describes every column."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias, get_type_hints

from shelfread.core.diagnostics import Severity, Span
from shelfread.document.entry_data import exported_entry
from shelfread.document.identity import fold_title, identity_keys
from shelfread.document.model import Entry, EntryIndex
from shelfread.exports.shown_lists import ShownList, title_of_lists
from shelfread.index.disk import Disk, find_origin
from shelfread.report.findings_json import diagnostic_to_dict
from shelfread.taxonomy.hosts import host_of


class ListRow(NamedTuple):
    """One list; of a list with the status `failed`, only its name and the error are known."""

    list: str
    status: str
    error: str | None
    title: str | None = None
    commit: str | None = None
    digest: str | None = None
    presets: tuple[str, ...] = ()
    taxonomy: str | None = None
    files: int = 0
    bytes: int = 0
    entries: int = 0
    papers: int = 0
    links: int = 0
    errors: int = 0
    warnings: int = 0
    infos: int = 0
    fixable: int = 0


class EntryRow(NamedTuple):
    """One entry, with the fields that `shelfread export` prints."""

    list: str
    entry: int
    path: str
    line: int
    end_line: int
    kind: str
    title: str
    name: str | None
    description: str | None
    venue: str | None
    venue_text: str | None
    year: int | None
    authors: tuple[str, ...]
    affiliations: tuple[str, ...]
    notes: tuple[str, ...]
    doi: str | None
    arxiv: str | None
    github: str | None
    other_identifiers: tuple[str, ...]
    section: tuple[str, ...]
    concept: str | None
    dialect: str
    uncertain: tuple[str, ...]
    keys: tuple[str, ...]


class FindingRow(NamedTuple):
    """One finding of `shelfread check`, those of severity info too."""

    list: str
    entry: int | None
    path: str
    line: int
    column: int
    end_line: int
    end_column: int
    rule: str
    severity: str
    message: str
    fix: str | None


class LinkRow(NamedTuple):
    """One link or image, wherever it is."""

    list: str
    entry: int | None
    path: str
    line: int
    column: int
    url: str
    host: str | None
    form: str
    image: bool
    label: str | None
    role: str | None
    verdict: str | None = None
    reason: str | None = None
    checked: str | None = None


Row: TypeAlias = ListRow | EntryRow | FindingRow | LinkRow

# The kinds of rows by the name of their table.
TABLES: Mapping[str, type[Row]] = {
    "lists": ListRow,
    "entries": EntryRow,
    "findings": FindingRow,
    "links": LinkRow,
}


class Column(NamedTuple):
    """A column of a table: its type is str, int, bool or tuple (of texts)."""

    name: str
    type: type
    nullable: bool


def columns(kind: type[Row]) -> tuple[Column, ...]:
    return tuple(_column(name, hint) for name, hint in get_type_hints(kind).items())


def _column(name: str, hint: Any) -> Column:
    if hint == tuple[str, ...]:
        return Column(name, tuple, False)
    if isinstance(hint, type):
        return Column(name, hint, False)
    return Column(name, next(one for one in hint.__args__ if one is not type(None)), True)


_OWN = ("doi", "arxiv", "github")


def list_row(row: ListRow, files: Sequence[ShownList]) -> ListRow:
    """Return the row of a list with what its files add up to."""
    diagnostics = [diagnostic for file in files for diagnostic in file.diagnostics]
    entries = [entry for file in files for entry in file.document.entries]
    severities = [diagnostic.severity for diagnostic in diagnostics]
    return row._replace(
        title=_title(files, row.list),
        presets=tuple(sorted({preset for file in files for preset in file.presets})),
        taxonomy=next((file.taxonomy.name for file in files if file.taxonomy.name), None),
        files=len(files),
        entries=len(entries),
        papers=sum(entry.kind == "paper" for entry in entries),
        links=sum(len(file.document.links) for file in files),
        errors=severities.count(Severity.ERROR),
        warnings=severities.count(Severity.WARNING),
        infos=severities.count(Severity.INFO),
        fixable=sum(diagnostic.fix is not None for diagnostic in diagnostics),
    )


def rows_of(name: str, files: Iterable[ShownList]) -> Iterator[Row]:
    """Yield the rows of a list's files: entries, findings and links of one file after the other."""
    first = 0
    for file in files:
        yield from _file_rows(name, file, first)
        first += len(file.document.entries)


def _title(files: Sequence[ShownList], name: str) -> str | None:
    """Return the title of the lists in the working directory, as their page has it; None if there are none."""
    origin = find_origin(Disk(), ".")  # that of a folder around it is none of theirs
    return title_of_lists((file.document for file in files), origin.name if origin else name) or None


def _file_rows(name: str, file: ShownList, first: int) -> Iterator[Row]:
    document = file.document
    index = EntryIndex(document.entries)
    numbers = {id(entry): number for number, entry in enumerate(document.entries, first)}

    def around(span: Span) -> int | None:
        entry = index.around(span)
        return None if entry is None else numbers[id(entry)]

    for number, entry in enumerate(document.entries, first):
        yield _entry_row(name, number, entry, exported_entry(entry, document, file.taxonomy))
    for diagnostic in file.diagnostics:
        data = diagnostic_to_dict(diagnostic, document.source)
        fix = diagnostic.fix.applicability.label if diagnostic.fix else None
        fields = {field: data[field] for field in data if field in FindingRow._fields}
        yield FindingRow(**{**fields, "list": name, "entry": around(diagnostic.span), "fix": fix})
    labelled = {(link.link.start, link.link.end): link for entry in document.entries for link in entry.links}
    for link in document.links:
        line, column = document.source.position(link.start)
        meaning = labelled.get((link.start, link.end))
        yield LinkRow(
            list=name,
            entry=around(Span(link.start, link.end)),
            path=document.source.path or "",
            line=line,
            column=column,
            url=link.url,
            host=host_of(link.url) or None,
            form=link.form,
            image=link.image,
            label=meaning.label if meaning else None,
            role=meaning.role.id if meaning and meaning.role else None,
        )


def _entry_row(name: str, number: int, entry: Entry, data: Mapping[str, Any]) -> EntryRow:
    known = data["identifiers"]
    values = {"uncertain": (), **{kind: known[kind] for kind in _OWN}, **data}
    fields: dict[str, Any] = {
        field: tuple(value) if isinstance(value, list | tuple) else value
        for field, value in values.items()
        if field in EntryRow._fields
    }
    return EntryRow(
        list=name,
        entry=number,
        kind=entry.kind,
        other_identifiers=tuple(f"{kind}:{id}" for kind, id in known.items() if kind not in _OWN),
        keys=tuple(identity_keys(entry, fold_title(entry.title.value))),
        **fields,
    )
