"""Where a run's report goes, and in which format."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from importlib import import_module

from shelfread.cli import actions, output
from shelfread.cli.options import FORMATS, PEOPLE
from shelfread.core.errors import InputError
from shelfread.engine.model import RunResult
from shelfread.project.exclusions import EXCLUDED, VENDORED
from shelfread.project.files import Project
from shelfread.report.context import RenderContext


def report(run: RunResult, scene: RenderContext, form: str, file: str | None, err: bool = False) -> None:
    """Print a report; with a file, write it there and print the text."""
    if file is not None:
        refuse_list(run, file)
        output.write_utf8(lines(run, scene._replace(look=output.look(file=True)), form), file)
        form = form if form == "statistics" else "text"
    write = output.write if form in PEOPLE else output.write_utf8
    write(lines(run, scene, form), err=err)


def refuse_list(run: RunResult, file: str) -> None:
    """Raise InputError where a report would be written over a list."""
    for outcome in run.outcomes:
        if os.path.realpath(file) == os.path.realpath(outcome.path):
            raise InputError("is a list: name another file as --output-file", file)


def annotate(
    run: RunResult, scene: RenderContext, err: bool = False, summary: Iterable[str] | None = None
) -> None:
    """Tell GitHub what it shows beside the lines of a pull request, and as the summary of the step."""
    from shelfread.report.findings import github, markdown

    output.write_utf8(github.beside_text(run, scene), err=err)
    if summary is None:
        summary = markdown.render(run, scene, markdown.MOST - actions.summarised())
    trouble = actions.summarise(summary)
    if trouble is not None:
        output.complain(trouble)


def lines(run: RunResult, scene: RenderContext, form: str) -> Iterator[str]:
    """A report of findings, in any format but those that a command has for itself."""
    found: Iterator[str] = import_module(f"shelfread.report.findings.{FORMATS.get(form, form)}").render(
        run, scene
    )
    return found


def report_errors(run: RunResult) -> None:
    """Name the files that could not be read or written, and what a change did to its own judges."""
    for error in run.errors:
        output.complain(str(error))
    for note in run.notes:
        output.complain(f"{note} (this file was left out)")
    for remark in run.remarks:
        output.complain(remark)


def report_skipped(projects: Sequence[Project]) -> None:
    """Name the files that are skipped where nobody would expect it, or where nothing else remains."""
    nothing = not any(project.reported for project in projects)
    for project in projects:
        for file in project.skipped:
            if nothing or file.reason not in (EXCLUDED, VENDORED):
                output.complain(f"{file.path}: {file.reason}")
        if nothing and not project.skipped and (project.config.include or project.config.exclude):
            raise project.config.fail("no Markdown that PATH names is let in", ["include"])
