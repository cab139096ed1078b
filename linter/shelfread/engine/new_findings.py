"""Which findings a change brought about: those on its lines, and those that the project did not have before."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate

from shelfread.core.diagnostics import Diagnostic
from shelfread.core.source import Source
from shelfread.core.support.line_diff import GONE, align
from shelfread.document.model import Document
from shelfread.document.read import read
from shelfread.engine.fingerprint import Fingerprint, fingerprints, split
from shelfread.engine.run import LoadedProject, RunRequest, find, read_document, rules_by_path
from shelfread.index.facts import Facts, facts
from shelfread.index.index import Survey
from shelfread.project.history import BaseRevision
from shelfread.rulebook.suppressions import UNUSED


class ChangedFindings:
    """The project as it was, looked at file by file and rule by rule, as far as is asked."""

    def __init__(
        self,
        order: RunRequest,
        past: BaseRevision,
        today: Survey,
        before: LoadedProject,
        documents: Mapping[str, Document],
        originals: Iterable[Source] = (),
    ) -> None:
        """`before` has the facts of all files that were otherwise, `originals` the texts before any fix."""
        self._order, self._past, self._before = order, past, before
        self._today = dict(documents)
        self._originals = {source.path or "": source for source in originals}
        self._flags: dict[str, Sequence[bool]] = {}
        self._known: dict[str, tuple[set[str], Counter[Fingerprint]]] = {}
        former = {path: past.old_path(path) for path in today.facts}
        known = {
            old: before.facts[old] if path in past.changed else today.facts[path]
            for path, old in former.items()
            if old is not None
        }
        known |= {one.path: before.facts[one.path] for one in past.deleted}
        self._whole = Survey(known, order.taxonomy, order.slugs, past.folders)
        self._rules = rules_by_path(order, self._whole)
        self.survey = today.under(self._whole, former, self._document)
        """Today's, with the conventions and presets of then."""

    def divide(
        self, document: Document, found: list[Diagnostic]
    ) -> tuple[list[Diagnostic], list[Diagnostic]]:
        """The findings that the change brought about, and the older ones."""
        source = document.source
        touched = list(accumulate(self._changed(source), initial=0))
        rest = []
        for one in found:
            start, end = one.span
            if touched[source.line_at(max(start, end - 1)) + 1] == touched[source.line_at(start)]:
                rest.append(one)
        if not rest:
            return found, []
        known = self._known_before(source.path or "", {one.rule for one in rest})
        _, old = split(zip(fingerprints(document, rest), rest, strict=True), known.copy())
        older = {id(one) for one in old}
        return [one for one in found if id(one) not in older], old

    def _known_before(self, path: str, rules: set[str]) -> Counter[Fingerprint]:
        """What these rules found in a file then."""
        ran, known = self._known.setdefault(path, (set(), Counter()))
        document = self._document(path) if not rules <= ran else None
        if document is None:
            return known
        all_rules = self._rules(document.source.path or "")[1]
        # Which comments are of use shows only when all rules that they may silence have run.
        needed = rules - ran
        run = [rule for rule in all_rules if UNUSED in needed or rule.id in needed]
        ran |= needed
        found = [one for one in find(self._order, document, self._whole, run) if one.rule in needed]
        known.update(fingerprints(document, found))
        return known

    def _document(self, path: str) -> Document | None:
        vocabulary = self._order.taxonomy.vocabulary
        if path not in self._past.changed:
            if path not in self._today:
                self._today[path] = read_document(path, vocabulary, self._order.unsaved.get(path))
            return self._today[path]
        former = self._past.changed[path]
        if former is None:
            return None
        return self._before.documents.get(path) or read(Source(former.text, former.path), vocabulary)

    def _changed(self, source: Source) -> Sequence[bool]:
        """Which lines the change touched; of a text that fixes have altered since, those that they stem from."""
        path = source.path or ""
        original = self._originals.setdefault(path, source)
        if path not in self._flags:
            self._flags[path] = self._past.changed_lines(original)
        flags = self._flags[path]
        return flags if source.text == original.text else _carried(original.lines, flags, source.lines)


def read_before(
    order: RunRequest, past: BaseRevision, reported: Iterable[str], others: Iterable[str]
) -> LoadedProject:
    """What was otherwise in these files: their former documents by today's name, facts by the former one."""
    reading = LoadedProject({}, {}, {})
    for paths, keep in ((reported, True), (others, False)):
        for path in paths:
            former = past.changed.get(path)
            if former is None:
                continue
            document = read(Source(former.text, former.path), order.taxonomy.vocabulary)
            reading.facts[former.path] = facts(document)
            if keep:
                reading.documents[path] = document
    return reading


def read_gone(order: RunRequest, past: BaseRevision) -> dict[str, Facts]:
    """The facts of the files that are no more."""
    vocabulary = order.taxonomy.vocabulary
    return {one.path: facts(read(Source(one.text, one.path), vocabulary)) for one in past.deleted}


def _carried(before: Sequence[str], flags: Sequence[bool], after: Sequence[str]) -> list[bool]:
    """The flags of lines after a fix: as what they were or stand in the place of; moved ones know their own."""
    rows = align(before, after)
    moved = {line for line, flag in zip(before, flags, strict=True) if flag and line.strip()}
    carried: list[bool] = []
    last = -1
    at = 0
    while at < len(after):
        if rows[at] != GONE:
            last = rows[at]
            carried.append(flags[last])
            at += 1
            continue
        end = at
        while end < len(after) and rows[end] == GONE:
            end += 1
        until = rows[end] if end < len(after) else len(before)
        touched = any(flags[last + 1 : until])
        carried += [touched or line in moved for line in after[at:end]]
        at = end
    return carried
