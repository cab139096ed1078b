"""The stages of a run over one project, in this process: load, diagnose, finish."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING

from shelfread.core.diagnostics import Diagnostic
from shelfread.core.inquiry import Inquiry, recorded
from shelfread.core.source import Source
from shelfread.document.model import Document
from shelfread.document.read import read
from shelfread.engine.diagnose import permitted
from shelfread.engine.load import load_deleted, load_files
from shelfread.engine.model import FileResult, FixedFiles, LoadedProject, RunRequest
from shelfread.engine.split import Judgement, SplitFindings, build_judgement
from shelfread.index.facts import Facts, facts

if TYPE_CHECKING:
    from shelfread.engine.fingerprint import Fingerprint
    from shelfread.engine.results.recall import Shelf
    from shelfread.fixes.rounds import FixResult
    from shelfread.index.answers import Answers


class Stages:
    """The stages for some or all files of a project; what a stage computes is kept for the next."""

    def __init__(self, request: RunRequest) -> None:
        self.request = request
        self._shelf: Shelf | None = None
        if request.keys is not None:
            from shelfread.engine.results.recall import Shelf

            self._shelf = Shelf(request.keys, len(request.reported) + len(request.others) > 1)
        self._is_recorded = request.keys is not None and request.keys.request != ""
        self._asked: dict[str, Inquiry] = {}
        """What was asked for the documents that were diagnosed, in the first pass."""
        self._recalled: dict[str, FileResult] = {}
        """The results of earlier runs that hold."""

    def load(
        self, reported: Sequence[str] | None = None, others: Sequence[str] | None = None
    ) -> LoadedProject:
        """Read these files, by default all files of the project."""
        if reported is None or others is None:
            self.loaded = load_files(self.request, self.request.reported, self.request.others, self._shelf)
            self.loaded.base_facts.update(load_deleted(self.request))
        else:
            self.loaded = load_files(self.request, reported, others, self._shelf)
        return self.loaded

    def diagnose(
        self, project: LoadedProject, answers: Answers, fingerprints: bool
    ) -> dict[str, Sequence[Fingerprint]]:
        """Run the rules with the facts of all files of `project`; return the fingerprints by file, if requested."""
        loaded = self.loaded._replace(facts=project.facts, base_facts=project.base_facts)
        with self._recorded() as inquiry:
            self._judgement = build_judgement(self.request, loaded, answers)
        self._looks = list(inquiry.looks)
        self._texts = project.texts
        self._project = self._digest() if self._texts and self._is_recorded else ""
        self._found: dict[str, SplitFindings] = {}
        self._asked.clear()
        self._recall()
        result: dict[str, Sequence[Fingerprint]] = {}
        for path, document in self.loaded.documents.items():
            with self._recorded() as self._asked[path]:
                found = self._judgement.diagnoser.diagnose(document)
            self._found[path] = self._judgement.split(document, found)
            if fingerprints:
                result[path] = compute_fingerprints(document, self._found[path].reported)
        return result

    def finish(self, known: Mapping[str, Mapping[Fingerprint, int]]) -> FixedFiles:
        """Leave out the known findings of each file, and fix the files if requested.

        After that, `diagnose` and `finish` begin with the fixed texts.
        """
        self._judgement = self._judgement._replace(known=known)
        changed: dict[str, Facts] = {}
        results = {
            path: self._finish_file(path, document, changed)
            for path, document in self.loaded.documents.items()
        }
        kept = self._keep(results)
        results |= self._recalled
        return FixedFiles([results[path] for path in self.request.reported if path in results], changed, kept)

    def close(self) -> None:
        """End the stages."""
        if self._shelf is not None:
            self._shelf.close()

    def _recall(self) -> None:
        """Find the results of earlier runs that hold; of the other files, read the documents."""
        self._recalled.clear()
        if not self.loaded.recalled:
            return
        from shelfread.engine.results.recall import holds, kept_result

        diagnoser = self._judgement.diagnoser
        for path, recalled in list(self.loaded.recalled.items()):
            result = kept_result(recalled) if holds(recalled, diagnoser.context, self._project) else None
            if result is None or (result.presets, result.is_generated) != (
                diagnoser.presets(path),
                diagnoser.is_generated(path),
            ):
                del self.loaded.recalled[path]
                self.loaded.documents[path] = read(recalled.source, self.request.taxonomy.vocabulary)
            else:
                self._recalled[path] = result

    def _keep(self, results: Mapping[str, FileResult]) -> dict[str, str]:
        """Keep the results of the first pass for later runs; return the checksums of all that are kept, by path."""
        if self._shelf is None:
            return {}
        for path, inquiry in self._asked.items() if self._texts else ():
            if (text := self.loaded.texts.get(path)) is not None:
                self._shelf.keep_result(text, results[path], inquiry, self._looks, self._project)
        checksums = {path: self.loaded.recalled[path].checksum for path in self._recalled}
        return self._shelf.write() | checksums

    def _recorded(self) -> AbstractContextManager[Inquiry]:
        """Give what is asked in the block, if it is of use."""
        return recorded() if self._is_recorded else nullcontext(Inquiry())

    def _digest(self) -> str:
        """Return what stands for all that rules can read of the project."""
        from shelfread.engine.results.recall import project_digest

        every = [path for path in (*self.request.reported, *self.request.others) if path in self._texts]
        return project_digest(every, self._texts)

    def _finish_file(self, path: str, document: Document, changed: dict[str, Facts]) -> FileResult:
        request, judgement = self.request, self._judgement
        found = judgement.leave_out_known(document, self._found[path])
        fixed = None
        final = document
        if request.fix and any(diagnostic.fix for diagnostic in found.reported):
            fixed, final, known, tried = _fix(request, judgement, document, found.reported)
            if tried:
                self._asked.pop(path)  # what other texts were found to be was not recorded
            if known is not None:
                self.loaded.documents[path], changed[path] = final, known
        remaining = found.reported if fixed is None else fixed.remaining
        return FileResult(
            path=path,
            source=document.source,
            diagnostics=found.reported,
            entries=len(document.entries),
            links=len(document.links),
            presets=judgement.diagnoser.presets(path),
            kind=document.kind,
            is_generated=judgement.diagnoser.is_generated(path),
            fixed=fixed,
            older=found.older,
            known=found.known,
            fingerprints=compute_fingerprints(final, remaining) if request.fingerprints else (),
        )


def _fix(
    request: RunRequest, judgement: Judgement, document: Document, found: list[Diagnostic]
) -> tuple[FixResult, Document, Facts | None, bool]:
    """Return the fixes of a file, the document of the fixed text, its facts if it was changed, and whether any was tried."""
    from shelfread.fixes.rounds import fix_text

    diagnoser = judgement.diagnoser
    texts: dict[str, tuple[Document, Facts | None]] = {document.source.text: (document, None)}

    def diagnose(source: Source) -> tuple[Document, list[Diagnostic]]:
        changed = read(source, request.taxonomy.vocabulary)
        known = facts(changed)
        texts.setdefault(source.text, (changed, known))
        found = diagnoser.diagnose(changed, diagnoser.context.amended(known))
        return changed, permitted(request, judgement.split(changed, found).reported)

    first = document, permitted(request, found)
    fixed = fix_text(document.source, diagnose, unsafe=request.unsafe_fixes, known=first)
    return fixed, *texts[fixed.text], len(texts) > 1


def compute_fingerprints(document: Document, found: Sequence[Diagnostic]) -> Sequence[Fingerprint]:
    """Return the fingerprints of findings; their module is imported only when needed."""
    from shelfread.engine.fingerprint import fingerprints

    return fingerprints(document, found)
