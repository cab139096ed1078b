"""Writing to standard output and error, to terminals and to files."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

import click

from shelfread.cli import actions
from shelfread.core.errors import InputError, UserError
from shelfread.core.process import discard
from shelfread.core.source import Source
from shelfread.core.wording import counted
from shelfread.report.terminal import TerminalStyle, printable

if TYPE_CHECKING:
    from shelfread.engine.model import RunResult


def terminal_style(err: bool = False) -> TerminalStyle:
    """Return what the terminal can show; NO_COLOR and FORCE_COLOR override what is detected."""
    stream = sys.stderr if err else sys.stdout
    terminal = stream.isatty()
    detected = terminal and os.environ.get("TERM") != "dumb"
    colour = not os.environ.get("NO_COLOR") and (detected or bool(os.environ.get("FORCE_COLOR")))
    try:
        "…".encode(stream.encoding or "utf-8")
        unicode = True
    except (UnicodeEncodeError, LookupError):
        unicode = False
    width = 100
    if terminal:
        from shutil import get_terminal_size

        width = get_terminal_size().columns
    return TerminalStyle(colour, unicode, width)


def print_lines(lines: Iterable[str], err: bool = False) -> None:
    """Print lines for people; characters that the terminal cannot show are escaped."""
    text = "".join(f"{actions.escape_commands(line)}\n" for line in lines)
    stream = sys.stderr if err else sys.stdout
    _echo(_encodable(text, stream), err)


_MARKS = ("<!-- Written by shelfread", "<!-- Exported by shelfread")
"""What each output begins with that is Markdown, and so could be taken for a list."""


def refuse_output_file(file: str | None, *, replace: bool = True) -> None:
    """Raise InputError if an output would be written over what a run reads: a list, a configuration, an argument.

    An earlier output is replaced: Markdown says in its first line that it is one. Without `replace` nothing is.
    """
    if file is not None:
        from shelfread.core.file_writing import refuse_to_overwrite

        def is_output(text: str) -> bool:
            return replace and (text.startswith(_MARKS) or not (_is_source(file) or _is_argument(file)))

        refuse_to_overwrite(file, "--output-file", is_output, "an earlier output")
        folder = Path(file).parent
        if not folder.is_dir():
            raise InputError(f"cannot be written: the folder {folder} does not exist", file)


def _is_source(file: str) -> bool:
    """Return whether a file has the name of a list, a configuration or a taxonomy."""
    from shelfread.document.file_kind import SUFFIXES

    return file.lower().endswith((*SUFFIXES, ".yaml", ".yml"))


def _is_argument(file: str) -> bool:
    """Return whether another argument or option of the command line names the same file."""
    given = click.get_current_context().params
    others = [value for name, value in given.items() if name != "output_file"]
    paths = [path for value in others for path in (value if isinstance(value, tuple) else (value,))]
    return any(
        isinstance(path, str) and os.path.isfile(path) and os.path.samefile(path, file) for path in paths
    )


def write_marked(lines: Iterable[str], file: str) -> None:
    """Write a report for people to a file; one of Markdown says in its first line what it is."""
    write_lines([f"{_MARKS[0]}. -->", *lines] if _is_source(file) else lines, file)


def write_lines(lines: Iterable[str], file: str | None = None, err: bool = False) -> None:
    """Write lines for programs, or to a file: always as UTF-8. Raises InputError if the file cannot be written."""
    if file is not None:
        from shelfread.core.file_writing import write_new

        data = "".join(f"{line}\n" for line in lines).encode("utf-8", "backslashreplace")
        write_new(Path(file), data, overwrite=True)
        return
    for line in lines:
        _echo(f"{line}\n".encode("utf-8", "backslashreplace"), err)


def write_bytes(data: bytes) -> None:
    """Write data to standard output."""
    _echo(data)


def print_error(message: str) -> None:
    """Print a message on standard error, in one line."""
    line = actions.escape_commands(f"shelfread: {printable(message)}")
    line = f"{_CLEAR}{line}" if _is_counting else line
    _echo(_encodable(f"{line}\n", sys.stderr), err=True)


def report_errors(errors: Iterable[UserError]) -> int:
    """Print errors; return the exit status."""
    from shelfread.report.left_alone import error_lines

    status = 0
    for line in error_lines(errors, "cannot be used"):
        print_error(line)
        status = 2
    return status


_MANY_FILES = 100
"""From so many files on it is shown how many are read."""


_CLEAR = "\r\033[K"
_is_counting = False
"""Whether a count stands on the terminal's last line."""


@contextmanager
def file_progress(files: int, then: str = "") -> Iterator[Callable[[int], None]]:
    """Show on the terminal how many of many files are read, and what is done `then`; yields what takes how many more are."""
    global _is_counting
    done = 0
    step = max(files // _MANY_FILES, 1)

    def count(more: int) -> None:
        nonlocal done
        done += more
        if _is_counting and (done == files or done % step == 0):
            line = (
                f"{then} {files:,} files ..."
                if then and done == files
                else f"reading {done:,} of {files:,} files"
            )
            click.echo(f"{_CLEAR}shelfread: {line}", err=True, nl=False)

    _is_counting = files >= _MANY_FILES and sys.stderr.isatty() and not os.environ.get("CI")
    count(0)
    try:
        yield count
    finally:
        if _is_counting:
            click.echo(_CLEAR, err=True, nl=False)
        _is_counting = False


def streaming_progress(files: int) -> AbstractContextManager[Callable[[int], None]]:
    """Show how many files are read, unless a terminal shows what is written meanwhile."""
    return nullcontext(lambda more: None) if sys.stdout.isatty() else file_progress(files)


def show_diff(run: RunResult) -> bool:
    """A unified diff of what the fixes change, for `git apply`; whether there is anything."""
    from shelfread.report.render_context import on_the_way

    changed = fixed = more = 0
    for outcome in run.files:
        if outcome.fixed is not None and outcome.fixed.text != outcome.source.text:
            changed += 1
            fixed += outcome.fixed.shown
            more += outcome.fixed.more
            show_change(outcome.path, outcome.source, outcome.fixed.text)
    if changed:
        number, files = counted(fixed, "finding"), counted(changed, "file")
        print_error(f"{number} would be fixed in {files}{on_the_way(more)}")
    else:
        print_error("No fixes to apply.")
    return changed > 0


def show_change(path: str, source: Source, after: str) -> None:
    """Print the unified diff of a file, if there is any."""
    from shelfread.report.unified_diff import patch_lines, shown_lines

    if source.text == after:
        return
    style = terminal_style()
    with actions.commands_stopped():
        if style.colour or sys.stdout.isatty():
            shown = "".join(shown_lines(path, source.text, after, style))
            _echo(_encodable(shown, sys.stdout))
        else:  # for `git apply`, with BOM and carriage returns
            bom = "\ufeff" if source.bom else ""
            _echo(
                "".join(patch_lines(path, bom + source.text, bom + after)).encode("utf-8", "surrogateescape")
            )


def _echo(data: str | bytes, err: bool = False) -> None:
    """Write to a stream. If nobody reads it any more (`| head`), the run goes on: its exit status still counts."""
    try:
        click.echo(data, nl=False, err=err, color=True)
    except BrokenPipeError:
        discard(sys.stderr if err else sys.stdout)


def _encodable(text: str, stream: TextIO) -> str:
    encoding = stream.encoding or "utf-8"
    return text.encode(encoding, "backslashreplace").decode(encoding)
