"""The command `complete`: read the lists, look their papers up, run the rules about what they lack."""

from __future__ import annotations

from collections.abc import Awaitable, Mapping, Sequence
from typing import NamedTuple

from shelfread.document.identity import fold_title, title_key
from shelfread.document.model import Document, Entry
from shelfread.engine.batch import Batch
from shelfread.engine.check import merge_results
from shelfread.engine.load_save import save
from shelfread.engine.model import CheckOptions, RunResult, request_of
from shelfread.engine.run import finish_run
from shelfread.imports.look_up import Network, Paper, Services, ask_cache, ask_services, look_up
from shelfread.index.answers import Answers, Work, is_published
from shelfread.index.known_works import is_same
from shelfread.project.files import Project, find_inputs
from shelfread.rulebook.selection import select_of_command


class CompleteOptions(NamedTuple):
    check: CheckOptions  # those that it shares with `check`
    offline: bool = False  # whether only the cache is asked
    deadline: float | None = None  # seconds


class CompleteResult(NamedTuple):
    """The result of a run, and what people should know of it."""

    run: RunResult
    projects: Sequence[Project]
    papers: int  # how many were looked up
    unknown: int  # of how many nothing was found
    notes: Sequence[str] = ()
    interrupted: bool = False


def complete(options: CompleteOptions, network: Network) -> CompleteResult:
    """Return what the lists lack, according to services, and the fixes if they are wanted."""
    check = options.check
    projects, errors = find_inputs(check.paths, check.config, check.isolated, {})
    chosen = check._replace(unsafe_fixes=True, show_info=False)
    batches: list[Batch] = []
    for project in projects:
        selection = select_of_command("complete", project.config, check.select, check.ignore)
        batches.append(Batch(request_of(project, selection, chosen)))
    papers = {
        paper.keys: (paper, entry)
        for batch in batches
        for document in batch.loaded.documents.values()
        for entry in document.entries
        if entry.kind == "paper" and (paper := _paper(entry, document)).keys
    }

    def ask(services: Services) -> Awaitable[Mapping[str, Sequence[Work]]]:
        return look_up([paper for paper, _ in papers.values()], services, is_published)

    works: Mapping[str, Sequence[Work]] = {}
    failures: Sequence[str] = ()
    interrupted = False
    if options.offline:
        works = ask_cache(network, ask)
    else:
        try:
            works, failures = ask_services(network, ask, options.deadline)
        except KeyboardInterrupt:
            interrupted = True
    notes = [f"{failure}: papers that only it knows are missing" for failure in failures]
    unknown = sum(
        not any(
            is_same(entry, work, by_title=key.startswith("title:"))
            for key in keys
            for work in works.get(key, ())
        )
        for keys, (_, entry) in papers.items()
    )
    runs = []
    for batch in batches:
        result = finish_run(batch, answers=Answers(works=works))
        runs.append(save(result) if check.writes else result)
    return CompleteResult(merge_results(runs, errors), projects, len(papers), unknown, notes, interrupted)


def _paper(entry: Entry, document: Document) -> Paper:
    """Return what an entry can be looked up by: by its title only if it is a paper among papers, and not known as published."""
    known = entry.identifiers
    is_list_of_papers = 2 * sum(other.kind == "paper" for other in document.entries) >= len(document.entries)
    cited = entry.citation
    is_published = cited is not None and cited.venue is not None and cited.venue.kind != "preprint"
    key = title_key(fold_title(entry.title.value))
    return Paper(
        title=entry.title.value,
        doi=known.get("doi", "").lower(),
        arxiv=known.get("arxiv", "").lower(),
        title_key=key if key and is_list_of_papers and not (is_published and entry.year is not None) else "",
    )
