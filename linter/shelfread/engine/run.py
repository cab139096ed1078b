"""The corridor for many files: bytes -> source -> document -> facts -> survey -> findings."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from shelfread.core.diagnostics import Applicability, Diagnostic, Severity
from shelfread.core.errors import UserError
from shelfread.core.source import Source, read_bytes
from shelfread.core.support.regex import lazy
from shelfread.document.model import Document
from shelfread.document.read import read
from shelfread.engine.lint import lint
from shelfread.index.facts import Facts, facts
from shelfread.index.index import Survey, survey
from shelfread.rulebook.binding import BoundRule
from shelfread.rulebook.selection import Selection, bind_rules, presets_of

if TYPE_CHECKING:
    from shelfread.core.link_record import Record
    from shelfread.engine.fingerprint import Fingerprint
    from shelfread.fixes.rounds import FixResult
    from shelfread.project.history import BaseRevision
    from shelfread.taxonomy.taxonomy import Taxonomy
    from shelfread.taxonomy.vocabulary import Vocabulary

_ASIDE = lazy(r"(?:^|[-_. ])(?:backup|bak|deprecated)(?:[-_. ]|$)", re.IGNORECASE)


class SplitFindings(NamedTuple):
    """A document's findings: those asked for, those older than the change, those that a baseline knows."""

    found: list[Diagnostic]
    older: Sequence[Diagnostic] = ()
    known: Sequence[Diagnostic] = ()


Part: TypeAlias = Callable[[Document, list[Diagnostic]], SplitFindings]


class RunRequest(NamedTuple):
    """What to do with a project's files; `mend` asks for a fix, `unsafe` for what needs a yes as well."""

    reported: tuple[str, ...]
    others: tuple[str, ...]
    selection: Selection
    taxonomy: Taxonomy
    slugs: str = "github"
    mend: bool = False
    unsafe: bool = False
    info: bool = False
    """Infos are shown; unseen, they are not mended by what needs a yes."""
    unsaved: Mapping[str, bytes] = {}
    """Texts that go before what stands in the files of these names."""
    past: BaseRevision | None = None
    """The project at the commit since which findings are asked for."""
    debt: Mapping[str, Mapping[Fingerprint, int]] | None = None
    """By file, the findings that wait and are neither said nor mended."""
    prints: bool = False
    """The fingerprints of what is found are wanted."""
    web: Mapping[str, Record] = {}
    """What the web said of links, by address without its fragment; empty where it was not asked."""


class FileResult(NamedTuple):
    """What came of one reported file."""

    path: str
    source: Source
    diagnostics: Sequence[Diagnostic]
    entries: int
    links: int
    presets: tuple[str, ...]
    fixed: FixResult | None = None
    older: Sequence[Diagnostic] = ()
    """Findings that were there before the change that is asked about."""
    known: Sequence[Diagnostic] = ()
    """Findings that a baseline knows."""
    prints: Sequence[Fingerprint] = ()
    """Those of the diagnostics, where they are wanted."""


class LoadedProject(NamedTuple):
    """Files read: documents of the reported ones, facts of all, and what could not be read."""

    documents: dict[str, Document]
    facts: dict[str, Facts]
    errors: dict[str, UserError]
    before: LoadedProject | None = None
    """What was otherwise in these files."""


class Run(NamedTuple):
    """What came of a run; `errors` of files that were to be reported, `notes` of the project's others."""

    outcomes: tuple[FileResult, ...]
    errors: tuple[UserError, ...]
    notes: tuple[UserError, ...] = ()
    since: str = ""
    """The revision since which findings were asked for."""
    baseline: str = ""
    """The file whose findings were left out."""
    remarks: tuple[str, ...] = ()
    """What the change that is asked about did to that by which it is judged."""


def run(order: RunRequest, jobs: int = 1) -> Run:
    """Read a project and report what was asked for; one unreadable file does not keep the others back."""
    if jobs > 1 and len(order.reported) + len(order.others) > 1:
        from shelfread.engine.workers import run_parallel

        reading, outcomes = run_parallel(order, jobs)
    else:
        reading = read_project(order)
        outcomes = report_files(order, reading, reading.facts)
    return conclude(order, reading, outcomes)


def conclude(order: RunRequest, reading: LoadedProject, outcomes: list[FileResult]) -> Run:
    """What came of a run, after the fixes that edit several files."""
    if order.mend and any(outcome.fixed for outcome in outcomes):
        from shelfread.engine.cross_file_fixes import fix_across_files

        outcomes = fix_across_files(order, outcomes, reading)
    # What could not be read before either is not the doing of a change.
    named = set(order.reported).intersection(order.past.changed if order.past is not None else order.reported)
    return Run(
        tuple(outcomes),
        tuple(error for path, error in reading.errors.items() if path in named),
        tuple(error for path, error in reading.errors.items() if path not in named),
    )


def read_project(order: RunRequest) -> LoadedProject:
    """Read all files of a project, and what was otherwise in them at the commit that is asked about."""
    reading = read_files(order, order.reported, order.others)
    if order.past is not None and reading.before is not None:
        from shelfread.engine.new_findings import read_gone

        reading.before.facts.update(read_gone(order, order.past))
    return reading


def read_files(order: RunRequest, reported: Iterable[str], others: Iterable[str]) -> LoadedProject:
    """Read files as far as each is needed."""
    reading = LoadedProject({}, {}, {})
    vocabulary = order.taxonomy.vocabulary
    for paths, keep in ((reported, True), (others, False)):
        for path in paths:
            try:
                document = read_document(path, vocabulary, order.unsaved.get(path))
            except UserError as error:
                reading.errors[path] = error
                continue
            reading.facts[path] = facts(document)
            if keep:
                reading.documents[path] = document
    if order.past is not None:
        from shelfread.engine.new_findings import read_before

        return reading._replace(before=read_before(order, order.past, reported, others))
    return reading


def read_document(path: str, vocabulary: Vocabulary, data: bytes | None = None) -> Document:
    """The document in a file; raises InputError for what is no text of a bearable size."""
    return read(Source.from_bytes(read_bytes(path) if data is None else data, path), vocabulary)


def report_files(order: RunRequest, reading: LoadedProject, known: Mapping[str, Facts]) -> list[FileResult]:
    """The outcomes of the documents read; `known` are the facts of the whole project."""
    whole = survey(known, order.taxonomy, order.slugs, order.web)
    whole, part = parted(order, whole, reading)
    rules = rules_by_path(order, whole)
    return [
        _report(order, document, *rules(path), whole, part) for path, document in reading.documents.items()
    ]


def parted(
    order: RunRequest, whole: Survey, reading: LoadedProject, originals: Iterable[Source] = ()
) -> tuple[Survey, Part]:
    """The survey in whose light findings are made, and what parts those asked for from the others."""
    if order.past is None and order.debt is None:
        return whole, lambda _, found: SplitFindings(found)
    from shelfread.engine.fingerprint import fingerprints, split
    from shelfread.engine.new_findings import ChangedFindings

    hindsight = None
    if order.past is not None and reading.before is not None:
        hindsight = ChangedFindings(order, order.past, whole, reading.before, reading.documents, originals)

    def part(document: Document, found: list[Diagnostic]) -> SplitFindings:
        found, older = hindsight.divide(document, found) if hindsight else (found, [])
        debt = order.debt.get(document.source.path or "") if order.debt else None
        if not debt:
            return SplitFindings(found, older)
        found, known = split(zip(fingerprints(document, found), found, strict=True), Counter(debt))
        return SplitFindings(found, older, known)

    return hindsight.survey if hindsight else whole, part


def rules_by_path(
    order: RunRequest, whole: Survey
) -> Callable[[str], tuple[tuple[str, ...], tuple[BoundRule, ...]]]:
    """What tells the presets and the rules of a file; rules are bound once for all files alike."""

    @cache
    def bound(presets: tuple[str, ...]) -> tuple[BoundRule, ...]:
        return bind_rules(order.selection, presets)

    def rules(path: str) -> tuple[tuple[str, ...], tuple[BoundRule, ...]]:
        presets = presets_of(order.selection, whole.presets.get(path, ()))
        return presets, bound(presets)

    return rules


def find(
    order: RunRequest, document: Document, whole: Survey, rules: Sequence[BoundRule]
) -> list[Diagnostic]:
    """What the rules find in a document."""
    selection = order.selection
    found = lint(document, whole, rules, selection.rules, selection.narrowed, selection.partly_online)
    if _ASIDE.search(os.path.basename(document.source.path or "")):
        # What is kept as a copy is not mended: its live twin is.
        return [one._replace(severity=Severity.INFO) for one in found]
    return found


def agreed(order: RunRequest, found: list[Diagnostic]) -> list[Diagnostic]:
    """The findings with those fixes that the order lets be made."""
    return found if order.info else [_without_yes(one) for one in found]


def _report(
    order: RunRequest,
    document: Document,
    presets: tuple[str, ...],
    rules: Sequence[BoundRule],
    whole: Survey,
    part: Part,
) -> FileResult:
    def diagnose(source: Source) -> tuple[Document, list[Diagnostic]]:
        """Findings in a changed text, held against the project with that text in it."""
        changed = read(source, order.taxonomy.vocabulary)
        found = find(order, changed, whole.amended(facts(changed)), rules)
        return changed, agreed(order, part(changed, found).found)

    path = document.source.path or ""
    found, older, known = part(document, find(order, document, whole, rules))
    fixed = None
    if order.mend and any(one.fix for one in found):
        from shelfread.fixes.rounds import fix_text

        first = document, agreed(order, found)
        fixed = fix_text(document.source, diagnose, unsafe=order.unsafe, known=first)
    prints: Sequence[Fingerprint] = ()
    if order.prints:
        from shelfread.engine.fingerprint import fingerprints

        prints = fingerprints(document, found)
    entries, links = len(document.entries), len(document.links)
    return FileResult(path, document.source, found, entries, links, presets, fixed, older, known, prints)


def _without_yes(one: Diagnostic) -> Diagnostic:
    unseen = one.severity is Severity.INFO and one.fix is not None
    unsafe = one.fix is not None and one.fix.applicability is Applicability.UNSAFE
    return one._replace(fix=None) if unseen and unsafe else one
