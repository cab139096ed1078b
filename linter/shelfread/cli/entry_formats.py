"""The formats in which entries are printed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from shelfread.taxonomy.vocabulary import Vocabulary

ENTRY_FORMATS = ("json", "jsonl", "csl-json", "bibtex", "ris", "csv", "markdown")
"""The formats of entries."""

_MODULES = {
    **dict.fromkeys(("bibtex", "csl-json", "ris"), "citation_formats"),
    "csv": "csv_table",
    "markdown": "markdown_list",
}
"""The modules of `exports/` with a function for each format."""


def entry_lines(entries: Iterable[tuple[dict[str, Any], Vocabulary]], form: str) -> Iterator[str]:
    """Return the lines of entries, each with its vocabulary, in a format."""
    from shelfread.report.json_text import dumps

    if form == "json":
        return iter([dumps([entry for entry, _ in entries])])
    if form == "jsonl":
        return (dumps(entry, indent=None) for entry, _ in entries)
    module = import_module(f"shelfread.exports.{_MODULES[form]}")
    lines: Iterator[str] = getattr(module, form.replace("-", "_"))(entries)
    return lines
