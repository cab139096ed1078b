"""`shelfread format` for editors: a whole document, or the blocks that a range touches."""

from __future__ import annotations

from collections.abc import Mapping

from shelfread.core.diagnostics import Span
from shelfread.core.edits import TextEdit, apply_edits
from shelfread.core.errors import UserError
from shelfread.core.source import Source
from shelfread.engine.format_files import format_files
from shelfread.format.layout.same_page import is_same_page, read_page
from shelfread.markdown.parse import parse
from shelfread.project.files import Project
from shelfread.server.edits import minimal_edits


def format_document(project: Project, path: str, texts: Mapping[str, bytes]) -> list[TextEdit]:
    """Return the edits by which `shelfread format` formats an open document; raises UserError if it cannot be read.

    `texts` are those of the open documents, by path; the other files are read from disk.
    """
    others = tuple(name for name in (*project.reported, *project.others) if name != path)
    for file in format_files([project._replace(reported=(path,), others=others)], None, texts):
        if isinstance(file, UserError):
            raise file
        return minimal_edits(file.source.text, file.result.text)
    return []


def within_blocks(source: Source, edits: list[TextEdit], span: Span) -> list[TextEdit]:
    """Return the edits of the top-level blocks that a span touches; none if they would not keep the page alone."""
    blocks = [block for block in parse(source).blocks if block.start <= span.end and span.start <= block.end]
    if not blocks:
        return []
    start, end = blocks[0].start, max(block.end for block in blocks)
    chosen = [edit for edit in edits if start <= edit.start and edit.end <= end]
    after = apply_edits(source.text, chosen)
    return chosen if is_same_page(read_page(source.text), read_page(after)) else []
