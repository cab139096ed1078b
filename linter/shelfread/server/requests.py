"""What a request about a document starts with: its analysis, the positions of its text, and the place asked about."""

from __future__ import annotations

from lsprotocol import types as lsp

from shelfread.core.support.named_tuple import NamedTuple
from shelfread.document.model import Document
from shelfread.server.analysis import ProjectAnalysis
from shelfread.server.positions import Positions
from shelfread.server.session import Session


class Target(NamedTuple):
    """The document that a request is about, as it was analysed last; its text is the client's current one."""

    uri: str
    path: str
    version: int
    analysis: ProjectAnalysis
    document: Document
    positions: Positions

    def offset(self, position: lsp.Position) -> int:
        """Return the offset of a position in the document."""
        return self.positions.offset(position)


async def find_target(session: Session, uri: str) -> Target | None:
    """Return the document of a request; None for one that is not open, or that is not checked."""
    found = await session.analysed(uri)
    if found is None:
        return None
    analysis, snapshot = found
    document = analysis.documents[snapshot.path]
    positions = Positions(document.source, session.encoding)
    return Target(uri, snapshot.path, snapshot.version, analysis, document, positions)
