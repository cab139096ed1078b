"""Splits findings into those to report, older ones, and those in a baseline."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from shelfread.core.diagnostics import Diagnostic
from shelfread.core.source import Source
from shelfread.core.support.named_tuple import NamedTuple
from shelfread.document.model import Document
from shelfread.engine.diagnose import Diagnoser, build_diagnoser
from shelfread.engine.model import LoadedProject, RunRequest
from shelfread.index.context import build_context

if TYPE_CHECKING:
    from shelfread.engine.fingerprint import Fingerprint
    from shelfread.engine.new_findings import NewFindings
    from shelfread.index.answers import Answers


class SplitFindings(NamedTuple):
    """The findings in a document: to report, older than the change, and in the baseline."""

    reported: list[Diagnostic]
    older: Sequence[Diagnostic] = ()
    known: Sequence[Diagnostic] = ()


class Judgement(NamedTuple):
    """Finds and splits the findings of a project."""

    diagnoser: Diagnoser
    new_findings: NewFindings | None = None
    known: Mapping[str, Mapping[Fingerprint, int]] = {}
    """The findings of each file in the baseline, with their counts."""

    def split(self, document: Document, found: list[Diagnostic]) -> SplitFindings:
        """Split the findings in a document, or in its fixed text."""
        older: Sequence[Diagnostic] = ()
        if self.new_findings is not None:
            found, older = self.new_findings.split(document, found)
        return self.leave_out_known(document, SplitFindings(found, older))

    def leave_out_known(self, document: Document, found: SplitFindings) -> SplitFindings:
        """Move the findings in the baseline from those to report to the known ones."""
        known = self.known.get(document.source.path or "")
        if not known:
            return found
        from shelfread.engine.fingerprint import fingerprints, split_known

        reported = found.reported
        new, old = split_known(zip(fingerprints(document, reported), reported, strict=True), Counter(known))
        return found._replace(reported=new, known=old)


def build_judgement(
    request: RunRequest,
    loaded: LoadedProject,
    answers: Answers,
    originals: Iterable[Source] = (),
) -> Judgement:
    """Return the judgement of a loaded project; `originals` are the texts before any fix."""
    context = build_context(loaded.facts, request.taxonomy, request.slugs, answers)
    if request.base is None:
        return Judgement(build_diagnoser(request, context))
    from shelfread.engine.new_findings import NewFindings

    new_findings = NewFindings(request, request.base, context, loaded, originals)
    return Judgement(new_findings.diagnoser, new_findings)
