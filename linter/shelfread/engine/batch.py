"""Some or all files of a project in one process: read, checked, and fixed round by round."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from shelfread.core.diagnostics import Diagnostic
from shelfread.core.source import Source
from shelfread.document.model import Document
from shelfread.document.non_entries import result_rows
from shelfread.document.read import read
from shelfread.engine.lint import Diagnoser, permitted
from shelfread.engine.load_save import LoadedFiles, load_deleted, load_files
from shelfread.engine.model import FileResult, RunRequest
from shelfread.index.context import build_context
from shelfread.index.facts import Facts, facts

if TYPE_CHECKING:
    from shelfread.engine.fingerprint import Fingerprint
    from shelfread.engine.since import SinceBase
    from shelfread.fixes.rounds import Progress
    from shelfread.index.answers import Answers
    from shelfread.index.disk import Looks
    from shelfread.markdown.node import Tree


class Findings(NamedTuple):
    """The findings in a document: to report, older than the change, and in the baseline."""

    reported: list[Diagnostic]
    older: Sequence[Diagnostic] = ()
    known: Sequence[Diagnostic] = ()


class Batch:
    """Files of one project, what is found in them, and how far their fixes are."""

    def __init__(
        self,
        request: RunRequest,
        loaded: LoadedFiles | None = None,
        share: tuple[int, int] = (0, 1),
        count: Callable[[int], None] | None = None,
    ) -> None:
        """Read the files of the request, or of one share of them, unless they are `loaded`; `count` is told of each."""
        first, step = share
        self.request = request
        if loaded is None:
            base, vocabulary = request.base, request.taxonomy.vocabulary
            shares = (request.reported[first::step], request.others[first::step])
            reported, others = (share if count is None else _counted(share, count) for share in shares)
            loaded = load_files(reported, others, vocabulary, request.unsaved, base)
            if step == 1:
                loaded.base_facts.update(load_deleted(base, vocabulary))
        self.loaded = loaded
        self._documents = dict(loaded.documents)
        self._first: dict[str, Findings] = {}
        self._findings: dict[str, Findings] = {}
        self._progress: dict[str, Progress] = {}
        self._known: Mapping[str, Mapping[Fingerprint, int]] = {}
        self._since: SinceBase | None = None
        self._diagnoser: Diagnoser | None = None

    def check(self, project: Mapping[str, Facts], base: Mapping[str, Facts], answers: Answers) -> None:
        """Run the rules over all documents, given the facts of all files of the project, now and at the base commit."""
        context = build_context(project, self.request.taxonomy, self.request.slugs, answers)
        if self.request.base is None:
            diagnoser = Diagnoser(self.request, context)
        else:
            if self._since is None:
                from shelfread.engine.since import SinceBase

                loaded = self.loaded._replace(base_facts=dict(base))
                self._since = SinceBase(self.request, self.request.base, loaded, project)
            diagnoser = self._since.diagnoser(context, self._documents)
        self._diagnoser = diagnoser
        for path, document in self._documents.items():
            found, older = diagnoser.diagnose(document), list[Diagnostic]()
            if self._since is not None:
                found, older = self._since.split(document, found)
            findings = self._findings[path] = self._leave_out_known(document, Findings(found, older))
            if path in self._progress:
                found = permitted(self.request, findings.reported)
                self._progress[path] = self._progress[path].diagnosed(document.tree, found)
        if not self._first:
            self._first.update(self._findings)

    def fingerprints(self) -> dict[str, Sequence[Fingerprint]]:
        from shelfread.engine.fingerprint import fingerprints

        return {
            path: fingerprints(document, self._findings[path].reported)
            for path, document in self._documents.items()
        }

    def leave_out(self, known: Mapping[str, Mapping[Fingerprint, int]]) -> None:
        """Leave out findings of each file that are in the baseline, so many of each kind, now and after every round."""
        self._known = known
        for path, document in self._documents.items():
            self._findings[path] = self._leave_out_known(document, self._findings[path])
        self._first.update(self._findings)

    def fix(self) -> dict[str, Facts]:
        """Apply the next fixes of each file; return the facts of the files whose texts they changed."""
        from shelfread.fixes.rounds import apply_round

        changed: dict[str, Facts] = {}
        for path in self._findings:
            before = self._progress.get(path) or self._begin(path)
            progress, changes = apply_round(before, unsafe=self.request.options.unsafe_fixes)
            self._progress[path] = progress
            if changes:
                changed[path] = self._read(progress.state.source, progress.state.tree)
        return changed

    def looks(self) -> Looks:
        """Return what the rules looked at beside the texts, with the answers."""
        return {} if self._diagnoser is None else self._diagnoser.context.disk.looks

    def results(self) -> list[FileResult]:
        return [self._result(path, document) for path, document in self._documents.items()]

    def close(self) -> None:
        """Nothing is to be ended in this process."""

    def _begin(self, path: str) -> Progress:
        from shelfread.fixes.rounds import begin
        from shelfread.fixes.select import FixState

        document, found = self._documents[path], self._findings[path].reported
        return begin(FixState(document.source, document.tree, permitted(self.request, found)))

    def _read(self, source: Source, tree: Tree | None = None) -> Facts:
        """Read the new text of a file, and return its facts."""
        path = source.path or ""
        document = self.loaded.documents[path]
        if source is not document.source:
            document = read(source, self.request.taxonomy.vocabulary, tree)
        self._documents[path] = document
        return facts(document)

    def _leave_out_known(self, document: Document, found: Findings) -> Findings:
        known = self._known.get(document.source.path or "")
        if not known:
            return found
        from shelfread.engine.fingerprint import fingerprints, split_known

        named = zip(fingerprints(document, found.reported), found.reported, strict=True)
        new, old = split_known(named, Counter(known))
        return found._replace(reported=new, known=old)

    def _result(self, path: str, document: Document) -> FileResult:
        assert self._diagnoser is not None
        first = self._first[path]
        progress = self._progress.get(path)
        options = self.request.options
        fixed = None
        if progress is not None:
            from shelfread.fixes.rounds import result_of

            fixed = result_of(progress, unsafe=options.unsafe_fixes)
        original = self.loaded.documents[path]
        result = FileResult(
            path=path,
            source=original.source,
            diagnostics=first.reported,
            entries=len(original.entries),
            links=len(original.links),
            presets=self._diagnoser.presets(path),
            kind=original.kind,
            generated=self._diagnoser.context.generated(path),
            fixed=fixed,
            older=first.older,
            known=first.known,
            misread=[(series.section, len(series.entries)) for series in original.misread],
            results=result_rows(original.non_entries),
        )
        if not options.fingerprints:
            return result
        from shelfread.engine.fingerprint import fingerprints

        return result._replace(
            fingerprints=fingerprints(original, first.reported),
            fixed_fingerprints=() if fixed is None else fingerprints(document, fixed.remaining),
        )


def _counted(paths: Iterable[str], count: Callable[[int], None]) -> Iterator[str]:
    for path in paths:
        yield path
        count(1)
