"""Finds out which findings a change introduced: those on changed lines, and those the base commit does not have."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import accumulate
from typing import TypeAlias

from shelfread.core.diagnostics import Diagnostic, Span
from shelfread.core.differences import GONE
from shelfread.core.source import Source
from shelfread.document.model import Document, EntryIndex
from shelfread.document.read import read
from shelfread.engine.fingerprint import Fingerprint, fingerprints, split_known
from shelfread.engine.lint import Diagnoser
from shelfread.engine.load_save import LoadedFiles, read_document
from shelfread.engine.model import RunRequest
from shelfread.index.context import BaseProject, BaseText, RuleContext, build_context
from shelfread.index.facts import Facts
from shelfread.project.history import BaseRevision
from shelfread.rulebook.suppressions import UNUSED

_Place: TypeAlias = tuple[str, int, int]  # a rule, a line from 0 and a column


class SinceBase:
    """Compares findings with those at the base commit, for files and rules as needed."""

    def __init__(
        self, request: RunRequest, base: BaseRevision, loaded: LoadedFiles, project: Mapping[str, Facts]
    ) -> None:
        """`loaded` are the files before any fix, `project` the facts of all files of the project."""
        self._request, self._base = request, base
        self._vocabulary, self._rules = request.taxonomy.vocabulary, request.selection.rules
        self._documents = dict(loaded.documents)
        self._base_documents = dict(loaded.base_documents)
        self._known_lines: dict[str, tuple[Source, _Lines]] = {}
        self._known: dict[str, tuple[set[str], dict[_Place, Fingerprint]]] = {}
        self._paths = {path: base.old_path(path) for path in project}
        facts = {
            before: loaded.base_facts[before] if path in base.changed else project[path]
            for path, before in self._paths.items()
            if before is not None
        }
        facts |= {file.path: loaded.base_facts[file.path] for file in base.deleted}
        context = build_context(facts, request.taxonomy, request.slugs, folders=base.folders)
        self.before = Diagnoser(request, context)  # of the project at the base commit

    def diagnoser(self, current: RuleContext, documents: Mapping[str, Document]) -> Diagnoser:
        """Return what diagnoses the reported `documents` with the conventions and presets of the base commit."""
        changed_lines = {
            path: self._lines(document.source).changed
            for path, document in documents.items()
            if self._base.changed.get(path) is not None
        }
        base = BaseProject(self.before.context, self._paths, self._base_text, changed_lines)
        since_base = current.since(base)
        diagnoser = Diagnoser(self._request, since_base)
        if since_base is current:
            return diagnoser
        before = self.before.detected
        detected = {
            path: before.get(self._paths[path] or "", presets) for path, presets in diagnoser.detected.items()
        }
        return Diagnoser(self._request, since_base, detected)

    def split(self, document: Document, found: list[Diagnostic]) -> tuple[list[Diagnostic], list[Diagnostic]]:
        """Return the findings that the change introduced, and the older ones.

        New are the findings on changed lines. Those elsewhere are new if their rule depends on other places, too,
        or if a line of their entry was changed, and if the base commit does not have them.
        For the scope `structure` these are headings, anchors, definitions and other files.
        """
        lines = self._lines(document.source)
        doubtful: list[Diagnostic] = []
        older: set[Diagnostic] = set()
        source = document.source
        for diagnostic in found:
            start, end = diagnostic.span
            if lines.are_changed(source.line_at(start), source.line_at(max(start, end - 1)) + 1):
                continue
            rule = self._rules.get(diagnostic.rule)
            scope = rule.scope if rule is not None else "list"
            if scope != "entry" or lines.are_cut(*self._surroundings(document, diagnostic)):
                doubtful.append(diagnostic)
            else:
                older.add(diagnostic)
        if doubtful:
            older.update(self._find_older(document, doubtful, lines.base))
        new = [diagnostic for diagnostic in found if diagnostic not in older]
        return new, [diagnostic for diagnostic in found if diagnostic in older]

    def _find_older(
        self, document: Document, found: list[Diagnostic], base_lines: Sequence[int]
    ) -> list[Diagnostic]:
        """Return the findings that the base commit has too: on the same line, else with the same fingerprint."""
        base = self._find_base(document.source.path or "", {diagnostic.rule for diagnostic in found})
        known = Counter(base.values())
        same, others = [], []
        for diagnostic in found:
            line, column = document.source.position(diagnostic.span.start)
            fingerprint = base.get((diagnostic.rule, base_lines[line - 1], column))
            if fingerprint is not None and known[fingerprint]:
                known[fingerprint] -= 1
                same.append(diagnostic)
            else:
                others.append(diagnostic)
        return same + split_known(zip(fingerprints(document, others), others, strict=True), known)[1]

    def _find_base(self, path: str, rules: set[str]) -> Mapping[_Place, Fingerprint]:
        """Return the findings of these rules in a file at the base commit, by rule, line from 0 and column."""
        ran, known = self._known.setdefault(path, (set(), {}))
        document = self._document(path) if not rules <= ran else None
        if document is None:
            return known
        # Unused suppressions are only found when all rules that they may suppress have run.
        needed = rules - ran
        bound = self.before.rules(document.source.path or "")
        ran |= needed
        found = self.before.diagnose(
            document, rules=[rule for rule in bound if UNUSED in needed or rule.id in needed]
        )
        found = [finding for finding in found if finding.rule in needed]
        for finding, fingerprint in zip(found, fingerprints(document, found), strict=True):
            line, column = document.source.position(finding.span.start)
            known[finding.rule, line - 1, column] = fingerprint
        return known

    def _surroundings(self, document: Document, diagnostic: Diagnostic) -> tuple[int, int]:
        """Return the lines of the innermost entry around a finding, else of its top-level block, from 0 and half open."""
        start = diagnostic.span.start
        entry = _entry_index(document).around(Span(start, start + 1))
        if entry is not None:
            return entry.line - 1, entry.end_line
        blocks = document.tree.blocks
        index = bisect_right(blocks, start, key=lambda block: block.start) - 1
        return (blocks[index].first, blocks[index].last) if index >= 0 else (0, 1)

    def _base_text(self, document: Document) -> BaseText | None:
        """Return the file of a current document at the base commit; None if it is new or unchanged."""
        path = document.source.path or ""
        if self._base.changed.get(path) is None:
            return None
        before = self._document(path)
        return None if before is None else BaseText(before, self._lines(document.source).base)

    def _document(self, path: str) -> Document | None:
        """Return the document of a current path at the base commit; None for a new file."""
        if path not in self._base.changed:
            if path not in self._documents:
                self._documents[path] = read_document(path, self._vocabulary, self._request.unsaved.get(path))
            return self._documents[path]
        before = self._base.changed[path]
        if before is None:
            return None
        if path not in self._base_documents:
            self._base_documents[path] = read(Source(before.text, before.path), self._vocabulary)
        return self._base_documents[path]

    def _lines(self, source: Source) -> _Lines:
        """Return which lines of a text, which a fix may have written, the base commit has: as a second run sees it."""
        path = source.path or ""
        known = self._known_lines.get(path)
        if known is None or known[0] is not source:
            known = self._known_lines[path] = source, _Lines(self._base.base_lines(source))
        return known[1]


@lru_cache(maxsize=1)
def _entry_index(document: Document) -> EntryIndex:
    return EntryIndex(document.entries)


class _Lines:
    """The lines of a text and those of the base commit."""

    def __init__(self, base: Sequence[int]) -> None:
        """`base` has the index of each line at the base commit, or GONE if it was changed."""
        self.base, self.changed = base, [index == GONE for index in base]
        self._changes = list(accumulate(self.changed, initial=0))
        self._cuts = list(accumulate(_find_cuts(base), initial=0))

    def are_changed(self, first: int, last: int) -> bool:
        """Return whether a line was changed or is new; `last` is not included."""
        return self._changes[last] > self._changes[first]

    def are_cut(self, first: int, last: int) -> bool:
        """Return whether a line in or directly below these was removed, or one of these was changed or is new."""
        below = min(last + 1, len(self.changed))
        return self.are_changed(first, last) or self._cuts[below] > self._cuts[min(first + 1, below)]


def _find_cuts(base: Sequence[int]) -> list[bool]:
    """Return for each line whether more lines were removed above it than added from it on."""
    cuts = [False] * len(base)
    last, start = GONE, 0
    for index, row in enumerate(base):
        if row != GONE:
            if row - last - 1 > index - start:
                cuts[start] = True
            last, start = row, index + 1
    return cuts
