"""What `import --into` and `add --into` say of each entry."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from shelfread.cli import output

if TYPE_CHECKING:
    from shelfread.imports.imported_entry import ImportedEntry
    from shelfread.imports.insert.insert_into import IntoResult


def write_list(result: IntoResult) -> None:
    """Write the list, if it changes. Raises InputError if it cannot be written."""
    from shelfread.engine.save import write_text

    if result.text != result.source.text and (remark := write_text(result.source, result.text)):
        output.print_error(remark)


def report_entries(
    path: str, result: IntoResult, origin: Callable[[ImportedEntry], str], *, is_written: bool
) -> None:
    """Say where each entry is and why; `origin` returns the place that an entry comes from, for people."""
    for line in _lines(path, result, origin, "inserted" if is_written else "would insert"):
        output.print_error(line)


def _lines(path: str, result: IntoResult, origin: Callable[[ImportedEntry], str], verb: str) -> Iterator[str]:
    new = {}
    for item in result.inserted:
        new[f"{item.entry['path']}:{item.entry['line']}"] = origin(item.entry)
        where = f"in '{item.section}', because {item.why}" if item.section else f"because {item.why}"
        yield f"{path}:{item.line}: {verb} '{item.entry['title']}' {where}"
        yield from (f"{path}:{item.line}: note: {remark}" for remark in item.remarks)
    for entry, where in result.listed:
        reason = f"it is the same as {new[where]}" if where in new else f"{where} lists it"
        yield f"{origin(entry)}: skipped{_title(entry)}: {reason}"
    for entry, reason in result.left_out:
        hint = "" if entry["title"] else ": 'shelfread add', without --offline, looks it up"
        yield f"{origin(entry)}: left out{_title(entry)}: {reason}{hint}"


def _title(entry: ImportedEntry) -> str:
    return f" '{entry['title']}'" if entry["title"] else ""
