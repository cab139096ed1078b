"""What can be renamed at an offset, and the edits that rename it; labels of reference definitions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from markdown_it.common.utils import normalizeReference

from shelfread.core.diagnostics import STRUCTURE, Edit, Span
from shelfread.core.patterns import lazy
from shelfread.core.wording import one_line
from shelfread.document.model import Document
from shelfread.document.plain_text import plain_text
from shelfread.fixes.apply import edit_source
from shelfread.index.context import RuleContext
from shelfread.markdown.node import Link, all_links
from shelfread.markdown.parse import parse
from shelfread.server.features.cross_references import target_at
from shelfread.server.features.link_targets import LinkTarget
from shelfread.server.features.rename_section import (
    Documents,
    RenameError,
    check_name,
    rename_heading,
    rename_title,
)
from shelfread.server.features.under_cursor import (
    definition_at,
    holds,
    label_at,
    label_span,
    link_at,
    section_at,
    uses_of,
    words_span,
)

_BRACKET = lazy(r"(?<!\\)(?:\\\\)*[\[\]]")


class Renameable(NamedTuple):
    """What can be renamed: its span at the cursor, and its present name."""

    span: Span
    name: str


def prepare_rename(
    document: Document, documents: Documents, context: RuleContext, offset: int
) -> Renameable | None:
    """Return what can be renamed at an offset: a section, by its title or a link to it, or a reference's label."""
    text = document.source.text
    if (label := _label_span(document, offset)) is not None:
        return Renameable(label, text[slice(*label)])
    target = _heading_at(document, context, offset)
    if target is not None:
        landmark = context.project.facts[target.page].landmarks[target.landmark or 0]
        page = documents(target.page)
        if page is None:
            return None
        title = Span(landmark.start, landmark.end)
        words = words_span(page, title)
        name = one_line(page.source.text[slice(*words)])
        own = (words, title) if target.page == document.source.path else ()
        return Renameable(_span_at(document, own, offset), name)
    section = section_at(document, offset)
    if (
        section is None
        or section[1].kind in ("heading", "html")
        or section[1].span.start == section[1].span.end
    ):
        return None
    span = words_span(document, section[1].span)
    return Renameable(span if holds(span, offset) else Span(offset, offset), one_line(text[slice(*span)]))


def rename(
    document: Document, documents: Documents, context: RuleContext, offset: int, name: str
) -> dict[str, list[Edit]]:
    """Return the edits that rename what is at an offset, by file.

    Raises RenameError if nothing there can be renamed, or the new name cannot be written.
    """
    label = label_at(document, offset)
    if label is not None and _label_span(document, offset) is not None:
        edits = _rename_label(document, label, name)
        return {document.source.path or "": edits} if edits else {}
    target = _heading_at(document, context, offset)
    if target is not None:
        return rename_heading(target, name, documents, context)
    section = section_at(document, offset)
    if section is None or section[1].kind in ("heading", "html"):
        raise RenameError("nothing here can be renamed: sections and the labels of reference links can")
    return rename_title(document, section[0], name, context)


def _heading_at(document: Document, context: RuleContext, offset: int) -> LinkTarget | None:
    """Return the heading at an offset, or the one that a link's destination there leads to."""
    target = target_at(document, context, offset)
    if target is None or target.landmark is None:
        return None
    landmark = context.project.facts[target.page].landmarks[target.landmark]
    return target if landmark.heading and landmark.text.strip() else None


def _span_at(document: Document, titles: tuple[Span, ...], offset: int) -> Span:
    """Return the span at the cursor: the heading's title, or the text or destination of the link to it."""
    link = link_at(document, offset) or definition_at(document, offset)
    spans = list(titles)
    if link is not None:
        written = (link.destination,) if link.destination is not None else ()
        spans += (link.text, *written, Span(link.start, link.end))
    return next(span for span in spans if holds(span, offset))


def _label_span(document: Document, offset: int) -> Span | None:
    """Return the span of the label of a definition or of a reference link at an offset."""
    definition = definition_at(document, offset)
    if definition is not None and holds(definition.text, offset):
        return definition.text
    link = link_at(document, offset)
    if link is None or link.form != "reference":
        return None
    span = label_span(link, document.source.text)
    return span if holds(span, offset) else None


def _rename_label(document: Document, label: str, name: str) -> list[Edit]:
    """Return the edits that give a normalised label another name, in the definition and in all links.

    Links whose label is their text keep their text. Raises RenameError for a name that is no label, or is that of
    another definition.
    """
    name = check_name(name)
    if _BRACKET.search(name) or name.startswith("^") or name.endswith("\\"):
        raise RenameError(
            f"'{name}' is no label: it cannot contain brackets, begin with ^ or end with a backslash"
        )
    wanted = normalizeReference(name)
    if wanted != label and any(definition.label == wanted for definition in document.tree.definitions):
        raise RenameError(f"there is a definition of [{name}] already")
    text = document.source.text
    edits = [edit for edit in _edits(document, label, name) if text[edit.start : edit.end] != edit.text]
    _verify(document, edits)
    return edits


def _edits(document: Document, label: str, name: str) -> Iterator[Edit]:
    text = document.source.text
    for definition in document.tree.definitions:
        if definition.label == label:
            yield Edit(*definition.text, name, STRUCTURE)
    for link in uses_of(label, document):
        span = label_span(link, text)
        if span != link.text:
            yield Edit(*span, name, STRUCTURE)
        elif normalizeReference(name) != label:
            # `[text]` and `[text][]` become `[text][name]`.
            yield Edit(link.text.end + 1, link.end, f"[{name}]", STRUCTURE)


def _verify(document: Document, edits: Sequence[Edit]) -> None:
    """Raise RenameError unless all links and definitions stay, with their texts and URLs."""
    again = parse(edit_source(document.source, edits))
    if [link.url for link in again.definitions] != [link.url for link in document.tree.definitions]:
        raise RenameError("with the new name the definition would not be read as one")
    if _links(document.links) != _links(all_links(again.blocks)):
        raise RenameError(
            "with the new name other words of the list would become links, or links other words"
        )


def _links(links: Iterable[Link]) -> list[tuple[str, str, bool]]:
    return [(link.url, plain_text(link.children), link.image) for link in links]
