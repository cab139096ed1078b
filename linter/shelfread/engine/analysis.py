"""What is known of files while they are edited: what is the same after a change is neither read nor checked again."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property

from shelfread.core.diagnostics import Diagnostic
from shelfread.core.source import Source
from shelfread.core.support.collector import collected_later
from shelfread.core.support.named_tuple import NamedTuple
from shelfread.document.assemble import assemble
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
        with collected_later():
            known = before.parts if before is not None else None
            self.parts: Parts | None = read_parts(source, vocabulary, known)

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


class Analysis(NamedTuple):
    """The findings in the edited files of a project, and what the next analysis can take over."""

    diagnoser: Diagnoser
    found: Mapping[str, Sequence[Diagnostic]]
    """By path, as a run gives them."""
    parts: Mapping[str, PartFindings]
    """What they were made of, by path."""


@collected_later()
def analyse(
    request: RunRequest,
    readings: Mapping[str, Reading],
    known: Mapping[str, Facts],
    before: Analysis | None = None,
    check_point: Callable[[], None] = lambda: None,
) -> Analysis:
    """Return the findings in files of a project, of whose other files only the facts are `known`, by path.

    What holds since the analysis `before` is not found again. The check point is called now and then; it raises an
    exception to end what nobody needs any more. The request is one without fixes, baseline and base commit.
    """
    facts = {**known, **{path: reading.facts for path, reading in readings.items()}}
    context = build_context(dict(sorted(facts.items())), request.taxonomy, request.slugs)
    if before is not None and before.diagnoser.request.selection is request.selection:
        diagnoser = before.diagnoser.for_context(context)
    else:
        before, diagnoser = None, build_diagnoser(request, context)
    found: dict[str, Sequence[Diagnostic]] = {}
    parts: dict[str, PartFindings] = {}
    for path, reading in readings.items():
        check_point()
        if reading.parts is None:
            found[path] = diagnoser.diagnose(reading.document)
        else:
            earlier = before.parts.get(path) if before is not None else None
            parts[path] = find(reading.parts, diagnoser, earlier, check_point)
            found[path] = parts[path].diagnostics
    context.forget_tables()
    return Analysis(diagnoser, found, parts)
