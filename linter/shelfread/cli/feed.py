"""`shelfread feed`."""

from __future__ import annotations

from typing import Any

import click

from shelfread.cli import options, output

FORMATS = ("atom", "json", "markdown")  # each a function of `exports/feed.py`


@click.command
@options.paths
@options.output_format(
    FORMATS, "atom", "Atom or a JSON Feed for feed readers, or Markdown with a heading for each day."
)
@click.option(
    "--since", metavar="REV|DATE",
    help="Only what was added after this commit, or on or after this day (2024, 2024-05, 2024-05-31).",
)  # fmt: skip
@options.settings
@click.option("--output-file", metavar="FILE", help="Write the feed to this file.")
@click.pass_context
def command(ctx: click.Context, /, form: str, output_file: str | None, **given: Any) -> None:
    """Make a feed of what was added to the lists and when, from git's history.

    Entries are recognised by DOI, arXiv id, address and title, in whichever Markdown file of the repository they stood: an
    entry that was moved, reworded or given another link is no news. What is not listed any more is left out. Only the
    work tree's own history is read: of a merge, all that it brought was added by the merge.
    """
    from shelfread.exports import feed as feed_formats
    from shelfread.exports.feed import FeedOptions, feed

    output.refuse_output_file(output_file)
    made = feed(options.pick(FeedOptions, given), output.file_progress)
    for remark in made.remarks:
        output.print_error(remark)
    output.write_lines(getattr(feed_formats, form)(made), output_file)
    if not made.items and not made.remarks and given["since"] is None:
        output.print_error(options.no_entries(given["paths"]))
    ctx.exit(output.report_errors(made.errors))
