"""What can be renamed at an offset, and the edits that rename it."""

from __future__ import annotations

from shelfread.core.diagnostics import Edit, Span
from shelfread.core.support.named_tuple import NamedTuple
from shelfread.core.support.one_line import one_line
from shelfread.document.model import Document
from shelfread.index.context import RuleContext
from shelfread.server.features.definition import target_at
from shelfread.server.features.places import definition_at, holds, link_at, section_at, words_span
from shelfread.server.features.reference_links import label_at, label_span
from shelfread.server.features.rename.label import rename_label
from shelfread.server.features.rename.name import RenameError
from shelfread.server.features.rename.section import Documents, rename_heading, rename_title
from shelfread.server.features.targets import LinkTarget


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
) -> list[Edit]:
    """Return the edits, each with its path, that rename what is at an offset.

    Raises RenameError if nothing there can be renamed, or the new name cannot be written.
    """
    path = document.source.path or ""
    label = label_at(document, offset)
    if label is not None and _label_span(document, offset) is not None:
        return [edit._replace(path=path) for edit in rename_label(document, label, name)]
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
