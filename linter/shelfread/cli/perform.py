"""What check and fix do: find the projects, run the rules, write the fixes, report."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import click

from shelfread.cli import actions, output
from shelfread.cli.inputs import configurations, find, read_stdin, refuse_two_configurations
from shelfread.cli.options import FORMATS, PRINTED
from shelfread.cli.report import annotate, report
from shelfread.cli.runs import complain_of, merged, processes, say_left, with_prints, write
from shelfread.core import git
from shelfread.core.diagnostics import Severity
from shelfread.engine.run import Run, RunRequest, run
from shelfread.project.config_at_revision import ConfigTree
from shelfread.project.files import Project
from shelfread.report.context import RenderContext
from shelfread.report.terminal import printable
from shelfread.rulebook.metadata import SEVERITIES
from shelfread.rulebook.selection import catalogue, select
from shelfread.taxonomy.load import load

if TYPE_CHECKING:
    from shelfread.engine.fingerprint import Fingerprint
    from shelfread.project.history import BaseRevision

_MANY = 100
"""Files that take long enough for a person to wonder."""


class CheckOptions(NamedTuple):
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
    since: str | None
    baseline: str | None
    write_baseline: str | None
    stdin_filename: str | None
    statistics: bool
    exit_zero: bool
    fail_on: str | None
    show_info: bool
    jobs: int | None
    no_cache: bool
    config_from: str | None
    mend: bool = False


def perform(wish: CheckOptions) -> int:
    """Do what the options say; the exit status."""
    _refuse(wish)
    with configurations(wish.config_from) as tree:
        return _perform(wish, tree)


def _perform(wish: CheckOptions, tree: ConfigTree | None) -> int:
    unsaved = read_stdin(wish.paths, wish.stdin_filename)
    projects, errors = find(wish.paths, wish.config, wish.isolated, unsaved, tree)
    known = _known(wish)
    runs: list[Run] = []
    failed = False
    for project in projects:
        one = _run(wish, project, unsaved, known)
        if wish.mend and not wish.diff:
            one = write(one, unsaved)
        if wish.output_format in PRINTED:
            one = with_prints(one, load(wish.taxonomy or project.config.taxonomy).vocabulary)
        least = SEVERITIES[wish.fail_on] if wish.fail_on else project.config.fail_on
        least = Severity.WARNING if least is None else least
        failed = failed or any(
            found.severity >= least for outcome in one.outcomes for found in outcome.diagnostics
        )
        runs.append(one)
    whole = merged(runs, errors)._replace(baseline=wish.baseline or "")
    complain_of(whole)
    if wish.write_baseline:
        return _write_baseline(wish.write_baseline, whole)
    if wish.diff:
        failed = output.show_diff(whole)
    elif (
        whole.outcomes
        or not whole.errors
        or wish.output_format not in (None, "text")
        or actions.is_workflow()
    ):
        say_left(projects)
        _report(wish, whole, unsaved, projects)
    if whole.errors:
        return 2
    return int(failed and not wish.exit_zero)


def _refuse(wish: CheckOptions) -> None:
    """Options that do not go together."""
    if wish.output_format is not None and wish.output_format not in FORMATS:
        raise click.UsageError(f"--output-format is one of {', '.join(FORMATS)}, not '{wish.output_format}'")
    refuse_two_configurations(wish.config, wish.config_from, wish.isolated)
    if wish.statistics and wish.output_format not in (None, "text"):
        raise click.UsageError("--statistics is a table for people: it goes with --output-format text")
    if wish.stdin_filename is not None and "-" not in wish.paths:
        raise click.UsageError("--stdin-filename names what '-' reads: give '-' as PATH")
    if wish.since and "-" in wish.paths and wish.stdin_filename is None:
        raise click.UsageError("--since compares with a file of the commit: --stdin-filename names it")
    if wish.write_baseline is not None:
        for name, given in (("baseline", wish.baseline), ("since", wish.since)):
            if given:
                raise click.UsageError(f"--write-baseline takes all that is found: leave out --{name}")
        if wish.mend or wish.diff:
            raise click.UsageError("--write-baseline takes what is found: mend first, then write the rest")


def _run(
    wish: CheckOptions, project: Project, unsaved: Mapping[str, bytes], known: Counter[Fingerprint] | None
) -> Run:
    config = project.config
    files = len(project.reported) + len(project.others)
    past = None
    if wish.since and (files or project.left):
        from shelfread.project.history import look_back

        past = look_back(project, wish.since, unsaved)
    order = RunRequest(
        project.reported,
        project.others,
        select(config, wish.presets, wish.select, wish.ignore),
        load(wish.taxonomy or config.taxonomy),
        config.slugs,
        wish.mend or wish.diff,
        wish.unsafe_fixes,
        wish.show_info,
        unsaved,
        past,
        prints=wish.write_baseline is not None,
    )
    jobs = wish.jobs or processes(project)
    with output.progress_line(f"reading {files} files ..." if files >= _MANY else ""):
        if known is None:
            one = run(order, jobs)
        else:
            from shelfread.engine.baseline_filter import run_without

            one = run_without(order, jobs, known)
    return one if past is None else one._replace(since=past.name, remarks=_remarks(wish, project, past, one))


def _remarks(wish: CheckOptions, project: Project, past: BaseRevision, one: Run) -> tuple[str, ...]:
    """What a change did to that by which it is judged."""
    from shelfread.engine.policy_changes import judges, remarks, silenced

    root = git.need_root(os.path.dirname(next(iter((*project.reported, *project.others, "")))))
    changed = remarks(
        root,
        past.name,
        (past.commit, None),
        judges(project.config),
        wish.baseline,
        project.left,
        bool(wish.config_from),
    )
    comments = (
        remark
        for outcome in one.outcomes
        if outcome.path in past.changed
        for remark in silenced(outcome.source, past.changed_lines(outcome.source), past.name)
    )
    return (*changed, *comments)


def _known(wish: CheckOptions) -> Counter[Fingerprint] | None:
    if wish.baseline is None:
        return None
    from shelfread.engine.baseline import load as load_baseline

    return load_baseline(wish.baseline)


def _write_baseline(path: str, whole: Run) -> int:
    """What was found, written to be left out later, unless a file could not be read."""
    if whole.errors:
        return 2
    known = Counter(print for outcome in whole.outcomes for print in outcome.prints)
    from shelfread.engine.baseline import write

    write(path, known)
    number = known.total()
    output.print_lines([f"{number} {'finding' if number == 1 else 'findings'} written to {printable(path)}"])
    return 0


def _report(
    wish: CheckOptions, whole: Run, unsaved: Mapping[str, bytes], projects: Sequence[Project]
) -> None:
    through = wish.mend and bool(unsaved)
    if through:
        for outcome in whole.outcomes:
            if outcome.path in unsaved:
                output.write_bytes(outcome.source.to_bytes(outcome.source.text))
    info = wish.show_info or wish.fail_on == Severity.INFO.label
    context = RenderContext(
        output.terminal_style(err=through),
        Severity.INFO if info else Severity.WARNING,
        actions.checkout_root(),
        actions.line_url(),
        lambda: {id: card for project in projects for id, card in catalogue(project.config).items()},
    )
    form = "statistics" if wish.statistics else wish.output_format or "text"
    report(whole, context, form, wish.output_file, err=through)
    if wish.output_format is None and not wish.statistics and actions.is_workflow():
        annotate(whole, context, err=through)
