"""What a run left alone: files that are no lists, generated and misread ones, and blocks that `format` kept."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from shelfread.core.errors import InputError, UserError
from shelfread.core.wording import counted
from shelfread.document.file_kind import FileKind
from shelfread.document.generated import Generated

if TYPE_CHECKING:
    from shelfread.format.result import UnformattedBlock

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


def generated_lines(files: Mapping[str, Generated | None], what: str) -> Iterator[str]:
    """Yield `README.md is generated from data.yml, and <what>: edit data.yml` for each source; none of many is named."""
    groups: dict[Generated, list[str]] = {}
    for path, generated in files.items():
        if generated is not None:
            groups.setdefault(generated, []).append(path)
    if len(groups) > _NAMED:
        groups = {Generated(): [path for paths in groups.values() for path in paths]}
    for (source, see), paths in groups.items():
        verb, they = ("is", "it is") if len(paths) == 1 else ("are", "they are")
        made = f" from {source}" if source else f" (see {see})" if see else ""
        edit = f"edit {source}" if source else f"change the files that {they} made from"
        yield f"{_enumerate(paths)} {verb} generated{made}, and {what}: {edit}"


def misread_line(path: str, misread: Sequence[tuple[str, int]]) -> str:
    """Return `README.md: 206 entries of 'Models' are read with little certainty`; empty without series.

    Each series has its section, empty if it is of several, and the number of its entries.
    """
    number = counted(sum(count for _, count in misread), "entry", "entries")
    sections = {section for section, _ in misread}
    place = f" of '{next(iter(sections))}'" if len(sections) == 1 and sections != {""} else ""
    return f"{path or '-'}: {number}{place} are read with little certainty" if misread else ""


def results_line(rows: Mapping[str, int], entries: int) -> str:
    """Return `90 rows of results in 2 files are no entries: a.md, b.md`; empty unless lists have more of them than entries.

    `rows` are their numbers by the path of the list.
    """
    if sum(rows.values()) <= entries:
        return ""
    paths = [path or "-" for path, number in rows.items() if number]
    number, files = counted(sum(rows.values()), "row"), counted(len(paths), "file")
    return f"{number} of results in {files} are no entries ('shelfread export --annotate' shows them): {_enumerate(paths)}"


def error_lines(errors: Iterable[UserError], what: str, after: str = "") -> Iterator[str]:
    """Yield a line for each error, with `after` at its end; one for many files that need the same.

    Such a line is `50 files <what>: save the file as UTF-8: a.md:5, b.md:7, ... and 45 more`.
    """
    groups: dict[object, list[UserError]] = {}
    for error in errors:
        alike = isinstance(error, InputError) and error.path is not None
        groups.setdefault(error.message.rpartition(": ")[2] if alike else error, []).append(error)
    for need, group in groups.items():
        if len(group) > _NAMED:
            yield f"{counted(len(group), 'file')} {what}: {need}: {_enumerate([error.place for error in group])}"
        else:
            yield from (f"{error}{after}" for error in group)


def _enumerate(named: Sequence[str]) -> str:
    # To count one file takes as much room as to name it.
    shown = named if len(named) == _NAMED + 1 else named[:_NAMED]
    more = f" and {len(named) - len(shown):,} more" if len(named) > len(shown) else ""
    return f"{', '.join(shown)}{more}"


_NAMED_BLOCKS = 5


def unformatted_lines(path: str, blocks: Sequence[UnformattedBlock]) -> Iterator[str]:
    """Yield the first blocks of each reason, and the line numbers of the others."""
    from shelfread.report.groups import line_ranges

    by_reason: dict[str, list[int]] = {}
    for line, reason in blocks:
        by_reason.setdefault(reason, []).append(line)
    for reason, lines in by_reason.items():
        # A summary of one line would take as much room as the line itself.
        named = len(lines) if len(lines) == _NAMED_BLOCKS + 1 else _NAMED_BLOCKS
        for line in lines[:named]:
            yield f"{path}:{line}: not formatted: {reason}"
        if others := lines[named:]:
            yield f"{path}: and {len(others)} more not formatted: {reason}: lines {', '.join(line_ranges(others))}"
