"""The rows of a list's files: its entries, findings and links."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from shelfread.audit.rows import EntryRow, FindingRow, LinkRow, ListRow, Row
from shelfread.core.diagnostics import Severity, Span
from shelfread.document.export import exported_entry
from shelfread.document.identity import fold_title, identity_keys
from shelfread.document.model import Document, Entry, EntryIndex, LabelledLink
from shelfread.exports.page.listing import ShownList
from shelfread.report.findings.json import diagnostic_to_dict
from shelfread.taxonomy.hosts import host_of

_OWN = ("doi", "arxiv", "github")
_ENTRY = (
    *("path", "line", "end_line", "title", "name", "description", "venue", "venue_text", "year", "concept"),
    "dialect",
)
_SEVERAL = ("authors", "affiliations", "notes", "section", "uncertain")
_FINDING = ("path", "line", "column", "end_line", "end_column", "rule", "severity", "message")


def list_row(row: ListRow, files: Sequence[ShownList]) -> ListRow:
    """Return the row of a list with what its files add up to."""
    found = [diagnostic for file in files for diagnostic in file.diagnostics]
    entries = [entry for file in files for entry in file.document.entries]
    severities = [diagnostic.severity for diagnostic in found]
    return row._replace(
        title=_title(files),
        presets=tuple(sorted({preset for file in files for preset in file.presets})),
        taxonomy=next((file.taxonomy.name for file in files if file.taxonomy.name), None),
        files=len(files),
        entries=len(entries),
        papers=sum(entry.kind == "paper" for entry in entries),
        links=sum(len(file.document.links) for file in files),
        errors=severities.count(Severity.ERROR),
        warnings=severities.count(Severity.WARNING),
        infos=severities.count(Severity.INFO),
        fixable=sum(diagnostic.fix is not None for diagnostic in found),
    )


def rows_of(name: str, files: Iterable[ShownList]) -> Iterator[Row]:
    """Yield the rows of a list's files: entries, findings and links of one file after the other."""
    number = 0
    for file in files:
        yield from _file_rows(name, file, number)
        number += len(file.document.entries)


def _title(files: Sequence[ShownList]) -> str | None:
    """Return the title of the README, or if there is none, of the file with most entries."""
    front = [file.document for file in files if _path(file.document).lower().startswith("readme.")]
    most = max((file.document for file in files), key=lambda document: len(document.entries), default=None)
    document = front[0] if front else most
    sections = document.sections if document is not None else ()
    return next((section.title for section in sections if section.level == 1 and section.title), None)


class _Numbers:
    """The numbers of a file's entries, counted from that of its first one."""

    def __init__(self, document: Document, first: int) -> None:
        self._index = EntryIndex(document.entries)
        self._numbers = {id(entry): number for number, entry in enumerate(document.entries, first)}

    def around(self, span: Span) -> int | None:
        entry = self._index.around(span)
        return None if entry is None else self._numbers[id(entry)]


def _file_rows(name: str, file: ShownList, first: int) -> Iterator[Row]:
    document = file.document
    path = _path(document)
    for number, entry in enumerate(document.entries, first):
        yield _entry_row(name, number, entry, exported_entry(entry, document, file.taxonomy))
    numbers = _Numbers(document, first)
    for diagnostic in file.diagnostics:
        data = diagnostic_to_dict(diagnostic, document.source)
        yield FindingRow(
            list=name,
            entry=numbers.around(diagnostic.span),
            fix=diagnostic.fix.applicability.label if diagnostic.fix else None,
            **{key: data[key] for key in _FINDING},
        )
    labelled = {(each.link.start, each.link.end): each for entry in document.entries for each in entry.links}
    for link in document.links:
        line, column = document.source.position(link.start)
        meaning: LabelledLink | None = labelled.get((link.start, link.end))
        yield LinkRow(
            list=name,
            entry=numbers.around(Span(link.start, link.end)),
            path=path,
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
    plain = {key: data[key] for key in _ENTRY}
    several: dict[str, Any] = {key: tuple(data.get(key, ())) for key in _SEVERAL}
    return EntryRow(
        list=name,
        entry=number,
        kind=entry.kind,
        doi=known["doi"],
        arxiv=known["arxiv"],
        github=known["github"],
        other_identifiers=tuple(f"{kind}:{id}" for kind, id in known.items() if kind not in _OWN),
        keys=tuple(identity_keys(entry, fold_title(entry.title.value))),
        **plain,
        **several,
    )


def _path(document: Document) -> str:
    return document.source.path or ""
