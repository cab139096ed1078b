"""Sections in another place than their concepts have in the taxonomy: the parent and the order."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence

from shelfread.core.diagnostics import MOVED, Edit, RawDiagnostic, RawDiagnostics, Severity, Span
from shelfread.document.heading_subjects import is_subject, resolve_section
from shelfread.document.model import Document, Section
from shelfread.document.read import dated_rows
from shelfread.index.context import RuleContext
from shelfread.index.conventions import When, learn
from shelfread.index.line_style import sections_with_entries
from shelfread.index.order import out_of_order
from shelfread.index.pages import has_subjects
from shelfread.markdown.node import Break, Html
from shelfread.taxonomy.concept import Concept
from shelfread.taxonomy.label_forms import fold, is_word, singular, tokens
from shelfread.taxonomy.taxonomy import Taxonomy

# Of so many sections beside each other, or of all, each has its name alone, if at most such a share of the names is that of several.
_LEAST_NAMES, _REPEATED = 5, 0.05


def _named_sections(document: Document, taxonomy: Taxonomy) -> Iterator[tuple[int, Concept]]:
    """Return the sections with entries that name one concept, and nothing else, in the document's order."""
    if taxonomy.concepts:
        for index in sorted(sections_with_entries(document)):
            found = resolve_section(document, index, taxonomy)
            if found.is_label and found.subjects:
                yield index, taxonomy.concepts[found.subjects[0].concept]


def section_parent(document: Document, context: RuleContext) -> RawDiagnostics:
    """Report sections below one whose concept is not broader than theirs."""
    taxonomy = context.taxonomy
    if not has_subjects(document, context):
        return  # a translation has the places of its original
    named = dict(_named_sections(document, taxonomy))
    section_of = {concept.id: index for index, concept in reversed(named.items())}
    for index, concept in named.items():
        # Years, venues and forms are skipped.
        subjects = (
            at
            for at in document.above(document.sections[index].parent)
            if resolve_section(document, at, taxonomy).subjects
        )
        above = next(subjects, None)
        if above not in named or named[above].id == concept.id:
            continue  # a heading that names several subjects may be about any of them
        broader = taxonomy.ancestors(concept.id)
        if named[above].id in broader:
            continue
        parent = next((section_of[id] for id in broader if id in section_of), None)
        is_own = {concept.id, named[above].id} <= taxonomy.own_concepts
        if not is_own and (parent is None or parent in document.above(document.sections[index].parent)):
            continue  # lists divide the subjects of a bundled taxonomy in ways of their own
        section = document.sections[index]
        values = {"title": section.title, "parent": document.sections[above].title}
        if broader:
            values["broader"] = taxonomy.concepts[broader[0]].label
        fits = parent is not None and section.level == document.sections[parent].level + 1
        edits = _move(document, index, parent, "after") if parent is not None and fits else ()
        message = "elsewhere" if broader else "unrelated"
        yield RawDiagnostic(section.span, values, edits, safe=False, message=message)


def section_order(document: Document, context: RuleContext, *, when: When = "learned") -> RawDiagnostics:
    """Report sections that are not in the order of the taxonomy's concepts, or of its years and venues."""
    taxonomy, sections = context.taxonomy, document.sections
    if when == "never" or not (taxonomy.concepts or taxonomy.order) or not has_subjects(document, context):
        return
    if taxonomy.order:
        with_entries = sorted(sections_with_entries(document))
        for dated in dated_rows(document, with_entries, taxonomy.order):
            yield from _misplaced(document, dated.sections, dated.ranks, out_of_order(dated.ranks))
    siblings: dict[int | None, dict[int, str]] = {}
    for index, concept in _named_sections(document, taxonomy):
        # The order of a bundled taxonomy is not that of a list which states its own.
        if not taxonomy.own_concepts or concept.id in taxonomy.own_concepts:
            siblings.setdefault(sections[index].parent, {})[index] = concept.id
    # Two sections of one concept have no order; `taxonomy/repeated-section` reports them.
    for parent, row in siblings.items():
        times = Counter(row.values())
        siblings[parent] = {index: id for index, id in row.items() if times[id] == 1}
    orders = [[*map(taxonomy.position, row.values())] for row in siblings.values()]
    misplaced = [out_of_order(order) for order in orders]
    total, wrong = sum(map(len, orders)), sum(map(len, misplaced))
    if when == "learned" and not learn(Counter({"in order": total - wrong, "out of order": wrong})):
        return
    for row, order, indexes in zip(siblings.values(), orders, misplaced, strict=True):
        yield from _misplaced(document, [*row], order, indexes)


def _misplaced(
    document: Document, row: Sequence[int], ranks: Sequence[int], indexes: Sequence[int]
) -> RawDiagnostics:
    """Yield the sections of a row at `indexes`, whose ranks are not in order, and before or after which they belong."""
    wrong = set(indexes)
    kept = [index for index in range(len(row)) if index not in wrong]
    kept_ranks = [ranks[index] for index in kept]
    for index in indexes:
        place = bisect_right(kept_ranks, ranks[index])
        message, near = ("before", kept[place]) if place < len(kept) else ("after", kept[-1])
        section, other = document.sections[row[index]], document.sections[row[near]]
        edits = _move(document, row[index], row[near], message)
        values = {"title": section.title, "other": other.title, "line": other.line}
        yield RawDiagnostic(section.span, values, edits, safe=False, message=message)


def repeated_section(document: Document, context: RuleContext) -> RawDiagnostics:
    """Report sections below one parent that have another name for the concept of an earlier one."""
    taxonomy, sections = context.taxonomy, document.sections
    if not has_subjects(document, context):
        return
    first: dict[tuple[int | None, str], int] = {}
    for index, concept in _named_sections(document, taxonomy):
        (label, *others) = resolve_section(document, index, taxonomy).subjects
        if others or label.kind == "includes":
            continue  # a narrower subject may have a section of its own
        section = sections[index]
        other = sections[first.setdefault((section.parent, concept.id), index)]
        if other is section or _differ_in_treatment(section.title, other.title):
            continue  # `heading/duplicate` reports the same name
        values = {"title": section.title, "label": concept.label, "other": other.title, "line": other.line}
        severity = Severity.WARNING if concept.id in taxonomy.own_concepts else Severity.INFO
        yield RawDiagnostic(section.span, values, severity=severity, message="names")
    yield from _added_again(document, context)


def _added_again(document: Document, context: RuleContext) -> RawDiagnostics:
    """Report sections of a change whose name another section has below another heading, if those beside it have theirs once."""
    base, path = context.base, document.source.path or ""
    before = base.text(document) if base is not None else None
    changed = base.changed_lines.get(path) if base is not None else None
    if before is None or not changed or not context.taxonomy.concepts:
        return
    times = Counter(fold(section.title) for section in before.document.sections)
    stood: dict[str, Section] = {}
    repeated: dict[int | None, list[bool]] = {None: [count > 1 for count in times.values()]}
    for section in document.sections:
        if not changed[section.line - 1]:
            stood.setdefault(fold(section.title), section)
            repeated.setdefault(section.parent, []).append(times[fold(section.title)] > 1)
    is_once = {
        at: sum(row) <= _REPEATED * len(row) for at, row in repeated.items() if len(row) >= _LEAST_NAMES
    }
    for index in sorted(sections_with_entries(document)):
        section = document.sections[index]
        other = stood.get(fold(section.title))
        if (
            other is not None
            and changed[section.line - 1]
            and section.parent != other.parent
            and is_once.get(section.parent, is_once.get(None))
            and is_subject(section, index, document, context.vocabulary)
        ):
            values = {"title": section.title, "line": other.line}
            yield RawDiagnostic(section.span, values, message="again")


def _differ_in_treatment(title: str, other: str) -> bool:
    """Return whether two titles are one, or differ in how they treat a subject: `Training`, `Methods for Training`."""
    from shelfread.taxonomy.phrases import is_common

    words, others = ({singular(word) for word in tokens(each) if is_word(word)} for each in (title, other))
    differing = words ^ others
    return all(map(is_common, differing)) if differing else title.casefold() == other.casefold()


def _extent(document: Document, index: int) -> Span | None:
    """Return a heading's section with all below it, or None for sections without a heading."""
    section = document.sections[index]
    blocks = document.tree.blocks
    first = bisect_right(blocks, section.span.start, key=lambda block: block.start) - 1
    if section.kind != "heading" or first < 0 or blocks[first].kind != "heading":
        return None
    before = blocks[first - 1] if first else blocks[first]
    is_html = all(isinstance(node, Html | Break) for node in before.inlines)
    if before.kind in ("html", "paragraph") and is_html:
        return None  # an HTML anchor of the heading
    starts = document.source.starts
    headings = (block for block in blocks[first + 1 :] if block.kind == "heading")
    after = next((block for block in headings if block.level <= section.level), None)
    return Span(starts[blocks[first].first], starts[after.first] if after else len(document.source.text))


def _move(document: Document, index: int, other: int, side: str) -> tuple[Edit, ...]:
    """Return edits that move a section to the start of another one (`side` is `before`) or to its end."""
    section, target_section = _extent(document, index), _extent(document, other)
    if section is None or target_section is None:
        return ()
    text = document.source.text
    target = target_section.start if side == "before" else target_section.end
    body = text[section.start : section.end].rstrip()
    if section.start <= target <= section.end or not body:
        return ()
    start, end = section
    if end == len(text):  # the text before it becomes the end of the file, with the file's last newline
        start, end = len(text[:start].rstrip()), len(text.rstrip())
    inserted = f"{body}\n\n"
    if target == len(text):
        target, inserted = len(text.rstrip()), f"\n\n{body}"
    return tuple(sorted((Edit(start, end, "", MOVED), Edit(target, target, inserted, MOVED))))
