"""The files of a run that are not lists, in one line."""

from __future__ import annotations

from collections.abc import Mapping

from shelfread.document.file_kind import FileKind

_NAMED = 5


def left_alone_line(kinds: Mapping[str, FileKind], what: str) -> str:
    """Return `2 files are not lists and are <what>: LICENSE.md (licence), ...`; empty if all are lists."""
    named = [f"{path} ({kind.value})" for path, kind in kinds.items() if kind.is_left_alone]
    if not named:
        return ""
    number = (
        "1 file is not a list and is" if len(named) == 1 else f"{len(named):,} files are not lists and are"
    )
    # To count one file takes as much room as to name it.
    shown = named if len(named) == _NAMED + 1 else named[:_NAMED]
    more = f" and {len(named) - len(shown):,} more" if len(named) > len(shown) else ""
    return f"{number} {what}: {', '.join(shown)}{more}"
