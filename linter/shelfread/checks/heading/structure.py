"""The levels of headings, and sections by name and size."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from shelfread.core.diagnostics import Applicability, Change, Edit, Effect, RawDiagnostic, Span
from shelfread.document.model import Document, Section
from shelfread.index.context import RuleContext
from shelfread.markdown.node import Block

_STRUCTURE = Effect(Change.STRUCTURE)
_MANY = 3
"""So many repeated names, and a quarter of all headings, and more: the list's form."""


# ------------------------------------------------------------------------------------------ levels
def increment(document: Document, context: RuleContext) -> Iterator[RawDiagnostic]:
    """Headings more than one level below the one before, where the list does not leave out that level."""
    headings = _headings(document)
    jumps = [at for at in range(1, len(headings)) if headings[at].level > headings[at - 1].level + 1]
    if not jumps:
        return
    often = Counter(headings[at - 1].level for at in jumps)
    steps = _steps(headings)
    for at in jumps:
        above, level = headings[at - 1].level, headings[at].level
        # Headings at a level in between that stand where this one does: the list's own way to do it.
        if often[above] * 2 > sum(
            count for (parent, own), count in steps.items() if parent == above and own < level
        ):
            continue
        span = _words(headings[at])
        values = {"level": level, "above": above, "expected": above + 1}
        yield RawDiagnostic(span, values, _lifted(document, headings, at), Applicability.UNSAFE)


def _steps(headings: Sequence[Block]) -> Counter[tuple[int, int]]:
    """How many headings of each level stand below one of another: parent's level, own level."""
    found: Counter[tuple[int, int]] = Counter()
    above: list[int] = []
    for heading in headings:
        while above and above[-1] >= heading.level:
            above.pop()
        if above:
            found[above[-1], heading.level] += 1
        above.append(heading.level)
    return found


def _lifted(document: Document, headings: Sequence[Block], at: int) -> tuple[Edit, ...]:
    """A heading and those that go with it, all lifted by as much; none where another would change its place."""
    above, level = headings[at - 1].level, headings[at].level
    end = at
    while end < len(headings) and headings[end].level >= level:
        end += 1
    if end < len(headings) and headings[end].level > above + 1:
        return ()  # it stands beside this one now and would come to stand below it
    less = level - above - 1
    text = document.source.text
    edits = []
    for heading in headings[at:end]:
        start = text.index("#", heading.start)
        edits.append(Edit(start, start + less, "", _STRUCTURE))
    return tuple(edits)


def depth(document: Document, context: RuleContext, *, max: int = 4) -> Iterator[RawDiagnostic]:
    """Headings below the deepest level that is wanted."""
    for heading in _headings(document):
        if heading.level > max:
            yield RawDiagnostic(_words(heading), {"level": heading.level, "max": max})


def _headings(document: Document) -> list[Block]:
    return [block for block in document.tree.blocks if block.kind == "heading"]


def _words(heading: Block) -> Span:
    """Where a heading's words stand; all of it where it has none."""
    if not heading.inlines:
        return Span(heading.start, heading.end)
    return Span(heading.inlines[0].start, heading.inlines[-1].end)


# ---------------------------------------------------------------------------------------- sections
def duplicate(document: Document, context: RuleContext) -> Iterator[RawDiagnostic]:
    """Sections with the name of another one below the same heading."""
    first: dict[tuple[int | None, str], Section] = {}
    found: list[tuple[Section, Section]] = []
    named = 0
    for section in document.sections:
        name = " ".join(section.title.casefold().split())
        if section.kind not in ("heading", "html") or not name:
            continue
        named += 1
        other = first.setdefault((section.parent, name), section)
        if other is not section:
            found.append((section, other))
    if len(found) > _MANY and len(found) * 4 > named:
        return
    for section, other in found:
        yield RawDiagnostic(section.span, {"title": section.title, "line": other.line})


def size(
    document: Document, context: RuleContext, *, least: int = 2, most: int = 100
) -> Iterator[RawDiagnostic]:
    """Sections with fewer entries than wanted, those of their subsections too, or more of their own."""
    own = Counter(entry.section for entry in document.entries)
    whole = Counter(own)
    for index in range(len(document.sections) - 1, -1, -1):
        whole[document.sections[index].parent] += whole[index]
    for index, section in enumerate(document.sections):
        if section.kind not in ("heading", "html") or not whole[index]:
            continue
        if whole[index] < least:
            count, limit = whole[index], f"at least {least}"
        elif 0 < most < own[index]:
            count, limit = own[index], f"at most {most}"
        else:
            continue
        entries = f"{count} entry" if count == 1 else f"{count} entries"
        yield RawDiagnostic(section.span, {"title": section.title, "entries": entries, "limit": limit})
