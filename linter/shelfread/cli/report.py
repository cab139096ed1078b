"""Where a run's report goes, and in which format."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib import import_module

from shelfread.cli import output
from shelfread.cli.options import PEOPLE
from shelfread.core.diagnostics import Severity
from shelfread.engine.model import RunResult
from shelfread.project.config import EXCLUDED, VENDORED, Config
from shelfread.project.files import Project
from shelfread.report.findings_text import (
    error_lines,
    generated_lines,
    left_alone_line,
    misread_line,
    results_line,
)
from shelfread.report.rendering import RenderContext, TerminalStyle
from shelfread.rulebook.selection import load_catalogue

# The modules of reports that share one; each other report has a module of its name.
_MODULES = {
    **dict.fromkeys(("links_text", "links_markdown", "links_json"), "link_reports"),
    **dict.fromkeys(("findings_github", "findings_sarif"), "findings_services"),
    **dict.fromkeys(("changes_text", "changes_markdown"), "changes_for_people"),
}


def render_context(
    show_info: bool,
    configs: Sequence[Config],
    *,
    fix_command: str = "shelfread fix",
    unsafe_fix_command: str = "shelfread fix --unsafe-fixes",
    paths: Sequence[str] | None = None,
    err: bool = False,
) -> RenderContext:
    """Return the context of a report on this terminal, in this checkout and workflow; `paths` are for commands to suggest."""
    return RenderContext(
        style=output.terminal_style(err),
        min_severity=Severity.INFO if show_info else Severity.WARNING,
        root=output.checkout_root(),
        line_url=output.line_url(),
        catalogue=lambda: {id: rule for config in configs for id, rule in load_catalogue(config).items()},
        fix_command=fix_command,
        unsafe_fix_command=unsafe_fix_command,
        arguments=paths,
        configured=any(config.path is not None for config in configs),
    )


def write_report(
    render: Callable[[RenderContext, str], Iterable[str]],
    context: RenderContext,
    form: str,
    file: str | None,
    err: bool = False,
) -> None:
    """Print a report; with a file, write it there and print the text."""
    if file is not None:
        written = render(context._replace(style=TerminalStyle()), form)
        if form in (*PEOPLE, "markdown"):
            output.write_marked(written, file, is_markdown=form == "markdown")
        else:
            output.write_lines(written, file)
        form = form if form == "statistics" else "text"
    write = output.print_lines if form in PEOPLE else output.write_lines
    write(render(context, form), err=err)


def annotate(
    run: RunResult, context: RenderContext, err: bool = False, summary: Iterable[str] | None = None
) -> None:
    """Tell GitHub what it shows beside the lines of a pull request, and as the summary of the step."""
    from shelfread.report.findings_markdown import MAX_BYTES, markdown
    from shelfread.report.findings_services import beside_text

    output.write_lines(beside_text(run, context), err=err)
    if summary is None:
        summary = markdown(run, context, MAX_BYTES - output.summary_size())
    trouble = output.append_summary(summary)
    if trouble is not None:
        output.print_error(trouble)


def lines(subject: object, context: RenderContext, form: str, kind: str = "findings") -> Iterator[str]:
    """Return the lines of a report of findings, links or changes."""
    name = f"{kind}_{'text' if form in PEOPLE else form}"
    module = _MODULES.get(name, name)
    rendered: Iterator[str] = getattr(import_module(f"shelfread.report.{module}"), form)(subject, context)
    return rendered


def report_errors(run: RunResult) -> None:
    """Name the files that could not be read or written, and what a change did to its own configuration."""
    output.report_errors(run.errors)
    notes = error_lines(run.notes, "were left out", " (this file was left out)")
    for line in (*notes, *run.remarks, *run.policy_changes):
        output.print_error(line)


def report_left_alone(run: RunResult) -> None:
    """Name the files that are not lists, those that are generated, each list that is probably misread, and rows that are left out."""
    kinds = {file.path: file.kind for file in run.files}
    generated = {file.path: file.generated for file in run.files}
    rows = {file.path: file.results for file in run.files}
    lines = [
        left_alone_line(kinds, "checked for broken links only"),
        *generated_lines(generated, "fixed with --unsafe-fixes only"),
        *(misread_line(file.path, file.misread) for file in run.files),
        results_line(rows, sum(file.entries for file in run.files)),
    ]
    for line in filter(None, lines):
        output.print_error(line)


def report_skipped(projects: Sequence[Project]) -> None:
    """Name the files that are skipped where nobody would expect it, or where nothing else remains."""
    nothing = not any(project.reported for project in projects)
    for project in projects:
        for file in project.skipped:
            if nothing or file.reason not in (EXCLUDED, VENDORED):
                output.print_error(f"{file.path}: {file.reason}")
