"""What an editor asks of a list: every answer is inside the texts, and a new name breaks no link."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from random import Random

from fuzz.faults import Fault
from fuzz.generators.documents import make_document as generate
from shelfread.checks.link.references import missing_anchor
from shelfread.core.diagnostics import Span
from shelfread.core.errors import UserError
from shelfread.core.source import Source
from shelfread.document.model import Document
from shelfread.document.read import read
from shelfread.index.context import RuleContext, build_context
from shelfread.index.facts import facts
from shelfread.rulebook.metadata import load_rules
from shelfread.server.completions import complete, cursor_at
from shelfread.server.cross_references import find_definitions, find_references
from shelfread.server.hover import hover
from shelfread.server.list_outline import outline
from shelfread.server.open_documents import Positions
from shelfread.server.rename_section import RenameError, prepare_rename, rename
from support.marked import Marked
from support.project import BARE

_PLACES = 12
_NAMES = ("New Name", "漢字 😀", "a_b *c*", "[x]", "1")
_OTHER = "# Other\n\n[a](list.md#one) [b](list.md#contents) [c](./list.md#papers)\n"
_QUOTED = re.compile(r"(`+).*?\1|\]\(<[^<>]*>\)")
_MARKUP = re.compile(r"<(?!https?:)[a-z!/]|!\[", re.IGNORECASE)

__all__ = ["faults", "generate", "grow"]


def faults(data: bytes) -> Iterator[Fault]:
    """Ask everything at some places of a list, beside which another file links to it."""
    try:
        sources = [Source.from_bytes(data, "list.md"), Source(_OTHER, "other.md")]
    except UserError:
        return
    project = _project({source.path or "": source for source in sources})
    yield from _of_the_list(project)
    random = Random(len(data))
    for _ in range(_PLACES):
        offset = random.randrange(len(project.document.source.text) + 1)
        yield from _at_a_place(project._replace(offset=offset), random.choice(_NAMES))


def grow(text: str) -> object:
    """Ask what concerns the whole of a long list."""
    project = _project({"list.md": Source(text, "list.md")})
    return list(_of_the_list(project))


def _project(sources: Mapping[str, Source]) -> Marked:
    documents = {path: read(source, BARE.vocabulary) for path, source in sources.items()}
    context = build_context({path: facts(document) for path, document in documents.items()}, BARE)
    return Marked(documents, context, documents["list.md"], 0)


def _of_the_list(project: Marked) -> Iterator[Fault]:
    for symbol in outline(project.document, project.positions):
        if not symbol.name:
            yield Fault("outline: a symbol without a name")


def _at_a_place(project: Marked, name: str) -> Iterator[Fault]:
    documents, document, context, offset = (
        project.documents,
        project.document,
        project.context,
        project.offset,
    )
    described = hover(document, context, (), load_rules(), offset)
    if described is not None and _MARKUP.search(_QUOTED.sub("", described.text)):
        yield Fault("hover: markup of the list", described.text[:300])
    for place in find_definitions(document, context, offset):
        yield from _outside("definition", documents, *place)
    for place in find_references(document, context, offset, with_declaration=True):
        yield from _outside("references", documents, *place)
    for item in complete(cursor_at(document.source, offset, Positions(document.source)), document, context):
        if not item.label:
            yield Fault("completion: nothing to show")
    if prepare_rename(document, documents.get, context, offset) is not None:
        yield from _renamed(project, name)


def _renamed(project: Marked, name: str) -> Iterator[Fault]:
    documents = project.documents
    try:
        edits = rename(project.document, documents.get, project.context, project.offset, name)
    except RenameError:
        return
    after = {path: document.source for path, document in documents.items()}
    after |= {path: Source(text, path) for path, text in project.edited(edits).items()}
    changed = _project(after)
    for path, document in documents.items():
        broken = _broken(changed.documents[path], changed.context) - _broken(document, project.context)
        if broken > 0:
            yield Fault("rename: a link to a missing anchor", f"{name!r} in {path}")
        if len(changed.documents[path].links) != len(document.links):
            yield Fault("rename: another number of links", f"{name!r} in {path}")


def _broken(document: Document, context: RuleContext) -> int:
    return sum(1 for _ in missing_anchor(document, context))


def _outside(what: str, documents: Mapping[str, Document], path: str, span: Span) -> Iterator[Fault]:
    if not 0 <= span.start <= span.end <= len(documents[path].source.text):
        yield Fault(f"{what}: a span outside of the text", f"{path} {span}")
