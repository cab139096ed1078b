"""Where a run's report goes, and in which format."""

from __future__ import annotations

import os
from collections.abc import Iterator
from importlib import import_module

from shelfread.cli import actions, output
from shelfread.cli.options import FORMATS, PEOPLE
from shelfread.errors import InputError
from shelfread.report.scene import Scene
from shelfread.run import Run


def report(run: Run, scene: Scene, form: str, file: str | None, err: bool = False) -> None:
    """Print a report; with a file, write it there and print the text."""
    if file is not None:
        for outcome in run.outcomes:
            if os.path.realpath(file) == os.path.realpath(outcome.path):
                raise InputError("is a list: name another file as --output-file", file)
        output.write_utf8(_lines(run, scene._replace(look=output.look(file=True)), form), file)
        form = form if form == "statistics" else "text"
    write = output.write if form in PEOPLE else output.write_utf8
    write(_lines(run, scene, form), err=err)


def annotate(run: Run, scene: Scene, err: bool = False) -> None:
    """Tell GitHub what it shows beside the lines of a pull request, and as the summary of the step."""
    from shelfread.report import github, markdown

    output.write_utf8(github.beside_text(run, scene), err=err)
    trouble = actions.summarise(markdown.render(run, scene, markdown.MOST - actions.summarised()))
    if trouble is not None:
        output.complain(trouble)


def _lines(run: Run, scene: Scene, form: str) -> Iterator[str]:
    lines: Iterator[str] = import_module(f"shelfread.report.{FORMATS.get(form, form)}").render(run, scene)
    return lines
