"""Where a run's report goes, and in which format."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from importlib import import_module

from shelfread.cli import actions, output
from shelfread.cli.options import PEOPLE
from shelfread.core.errors import InputError
from shelfread.engine.run import Run
from shelfread.report.context import RenderContext


def report(run: Run, context: RenderContext, form: str, file: str | None, err: bool = False) -> None:
    """Print a report; with a file, write it there and print the text."""
    if file is not None:
        refuse_list(run, file)
        output.write_lines(lines(run, context._replace(style=output.terminal_style(file=True)), form), file)
        form = form if form == "statistics" else "text"
    write = output.print_lines if form in PEOPLE else output.write_lines
    write(lines(run, context, form), err=err)


def refuse_list(run: Run, file: str) -> None:
    """Raise InputError where a report would be written over a list."""
    for outcome in run.outcomes:
        if os.path.realpath(file) == os.path.realpath(outcome.path):
            raise InputError("is a list: name another file as --output-file", file)


def annotate(
    run: Run, context: RenderContext, err: bool = False, summary: Iterable[str] | None = None
) -> None:
    """Tell GitHub what it shows beside the lines of a pull request, and as the summary of the step."""
    from shelfread.report.findings import github, markdown

    output.write_lines(github.beside_text(run, context), err=err)
    if summary is None:
        summary = markdown.render(run, context, markdown.MAX_BYTES - actions.summary_size())
    trouble = actions.append_summary(summary)
    if trouble is not None:
        output.print_error(trouble)


def lines(subject: object, context: RenderContext, form: str, kind: str = "findings") -> Iterator[str]:
    """Return the lines of a report of findings, links or changes."""
    module = import_module(f"shelfread.report.{kind}.{form}")
    rendered: Iterator[str] = module.render(subject, context)
    return rendered
