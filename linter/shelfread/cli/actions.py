"""GitHub Actions: commands in the output of a step, and its job summary."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress

import click

from shelfread.core.errors import reason_of


def is_workflow() -> bool:
    """Return whether the process is a step of a workflow."""
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
    from shelfread.report.rendering import relative_path

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
