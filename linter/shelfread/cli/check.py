"""`shelfread check` and `shelfread fix`: options, the run, its report and exit status."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import click

from shelfread.cli import output, report
from shelfread.cli.options import paths, read_stdin, refuse_two_configurations, shared
from shelfread.core.diagnostics import Severity
from shelfread.core.wording import counted
from shelfread.engine.check import ProjectResult, check, merge_results
from shelfread.engine.model import CheckOptions, RunResult
from shelfread.project.files import Project
from shelfread.report.rendering import printable
from shelfread.rulebook.metadata import SEVERITIES


def check_lists(given: Mapping[str, Any]) -> int:
    """Do what the options of check say; return the exit status."""
    options = CheckOptions(**given)
    refuse_two_configurations(given)
    _refuse(options)
    output.refuse_output_file(options.output_file)
    if options.write_baseline is not None:
        from shelfread.core.file_writing import refuse_to_overwrite
        from shelfread.engine.fingerprint import is_baseline

        refuse_to_overwrite(options.write_baseline, "--write-baseline", is_baseline, "an earlier baseline")
    unsaved = read_stdin(options.paths, options.stdin_filename)
    results, errors = check(options, unsaved, partial(output.file_progress, then="checking"))
    run = merge_results((result.run for result in results), errors, options.baseline or "")
    report.report_errors(run)
    if options.write_baseline:
        return _write_baseline(options.write_baseline, run)
    failed = _fails(results, options.fail_on)
    if options.diff:
        failed = output.show_diff(run) or failed
    elif run.files or not run.errors or options.output_format not in (None, "text") or output.is_workflow():
        projects = [result.project for result in results]
        report.report_skipped(projects)
        report.report_left_alone(run)
        _report(options, run, unsaved, projects)
    if run.errors:
        return 2
    return int(failed and not options.exit_zero)


def _fails(results: Sequence[ProjectResult], fail_on: str | None) -> bool:
    """Return whether a finding is as severe as the option, or the project's configuration, names."""
    for project, run in results:
        least = SEVERITIES[fail_on] if fail_on else project.config.fail_on
        least = Severity.WARNING if least is None else least
        if any(found.severity >= least for outcome in run.files for found in outcome.diagnostics):
            return True
    return False


def _refuse(options: CheckOptions) -> None:
    if options.statistics and options.output_format not in (None, "text"):
        raise click.UsageError("--statistics is a table for people: it goes with --output-format text")
    if options.stdin_filename is not None and "-" not in options.paths:
        raise click.UsageError("--stdin-filename names what '-' reads: give '-' as PATH")
    if options.since and "-" in options.paths and options.stdin_filename is None:
        raise click.UsageError("--since compares with a file of the commit: --stdin-filename names it")
    if options.write_baseline is not None:
        for name, given in (("baseline", options.baseline), ("since", options.since)):
            if given:
                raise click.UsageError(f"--write-baseline takes all that is found: leave out --{name}")
        if options.fix or options.diff:
            raise click.UsageError("--write-baseline takes what is found: fix first, then write the rest")


def _write_baseline(path: str, run: RunResult) -> int:
    if run.errors:
        return 2
    from shelfread.engine.fingerprint import write

    known = Counter(print for outcome in run.files for print in outcome.fingerprints)
    write(path, known)
    infos = sum(found.severity is Severity.INFO for outcome in run.files for found in outcome.diagnostics)
    hidden = f", {infos} of them for information (--show-info)," if infos else ""
    output.print_lines([f"{counted(known.total(), 'finding')}{hidden} written to {printable(path)}"])
    return 0


def _report(
    options: CheckOptions, run: RunResult, unsaved: Mapping[str, bytes], projects: Sequence[Project]
) -> None:
    through = options.fix and bool(unsaved)
    if through:
        for outcome in run.files:
            if outcome.path in unsaved:
                output.write_bytes(outcome.source.to_bytes(outcome.source.text))
    context = report.render_context(
        options.shows_info,
        [project.config for project in projects],
        paths=None if unsaved else options.paths,
        err=through,
    )
    form = "statistics" if options.statistics else options.output_format or "text"
    report.write_report(partial(report.lines, run), context, form, options.output_file, err=through)
    if options.output_format is None and not options.statistics and output.is_workflow():
        report.annotate(run, context, err=through)


@click.command
@paths
@click.option("--fix", is_flag=True, help="Apply safe fixes, as 'shelfread fix' does.")
@shared
@click.pass_context
def check_command(ctx: click.Context, /, **options: Any) -> None:
    """Check lists for problems.

    PATH is a file, a folder of Markdown files or '-' for standard input; the default is the current folder. Files
    that git ignores are skipped. Conventions and duplicates are those of the whole project, even if PATH is a part
    of it.

    \b
    Exit status: 0 no problems, 1 problems found,
    2 an error in options, configuration or files.
    """
    ctx.exit(check_lists(options))


@click.command
@paths
@shared
@click.pass_context
def fix_command(ctx: click.Context, /, **options: Any) -> None:
    """Fix problems that can be fixed safely, and report the others.

    A fix never loses an entry, a link or a word that it is not about: the fixed text is compared with the
    original before it is written. With '-' it is written to standard output.

    \b
    Exit status: 0 no problems remain, 1 problems remain,
    2 an error in options, configuration or files.
    """
    ctx.exit(check_lists({**options, "fix": True}))
