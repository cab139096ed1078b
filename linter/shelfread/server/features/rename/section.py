"""Renaming of a section: its heading, and in all files the links that lead to it, with their texts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from shelfread.core.diagnostics import Edit, Span
from shelfread.document.model import Document
from shelfread.fixes.apply import edit_source
from shelfread.index.anchors import Landmark, find_landmarks, slug_landmarks
from shelfread.index.context import RuleContext
from shelfread.index.facts import facts
from shelfread.markdown.parse import parse
from shelfread.server.features.places import words_span
from shelfread.server.features.rename.links import Renaming, link_edits, reword
from shelfread.server.features.rename.name import RenameError, check_name
from shelfread.server.features.rename.verified import read_verified
from shelfread.server.features.targets import LinkTarget, TargetFinder, local_links

Documents: TypeAlias = Callable[[str], "Document | None"]
"""Returns a file of the project by its path, None if it cannot be read."""


def rename_heading(target: LinkTarget, name: str, documents: Documents, context: RuleContext) -> list[Edit]:
    """Return the edits that give a heading another title, in all files of the project that link to it.

    Raises RenameError if the heading would be none any more, or if a link would lead to another place than before.
    """
    name = check_name(name)
    document, landmark = _document(target.page, documents), _landmark(target, context)
    if tuple(find_landmarks(document)) != context.project.facts[target.page].landmarks:
        raise RenameError("it changed on disk a moment ago: try again", target.page)
    text = document.source.text
    start, end = words_span(document, Span(landmark.start, landmark.end))
    if name == text[start:end]:
        return []
    title = reword(document, Span(start, end), name)
    landmarks = _landmarks_after(document, title)
    _check_landmarks(target, landmarks, name, len(name) - (end - start), context)
    anchors = context.project.anchors(target.page) or ()
    new = slug_landmarks(landmarks, context.project.slugs)
    changed = {
        index: after
        for index, (before, after) in enumerate(zip(anchors, new, strict=True))
        if before != after
    }
    assert target.landmark is not None
    shown = (" ".join(landmark.text.split()), " ".join(landmarks[target.landmark].text.split()))
    written = text[landmark.start : start], text[end : landmark.end]
    before, after = text[start:end].join(written), name.join(written)
    renaming = Renaming(target, (before, shown[0]), (after, shown[1]), changed)
    edits = [title]
    finder = TargetFinder(context)
    read_again = [_document(path, documents) for path in _linking_files(renaming, finder)]
    for linking in read_again:
        edits += link_edits(renaming, linking, finder, landmarks)
    _verify(edits, read_again, finder, context)
    return edits


def rename_title(document: Document, index: int, name: str, context: RuleContext) -> list[Edit]:
    """Return the edit of the title of a section that is no heading, such as bold words; it has no anchor."""
    name = check_name(name)
    span = words_span(document, document.sections[index].span)
    written = document.source.text[slice(*span)]
    if name == written:
        return []
    edit = reword(document, span, name)
    after = read_verified(document, [edit], context.vocabulary)
    kept = [(section.kind, section.level, section.parent) for section in document.sections]
    if [(section.kind, section.level, section.parent) for section in after.sections] != kept:
        raise RenameError(f"'{name}' would not be read as the title of a section")
    return [edit]


def _document(path: str, documents: Documents) -> Document:
    document = documents(path)
    if document is None:
        raise RenameError("it cannot be read, and links to the section", path)
    return document


def _landmark(target: LinkTarget, context: RuleContext) -> Landmark:
    assert target.landmark is not None
    return context.project.facts[target.page].landmarks[target.landmark]


def _landmarks_after(document: Document, edit: Edit) -> tuple[Landmark, ...]:
    after = edit_source(document.source, [edit])
    return tuple(find_landmarks(Document(after, parse(after), (), (), ())))


def _check_landmarks(
    target: LinkTarget, landmarks: Sequence[Landmark], name: str, longer: int, context: RuleContext
) -> None:
    """Raise RenameError unless all headings and anchors stay, but for the title of one, which is so much longer."""
    before = context.project.facts[target.page].landmarks
    index = target.landmark or 0
    kept = [_without_place(each) for each in before]
    found = [_without_place(each) for each in landmarks]
    if len(found) == len(kept):
        kept[index] = (*kept[index][:2], found[index][2])
    if found != kept or landmarks[index].end != before[index].end + longer:
        raise RenameError(f"'{name}' would not be read as the title of a heading")
    slug = slug_landmarks([landmarks[index]], context.project.slugs)[0]
    if not slug:
        raise RenameError(f"'{name}' has no letter or digit, so that no link could lead to the section")


def _without_place(landmark: Landmark) -> tuple[bool, int, str]:
    return landmark.heading, landmark.level, landmark.text


def _linking_files(renaming: Renaming, finder: TargetFinder) -> list[str]:
    """Return the files with links to the headings whose anchors change; that of the heading is always one."""
    targets = {LinkTarget(renaming.target.page, index) for index in renaming.anchors} | {renaming.target}
    files = {
        path
        for path, known in finder.project.facts.items()
        if any(finder.find(link.url, link.path) in targets for link in known.references)
    }
    return sorted(files | {renaming.target.page})


def _verify(
    edits: Sequence[Edit], files: Sequence[Document], finder: TargetFinder, context: RuleContext
) -> None:
    """Raise RenameError if edits change more than they declare, or if a link of these files leads to another place."""
    after: dict[str, Document] = {}
    for document in files:
        path = document.source.path or ""
        own = [edit._replace(path="") for edit in edits if edit.path == path]
        after[path] = read_verified(document, own, context.vocabulary) if own else document
    new_finder = TargetFinder(context.with_files(*map(facts, after.values())))
    for document in files:
        changed = after[document.source.path or ""]
        before_links, after_links = local_links(document, finder), local_links(changed, new_finder)
        for before, now in zip(before_links, after_links, strict=True):
            if before.target is not None and before.target != now.target:
                line = document.source.line_at(before.destination.start) + 1
                raise RenameError(
                    f"the link to '{before.link.url}' would lead to another place", before.path, line
                )
