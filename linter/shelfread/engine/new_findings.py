"""Which findings a change introduced: those on its lines, and those that the project did not have before."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate

from shelfread.core.diagnostics import Diagnostic
from shelfread.core.source import Source
from shelfread.core.support.line_diff import GONE, align
from shelfread.document.model import Document
from shelfread.document.read import read
from shelfread.engine.diagnose import Diagnoser, build_diagnoser
from shelfread.engine.fingerprint import Fingerprint, fingerprints, split_known
from shelfread.engine.load import read_document
from shelfread.engine.model import LoadedProject, RunRequest
from shelfread.index.context import BaseProject, RuleContext, build_context
from shelfread.project.history import BaseRevision
from shelfread.rulebook.suppressions import UNUSED


class NewFindings:
    """Compares findings with the project at the base commit, file by file and rule by rule, as far as needed."""

    def __init__(
        self,
        request: RunRequest,
        base: BaseRevision,
        today: RuleContext,
        loaded: LoadedProject,
        originals: Iterable[Source] = (),
    ) -> None:
        """`originals` are the texts before any fix, where `loaded` does not hold their documents."""
        self._vocabulary, self._unsaved = request.taxonomy.vocabulary, request.unsaved
        self._base, self._loaded = base, loaded
        self._today = dict(loaded.documents)
        self._originals = {source.path or "": source for source in originals}
        self._flags: dict[str, Sequence[bool]] = {}
        self._known: dict[str, tuple[set[str], Counter[Fingerprint]]] = {}
        paths = {path: base.old_path(path) for path in today.project.facts}
        facts = {
            before: loaded.base_facts[before] if path in base.changed else today.project.facts[path]
            for path, before in paths.items()
            if before is not None
        }
        facts |= {file.path: loaded.base_facts[file.path] for file in base.deleted}
        context = build_context(facts, request.taxonomy, request.slugs, folders=base.folders)
        self._diagnoser = build_diagnoser(request, context)
        self.diagnoser = self._judge_today(request, today, paths)
        """Today's project, judged by the conventions and presets of the base commit."""

    def _judge_today(
        self, request: RunRequest, today: RuleContext, paths: Mapping[str, str | None]
    ) -> Diagnoser:
        context = today.since(BaseProject(self._diagnoser.context, paths, self._document))
        diagnoser = build_diagnoser(request, context)
        if context is today:
            return diagnoser
        before = self._diagnoser.detected
        detected = {path: before.get(paths[path] or "", own) for path, own in diagnoser.detected.items()}
        return Diagnoser(request, context, detected)

    def divide(
        self, document: Document, found: list[Diagnostic]
    ) -> tuple[list[Diagnostic], list[Diagnostic]]:
        """Return the findings that the change introduced, and the older ones."""
        source = document.source
        touched = list(accumulate(self._changed(source), initial=0))
        elsewhere = []
        for diagnostic in found:
            start, end = diagnostic.span
            if touched[source.line_at(max(start, end - 1)) + 1] == touched[source.line_at(start)]:
                elsewhere.append(diagnostic)
        if not elsewhere:
            return found, []
        known = self._known_before(source.path or "", {diagnostic.rule for diagnostic in elsewhere})
        _, old = split_known(zip(fingerprints(document, elsewhere), elsewhere, strict=True), known.copy())
        older = {id(diagnostic) for diagnostic in old}
        return [diagnostic for diagnostic in found if id(diagnostic) not in older], old

    def _known_before(self, path: str, rules: set[str]) -> Counter[Fingerprint]:
        """Return what these rules found in a file at the base commit."""
        ran, known = self._known.setdefault(path, (set(), Counter()))
        document = self._document(path) if not rules <= ran else None
        if document is None:
            return known
        # Unused suppressions show only when all rules that they may suppress have run.
        needed = rules - ran
        run = [
            rule
            for rule in self._diagnoser.rules(document.source.path or "")
            if UNUSED in needed or rule.id in needed
        ]
        ran |= needed
        found = self._diagnoser.diagnose(document, rules=run)
        known.update(
            fingerprints(document, [diagnostic for diagnostic in found if diagnostic.rule in needed])
        )
        return known

    def _document(self, path: str) -> Document | None:
        """Return what a file of today's path was at the base commit; None for a new file."""
        if path not in self._base.changed:
            if path not in self._today:
                self._today[path] = read_document(path, self._vocabulary, self._unsaved.get(path))
            return self._today[path]
        before = self._base.changed[path]
        if before is None:
            return None
        return self._loaded.base_documents.get(path) or read(
            Source(before.text, before.path), self._vocabulary
        )

    def _changed(self, source: Source) -> Sequence[bool]:
        """Return which lines the change touched; in a fixed text, the lines that stem from those."""
        path = source.path or ""
        original = self._originals.setdefault(path, source)
        if path not in self._flags:
            self._flags[path] = self._base.changed_lines(original)
        flags = self._flags[path]
        return flags if source.text == original.text else _carried(original.lines, flags, source.lines)


def _carried(before: Sequence[str], flags: Sequence[bool], after: Sequence[str]) -> list[bool]:
    """Return the flags of lines after a fix: of the lines that they stem from; a moved line keeps its own."""
    rows = align(before, after)
    moved = {line for line, flag in zip(before, flags, strict=True) if flag and line.strip()}
    carried: list[bool] = []
    last = -1
    index = 0
    while index < len(after):
        if rows[index] != GONE:
            last = rows[index]
            carried.append(flags[last])
            index += 1
            continue
        end = index
        while end < len(after) and rows[end] == GONE:
            end += 1
        until = rows[end] if end < len(after) else len(before)
        touched = any(flags[last + 1 : until])
        carried += [touched or line in moved for line in after[index:end]]
        index = end
    return carried
