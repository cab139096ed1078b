"""The outline of a list: its sections and entries, nested."""

from __future__ import annotations

from collections.abc import Sequence

from lsprotocol import types as lsp

from shelfread.core.diagnostics import Span
from shelfread.core.spans import find_parents
from shelfread.core.support.named_tuple import NamedTuple
from shelfread.core.support.one_line import one_line
from shelfread.document.export import citation_and_year
from shelfread.document.model import Document, Entry
from shelfread.server.features.extents import section_spans
from shelfread.server.positions import Positions

_LONGEST = 200
_UNTITLED = "(untitled)"
"""Editors refuse an empty name."""


class _Node(NamedTuple):
    """A section or an entry with what is below it."""

    name: str
    detail: str
    kind: lsp.SymbolKind
    span: Span
    title: Span
    children: list[_Node]


def outline(document: Document, positions: Positions) -> list[lsp.DocumentSymbol]:
    """Return the sections and entries of a list as a tree, in their order."""
    return [_symbol(node, positions) for node in _in_order(_tree(document))]


def entry_name(entry: Entry) -> str:
    """Return the title of an entry as one line, with its name in front if the title does not have it."""
    title, name = entry.title.value, entry.name.value if entry.name is not None else ""
    return shown(title if name.casefold() in title.casefold() else f"{name}: {title}")


def shown(title: str) -> str:
    """Return a title as one line of bounded length that is not empty."""
    line = one_line(title)
    return (line if len(line) <= _LONGEST else f"{line[:_LONGEST].rstrip()}…") or _UNTITLED


def _tree(document: Document) -> list[_Node]:
    top: list[_Node] = []
    sections: list[_Node] = []
    for section, span in zip(document.sections, section_spans(document), strict=True):
        node = _Node(shown(section.title), "", lsp.SymbolKind.Namespace, span, section.span, [])
        (top if section.parent is None else sections[section.parent].children).append(node)
        sections.append(node)
    entries = sorted(document.entries, key=lambda entry: (entry.span.start, -entry.span.end))
    nodes: list[_Node] = []
    for entry, parent in zip(entries, find_parents([entry.span for entry in entries]), strict=True):
        node = _Node(
            entry_name(entry),
            _detail(entry, document),
            lsp.SymbolKind.Object,
            entry.span,
            entry.title.span,
            [],
        )
        is_nested = parent >= 0 and entries[parent].section == entry.section
        above = sections[entry.section].children if entry.section is not None else top
        (nodes[parent].children if is_nested else above).append(node)
        nodes.append(node)
    return top


def _detail(entry: Entry, document: Document) -> str:
    """Return the venue and year of a paper, else what an entry is described as."""
    citation, year = citation_and_year(entry, document)
    venue = "" if citation is None else citation.venue.label if citation.venue else citation.text
    if entry.kind == "paper":
        return one_line(f"{venue} {year or ''}")
    return shown(entry.description.value) if entry.description is not None else ""


def _in_order(nodes: Sequence[_Node]) -> list[_Node]:
    return sorted(nodes, key=lambda node: node.title.start)


def _symbol(node: _Node, positions: Positions) -> lsp.DocumentSymbol:
    # A title can lie outside, as that of a row that several others share. Editors refuse such a selection.
    start, end = node.span
    title = node.title if start <= node.title.start <= node.title.end <= end else Span(start, start)
    return lsp.DocumentSymbol(
        name=node.name,
        detail=node.detail,
        kind=node.kind,
        range=positions.range(node.span),
        selection_range=positions.range(title),
        children=[_symbol(child, positions) for child in _in_order(node.children)],
    )
