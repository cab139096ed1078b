"""Renaming of a section: its title, and in all files the links that lead to it, with their texts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from html import escape, unescape
from typing import NamedTuple, TypeAlias
from urllib.parse import quote, unquote

from markdown_it.common.utils import unescapeAll

from shelfread.core.diagnostics import Change, Edit, Effect, Span
from shelfread.core.errors import UserError
from shelfread.core.wording import one_line
from shelfread.document.model import Document
from shelfread.document.plain_text import plain_text
from shelfread.document.read import read
from shelfread.fixes.conservation import find_damage
from shelfread.fixes.flaws import find_new_flaw
from shelfread.fixes.select import arrange_edits, edit_source
from shelfread.index.anchors import Landmark, find_landmarks, slug_landmarks
from shelfread.index.context import RuleContext
from shelfread.index.facts import facts
from shelfread.index.item_style import renamed_words
from shelfread.markdown.html import destination
from shelfread.markdown.node import Emphasis, Link
from shelfread.markdown.parse import parse
from shelfread.server.cross_references import LinkTarget, LocalLink, TargetFinder, local_links, target_at
from shelfread.server.under_cursor import blocks_around, definition_at, holds, link_at, words_span
from shelfread.taxonomy.vocabulary import Vocabulary

# Returns a file of the project by its path, None if it cannot be read.
Documents: TypeAlias = Callable[[str], "Document | None"]
_LONGEST = 500


class RenameError(UserError):
    """A new name that is not valid, or that would change more than a name."""


class Renaming(NamedTuple):
    """A heading's new title, and the anchors that change with it."""

    target: LinkTarget
    before: tuple[str, str]  # the title as written and as shown
    after: tuple[str, str]
    anchors: dict[int, str]  # the new anchors by the indexes of their landmarks


class Renameable(NamedTuple):
    """What can be renamed: its span at the cursor, and its present name."""

    span: Span
    name: str


def prepare_rename(
    document: Document, documents: Documents, context: RuleContext, offset: int
) -> Renameable | None:
    """Return the heading that can be renamed at an offset: by its title, or by a link to it."""
    target = _heading_at(document, context, offset)
    page = None if target is None else documents(target.page)
    if target is None or page is None:
        return None
    landmark = context.project.facts[target.page].landmarks[target.landmark or 0]
    title = Span(landmark.start, landmark.end)
    words = words_span(page, title)
    name = one_line(page.source.text[slice(*words)])
    own = (words, title) if target.page == document.source.path else ()
    return Renameable(_span_at(document, own, offset), name)


def rename(
    document: Document, documents: Documents, context: RuleContext, offset: int, name: str
) -> dict[str, list[Edit]]:
    """Return the edits that rename the heading at an offset, by file: in all of the project that link to it.

    Raises RenameError if nothing there can be renamed, if the new name cannot be written, or if the heading would be
    none any more, or a link would lead to another place than before.
    """
    target = _heading_at(document, context, offset)
    if target is None:
        raise RenameError("nothing here can be renamed: only headings can")
    name = _check_name(name)
    page = _document(target.page, documents)
    before_landmarks = context.project.facts[target.page].landmarks
    assert target.landmark is not None
    landmark = before_landmarks[target.landmark]
    if tuple(find_landmarks(page)) != before_landmarks:
        raise RenameError("it changed on disk a moment ago: try again", target.page)
    text = page.source.text
    start, end = words_span(page, Span(landmark.start, landmark.end))
    if name == text[start:end]:
        return {}
    title = _reword(page, Span(start, end), name)
    renamed = edit_source(page.source, [title])
    landmarks = tuple(find_landmarks(Document(renamed, parse(renamed), (), (), ())))
    _check_landmarks(target, landmarks, name, len(name) - (end - start), context)
    anchors = context.project.anchors(target.page) or ()
    new = slug_landmarks(landmarks, context.project.slugs)
    changed = {
        index: after
        for index, (before, after) in enumerate(zip(anchors, new, strict=True))
        if before != after
    }
    shown = (" ".join(landmark.text.split()), " ".join(landmarks[target.landmark].text.split()))
    written = text[landmark.start : start], text[end : landmark.end]
    before, after = text[start:end].join(written), name.join(written)
    renaming = Renaming(target, (before, shown[0]), (after, shown[1]), changed)
    finder = TargetFinder(context)
    files = {path: _document(path, documents) for path in _linking_files(renaming, finder)}
    edits = {path: list(_link_edits(renaming, linking, finder, landmarks)) for path, linking in files.items()}
    edits[target.page].insert(0, title)
    _verify(edits, files, finder, context)
    return {path: own for path, own in edits.items() if own}


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


def _document(path: str, documents: Documents) -> Document:
    document = documents(path)
    if document is None:
        raise RenameError("it cannot be read, and links to the section", path)
    return document


def _check_landmarks(
    target: LinkTarget, landmarks: Sequence[Landmark], name: str, longer: int, context: RuleContext
) -> None:
    """Raise RenameError unless all headings and anchors stay, but for the title of one, which is so much longer."""
    before = context.project.facts[target.page].landmarks
    index = target.landmark or 0
    kept = [mark._replace(start=0, end=0) for mark in before]
    after = [mark._replace(start=0, end=0) for mark in landmarks]
    if len(after) == len(kept):
        kept[index] = kept[index]._replace(text=after[index].text)
    if after != kept or landmarks[index].end != before[index].end + longer:
        raise RenameError(f"'{name}' would not be read as the title of a heading")
    slug = slug_landmarks([landmarks[index]], context.project.slugs)[0]
    if not slug:
        raise RenameError(f"'{name}' has no letter or digit, so that no link could lead to the section")


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
    edits: Mapping[str, Sequence[Edit]],
    files: Mapping[str, Document],
    finder: TargetFinder,
    context: RuleContext,
) -> None:
    """Raise RenameError if edits change more than they declare, or if a link of these files leads to another place."""
    after = {
        path: _read_verified(document, edits[path], context.vocabulary) if edits[path] else document
        for path, document in files.items()
    }
    new_finder = TargetFinder(context.with_files(*map(facts, after.values())))
    for path, document in files.items():
        changed = after[path]
        before_links, after_links = local_links(document, finder), local_links(changed, new_finder)
        for before, now in zip(before_links, after_links, strict=True):
            if before.target is not None and before.target != now.target:
                line = document.source.line_at(before.destination.start) + 1
                raise RenameError(
                    f"the link to '{before.link.url}' would lead to another place", before.path, line
                )


def _link_edits(
    renaming: Renaming, document: Document, finder: TargetFinder, landmarks: Sequence[Landmark]
) -> Iterator[Edit]:
    """Yield the edits of a file's links to the headings whose anchors change, and of the texts of these links."""
    text = document.source.text
    written_out = {mark.text for mark in landmarks if not mark.heading}
    for link in local_links(document, finder):
        if link.target is None or link.target.page != renaming.target.page or link.target.landmark is None:
            continue
        anchor = renaming.anchors.get(link.target.landmark)
        # An id or a name in a tag stays, and so does a link to it.
        if anchor is not None and unquote(link.fragment) not in written_out:
            yield _readdressed(link, anchor, text)
        if link.target == renaming.target and isinstance(link.link, Link):
            yield from _reworded(link.link, renaming, document)


def _readdressed(link: LocalLink, anchor: str, text: str) -> Edit:
    """Return the edit of a link's destination, encoded as it was."""
    url, (start, end) = link.link.url, link.destination
    prefix = "user-content-" if link.fragment.startswith("user-content-") else ""
    fragment = prefix + (quote(anchor, safe="-_") if "%" in link.fragment else anchor)
    after = f"{link.file}#{fragment}"
    if text[start:end] == url:
        return Edit.relink(Span(end - len(link.fragment), end), url, after, fragment)
    is_html = isinstance(link.link, Link) and link.link.form == "html"
    return Edit.relink(Span(start, end), url, after, escape(after) if is_html else destination(after))


def _reworded(link: Link, renaming: Renaming, document: Document) -> Iterator[Edit]:
    """Yield the edit of a link's text if that is the heading's title, as in a table of contents."""
    nodes = link.children
    while len(nodes) == 1 and isinstance(nodes[0], Emphasis):
        nodes = nodes[0].children
    if not nodes or any(isinstance(node, Link) for node in nodes):
        return
    span, (_, title) = Span(nodes[0].start, nodes[-1].end), renaming.after
    words = document.source.text[slice(*span)]
    after = renamed_words(words, renaming.before, renaming.after)
    if link.form == "html":  # whose text is no Markdown
        is_plain = "<" not in title and unescape(title) == title
        after = title if plain_text(nodes) == renaming.before[1] and is_plain else None
    if after is not None and after != words:
        yield _reword(document, span, after)


def _reword(document: Document, span: Span, after: str) -> Edit:
    """Return the edit of words; it states them as shown, without the escapes of Markdown."""
    words = document.source.text[slice(*span)]
    is_html = any(block.kind == "html" for block in blocks_around(document.tree.blocks, span.start))
    shown = (words, after) if is_html else (unescapeAll(words), unescapeAll(after))
    return Edit(*span, after, Effect(Change.WORDS, *shown))


def _check_name(name: str) -> str:
    """Return a new name without blanks around it; raises RenameError if it is empty, too long or not one line."""
    stripped = name.strip()
    if not stripped:
        raise RenameError("the new name is empty")
    if len(stripped) > _LONGEST:
        raise RenameError(f"the new name has {len(stripped)} characters: use {_LONGEST} at most")
    if any(character in "\n\r\v\f\x85\u2028\u2029" or ord(character) < 32 for character in stripped):
        raise RenameError("the new name has a line break or a control character: write it in one line")
    return stripped


def _read_verified(document: Document, edits: Iterable[Edit], vocabulary: Vocabulary) -> Document:
    """Return a document after edits; raises RenameError if they change more than they declare."""
    source = document.source
    ordered = arrange_edits(source, edits)
    after = read(edit_source(source, ordered), vocabulary)
    damage = find_damage(document.tree, source.text, after.tree, after.source.text, ordered)
    reason = damage[0].reason if damage else find_new_flaw(source.text, ordered)
    if reason:
        raise RenameError(f"the new name cannot be written in {source.path or 'the list'}: {reason}")
    return after
