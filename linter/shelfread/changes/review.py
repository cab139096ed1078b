"""What a reviewer asks of a change: what it did, what is wrong with it, what was there already."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from shelfread.changes.compare import compare
from shelfread.changes.model import Comparison, ListedEntry
from shelfread.changes.revisions import Revision, Texts, at_revision
from shelfread.checks.entry.duplicate import duplicate
from shelfread.checks.text.conflict_marker import conflict_marker
from shelfread.core.diagnostics import Diagnostic, Span
from shelfread.core.errors import InputError, UserError
from shelfread.core.source import Source
from shelfread.core.support.regex import lazy
from shelfread.document.innermost import EntryIndex
from shelfread.document.model import Document
from shelfread.document.read import read
from shelfread.engine.diagnose import Diagnoser, build_diagnoser
from shelfread.engine.model import RunRequest
from shelfread.index.context import RuleContext, build_context
from shelfread.index.facts import facts
from shelfread.taxonomy.taxonomy import Taxonomy

_DUPLICATE = "entry/duplicate"
_NUMBER = lazy(r"\d+")


class Duplicate(NamedTuple):
    """Where a new entry is listed already, and what makes it less than sure: `, under another title`."""

    where: str
    under: str


class Review(NamedTuple):
    """A change: from where to where, what it did to entries, and what is to be said of these."""

    base: Revision
    head: Revision
    comparison: Comparison
    findings: Mapping[ListedEntry, Sequence[Diagnostic]]
    """On entries that are new, changed or moved: those that the same entry did not have before."""
    duplicates: Mapping[ListedEntry, Sequence[Duplicate]]
    """Of new entries."""
    taxonomies: Mapping[str, Taxonomy]
    """By file."""
    files: Sequence[str]
    """The lists whose text is another, or that one side alone has."""
    errors: Sequence[UserError]
    policy_changes: Sequence[str] = ()
    """What the change did to that by which it is judged."""


class _ProjectTexts(NamedTuple):
    """One project's documents: those that differ, before and after, and all that it has now."""

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
) -> Review:
    """Compare what differs and judge what is new in files that are wanted; each request is of one project."""
    errors = list(texts.errors)
    rooms = [_read(request, texts, base, head, errors) for request in requests]
    whole = compare(
        [document for room in rooms for document in room.before.values()],
        [document for room in rooms for document in room.after.values()],
    )
    comparison = _only(whole, wanted)
    changed = {one.after: one.before for one in comparison.changed}
    changed |= {one.after: one.before for one in comparison.moved}
    findings: dict[ListedEntry, list[Diagnostic]] = {}
    twins: dict[ListedEntry, list[Duplicate]] = {}
    for room in rooms:
        new = [one for one in comparison.added if one.section.path in room.after]
        old = {one: was for one, was in changed.items() if one.section.path in room.after}
        if not (new or old):
            continue
        context = build_context(
            {path: facts(document) for path, document in room.all.items()},
            room.request.taxonomy,
            room.request.slugs,
        )
        twins |= _find_duplicates(new, room, context)
        findings |= _find_new(new, old, room, build_diagnoser(room.request, context))
    for one in twins:
        findings[one] = [found for found in findings.get(one, ()) if found.rule != _DUPLICATE]
    taxonomies = {path: request.taxonomy for request in requests for path in request.reported}
    files = sorted({path for path in (*texts.before, *texts.after) if path in taxonomies and wanted(path)})
    errors = [error for error in errors if error.path in taxonomies and wanted(error.path)]
    return Review(base, head, comparison, findings, twins, taxonomies, files, errors)


def _read(
    request: RunRequest, texts: Texts, base: Revision, head: Revision, errors: list[UserError]
) -> _ProjectTexts:
    room = _ProjectTexts(request, {}, {}, {})
    failed = set()
    for path in request.reported:
        for sides, revision, kept in (
            (texts.before, base, (room.before,)),
            (texts.after, head, (room.after, room.all)),
            (texts.same, head, (room.all,)),
        ):
            if path in sides:
                try:
                    document = read(Source.from_bytes(sides[path], path), request.taxonomy.vocabulary)
                    if sides is not texts.before:
                        _refuse_conflict(document, request.taxonomy)
                except UserError as error:
                    errors.append(at_revision(error, revision))
                    failed.add(path)
                    continue
                for documents in kept:
                    documents[path] = document
    for path in failed:
        for documents in room[1:]:
            documents.pop(path, None)
    return room


def _refuse_conflict(document: Document, taxonomy: Taxonomy) -> None:
    """Raises InputError where a merge has left two texts, so that entries stand there twice."""
    source = document.source
    for place in conflict_marker(document, build_context({}, taxonomy)):
        if place.values["extent"]:
            line = source.position(place.span.start)[0]
            raise InputError(
                "a merge conflict, both sides' entries stand here: resolve it", source.path, line
            )


def _only(whole: Comparison, wanted: Callable[[str], bool]) -> Comparison:
    """What a change did in some files; what goes from one to another is in both."""

    def has(*listed: ListedEntry) -> bool:
        return any(wanted(one.section.path) for one in listed)

    return whole._replace(
        added=tuple(one for one in whole.added if has(one)),
        removed=tuple(one for one in whole.removed if has(one)),
        moved=tuple(pair for pair in whole.moved if has(*pair)),
        changed=tuple(one for one in whole.changed if has(one.before, one.after)),
        reformatted=tuple(pair for pair in whole.reformatted if has(*pair)),
        reordered=tuple(one for one in whole.reordered if wanted(one.section.path)),
        sections=tuple(
            change for change in whole.sections if any(wanted(path.path) for path in change[:2] if path)
        ),
    )


def _find_duplicates(
    new: Iterable[ListedEntry], room: _ProjectTexts, context: RuleContext
) -> dict[ListedEntry, list[Duplicate]]:
    """Where new entries are listed besides, whichever of the two stands first."""
    added = {one.where: one for one in new}
    found: dict[ListedEntry, list[Duplicate]] = {}
    for path, document in room.all.items() if added else ():
        lines = {entry.title.span.start: entry.line for entry in document.entries}
        for place in duplicate(document, context):
            here, there = f"{path}:{lines[place.span.start]}", str(place.values["where"])
            for one, other in ((here, there), (there, here)):
                if one in added:
                    found.setdefault(added[one], []).append(Duplicate(other, str(place.values["under"])))
                    break
    return found


def _find_new(
    new: Iterable[ListedEntry],
    old: Mapping[ListedEntry, ListedEntry],
    room: _ProjectTexts,
    diagnoser: Diagnoser,
) -> dict[ListedEntry, list[Diagnostic]]:
    """What is found in entries, without what was found in the same ones before."""
    wanted = {(one.section.path, one.entry.span): one for one in (*new, *old)}
    found: dict[ListedEntry, list[Diagnostic]] = {}
    for one, diagnostic in _diagnose(wanted, diagnoser, room.after):
        found.setdefault(one, []).append(diagnostic)
    former = {(was.section.path, was.entry.span): one for one, was in old.items() if one in found}
    # As it was: the other texts, and conventions as they are now, so that none speaks for another's sake.
    before = diagnoser.context.amended(*map(facts, room.before.values())) if former else None
    standing: dict[ListedEntry, Counter[tuple[str, str]]] = {}
    for one, diagnostic in _diagnose(former, diagnoser, room.before, before):
        standing.setdefault(one, Counter())[_said(diagnostic)] += 1
    for one, counts in standing.items():
        kept = []
        for diagnostic in found[one]:
            counts[_said(diagnostic)] -= 1
            if counts[_said(diagnostic)] < 0:
                kept.append(diagnostic)
        found[one] = kept
    return found


def _said(one: Diagnostic) -> tuple[str, str]:
    """A rule and its words without numbers: lines shift."""
    return one.rule, _NUMBER.sub("0", one.message)


def _diagnose(
    wanted: Mapping[tuple[str, Span], ListedEntry],
    diagnoser: Diagnoser,
    documents: Mapping[str, Document],
    context: RuleContext | None = None,
) -> Iterator[tuple[ListedEntry, Diagnostic]]:
    """The findings that lie within wanted entries, known by file and span, each with its entry."""
    for path in sorted({path for path, _ in wanted} & documents.keys()):
        document = documents[path]
        index = EntryIndex(document.entries)
        for diagnostic in diagnoser.diagnose(document, context):
            entry = index.around(diagnostic.span)
            if entry is not None and (path, entry.span) in wanted:
                yield wanted[path, entry.span], diagnostic
