"""`shelfread taxonomy check`."""

from __future__ import annotations

import click

from shelfread.cli import options, output


@click.command
@click.argument("taxonomy", required=False, metavar="[NAME|FILE]")
@click.option(
    "--output-format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True
)
@options.show_info
@options.fail_on
@options.exit_zero
@options.config
@options.isolated
@click.pass_context
def command(
    ctx: click.Context,
    /,
    taxonomy: str | None,
    form: str,
    show_info: bool,
    fail_on: str | None,
    exit_zero: bool,
    config: str | None,
    isolated: bool,
) -> None:
    """Report everything that is wrong with a taxonomy, the configured one by default.

    Errors are contradictions: a list cannot be checked with such a taxonomy. Warnings and infos are those of qSKOS, and
    are reported for the files of your own only.

    \b
    Exit status: 0 no findings, 1 findings of at least the severity of --fail-on,
    2 a file that cannot be read.
    """
    from shelfread.core.diagnostics import Severity
    from shelfread.mapping.named_taxonomies import issues_of, taxonomy_name
    from shelfread.report.taxonomy import issues
    from shelfread.rulebook.metadata import SEVERITIES

    name = taxonomy_name(taxonomy, config, isolated)
    found = issues_of(name)
    least = SEVERITIES[fail_on] if fail_on else Severity.WARNING
    if form == "json":
        output.write_lines([issues.as_json(found)])
    else:
        shown = Severity.INFO if show_info else min(least, Severity.WARNING)
        output.print_lines(issues.as_text(found, name, shown, output.terminal_style()))
    failed = any(issue.severity >= least for issue in found)
    ctx.exit(1 if failed and not exit_zero else 0)
