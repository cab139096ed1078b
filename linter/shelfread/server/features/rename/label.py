"""Renaming of the label of a reference definition, with all links that use it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from markdown_it.common.utils import normalizeReference

from shelfread.core.diagnostics import STRUCTURE, Edit
from shelfread.core.support.regex import lazy
from shelfread.document.entry.entry_fields import all_links
from shelfread.document.model import Document
from shelfread.document.plain_text import plain_text
from shelfread.fixes.apply import edit_source
from shelfread.markdown.node import Link
from shelfread.markdown.parse import parse
from shelfread.server.features.reference_links import label_span, uses_of
from shelfread.server.features.rename.name import RenameError, check_name

_BRACKET = lazy(r"(?<!\\)(?:\\\\)*[\[\]]")


def rename_label(document: Document, label: str, name: str) -> list[Edit]:
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
    if wanted != label and any(each.label == wanted for each in document.tree.definitions):
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
    if [each.url for each in again.definitions] != [each.url for each in document.tree.definitions]:
        raise RenameError("with the new name the definition would not be read as one")
    if _links(document.links) != _links(all_links(again.blocks)):
        raise RenameError(
            "with the new name other words of the list would become links, or links other words"
        )


def _links(links: Iterable[Link]) -> list[tuple[str, str, bool]]:
    return [(link.url, plain_text(link.children), link.image) for link in links]
