"""What is known of a project while its files are edited: findings and documents, brought up to date after each change."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from shelfread.core.diagnostics import Diagnostic
from shelfread.core.errors import UserError
from shelfread.core.source import Source, read_bytes
from shelfread.core.support.collector import collected_later
from shelfread.document.assemble import assemble, view
from shelfread.document.model import Document
from shelfread.document.parts import Parts, read_parts
from shelfread.document.read import read
from shelfread.engine.diagnose import Diagnoser, build_diagnoser
from shelfread.engine.model import RunRequest
from shelfread.engine.part_findings import PartFindings, find
from shelfread.index.context import build_context
from shelfread.index.facts import Facts, facts
from shelfread.index.part_facts import merge_facts
from shelfread.taxonomy.vocabulary import Vocabulary


class Reading:
    """A file as it was read: by its parts, or, if it has none, at once."""

    def __init__(self, source: Source, vocabulary: Vocabulary, before: Reading | None = None) -> None:
        self.source = source
        self._vocabulary = vocabulary
        self.parts: Parts | None = read_parts(
            source, vocabulary, before.parts if before is not None else None
        )

    @property
    def is_assembled(self) -> bool:
        """Whether the document is there already."""
        return "document" in self.__dict__

    @cached_property
    def document(self) -> Document:
        """The document, as `read` returns it."""
        return read(self.source, self._vocabulary) if self.parts is None else assemble(self.parts)

    @cached_property
    def facts(self) -> Facts:
        """The facts, as `facts` returns them."""
        return facts(self.document) if self.parts is None else merge_facts(self.parts)


@dataclass(frozen=True, eq=False)
class Analysis:
    """A project that was analysed: nothing of it changes, and `reread` returns another one."""

    request: RunRequest
    readings: Mapping[str, Reading]
    """The reported files that could be read, by path."""
    facts: Mapping[str, Facts]
    """Those of all files."""
    errors: Mapping[str, UserError]
    diagnoser: Diagnoser
    _earlier: Mapping[str, PartFindings] = field(default_factory=dict, repr=False)
    _found: dict[str, PartFindings] = field(default_factory=dict, repr=False)
    _plain: dict[str, tuple[Diagnostic, ...]] = field(default_factory=dict, repr=False)

    def findings(self, path: str) -> tuple[Diagnostic, ...]:
        """Return the findings of a reported file, as a run gives them; they are found when they are asked for."""
        reading = self.readings[path]
        if reading.parts is None:
            if path not in self._plain:
                self._plain[path] = tuple(self.diagnoser.diagnose(reading.document))
            return self._plain[path]
        if path not in self._found:
            with collected_later():
                self._found[path] = find(reading.parts, self.diagnoser, self._earlier.get(path))
        return self._found[path].diagnostics

    def document(self, path: str) -> Document:
        """Return the document of a reported file."""
        return self.readings[path].document

    def view(self, path: str) -> Document:
        """Return the document of a reported file for looking at some of it, which is faster than `document`.

        Blocks, entries and links are moved to their places when they are looked at. They have the same attributes, but
        they are not equal to those of the document.
        """
        parts = self.readings[path].parts
        return self.document(path) if parts is None else view(parts)


def analyse(request: RunRequest) -> Analysis:
    """Return the analysis of a project; files that cannot be read are in its errors.

    The request is one of a check without fixes, baseline and base commit.
    """
    vocabulary = request.taxonomy.vocabulary
    readings: dict[str, Reading] = {}
    known: dict[str, Facts] = {}
    errors: dict[str, UserError] = {}
    for paths, is_reported in ((request.reported, True), (request.others, False)):
        for path in paths:
            unsaved = request.unsaved.get(path)
            try:
                source = Source.from_bytes(read_bytes(path) if unsaved is None else unsaved, path)
            except UserError as error:
                errors[path] = error
                continue
            if is_reported:
                readings[path] = Reading(source, vocabulary)
                known[path] = readings[path].facts
            else:
                known[path] = facts(read(source, vocabulary))
    context = build_context(known, request.taxonomy, request.slugs)
    return Analysis(request, readings, known, errors, build_diagnoser(request, context))


@collected_later()
def reread(analysis: Analysis, path: str, source: Source) -> Analysis:
    """Return the analysis of a project in which a file has a new text; the file is one of the request's."""
    request = analysis.request
    vocabulary = request.taxonomy.vocabulary
    readings = dict(analysis.readings)
    if path in request.reported:
        readings[path] = Reading(source, vocabulary, readings.get(path))
        known = readings[path].facts
    else:
        known = facts(read(source, vocabulary))
    order = [each for each in (*request.reported, *request.others) if each == path or each in analysis.facts]
    files = {each: known if each == path else analysis.facts[each] for each in order}
    context = build_context(files, request.taxonomy, request.slugs)
    return replace(
        analysis,
        readings=readings,
        facts=files,
        errors={each: error for each, error in analysis.errors.items() if each != path},
        diagnoser=analysis.diagnoser.for_context(context),
        _earlier={**analysis._earlier, **analysis._found},
        _found={},
        _plain={},
    )
