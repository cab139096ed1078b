"""What a run over links says in the end, and its exit status."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from shelfread.cli import actions, output
from shelfread.cli.options import PEOPLE
from shelfread.cli.report import annotate, lines, refuse_list
from shelfread.cli.runs import complain_of
from shelfread.core.diagnostics import Severity
from shelfread.project.config import Config
from shelfread.report.context import RenderContext
from shelfread.report.links.summary import LinkReport, with_urls
from shelfread.rulebook.metadata import SEVERITIES
from shelfread.rulebook.selection import LOCAL, catalogue

FATAL = ("link/dead", *LOCAL)
"""What is proven to lead nowhere: only this fails a run."""


_WHOLE = ("text", "json", "markdown")
"""Formats that tell of links, and not of findings alone."""


class LinksOptions(NamedTuple):
    """The options of links."""

    paths: tuple[str, ...]
    mend: bool
    unsafe_fixes: bool
    diff: bool
    offline: bool
    since: str | None
    deadline: float | None
    soft_404: bool
    cache_file: str | None
    no_cache: bool
    allow_private: tuple[str, ...]
    select: tuple[str, ...]
    ignore: tuple[str, ...]
    config: str | None
    config_from: str | None
    isolated: bool
    output_format: str | None
    output_file: str | None
    show_info: bool
    exit_zero: bool
    fail_on: str | None
    jobs: int | None


def conclude_run(wish: LinksOptions, report: LinkReport, configs: Sequence[Config]) -> int:
    """Report, and the exit status."""
    complain_of(report.run)
    least = SEVERITIES[wish.fail_on] if wish.fail_on else None
    findings = [one for outcome in report.run.outcomes for one in outcome.diagnostics]
    failed = any(
        one.severity >= least if least is not None else one.rule in FATAL and one.severity >= Severity.WARNING
        for one in findings
    )
    if wish.diff:
        failed = output.show_diff(report.run)
    else:
        _report(wish, report, configs)
    if report.run.errors:
        return 2
    return int(failed and not wish.exit_zero)


def _report(wish: LinksOptions, report: LinkReport, configs: Sequence[Config]) -> None:
    info = wish.show_info or wish.fail_on == Severity.INFO.label
    context = RenderContext(
        output.terminal_style(),
        Severity.INFO if info else Severity.WARNING,
        actions.checkout_root(),
        actions.line_url(),
        lambda: {id: card for config in configs for id, card in catalogue(config).items()},
        "shelfread links --fix",
    )
    form = wish.output_format or "text"
    if wish.output_file is not None:
        refuse_list(report.run, wish.output_file)
        output.write_lines(
            _lines(report, form, context._replace(style=output.terminal_style(file=True))), wish.output_file
        )
        form = "text"
    if report.stop_reason and form not in _WHOLE:
        output.print_error(report.stop_reason)
    write = output.print_lines if form in PEOPLE else output.write_lines
    write(_lines(report, form, context))
    if wish.output_format is None and actions.is_workflow():
        annotate(with_urls(report), context, summary=_lines(report, "markdown", context))


def _lines(report: LinkReport, form: str, context: RenderContext) -> Iterable[str]:
    if form in _WHOLE:
        return lines(report, context, form, "links")
    return lines(with_urls(report), context, form)
