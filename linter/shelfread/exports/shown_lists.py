"""The command `page`: lists, the findings in them, and what earlier runs know of their links."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from pathlib import Path

from shelfread.core.diagnostics import Diagnostic
from shelfread.core.errors import UserError
from shelfread.core.support.named_tuple import NamedTuple
from shelfread.document.model import Document
from shelfread.engine.batch import Batch
from shelfread.engine.load import read_document
from shelfread.engine.model import RunRequest
from shelfread.engine.run import finish_run
from shelfread.index.answers import LinkRecord
from shelfread.project.exclusions import GENERATED
from shelfread.project.files import Project
from shelfread.project.inputs import find_inputs
from shelfread.rulebook.selection import select
from shelfread.taxonomy.hosts import key_of
from shelfread.taxonomy.load import load
from shelfread.taxonomy.taxonomy import Taxonomy


class PageOptions(NamedTuple):
    """The options of `page`."""

    paths: Sequence[str]
    config: str | None = None
    isolated: bool = False
    taxonomy: str | None = None
    findings: bool = True
    """Whether the rules are run."""
    link_cache: Path | None = None
    """What `shelfread links` wrote; None if nothing is known of links."""


class ShownList(NamedTuple):
    """One list, and what the rules found in it."""

    document: Document
    taxonomy: Taxonomy
    diagnostics: Sequence[Diagnostic] = ()
    presets: tuple[str, ...] = ()
    """Those that hold for the list, if the rules were run."""


class PageContent(NamedTuple):
    """What a page shows. Records are by URL, without fragments."""

    lists: Sequence[ShownList]
    records: Mapping[str, LinkRecord]
    errors: Sequence[UserError]


def read_page(options: PageOptions, warn: Callable[[str], None]) -> PageContent:
    """Return the lists of PATH that have entries; errors are of files that cannot be read."""
    projects, errors = find_inputs(options.paths, options.config, options.isolated, {})
    lists = [
        shown
        for project in projects
        for shown in read_lists(project, options.taxonomy, errors, findings=options.findings)
        if shown.document.entries
    ]
    urls = {
        url
        for shown in lists
        for entry in shown.document.entries
        for link in entry.links
        if (url := key_of(link.link.url or ""))
    }
    return PageContent(lists, _known_links(options.link_cache, urls, warn), errors)


def read_lists(
    project: Project,
    taxonomy: str | None,
    errors: list[UserError],
    *,
    findings: bool = True,
    texts: Mapping[str, bytes] = {},
) -> Iterator[ShownList]:
    """Yield the lists of a project by path; generated ones have no findings.

    `taxonomy` replaces that of the configuration, `texts` the contents of files. Appends an error for each file that
    cannot be read.
    """
    subjects = load(taxonomy or project.config.taxonomy)
    generated = [file.path for file in project.skipped if file.reason == GENERATED]
    request = RunRequest(
        project.reported,
        project.others,
        select(project.config),
        subjects,
        project.config.slugs,
        unsaved=texts,
    )
    found: dict[str, ShownList] = {}
    if findings:
        batch = Batch(request)
        result = finish_run(batch)
        errors += result.errors
        for file in result.files:
            document = batch.loaded.documents[file.path]
            found[file.path] = ShownList(document, subjects, file.diagnostics, file.presets)
    else:
        generated += project.reported
    for path in generated:
        try:
            found[path] = ShownList(read_document(path, subjects.vocabulary, texts.get(path)), subjects)
        except UserError as error:
            errors.append(error)
    yield from (found[path] for path in sorted(found))


def _known_links(
    file: Path | None, urls: Collection[str], warn: Callable[[str], None]
) -> Mapping[str, LinkRecord]:
    """Return what a cache knows of some URLs. A cache that does not exist is not created."""
    if file is None or not file.is_file():
        return {}
    from shelfread.links.cache.record_cache import RecordCache

    with RecordCache(file, warn) as cache:
        return cache.get(urls)
