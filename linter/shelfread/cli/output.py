"""Writing to standard output and error, to terminals, files and GitHub Actions: commands in a step, its job summary."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

import click

from shelfread.core.diagnostics import Severity
from shelfread.core.errors import InputError, UserError, reason_of
from shelfread.core.patterns import lazy
from shelfread.core.process import discard
from shelfread.core.source import Source
from shelfread.core.wording import counted
from shelfread.report.rendering import TerminalStyle, on_the_way, printable, relative_path

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
    text = "".join(f"{escape_commands(line)}\n" for line in lines)
    stream = sys.stderr if err else sys.stdout
    _echo(_encodable(text, stream), err)


_MARK = "Written by shelfread."
_STRING = r'(?:null|"(?:[^"\\\n]|\\.)*")'
# How the outputs begin: reports, exports, feeds and pages.
_BEGINNINGS = (
    r"<!-- (?:Written|Exported) by shelfread|Written by shelfread\.\n|% Exported by shelfread|::\w+ file=",
    r'\{\s+"version": 1,\s+"(?:diagnostics|base)": ',
    r'\{\s+"\$schema": "[^"]*",\s+"version": "2\.1\.0",\s+"runs": \[\s+\{\s+"tool": \{\s+"driver": \{\s+"name": "shelfread"',
    r"\[\s*\]\s*$",
    rf'(?:\[\s+)?\{{\s*"title": {_STRING},\s+"name": {_STRING},\s+"description": ',
    rf'\[\n  \{{"id": {_STRING}, "type": ',
    r"TY  - [A-Z]+\nDB  - .*:\d+\n",
    "title,name,description,venue,venue_text,year,",
    r'(?:@prefix .*\n)*@prefix shelfread: |\{\s+"@context": \{[^{}]*"shelfread": ',
    r'<\?xml .*\n<feed .*\n  <generator>shelfread<|\{\s+"version": "https://jsonfeed\.org/version/1\.1",\s+"_shelfread": ',
    r'<!doctype html>\n<html .*\n<head>\n(?:<meta .*\n)*?<meta name="generator" content="shelfread ',
)

_OUTPUT = lazy("|".join(_BEGINNINGS))


def refuse_output_file(file: str | None, *, replace: bool = True) -> None:
    """Raise InputError if an output would be written over a file that is no earlier output; without `replace`, over any."""
    if file is not None:
        from shelfread.core.file_writing import refuse_to_overwrite

        def is_output(text: str) -> bool:
            return replace and _OUTPUT.match(text) is not None

        refuse_to_overwrite(file, "--output-file", is_output, "an earlier output")
        folder = Path(file).parent
        if not folder.is_dir():
            raise InputError(f"cannot be written: the folder {folder} does not exist", file)


def write_marked(lines: Iterable[str], file: str, *, is_markdown: bool) -> None:
    """Write a report for people to a file; its first line says what it is, in Markdown as a comment."""
    from shelfread.document.file_kind import SUFFIXES

    is_markdown = is_markdown or file.lower().endswith(SUFFIXES)
    write_lines([f"<!-- {_MARK} -->" if is_markdown else _MARK, *lines], file)


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
    _echo(data)


def print_error(message: str) -> None:
    """Print a message on standard error, in one line."""
    line = escape_commands(f"shelfread: {printable(message)}")
    line = f"{_CLEAR}{line}" if _is_counting else line
    _echo(_encodable(f"{line}\n", sys.stderr), err=True)


def report_errors(errors: Iterable[UserError]) -> int:
    """Print errors; return the exit status."""
    from shelfread.report.findings_text import error_lines

    status = 0
    for line in error_lines(errors, "cannot be used"):
        print_error(line)
        status = 2
    return status


_MANY_FILES = 100  # from so many files on it is shown how many are read

_CLEAR = "\r\033[K"
_is_counting = False  # whether a count stands on the terminal's last line


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
    changed = fixed = more = rest = 0
    for outcome in run.files:
        remaining = outcome.diagnostics if outcome.fixed is None else outcome.fixed.remaining
        rest += sum(finding.severity >= Severity.WARNING for finding in remaining)
        if outcome.fixed is not None and outcome.fixed.text != outcome.source.text:
            changed += 1
            fixed += outcome.fixed.shown
            more += outcome.fixed.more
            show_change(outcome.path, outcome.source, outcome.fixed.text)
    left = f"; {counted(rest, 'finding')} would remain" if rest else ""
    if changed:
        number, files = counted(fixed, "finding"), counted(changed, "file")
        print_error(f"{number} would be fixed in {files}{on_the_way(more)}{left}")
    else:
        print_error(f"No fixes to apply{left}.")
    return changed > 0


def show_change(path: str, source: Source, after: str) -> None:
    """Print the unified diff of a file, if there is any."""
    from shelfread.report.unified_diff import patch_lines, shown_lines

    if source.text == after:
        return
    style = terminal_style()
    with commands_stopped():
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


def is_workflow() -> bool:
    return os.environ.get("GITHUB_ACTIONS") == "true"


def escape_commands(line: str) -> str:
    """Return a line without commands: the runner looks for `::` at its beginning and `##[` anywhere."""
    if not is_workflow():
        return line
    shown = line.replace("##[", "##<U+005B>")
    return f"./{shown}" if shown.lstrip().startswith("::") else shown


@contextmanager
def commands_stopped() -> Iterator[None]:
    """Keep the runner from reading commands in output that must not be escaped, such as a patch."""
    token = os.urandom(16).hex()
    if is_workflow():
        click.echo(f"::stop-commands::{token}")
    try:
        yield
    finally:
        if is_workflow():
            click.echo(f"::{token}::")


def checkout_root() -> str:
    """Return the checkout's root in GitHub Actions or GitLab CI if it contains the working directory, else ""."""
    for name in ("GITHUB_WORKSPACE", "CI_PROJECT_DIR"):
        if folder := os.environ.get(name):
            real = os.path.realpath(folder)
            with suppress(ValueError):  # raised for two drives
                if os.path.commonpath([real, os.path.realpath(os.curdir)]) == real:
                    return real
    return ""


def line_url() -> Callable[[str, int], str]:
    """Return a function that gives the URL of a file's line at the workflow's commit; empty elsewhere."""
    import re

    server, repository, commit = (
        os.environ.get(f"GITHUB_{name}", "") for name in ("SERVER_URL", "REPOSITORY", "SHA")
    )
    known = f"{server} {repository} {commit}"
    if not re.fullmatch(r"https://[\w.-]+ [\w.-]+/[\w.-]+ [0-9a-f]{6,64}", known):
        return lambda path, line: ""
    from urllib.parse import quote

    from shelfread.core.git import find_root

    root = find_root("") or checkout_root()

    def url(path: str, line: int) -> str:
        inside = relative_path(path, root)
        if inside.startswith(("../", "/")):
            return ""
        return f"{server}/{repository}/blob/{commit}/{quote(inside, errors='replace')}?plain=1#L{line}"

    return url


def summary_size() -> int:
    """Return the size of the step's summary so far, in bytes: GitHub limits all of it."""
    try:
        return os.path.getsize(os.environ.get("GITHUB_STEP_SUMMARY", ""))
    except OSError:
        return 0


def append_summary(lines: Iterable[str]) -> str | None:
    """Append to the step's summary, if there is one; return an error message, or None."""
    file = os.environ.get("GITHUB_STEP_SUMMARY")
    if not file:
        return None
    try:
        with open(file, "a", encoding="utf-8", errors="replace", newline="\n") as stream:
            stream.writelines(f"{line}\n" for line in lines)
    except OSError as error:
        return f"{file}: the summary cannot be written: {reason_of(error)}"
    return None
