"""`shelfread export`, `page` and `feed`: what others take of lists."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

import click

from shelfread.cli import options, output
from shelfread.core.errors import InputError, UserError, need
from shelfread.exports.entry_formats import ENTRY_FORMATS
from shelfread.report.rendering import TerminalStyle, dumps

if TYPE_CHECKING:
    from shelfread.document.model import Document
    from shelfread.taxonomy.taxonomy import Taxonomy
    from shelfread.taxonomy.vocabulary import Vocabulary

Item = TypeVar("Item")
Entry: TypeAlias = "tuple[dict[str, Any], Vocabulary]"
_WHOLE = (None, "json", "jsonl", "csv")  # the formats that have all links
_MOST_LOST = 3  # links that are left out are named


@click.command
@options.paths
@options.output_format(
    (*ENTRY_FORMATS, "skos"),
    help="A JSON array, an object on each line, references for other programs, a table, the taxonomy with its entries as "
    "Turtle (JSON-LD in a .jsonld file), or a Markdown list.  [default: json]",
)
@click.option(
    "--annotate", is_flag=True,
    help="Show each list with what was read of each line beside it, for people; '?' marks what is uncertain.",
)  # fmt: skip
@click.option("--papers", is_flag=True, help="Only papers, for citing.")
@options.settings
@click.option("--output-file", metavar="FILE", help="Write the entries to this file.")
@options.stdin_filename
@click.pass_context
def export_command(
    ctx: click.Context, /, form: str | None, annotate: bool, papers: bool, **given: Any
) -> None:
    """Export entries, in the order of the files: titles, authors, venues, years, identifiers, links.

    The keys of JSON are those of CSL-JSON where it has one; schema/entry.schema.json describes all of them. JSON has all
    that was read; docs/export.md says what each other format keeps.

    With --annotate, show how the lists were read: the source of each entry and its fields, what was taken for no
    entry and why, and what was not read.
    """
    from shelfread.exports.shown_lists import ListOptions, export_documents, export_entries

    if papers and (annotate or form == "skos"):
        raise click.UsageError("--papers chooses entries: it goes with neither --annotate nor --format skos")
    if annotate and form not in (None, "markdown"):
        raise click.UsageError(f"--annotate makes Markdown: it cannot be combined with --format {form}")
    paths, output_file = given["paths"], given["output_file"]
    output.refuse_output_file(output_file)
    errors: list[UserError] = []
    documents = export_documents(
        options.pick(ListOptions, given),
        errors,
        output.print_error,
        output.file_progress if output_file else output.streaming_progress,
        options.read_stdin(paths, given["stdin_filename"]),
    )
    is_empty, lists = _peek(documents)
    if is_empty and not paths and form == "skos":
        errors = [error for error in errors if error.path != "."]  # without lists there is still the taxonomy
    if is_empty and errors:
        pass  # what an earlier run wrote stays
    elif annotate:
        _annotate((document for document, _ in lists), output_file)
    elif form == "skos":
        output.write_lines(_taxonomy(lists, given), output_file)
    else:
        found = export_entries(lists)
        is_empty, entries = _peek(item for item in found if not papers or item[0]["kind"] == "paper")
        lost: list[str] = []
        watched = entries if form in _WHOLE else _watched(entries, lost)
        output.write_lines(ENTRY_FORMATS[form or "json"](watched), output_file)
        for link in lost[:_MOST_LOST]:
            output.print_error(f"{link} is left out: its scheme is none of the web")
        if (more := len(lost) - _MOST_LOST) > 0:
            output.print_error(f"and {more} more such links")
        if is_empty:
            output.print_error("no papers found" if papers else options.no_entries(paths))
    ctx.exit(output.report_errors(errors))


def _watched(entries: Iterable[Entry], lost: list[str]) -> Iterator[Entry]:
    """Yield entries, and note their links that only formats with all that was read have."""
    from shelfread.exports.cited_work import is_harmless

    for entry, vocabulary in entries:
        urls = (link["url"] for link in entry["links"] if not is_harmless(link["url"]))
        lost += [f"{entry['path']}:{entry['line']}: the link {url}" for url in urls]
        yield entry, vocabulary


def _peek(items: Iterator[Item]) -> tuple[bool, Iterator[Item]]:
    first = list(islice(items, 1))
    return not first, chain(first, items)


def _taxonomy(lists: Iterable[tuple[Document, Taxonomy]], given: Mapping[str, Any]) -> Iterator[str]:
    need("skos", "--format skos")
    from shelfread.exports.shown_lists import export_subjects
    from shelfread.exports.skos_entries import subjects_graph
    from shelfread.taxonomy.skos.graph import json_ld, turtle

    taxonomies, entries = export_subjects(lists, given["taxonomy"], given["config"], given["isolated"])
    graph = subjects_graph(taxonomies, entries)
    as_json = (given["output_file"] or "").endswith(".jsonld")
    return iter([dumps(json_ld(graph)) if as_json else turtle(graph).rstrip()])


def _annotate(documents: Iterable[Document], file: str | None) -> None:
    """Print the annotated lists, or write them to a file, without what an earlier run wrote to it."""
    from shelfread.exports.annotated import annotated

    if file is None:
        output.print_lines(annotated(documents, output.terminal_style()))
        return
    target = os.path.realpath(file)
    others = (
        document
        for document in documents
        if document.source.path is None or os.path.realpath(document.source.path) != target
    )
    output.write_marked(annotated(others, TerminalStyle()), file, is_markdown=False)


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
def page_command(
    ctx: click.Context, /, output_file: str | None, with_findings: bool, feed: str | None, **given: Any
) -> None:
    """Make one HTML page of the lists, to search, filter and cite the entries.

    It shows the entries by section or by year, with charts behind a button, and the state of links as far as 'shelfread
    links' has checked them. It is one file that needs no server and sends no requests.
    """
    from shelfread.cli.network import LINKS, chosen_cache
    from shelfread.exports.html_page import list_page
    from shelfread.exports.shown_lists import ListOptions, read_page

    if feed and not feed.startswith(("https://", "http://")):
        raise click.UsageError(f"--feed is an address that begins with https://, not '{feed}'")
    paths, cache_file = given["paths"], given["cache_file"]
    if "-" in paths:
        raise click.UsageError("page reads files only, not standard input")
    links = chosen_cache(LINKS, cache_file, given["no_cache"])
    if cache_file and not Path(cache_file).is_file():
        raise InputError("no such file: 'shelfread links --cache-file' writes it", cache_file)
    output.refuse_output_file(output_file)
    wanted = options.pick(ListOptions, given)
    content = read_page(
        wanted, output.print_error, output.file_progress, findings=with_findings, feed=feed, link_cache=links
    )
    if not content.lists and not content.errors:
        raise InputError(options.no_entries(paths))
    if content.lists:
        output.write_lines([list_page(content).rstrip("\n")], output_file)
    ctx.exit(output.report_errors(content.errors))


@click.command
@options.paths
@options.output_format(
    ("atom", "json", "markdown"),
    "atom",
    "Atom or a JSON Feed for feed readers, or Markdown with a heading for each day.",
)
@click.option(
    "--since", metavar="REV|DATE",
    help="Only what was added after this commit, or on or after this day (2024, 2024-05, 2024-05-31).",
)  # fmt: skip
@options.settings
@click.option("--output-file", metavar="FILE", help="Write the feed to this file.")
@click.pass_context
def feed_command(ctx: click.Context, /, form: str, output_file: str | None, **given: Any) -> None:
    """Make a feed of what was added to the lists and when, from git's history.

    Entries are recognised by DOI, arXiv id, address and title, in whichever Markdown file of the repository they stood: an
    entry that was moved, reworded or given another link is no news. What is not listed any more is left out. Only the
    work tree's own history is read: of a merge, all that it brought was added by the merge.
    """
    from shelfread.exports import feed
    from shelfread.exports.shown_lists import ListOptions

    output.refuse_output_file(output_file)
    made = feed.feed(options.pick(ListOptions, given), given["since"], output.file_progress)
    for remark in made.remarks:
        output.print_error(remark)
    output.write_lines(getattr(feed, form)(made), output_file)
    if not made.items and not made.remarks and given["since"] is None:
        output.print_error(options.no_entries(given["paths"]))
    ctx.exit(output.report_errors(made.errors))
