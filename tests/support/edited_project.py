"""A project whose files are edited, analysed again after each change as the language server does."""

from __future__ import annotations

from shelfread.core.diagnostics import Diagnostic
from shelfread.core.source import Source
from shelfread.document.model import Document
from shelfread.engine.analysis import Analysis, Reading, analyse
from shelfread.engine.model import RunRequest


class EditedProject:
    """All files of a request without files on disk; nothing of it changes."""

    def __init__(self, request: RunRequest, before: EditedProject | None = None) -> None:
        self.request = request
        self.readings: dict[str, Reading] = {}
        for path, data in request.unsaved.items():
            source = Source.from_bytes(data, path)
            known = before.readings[path] if before is not None else None
            if known is None or known.source.text != source.text:
                known = Reading(source, request.taxonomy.vocabulary, known)
            self.readings[path] = known
        self.analysis: Analysis = analyse(request, self.readings, {}, before.analysis if before else None)

    def edit(self, path: str, text: str) -> EditedProject:
        """Return the project in which a file has a new text."""
        unsaved = {**self.request.unsaved, path: text.encode()}
        return EditedProject(self.request._replace(unsaved=unsaved), self)

    def findings(self, path: str) -> tuple[Diagnostic, ...]:
        return tuple(self.analysis.found[path])

    def document(self, path: str) -> Document:
        return self.readings[path].document
