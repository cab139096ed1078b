"""The files of a run that are not lists, and the lists that are generated, in one line each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

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
    return f"{number} {what}: {_enumerate(named)}"


def generated_line(paths: Sequence[str], what: str) -> str:
    """Return `README.md is generated, and <what>: change the files that it is made from`; empty without paths."""
    if not paths:
        return ""
    verb, they = ("is", "it is") if len(paths) == 1 else ("are", "they are")
    return f"{_enumerate(paths)} {verb} generated, and {what}: change the files that {they} made from"


def _enumerate(named: Sequence[str]) -> str:
    # To count one file takes as much room as to name it.
    shown = named if len(named) == _NAMED + 1 else named[:_NAMED]
    more = f" and {len(named) - len(shown):,} more" if len(named) > len(shown) else ""
    return f"{', '.join(shown)}{more}"
