"""Findings divided into those that are reported, older ones, and those that a baseline knows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from shelfread.core.diagnostics import Diagnostic
from shelfread.core.source import Source
from shelfread.document.model import Document
from shelfread.engine.diagnose import Diagnoser, build_diagnoser
from shelfread.engine.model import LoadedProject, RunRequest
from shelfread.index.context import build_context

if TYPE_CHECKING:
    from shelfread.core.link_record import LinkRecord
    from shelfread.engine.fingerprint import Fingerprint
    from shelfread.engine.new_findings import NewFindings


class SplitFindings(NamedTuple):
    """A document's findings: those to report, those older than the change, those that a baseline knows."""

    reported: list[Diagnostic]
    older: Sequence[Diagnostic] = ()
    known: Sequence[Diagnostic] = ()


class Judgement(NamedTuple):
    """What finds and divides the findings of a project."""

    diagnoser: Diagnoser
    new_findings: NewFindings | None = None
    known: Mapping[str, Mapping[Fingerprint, int]] = {}
    """By file, how many findings of each fingerprint a baseline knows."""

    def split(self, document: Document, found: list[Diagnostic]) -> SplitFindings:
        """Divide the findings in a document, or in what a fix made of it."""
        older: Sequence[Diagnostic] = ()
        if self.new_findings is not None:
            found, older = self.new_findings.divide(document, found)
        known = self.known.get(document.source.path or "")
        if not known:
            return SplitFindings(found, older)
        from shelfread.engine.fingerprint import fingerprints, split_known

        found, left_out = split_known(zip(fingerprints(document, found), found, strict=True), Counter(known))
        return SplitFindings(found, older, left_out)


def build_judgement(
    request: RunRequest,
    loaded: LoadedProject,
    link_records: Mapping[str, LinkRecord],
    originals: Iterable[Source] = (),
) -> Judgement:
    """Return what judges a project of which all files are loaded; `originals` are texts before any fix."""
    context = build_context(loaded.facts, request.taxonomy, request.slugs, link_records)
    if request.base is None:
        return Judgement(build_diagnoser(request, context))
    from shelfread.engine.new_findings import NewFindings

    new_findings = NewFindings(request, request.base, context, loaded, originals)
    return Judgement(new_findings.diagnoser, new_findings)
