"""Where sections stand: below which others, in which order, and which subjects have none."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from shelfread.checks.common.sequence import out_of_order
from shelfread.core.diagnostics import Applicability, Change, Edit, Effect, RawDiagnostic, Span
from shelfread.core.support.resources import SCHEMA
from shelfread.document.model import Document
from shelfread.index.context import RuleContext
from shelfread.index.conventions.majority import When, learn
from shelfread.index.conventions.observations import SECTION
from shelfread.index.conventions.question import Question
from shelfread.index.conventions.title_line import sections_with_entries
from shelfread.markdown.node import Block, Break, Html
from shelfread.taxonomy.taxonomy import Concept, Taxonomy

_MOVED = Effect(Change.MOVED)


class _Named(NamedTuple):
    """A section that names a concept, by its number."""

    section: int
    concept: Concept


# ---------------------------------------------------------------------------------------- hierarchy
def section_parent(document: Document, context: RuleContext) -> Iterator[RawDiagnostic]:
    """Sections below one whose concept is not broader than theirs."""
    taxonomy = context.taxonomy
    named = {one.section: one.concept for one in _named(document, taxonomy)}
    homes = {concept.id: index for index, concept in reversed(named.items())}
    for index, concept in named.items():
        above = document.sections[index].parent
        while above is not None and above not in named:
            above = document.sections[above].parent
        if above is None or named[above].id == concept.id:
            continue
        broader = taxonomy.ancestors(concept.id)
        if named[above].id in broader:
            continue
        section = document.sections[index]
        home = next((homes[id] for id in broader if id in homes), None)
        edits = _moved_below(document, index, home) if home is not None else ()
        belongs = f", it belongs to '{taxonomy.concepts[broader[0]].label}'" if broader else ""
        values = {"title": section.title, "parent": document.sections[above].title, "belongs": belongs}
        yield RawDiagnostic(section.span, values, edits, Applicability.UNSAFE)


def _moved_below(document: Document, index: int, parent: int) -> tuple[Edit, ...]:
    """The section moved to the end of another, where its level is right there."""
    whole, home = extent(document, index), extent(document, parent)
    fits = document.sections[index].level == document.sections[parent].level + 1
    if whole is None or home is None or not fits or whole.start <= home.start < whole.end:
        return ()
    return moved(document, whole, home.end)


# -------------------------------------------------------------------------------------------- order
def section_order(
    document: Document, context: RuleContext, *, when: When = "learned"
) -> Iterator[RawDiagnostic]:
    """Sections that do not stand in the order of the taxonomy's concepts."""
    taxonomy, sections = context.taxonomy, document.sections
    if when == "never":
        return
    siblings: dict[int | None, list[_Named]] = {}
    for one in _named(document, taxonomy):
        siblings.setdefault(sections[one.section].parent, []).append(one)
    orders = [[taxonomy.position(one.concept.id) for one in row] for row in siblings.values()]
    wrong = [out_of_order(order) for order in orders]
    if when == "learned" and not learn(_counted(orders, wrong)):
        return
    for row, order, out in zip(siblings.values(), orders, wrong, strict=True):
        kept = [at for at in range(len(row)) if at not in out]
        risen = [order[at] for at in kept]
        for at in out:
            place = bisect_right(risen, order[at])
            where, near = ("before", kept[place]) if place < len(kept) else ("after", kept[-1])
            section, other = sections[row[at].section], sections[row[near].section]
            edits = _moved_beside(document, row[at].section, row[near].section, where)
            values = {"title": section.title, "where": where, "other": other.title, "line": other.line}
            yield RawDiagnostic(section.span, values, edits, Applicability.UNSAFE)


def _counted(orders: Sequence[Sequence[int]], wrong: Sequence[Sequence[int]]) -> Counter[str]:
    out = sum(map(len, wrong))
    return Counter({"in order": sum(map(len, orders)) - out, "out of order": out})


def _moved_beside(document: Document, index: int, other: int, where: str) -> tuple[Edit, ...]:
    whole, beside = extent(document, index), extent(document, other)
    if whole is None or beside is None:
        return ()
    return moved(document, whole, beside.start if where == "before" else beside.end)


# ------------------------------------------------------------------------------------------- unused
def unused(document: Document, context: RuleContext) -> Iterator[RawDiagnostic]:
    """Concepts of the list's own taxonomy that no section of the project names; said once, in its first file."""
    taxonomy = context.taxonomy
    if not taxonomy.concepts or (document.source.path or "") != min(context.project.facts):
        return
    found = (taxonomy.find(title) for title in context.conventions.forms(Question(SECTION)))
    used = {match.concept.id for match in found if match is not None}
    used |= {above for id in used for above in taxonomy.ancestors(id)}
    for concept in taxonomy.concepts.values():
        if concept.id not in used:
            path, line, _ = taxonomy.location(concept.id)
            if path is not None and not path.startswith(SCHEMA.as_posix()):
                yield RawDiagnostic(Span(0, 0), {"label": concept.label, "where": f"{path}:{line}"})


# ----------------------------------------------------------------------------------------- sections
def _named(document: Document, taxonomy: Taxonomy) -> Iterator[_Named]:
    """The sections with entries that name concepts, in order."""
    if taxonomy.concepts:
        for index in sorted(sections_with_entries(document)):
            match = taxonomy.find(document.sections[index].title)
            if match is not None:
                yield _Named(index, match.concept)


def extent(document: Document, index: int) -> Span | None:
    """A heading's section with all below it, up to the next that is as high; None for other marks."""
    section = document.sections[index]
    blocks = document.tree.blocks
    at = bisect_right(blocks, section.span.start, key=lambda block: block.start) - 1
    if section.kind != "heading" or at < 0 or blocks[at].kind != "heading":
        return None
    if at and blocks[at - 1].kind in ("html", "paragraph") and not _says(blocks[at - 1]):
        return None  # a mark that the heading is led to by
    starts = document.source.starts
    following = (one for one in blocks[at + 1 :] if one.kind == "heading" and one.level <= section.level)
    after = next(following, None)
    return Span(starts[blocks[at].first], starts[after.first] if after else len(document.source.text))


def _says(block: Block) -> bool:
    return any(not isinstance(node, Html | Break) for node in block.inlines)


def moved(document: Document, whole: Span, to: int) -> tuple[Edit, ...]:
    """The edits that move a section to the beginning of another one, or to the text's end."""
    text = document.source.text
    body = text[whole.start : whole.end].rstrip()
    if whole.start <= to <= whole.end or not body:
        return ()
    start, end = whole
    if end == len(text):  # what stands before it comes to be the text's end, and ends as that did
        start = len(text[:start].rstrip())
        end = start + len(text[start:end].rstrip())
    if to < len(text):
        written = f"{body}\n\n"
    else:
        to = len(text.rstrip())
        written = f"\n\n{body}"
    return tuple(sorted((Edit(start, end, "", _MOVED), Edit(to, to, written, _MOVED))))
