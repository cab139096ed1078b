"""Reviews a change: what it did to entries, which findings are new, which new entries are duplicates or misplaced."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from shelfread.changes.compare import compare
from shelfread.changes.listed import Comparison, ListedEntry, SectionPath
from shelfread.changes.revisions import Revision, Texts, at_revision
from shelfread.core.diagnostics import Diagnostic, Span
from shelfread.core.errors import InputError, UserError
from shelfread.core.patterns import lazy
from shelfread.core.source import Source
from shelfread.document.model import Document, EntryIndex
from shelfread.document.read import read
from shelfread.document.unclosed import find_conflicts
from shelfread.engine.lint import Diagnoser
from shelfread.engine.load_save import LoadedFiles
from shelfread.engine.model import RunRequest
from shelfread.engine.since import SinceBase
from shelfread.index.context import RuleContext, build_context
from shelfread.index.facts import Facts, facts
from shelfread.index.placement.misplaced import DOUBTED, UNLIKE, find_misplaced
from shelfread.index.placement.section_model import Place
from shelfread.index.repeated_entries import repeated_entries
from shelfread.taxonomy.taxonomy import Taxonomy

_DUPLICATE, _PLACEMENT = "entry/duplicate", "taxonomy/placement"
_UNDER = {"another-title": ", under another title", "similar-title": ", under nearly the same title"}
_NUMBER = lazy(r"\d+")


class Duplicate(NamedTuple):
    """A listing that a new entry repeats, and the reservation if that is unsure: `, under another title`."""

    where: str
    under: str


class Placement(NamedTuple):
    """The sections, best first, that are nearer to a new entry than its own; whether it seems to belong in the first one."""

    nearest: tuple[tuple[SectionPath, Place], ...]
    is_doubted: bool


class Review(NamedTuple):
    """A change: the two revisions, what differs, and what is reported of it."""

    base: Revision
    head: Revision
    comparison: Comparison
    # the new findings in added, changed and moved entries that the same entry did not have before.
    findings: Mapping[ListedEntry, Sequence[Diagnostic]]
    # the other new findings in the lists that were added or changed.
    elsewhere: Sequence[tuple[Diagnostic, Source]]
    duplicates: Mapping[ListedEntry, Sequence[Duplicate]]  # by added entry
    placements: Mapping[ListedEntry, Placement]  # by added entry that is unlike the others of its section
    taxonomies: Mapping[str, Taxonomy]  # by file
    files: Sequence[str]  # the lists that were added, removed or changed
    errors: Sequence[UserError]
    policy_changes: Sequence[str] = ()  # changes that may hide findings

    def all_findings(self) -> Iterator[Diagnostic]:
        """Yield the findings in entries, then those elsewhere."""
        for group in self.findings.values():
            yield from group
        yield from (diagnostic for diagnostic, _ in self.elsewhere)


class _Documents(NamedTuple):
    """The documents of a project: changed files before and after, and all files after."""

    request: RunRequest
    before: dict[str, Document]
    after: dict[str, Document]
    all: dict[str, Document]


def review(
    base: Revision,
    head: Revision,
    texts: Texts,
    requests: Sequence[RunRequest],
    wanted: Callable[[str], bool] = lambda path: True,
    count: Callable[[int], None] = lambda more: None,
) -> Review:
    """Review the change of the files that are `wanted`; each request is of one project. `count` is told of files that are read."""
    errors = list(texts.errors)
    projects = [_read(request, texts, base, head, errors, count) for request in requests]
    comparison = compare(
        [document for project in projects for document in project.before.values()],
        [document for project in projects for document in project.after.values()],
    )
    comparison = _select(comparison, wanted)
    changed = {change.after: change.before for change in comparison.changed}
    changed |= {pair.after: pair.before for pair in comparison.moved}
    findings: dict[ListedEntry, list[Diagnostic]] = {}
    elsewhere: list[tuple[Diagnostic, Source]] = []
    duplicates: dict[ListedEntry, list[Duplicate]] = {}
    placements: dict[ListedEntry, Placement] = {}
    for project in projects:
        added = [entry for entry in comparison.added if entry.section.path in project.after]
        old = {entry: before for entry, before in changed.items() if entry.section.path in project.after}
        if project.after:
            all_facts = {path: facts(document) for path, document in project.all.items()}
            since = _since(project, all_facts)
            context = build_context(all_facts, project.request.taxonomy, project.request.slugs)
            diagnoser = since.diagnoser(context, project.after)
            duplicates |= _find_duplicates(added, project, diagnoser.context)
            new, others = _find_new(added, old, project, since, diagnoser)
            findings |= new
            elsewhere += [other for other in others if wanted(other[0].path)]
            placements |= _find_placements(added, new, project)
    for entry in duplicates:
        findings[entry] = [finding for finding in findings.get(entry, ()) if finding.rule != _DUPLICATE]
    told = {duplicate.where for group in duplicates.values() for duplicate in group}
    elsewhere = [
        (finding, source)
        for finding, source in elsewhere
        if finding.rule != _DUPLICATE
        or f"{finding.path}:{source.position(finding.span.start)[0]}" not in told
    ]
    for entry in placements:
        findings[entry] = [finding for finding in findings.get(entry, ()) if finding.rule != _PLACEMENT]
    taxonomies = {path: request.taxonomy for request in requests for path in request.reported}
    files = sorted({path for path in (*texts.before, *texts.after) if path in taxonomies and wanted(path)})
    errors = [error for error in errors if error.path in taxonomies and wanted(error.path)]
    return Review(
        base, head, comparison, findings, elsewhere, duplicates, placements, taxonomies, files, errors
    )


def _read(
    request: RunRequest,
    texts: Texts,
    base: Revision,
    head: Revision,
    errors: list[UserError],
    count: Callable[[int], None],
) -> _Documents:
    """Return the documents of a project; a file that one side cannot read is left out on both."""
    project = _Documents(request, {}, {}, {})
    failed = set()
    for path in request.reported:
        for side, revision, targets in (
            (texts.before, base, (project.before,)),
            (texts.after, head, (project.after, project.all)),
            (texts.same, head, (project.all,)),
        ):
            if path in side:
                try:
                    document = read(Source.from_bytes(side[path], path), request.taxonomy.vocabulary)
                    if side is not texts.before:
                        _refuse_conflict(document)
                except UserError as error:
                    errors.append(at_revision(error, revision))
                    failed.add(path)
                    continue
                for documents in targets:
                    documents[path] = document
        count(1)
    for path in failed:
        for documents in project[1:]:
            documents.pop(path, None)
    return project


def _refuse_conflict(document: Document) -> None:
    """Raise InputError if a file has both sides of a merge conflict, and their entries twice."""
    source = document.source
    for conflict in find_conflicts(document):
        if conflict.end is not None:
            line = source.position(conflict.start)[0]
            raise InputError("a merge conflict with the entries of both sides: resolve it", source.path, line)


def _select(comparison: Comparison, wanted: Callable[[str], bool]) -> Comparison:
    """Return what changed in some files; an entry that moved between files is in both."""

    def has(*listed: ListedEntry) -> bool:
        return any(wanted(entry.section.path) for entry in listed)

    return comparison._replace(
        added=tuple(filter(has, comparison.added)),
        removed=tuple(filter(has, comparison.removed)),
        moved=tuple(pair for pair in comparison.moved if has(*pair)),
        changed=tuple(change for change in comparison.changed if has(change.before, change.after)),
        reformatted=tuple(pair for pair in comparison.reformatted if has(*pair)),
        reordered=tuple(order for order in comparison.reordered if wanted(order.section.path)),
        sections=tuple(
            change for change in comparison.sections if any(wanted(side.path) for side in change[:2] if side)
        ),
    )


def _find_duplicates(
    added: Iterable[ListedEntry], project: _Documents, context: RuleContext
) -> dict[ListedEntry, list[Duplicate]]:
    """Return the other listings of added entries, whichever of the two comes first."""
    by_place = {entry.where: entry for entry in added}
    duplicates: dict[ListedEntry, list[Duplicate]] = {}
    for path, document in project.all.items() if by_place else ():
        for each in repeated_entries(document, context):
            repeat, first = f"{path}:{document.entries[each.entry].line}", each.other.where
            place, other = (repeat, first) if repeat in by_place else (first, repeat)
            if place in by_place:
                duplicates.setdefault(by_place[place], []).append(Duplicate(other, _UNDER.get(each.kind, "")))
    return duplicates


def _find_placements(
    added: Iterable[ListedEntry], findings: Mapping[ListedEntry, Sequence[Diagnostic]], project: _Documents
) -> dict[ListedEntry, Placement]:
    """Return where added entries may belong that are unlike those of their section, unless that is new.

    With a taxonomy, only what its rule reports seems to belong elsewhere; without the rule nothing is said.
    """
    is_ruled, selection = bool(project.request.taxonomy.concepts), project.request.selection
    if _PLACEMENT in selection.ignore or _PLACEMENT not in (selection.select or (_PLACEMENT,)):
        return {}
    by_path: dict[str, dict[Span, ListedEntry]] = {}
    for listed in added:
        before = project.before.get(listed.section.path)
        if before is not None and any(section.path == listed.section.titles for section in before.sections):
            by_path.setdefault(listed.section.path, {})[listed.entry.span] = listed
    placements: dict[ListedEntry, Placement] = {}
    for path, wanted in sorted(by_path.items()):
        document = project.after[path]
        among = [index for index, entry in enumerate(document.entries) if entry.span in wanted]
        for misplaced in find_misplaced(document, among, UNLIKE):
            listed = wanted[document.entries[misplaced.entry].span]
            is_doubted = misplaced.doubt >= DOUBTED
            reported = {finding.rule for finding in findings.get(listed, ())}
            if is_ruled and is_doubted and _PLACEMENT not in reported:
                continue
            nearest = (
                (SectionPath(path, document.sections[place.section].path), place)
                for place in misplaced.places
            )
            placements[listed] = Placement(tuple(nearest), is_doubted)
    return placements


def _since(project: _Documents, all_facts: Mapping[str, Facts]) -> SinceBase:
    """Return what compares the findings of a project with those at the base, as `check --since` does."""
    base = project.request.base
    assert base is not None
    old = {path: file.path for path, file in base.changed.items() if file is not None}
    base_documents = {path: project.before[name] for path, name in old.items() if name in project.before}
    base_facts = {path: facts(document) for path, document in project.before.items()}
    loaded = LoadedFiles(project.all, dict(all_facts), {}, base_documents, base_facts)
    return SinceBase(project.request, base, loaded, all_facts)


def _find_new(
    added: Iterable[ListedEntry],
    old: Mapping[ListedEntry, ListedEntry],
    project: _Documents,
    since: SinceBase,
    diagnoser: Diagnoser,
) -> tuple[dict[ListedEntry, list[Diagnostic]], list[tuple[Diagnostic, Source]]]:
    """Return the new findings in added entries and those of `old` that their earlier versions did not have, and all others."""
    wanted = {(entry.section.path, entry.entry.span): entry for entry in (*added, *old)}
    new_findings: dict[ListedEntry, list[Diagnostic]] = {}
    elsewhere: list[tuple[Diagnostic, Source]] = []
    for path, document in sorted(project.after.items()):
        index = EntryIndex(document.entries)
        for finding in since.split(document, diagnoser.diagnose(document))[0]:
            entry = index.around(finding.span)
            if entry is not None and (path, entry.span) in wanted:
                new_findings.setdefault(wanted[path, entry.span], []).append(finding)
            else:
                elsewhere.append((finding, document.source))
    for after, counts in _known(old, new_findings.keys(), project, since.before).items():
        new = []
        for finding in new_findings[after]:
            counts[_without_numbers(finding)] -= 1
            if counts[_without_numbers(finding)] < 0:
                new.append(finding)
        new_findings[after] = new
    return new_findings, elsewhere


def _known(
    old: Mapping[ListedEntry, ListedEntry],
    wanted: Collection[ListedEntry],
    project: _Documents,
    diagnoser: Diagnoser,
) -> dict[ListedEntry, Counter[tuple[str, str]]]:
    """Return what was found in the earlier versions of entries."""
    kept = [(entry, earlier) for entry, earlier in old.items() if entry in wanted]
    before = {(earlier.section.path, earlier.entry.span): entry for entry, earlier in kept}
    known: dict[ListedEntry, Counter[tuple[str, str]]] = {}
    for path in sorted({path for path, _ in before} & project.before.keys()):
        index = EntryIndex(project.before[path].entries)
        for finding in diagnoser.diagnose(project.before[path]):
            entry = index.around(finding.span)
            if entry is not None and (path, entry.span) in before:
                known.setdefault(before[path, entry.span], Counter())[_without_numbers(finding)] += 1
    return known


def _without_numbers(finding: Diagnostic) -> tuple[str, str]:
    """Return the rule and the message without numbers, as lines shift."""
    return finding.rule, _NUMBER.sub("0", finding.message)
