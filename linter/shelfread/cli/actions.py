"""GitHub Actions: what its runner reads in a step's output, and the files that it offers."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress

import click


def is_workflow() -> bool:
    """Whether this is a step of a workflow."""
    return os.environ.get("GITHUB_ACTIONS") == "true"


def escape_commands(line: str) -> str:
    """A line in which the runner finds no command: it looks for `::` at the beginning, for `##[` anywhere."""
    if not is_workflow():
        return line
    shown = line.replace("##[", "##<U+005B>")
    return f"./{shown}" if shown.lstrip().startswith("::") else shown


@contextmanager
def commands_stopped() -> Iterator[None]:
    """What is printed meanwhile, such as a patch that must not be altered, is no command to the runner."""
    token = os.urandom(16).hex()
    if is_workflow():
        click.echo(f"::stop-commands::{token}")
    try:
        yield
    finally:
        if is_workflow():
            click.echo(f"::{token}::")


def checkout_root() -> str:
    """The checkout that services count paths from: GitHub's, GitLab's; empty where there is none around here."""
    for name in ("GITHUB_WORKSPACE", "CI_PROJECT_DIR"):
        if folder := os.environ.get(name):
            real = os.path.realpath(folder)
            with suppress(ValueError):  # raised for two drives
                if os.path.commonpath([real, os.path.realpath(os.curdir)]) == real:
                    return real
    return ""


def blob() -> str:
    """What goes before a path in the address of its page at this commit; empty outside of GitHub Actions."""
    parts = [os.environ.get(f"GITHUB_{name}", "") for name in ("SERVER_URL", "REPOSITORY", "SHA")]
    return "{}/{}/blob/{}/".format(*parts) if is_workflow() and all(parts) else ""


def summary_size() -> int:
    """Bytes that the step's summary has already: GitHub's limit is for all that a step tells."""
    try:
        return os.path.getsize(os.environ.get("GITHUB_STEP_SUMMARY", ""))
    except OSError:
        return 0


def append_summary(lines: Iterable[str]) -> str | None:
    """Add to the step's summary, where there is one; what went wrong, if anything did."""
    file = os.environ.get("GITHUB_STEP_SUMMARY")
    if not file:
        return None
    try:
        with open(file, "a", encoding="utf-8", errors="replace", newline="\n") as stream:
            stream.writelines(f"{line}\n" for line in lines)
    except OSError as error:
        return f"{file}: the summary cannot be written: {(error.strerror or str(error)).lower()}"
    return None
