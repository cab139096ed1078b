"""What check and fix do: find the projects, run the rules, write the fixes, report."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

import click

from shelfread.cli import actions, output
from shelfread.cli.inputs import find, read_stdin
from shelfread.cli.options import FORMATS, PEOPLE
from shelfread.diagnostic import Severity
from shelfread.errors import UserError
from shelfread.project import Project
from shelfread.report.scene import Scene
from shelfread.rule import SEVERITIES
from shelfread.run import Order, Outcome, Run, run
from shelfread.selection import catalogue, select
from shelfread.source import Source
from shelfread.taxonomy.load import load

_MANY = 100
"""Files that take long enough for a person to wonder."""


class Wish(NamedTuple):
    """The options of check and fix."""

    paths: tuple[str, ...]
    unsafe_fixes: bool
    diff: bool
    select: tuple[str, ...]
    ignore: tuple[str, ...]
    presets: tuple[str, ...]
    config: str | None
    isolated: bool
    taxonomy: str | None
    output_format: str | None
    output_file: str | None
    stdin_filename: str | None
    statistics: bool
    exit_zero: bool
    fail_on: str | None
    show_info: bool
    jobs: int | None
    no_cache: bool
    mend: bool = False


def perform(wish: Wish) -> int:
    """Do what the options say; the exit status."""
    _refuse(wish)
    unsaved = read_stdin(wish.paths, wish.stdin_filename)
    projects, errors = find(wish.paths, wish.config, wish.isolated, unsaved)
    runs: list[Run] = []
    failed = False
    for project in projects:
        one = _run(wish, project, unsaved)
        if wish.mend and not wish.diff:
            one = _write(one, unsaved)
        least = SEVERITIES[wish.fail_on] if wish.fail_on else project.config.fail_on
        least = Severity.WARNING if least is None else least
        failed = failed or any(
            found.severity >= least for outcome in one.outcomes for found in outcome.diagnostics
        )
        runs.append(one)
    whole = Run(
        tuple(outcome for one in runs for outcome in one.outcomes),
        (*errors, *(error for one in runs for error in one.errors)),
        tuple(note for one in runs for note in one.notes),
    )
    for error in whole.errors:
        output.complain(str(error))
    for note in whole.notes:
        output.complain(f"{note} (this file was left out)")
    if wish.diff:
        failed = output.show_diff(whole)
    elif whole.outcomes or not whole.errors or wish.output_format not in (None, "text") or actions.here():
        _say_excluded(projects)
        _report(wish, whole, unsaved, projects)
    if whole.errors:
        return 2
    return int(failed and not wish.exit_zero)


def _refuse(wish: Wish) -> None:
    """Options that do not go together."""
    if wish.output_format is not None and wish.output_format not in FORMATS:
        raise click.UsageError(f"--output-format is one of {', '.join(FORMATS)}, not '{wish.output_format}'")
    if wish.config and wish.isolated:
        raise click.UsageError("--config names a configuration, --isolated forbids any")
    if wish.statistics and wish.output_format not in (None, "text"):
        raise click.UsageError("--statistics is a table for people: it goes with --output-format text")
    if wish.stdin_filename is not None and "-" not in wish.paths:
        raise click.UsageError("--stdin-filename names what '-' reads: give '-' as PATH")


def _run(wish: Wish, project: Project, unsaved: Mapping[str, bytes]) -> Run:
    config = project.config
    order = Order(
        project.reported,
        project.others,
        select(config, wish.presets, wish.select, wish.ignore),
        load(wish.taxonomy or config.taxonomy),
        config.slugs,
        wish.mend or wish.diff,
        wish.unsafe_fixes,
        wish.show_info,
        unsaved,
    )
    files = len(project.reported) + len(project.others)
    with output.waiting(f"reading {files} files ..." if files >= _MANY else ""):
        return run(order, wish.jobs or _jobs(project))


def _jobs(project: Project) -> int:
    """As many processes as have something to do: one starts in the time that a megabyte takes to read."""
    sizes = (os.path.getsize(path) for path in (*project.reported, *project.others) if os.path.isfile(path))
    megabytes = sum(sizes) >> 20
    if megabytes < 2:
        return 1
    able = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(able, megabytes)


def _write(one: Run, unsaved: Mapping[str, bytes]) -> Run:
    """Write what was fixed; an outcome then speaks of the new text, or as before where writing failed."""
    errors = list(one.errors)
    outcomes = []
    for outcome in one.outcomes:
        try:
            outcomes.append(_written(outcome, unsaved))
        except UserError as error:
            errors.append(error)
            outcomes.append(outcome._replace(fixed=None))
    return Run(tuple(outcomes), tuple(errors), one.notes)


def _written(outcome: Outcome, unsaved: Mapping[str, bytes]) -> Outcome:
    fixed, source = outcome.fixed, outcome.source
    if fixed is None:
        return outcome
    if fixed.text != source.text and outcome.path not in unsaved:
        from shelfread.write import write_atomically

        before, after = source.to_bytes(source.text), source.to_bytes(fixed.text)
        write_atomically(Path(outcome.path), after, expected=before)
    return outcome._replace(source=Source(fixed.text, source.path, source.bom), diagnostics=fixed.remaining)


def _say_excluded(projects: list[Project]) -> None:
    """Why nothing was checked, when the configuration is the reason."""
    if not any(project.reported for project in projects):
        for project in projects:
            for name in project.excluded:
                output.complain(f"{name}: excluded by the configuration")
            if not project.excluded and (project.config.include or project.config.exclude):
                raise project.config.fail("no Markdown that PATH names is let in", ["include"])


def _report(wish: Wish, whole: Run, unsaved: Mapping[str, bytes], projects: Sequence[Project]) -> None:
    through = wish.mend and bool(unsaved)
    if through:
        for outcome in whole.outcomes:
            if outcome.path in unsaved:
                output.write_bytes(outcome.source.to_bytes(outcome.source.text))
    info = wish.show_info or wish.fail_on == Severity.INFO.label
    scene = Scene(
        output.look(err=through),
        Severity.INFO if info else Severity.WARNING,
        actions.root(),
        actions.blob(),
        lambda: {id: card for project in projects for id, card in catalogue(project.config).items()},
    )
    form = wish.output_format or "text"
    if wish.output_file is not None:
        for outcome in whole.outcomes:
            if os.path.realpath(wish.output_file) == os.path.realpath(outcome.path):
                raise click.UsageError(f"--output-file is '{outcome.path}', a list: name another file")
        plain = scene._replace(look=output.look(file=True))
        output.write_utf8(_lines(wish, form, whole, plain), wish.output_file)
        form = "text"
    write = output.write if form in PEOPLE else output.write_utf8
    write(_lines(wish, form, whole, scene), err=through)
    if wish.output_format is None and not wish.statistics and actions.here():
        _annotate(whole, scene, err=through)


def _lines(wish: Wish, form: str, whole: Run, scene: Scene) -> Iterator[str]:
    """The report in a format."""
    if wish.statistics:
        from shelfread.report.statistics import render

        summaries = {id: card.summary for id, card in scene.catalogue().items()}
        return render(whole, scene.look, summaries, scene.least)
    module = import_module(f"shelfread.report.{FORMATS[form]}")
    lines: Iterator[str] = module.render(whole, scene)
    return lines


def _annotate(whole: Run, scene: Scene, err: bool) -> None:
    """What GitHub shows beside the lines of a pull request, and as the summary of the step."""
    from shelfread.report import github, markdown

    output.write_utf8(github.beside_text(whole, scene), err=err)
    trouble = actions.summarise(markdown.render(whole, scene))
    if trouble is not None:
        output.complain(trouble)
