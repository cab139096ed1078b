"""`shelfread diff`."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import partial
from typing import Any

import click

from shelfread.cli import options, output
from shelfread.core.diagnostics import Severity


class _Command(click.Command):
    """Separates files after `--` from revisions before it, as git does."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if "--" in args:
            end = args.index("--")
            ctx.meta["shelfread.files"] = tuple(args[end + 1 :])
            args = args[:end]
        return super().parse_args(ctx, args)


@click.command(cls=_Command)
@click.argument("words", nargs=-1, metavar="BASE [HEAD] [-- PATH...]")
@options.output_format(
    ("text", "json", "markdown"), "text", "For a terminal, for programs, or for a comment on a pull request."
)
@options.output_file
@options.taxonomy
@options.config
@options.config_from
@options.isolated
@options.show_info
@click.pass_context
def diff_command(
    ctx: click.Context, /, words: tuple[str, ...], form: str, output_file: str | None, **given: Any
) -> None:
    """Show how a change affects the entries: added, removed, moved to another section, changed field by field.

    Entries are matched by DOI, arXiv id, title and main link, not by line. For added, moved and changed entries, new
    findings are reported, and where an added entry is listed already.

    \b
    diff BASE           from that commit to the working tree
    diff BASE HEAD      from one commit to another (also BASE..HEAD)
    diff BASE...HEAD    from where HEAD branched off BASE, as in a pull request;
                        BASE... is BASE...HEAD
    diff auto           from where the branch began, according to the CI variables

    PATH is a file or a folder; the default is the current folder. The configuration and the local files that links lead
    to are those of the working tree.

    \b
    Exit status: 0 done, even if entries changed;
    2 an error in options, revisions or files.
    """
    from shelfread.changes.entry_diff import DiffOptions, diff
    from shelfread.cli.options import refuse_two_configurations
    from shelfread.cli.report import lines, write_report
    from shelfread.report.rendering import RenderContext

    refuse_two_configurations(given)
    output.refuse_output_file(output_file)
    min_severity = Severity.INFO if given.pop("show_info") else Severity.WARNING
    base, head, paths = _arguments(words, ctx.meta.get("shelfread.files"))
    review, skipped = diff(
        DiffOptions(base, head, paths, **given), partial(output.file_progress, then="comparing")
    )
    for file in skipped:
        output.print_error(f"{file.path}: {file.reason}")
    for error in review.errors:
        output.print_error(f"{error}; skipped in both revisions")
    for remark in review.policy_changes:
        output.print_error(remark)
    context = RenderContext(output.terminal_style(), min_severity)
    write_report(partial(lines, review, kind="changes"), context, form, output_file)
    ctx.exit(2 if review.errors else 0)


def _arguments(words: Sequence[str], files: Sequence[str] | None) -> tuple[str, str | None, tuple[str, ...]]:
    """Return BASE, HEAD and PATH; without `--`, a second argument that is no revision may be a file."""
    from shelfread.changes.revisions import is_revision
    from shelfread.core.git import find_root
    from shelfread.document.file_kind import SUFFIXES

    if not words:
        raise click.UsageError("name a revision to compare with: shelfread diff main, or shelfread diff auto")
    base, *rest = words
    head = None
    is_file = rest and (
        rest[0].lower().endswith(SUFFIXES) or os.path.lexists(rest[0])
    )  # perhaps a removed one
    if rest and (files is not None or not is_file or is_revision(find_root("") or ".", rest[0])):
        head = rest.pop(0)
    if files is not None and rest:
        raise click.UsageError(f"at most two revisions can be compared: '{rest[0]}' is one too many")
    if head is not None and ".." in base:
        raise click.UsageError(f"'{base}' is a range already: '{head}' is one too many")
    return base, head, (*rest, *(files or ()))
