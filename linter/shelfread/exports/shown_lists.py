"""Lists of PATH: their documents and entries for `export`, with findings and the state of links for `page`."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from shelfread.core.diagnostics import Diagnostic
from shelfread.core.errors import UserError
from shelfread.document.entry_data import exported_entry
from shelfread.document.model import Document
from shelfread.document.non_entries import result_rows
from shelfread.engine.batch import Batch
from shelfread.engine.check import Waiting
from shelfread.engine.load_save import read_document
from shelfread.engine.model import RunRequest
from shelfread.engine.run import finish_run
from shelfread.index.answers import LinkRecord
from shelfread.index.disk import repository_address
from shelfread.mapping.project_lists import export_taxonomy
from shelfread.mapping.proposals import project_title
from shelfread.project.files import Project, find_inputs
from shelfread.report.findings_text import misread_line, results_line
from shelfread.rulebook.selection import select
from shelfread.taxonomy.hosts import key_of
from shelfread.taxonomy.load import load
from shelfread.taxonomy.taxonomy import Taxonomy
from shelfread.taxonomy.vocabulary import Vocabulary


class ListOptions(NamedTuple):
    """Which lists are read, with which configuration and taxonomy."""

    paths: Sequence[str]
    taxonomy: str | None = None
    config: str | None = None
    isolated: bool = False


class ShownList(NamedTuple):
    """One list, and what the rules found in it."""

    document: Document
    taxonomy: Taxonomy
    diagnostics: Sequence[Diagnostic] = ()
    presets: tuple[str, ...] = ()  # those that hold for the list, if the rules were run


def export_documents(
    options: ListOptions,
    errors: list[UserError],
    warn: Callable[[str], None],
    waiting: Waiting,
    unsaved: Mapping[str, bytes] = {},
) -> Iterator[tuple[Document, Taxonomy]]:
    """Yield all lists in order, each with its taxonomy; appends an error for each unreadable file to `errors`."""
    return (shown[:2] for shown in _read_all(options, errors, warn, waiting, unsaved))


def _read_all(
    options: ListOptions,
    errors: list[UserError],
    warn: Callable[[str], None],
    waiting: Waiting,
    unsaved: Mapping[str, bytes] = {},
    *,
    findings: bool = False,
) -> Iterator[ShownList]:
    """Yield all lists in order; says which are read with little certainty, and at the end which rows are left out."""
    projects, wrong = find_inputs(options.paths, options.config, options.isolated, unsaved)
    errors += wrong
    files = sum(len(each.reported) + len(each.others if findings else ()) for each in projects)
    entries, results = 0, dict[str, int]()
    with waiting(files) as count:
        for project in projects:
            for shown in read_lists(
                project, options.taxonomy, errors, findings=findings, texts=unsaved, count=count
            ):
                document, path = shown.document, shown.document.source.path or ""
                entries += len(document.entries)
                results[path] = result_rows(document.non_entries)
                misread = [(series.section, len(series.entries)) for series in document.misread]
                if line := misread_line(path, misread):
                    warn(line)
                yield shown
    if line := results_line(results, entries):
        warn(line)


def export_entries(lists: Iterable[tuple[Document, Taxonomy]]) -> Iterator[tuple[dict[str, Any], Vocabulary]]:
    """Yield the entries of lists in order, as `shelfread export --format json` prints them, with their vocabulary and `kind`."""
    for document, taxonomy in lists:
        for entry in document.entries:
            yield {**exported_entry(entry, document, taxonomy), "kind": entry.kind}, taxonomy.vocabulary


def export_subjects(
    lists: Iterable[tuple[Document, Taxonomy]], name: str | None, config: str | None, isolated: bool
) -> tuple[list[Taxonomy], list[tuple[dict[str, Any], str]]]:
    """Return the taxonomies of lists (without lists the named one), and the entries of their concepts, each with its IRI."""
    entries: list[tuple[dict[str, Any], str]] = []
    taxonomies: dict[str, Taxonomy] = {}
    for document, taxonomy in lists:
        if taxonomy.concepts:
            taxonomies[taxonomy.iri] = taxonomy
        data = (exported_entry(entry, document, taxonomy) for entry in document.entries)
        entries += (
            (entry, taxonomy.iri_of(entry["concept"])) for entry in data if entry["concept"] is not None
        )
    return list(taxonomies.values()) or [export_taxonomy(name, config, isolated)], entries


class PageContent(NamedTuple):
    """What a page shows. Records are by URL, without fragments."""

    lists: Sequence[ShownList]
    records: Mapping[str, LinkRecord]
    errors: Sequence[UserError]
    repository: str = ""  # the address of the lists' repository; empty if it is not known
    feed: str = ""


def read_page(
    options: ListOptions,
    warn: Callable[[str], None],
    waiting: Waiting,
    *,
    findings: bool,
    feed: str | None,
    link_cache: Path | None,
) -> PageContent:
    """Return the lists of PATH that have entries, with what `links` wrote to a cache; errors are of files that cannot be read."""
    errors: list[UserError] = []
    every = _read_all(options, errors, warn, waiting, findings=findings)
    lists = [shown for shown in every if shown.document.entries]
    urls = {url for shown in lists for link in shown.document.links if (url := key_of(link.url))}
    records = _known_links(link_cache, urls, warn)
    repository = repository_address(os.path.dirname(lists[0].document.source.path or "")) if lists else ""
    return PageContent(lists, records, errors, repository, feed or "")


def title_of_lists(documents: Iterable[Document], name: str = "") -> str:
    """Return the title of the main list, else the `name`, or that of the repository or folder; empty without lists."""
    lists = [document for document in documents if document.entries]
    if not lists or name:
        return project_title(lists, name) if lists else ""
    folder, has_list = folder_of_lists(lists)
    address = repository_address(os.path.dirname(lists[0].source.path or ""))
    name = address.rpartition("/")[2] or os.path.basename(folder) or folder
    return project_title(lists, name) if has_list else name


def folder_of_lists(documents: Iterable[Document]) -> tuple[str, bool]:
    """Return the folder that all lists are in, and whether one of them is right in it: else none says what all are."""
    folders = {os.path.dirname(os.path.abspath(document.source.path or "")) for document in documents}
    folder = os.path.commonpath(folders)
    return folder, folder in folders


def read_lists(
    project: Project,
    taxonomy: str | None,
    errors: list[UserError],
    *,
    findings: bool = True,
    texts: Mapping[str, bytes] = {},
    count: Callable[[int], None] = lambda more: None,
) -> Iterator[ShownList]:
    """Yield the lists of a project by path, of its files or their new `texts`; appends an error for each unreadable one."""
    subjects = load(taxonomy or project.config.taxonomy)
    if findings:
        selection, slugs = select(project.config), project.config.slugs
        request = RunRequest(project.reported, project.others, selection, subjects, slugs, unsaved=texts)
        batch = Batch(request, count=count)
        result = finish_run(batch)
        errors += result.errors
        for file in result.files:
            document = batch.loaded.documents[file.path]
            yield ShownList(document, subjects, file.diagnostics, file.presets)
        return
    for path in project.reported:
        try:
            document = read_document(path, subjects.vocabulary, texts.get(path))
        except UserError as error:
            errors.append(error)
        else:
            count(1)
            yield ShownList(document, subjects)


def _known_links(
    file: Path | None, urls: Collection[str], warn: Callable[[str], None]
) -> Mapping[str, LinkRecord]:
    """Return what a cache knows of some URLs. A cache that does not exist is not created."""
    if file is None or not file.is_file():
        return {}
    from shelfread.links.record_cache import RecordCache

    with RecordCache(file, warn) as cache:
        return cache.get(urls)
