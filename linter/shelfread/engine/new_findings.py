"""Finds out which findings a change introduced: those on changed lines, and those the base commit does not have."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import accumulate, groupby

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
    """Compares findings with those at the base commit, for files and rules as needed."""

    def __init__(
        self,
        request: RunRequest,
        base: BaseRevision,
        current: RuleContext,
        loaded: LoadedProject,
        originals: Iterable[Source] = (),
    ) -> None:
        """`current` is the context of the project now, `originals` are the texts before any fix."""
        self._vocabulary, self._unsaved = request.taxonomy.vocabulary, request.unsaved
        self._base, self._loaded = base, loaded
        self._documents = dict(loaded.documents)
        self._originals = {source.path or "": source for source in originals}
        self._flags: dict[str, Sequence[bool]] = {}
        self._known: dict[str, tuple[set[str], Counter[Fingerprint]]] = {}
        paths = {path: base.old_path(path) for path in current.project.facts}
        facts = {
            before: loaded.base_facts[before] if path in base.changed else current.project.facts[path]
            for path, before in paths.items()
            if before is not None
        }
        facts |= {file.path: loaded.base_facts[file.path] for file in base.deleted}
        context = build_context(facts, request.taxonomy, request.slugs, folders=base.folders)
        self._diagnoser = build_diagnoser(request, context)
        since_base = current.since(BaseProject(context, paths, self._document))
        self.diagnoser = build_diagnoser(request, since_base)
        """Diagnoses the current project with the conventions and presets of the base commit."""
        if since_base is not current:
            before, after = self._diagnoser.detected, self.diagnoser.detected
            detected = {path: before.get(paths[path] or "", presets) for path, presets in after.items()}
            self.diagnoser = Diagnoser(request, since_base, detected)

    def split(self, document: Document, found: list[Diagnostic]) -> tuple[list[Diagnostic], list[Diagnostic]]:
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
        known = self._find_known(source.path or "", {diagnostic.rule for diagnostic in elsewhere})
        _, old = split_known(zip(fingerprints(document, elsewhere), elsewhere, strict=True), known.copy())
        older = {id(diagnostic) for diagnostic in old}
        return [diagnostic for diagnostic in found if id(diagnostic) not in older], old

    def _find_known(self, path: str, rules: set[str]) -> Counter[Fingerprint]:
        """Return the findings of these rules in a file at the base commit."""
        ran, known = self._known.setdefault(path, (set(), Counter()))
        document = self._document(path) if not rules <= ran else None
        if document is None:
            return known
        # Unused suppressions are only found when all rules that they may suppress have run.
        needed = rules - ran
        bound = self._diagnoser.rules(document.source.path or "")
        ran |= needed
        found = self._diagnoser.diagnose(
            document, rules=[rule for rule in bound if UNUSED in needed or rule.id in needed]
        )
        known.update(fingerprints(document, [finding for finding in found if finding.rule in needed]))
        return known

    def _document(self, path: str) -> Document | None:
        """Return the document of a current path at the base commit; None for a new file."""
        if path not in self._base.changed:
            if path not in self._documents:
                self._documents[path] = read_document(path, self._vocabulary, self._unsaved.get(path))
            return self._documents[path]
        before = self._base.changed[path]
        if before is None:
            return None
        document = self._loaded.base_documents.get(path)
        return document or read(Source(before.text, before.path), self._vocabulary)

    def _changed(self, source: Source) -> Sequence[bool]:
        """Return for each line whether it was changed; in a fixed text, whether it comes from such a line."""
        path = source.path or ""
        original = self._originals.setdefault(path, source)
        if path not in self._flags:
            self._flags[path] = self._base.changed_lines(original)
        flags = self._flags[path]
        return flags if source.text == original.text else _carry_over(original.lines, flags, source.lines)


def _carry_over(before: Sequence[str], flags: Sequence[bool], after: Sequence[str]) -> list[bool]:
    """Return the flags of the lines after a fix, by the lines that they come from; a moved line keeps its flag."""
    rows = align(before, after)
    moved = {line for line, flag in zip(before, flags, strict=True) if flag and line.strip()}
    carried: list[bool] = []
    last = -1
    for is_new, group in groupby(range(len(after)), key=lambda index: rows[index] == GONE):
        indexes = list(group)
        if is_new:
            following = rows[indexes[-1] + 1] if indexes[-1] + 1 < len(after) else len(before)
            touched = any(flags[last + 1 : following])
            carried += [touched or after[index] in moved for index in indexes]
        else:
            carried += [flags[rows[index]] for index in indexes]
            last = rows[indexes[-1]]
    return carried
