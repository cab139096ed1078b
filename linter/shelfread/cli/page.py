"""`shelfread page`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from shelfread.cli import options, output


@click.command
@options.paths
@click.option(
    "--output-file", metavar="FILE", help="Write the page to this file.  [default: standard output]"
)
@click.option("--with-findings", is_flag=True, help="Show what 'check' reports, for the list's maintainers.")
@click.option("--feed", metavar="URL", help="Link to the feed of the lists, which 'shelfread feed' makes.")
@options.cache(
    "The cache of 'links', from which the state of links is taken.", "Leave out the state of links."
)
@options.settings
@click.pass_context
def command(
    ctx: click.Context,
    /,
    paths: tuple[str, ...],
    output_file: str | None,
    with_findings: bool,
    feed: str | None,
    cache_file: str | None,
    no_cache: bool,
    **settings: Any,
) -> None:
    """Make one HTML page of the lists, to search, filter and cite the entries.

    It shows the entries by section or by year, with charts behind a button, and the state of links as far as 'shelfread
    links' has checked them. It is one file that needs no server and sends no requests.
    """
    from shelfread.cli.network import LINKS, chosen_cache
    from shelfread.cli.options import no_entries
    from shelfread.core.errors import InputError
    from shelfread.exports.html_page import list_page
    from shelfread.exports.shown_lists import PageOptions, read_page

    if feed and not feed.startswith(("https://", "http://")):
        raise click.UsageError(f"--feed is an address that begins with https://, not '{feed}'")
    if "-" in paths:
        raise click.UsageError("page reads files only, not standard input")
    links = chosen_cache(LINKS, cache_file, no_cache)
    if cache_file and not Path(cache_file).is_file():
        raise InputError("no such file: 'shelfread links --cache-file' writes it", cache_file)
    output.refuse_output_file(output_file)
    wanted = PageOptions(paths, findings=with_findings, feed=feed, link_cache=links, **settings)
    content = read_page(wanted, output.print_error, output.file_progress)
    if not content.lists and not content.errors:
        raise InputError(no_entries(paths))
    if content.lists:
        output.write_lines([list_page(content).rstrip("\n")], output_file)
    ctx.exit(output.report_errors(content.errors))
