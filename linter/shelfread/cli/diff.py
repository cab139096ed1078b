"""`shelfread diff`."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import click

from shelfread.cli import output
from shelfread.cli.options import config_from
from shelfread.core.diagnostics import Severity

if TYPE_CHECKING:
    from shelfread.changes.review import Review

FORMATS = ("text", "json", "markdown")


class _Command(click.Command):
    """Tells what stands before `--` from the files behind it, as git does."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if "--" in args:
            at = args.index("--")
            ctx.meta["shelfread.files"] = tuple(args[at + 1 :])
            args = args[:at]
        return super().parse_args(ctx, args)


@click.command(cls=_Command, short_help="What a change did to the entries.")
@click.argument("words", nargs=-1, metavar="BASE [HEAD] [-- PATH...]")
@click.option(
    "--output-format",
    "form",
    type=click.Choice(FORMATS),
    default="text",
    show_default=True,
    help="For people, for programs, for a pull request's comment.",
)
@click.option("--output-file", metavar="FILE", help="Write the report there, and show the text.")
@click.option("--taxonomy", metavar="NAME|FILE", help="The subjects that sections may have.")
@click.option("--config", metavar="FILE", help="This configuration instead of the nearest .shelfread.yaml.")
@config_from
@click.option("--isolated", is_flag=True, help="Look for no configuration.")
@click.option("--show-info", is_flag=True, help="Say also what is only for information.")
@click.pass_context
def command(
    ctx: click.Context,
    words: tuple[str, ...],
    form: str,
    output_file: str | None,
    taxonomy: str | None,
    config: str | None,
    config_from: str | None,
    isolated: bool,
    show_info: bool,
) -> None:
    """What a change did to the entries: added, removed, moved to another section, changed field by field.

    An entry is known by its identity (DOI, arXiv id, title, main link), not by its line. Of those that are new,
    moved or changed it is told what is wrong with them now and was not before, and where they are listed already.

    \b
    diff BASE           from that commit to the files as they stand
    diff BASE HEAD      from one commit to another (also BASE..HEAD)
    diff BASE...HEAD    from where HEAD left BASE, as a pull request shows it;
                        BASE... is BASE...HEAD
    diff auto           from where the branch left its base, as the CI's variables tell

    PATH are files or folders, by default the current folder. Which files are lists, and which rules hold, is asked
    of the configuration that stands here now; whether local files exist, of the disk.

    \b
    Exit status: 0, also when there is something to tell; 2 an error in options, revisions or files.
    """
    from shelfread.changes.diff import DiffOptions, diff
    from shelfread.cli.inputs import refuse_two_configurations

    refuse_two_configurations(config, config_from, isolated)
    base, head, paths = _arguments(words, ctx.meta.get("shelfread.files"))
    found, skipped = diff(
        DiffOptions(
            base=base,
            head=head,
            paths=paths,
            taxonomy=taxonomy,
            config=config,
            config_from=config_from,
            isolated=isolated,
        ),
        output.progress_line,
    )
    for file in skipped:
        output.print_error(f"{file.path}: {file.reason}")
    for error in found.errors:
        output.print_error(f"{error}; left out on both sides")
    for remark in found.remarks:
        output.print_error(remark)
    _report(found, form, output_file, show_info)
    ctx.exit(2 if found.errors else 0)


def _arguments(words: Sequence[str], files: Sequence[str] | None) -> tuple[str, str | None, tuple[str, ...]]:
    """BASE, HEAD and PATH; without `--` a second word may be a file, where it is no revision."""
    from shelfread.changes.revisions import is_revision
    from shelfread.core.git import find_root

    if not words:
        raise click.UsageError("name what to compare with: shelfread diff main, or shelfread diff auto")
    base, *rest = words
    head = None
    if rest and (
        files is not None or not os.path.lexists(rest[0]) or is_revision(find_root("") or ".", rest[0])
    ):
        head = rest.pop(0)
    if files is not None and rest:
        raise click.UsageError(f"two revisions at most: '{rest[0]}' is one too many")
    if head is not None and ".." in base:
        raise click.UsageError(f"'{base}' is a range already: '{head}' is one too many")
    return base, head, (*rest, *(files or ()))


def _report(found: Review, form: str, file: str | None, show_info: bool) -> None:
    """The report, into the file if one is named; then people have the text as ever."""
    least = Severity.INFO if show_info else Severity.WARNING
    if form != "text" or file is not None:
        output.write_lines(_lines(found, form, least), file)
    if form == "text" or file is not None:
        from shelfread.report.changes.text import render

        output.print_lines(render(found, output.terminal_style(), least))


def _lines(found: Review, form: str, least: Severity) -> Iterator[str]:
    if form == "json":
        from shelfread.report.changes.json import render as render_json

        return render_json(found)
    if form == "markdown":
        from shelfread.report.changes.markdown import render as render_markdown

        return render_markdown(found, least)
    from shelfread.report.changes.text import render

    return render(found, output.terminal_style(file=True), least)
