"""Names of sections and organisations that the taxonomy does not have, or does not prefer, and those that no section has."""

from __future__ import annotations

import os
from collections import Counter
from functools import lru_cache

from shelfread.core.diagnostics import Edit, RawDiagnostic, RawDiagnostics, Severity, Span
from shelfread.document.heading_subjects import HEADING, is_subject, resolve_section
from shelfread.document.model import Document, Section
from shelfread.index.anchors import slug_of
from shelfread.index.context import RuleContext
from shelfread.index.conventions import Question
from shelfread.index.line_style import sections_with_entries
from shelfread.index.observations import SECTION
from shelfread.index.pages import has_subjects
from shelfread.taxonomy.label_forms import fold
from shelfread.taxonomy.taxonomy import Match

# A heading this similar to a label is misspelt; below, it may be a subject that the taxonomy lacks.
_MIN_SIMILARITY = 0.88
_MESSAGES = {"altLabel": "alias", "hiddenLabel": "hidden"}
# The most concepts that are named. A list of a part of a large taxonomy's subjects lacks thousands.
_MOST = 100


def section(document: Document, context: RuleContext) -> RawDiagnostics:
    """Report headings of entries that name no concept of the taxonomy."""
    taxonomy = context.taxonomy
    if not taxonomy.concepts or not has_subjects(document, context):
        return
    for index in sorted(sections_with_entries(document)):
        heading = document.sections[index]
        title = heading.title
        found = resolve_section(document, index, taxonomy)
        named = {label.concept for label in found.subjects}
        is_foreign = taxonomy.closed and named and named.isdisjoint(taxonomy.own_concepts)
        if (retired := _retired(document, index, context)) is not None:
            yield retired
        elif (found.is_known and not is_foreign) or not is_subject(
            heading, index, document, context.vocabulary
        ):
            continue
        elif found.guesses or is_foreign:
            label = taxonomy.match((found.guesses or found.subjects)[0]).preferred
            message, severity = ("closed", Severity.WARNING) if is_foreign else ("guess", Severity.INFO)
            values = {"title": title, "label": label}
            yield RawDiagnostic(heading.span, values, severity=severity, message=message, precedence=0)
        elif (similar := _similar(document, context, heading)) is not None:
            yield similar
        elif heading.kind != "item":  # an entry with others below it may not be a heading
            yield RawDiagnostic(heading.span, {"title": title}, message="unknown", precedence=0)


def _retired(document: Document, index: int, context: RuleContext) -> RawDiagnostic | None:
    """Return the diagnostic of a heading of a retired concept, which takes the successor's name if no section has it."""
    taxonomy, heading = context.taxonomy, document.sections[index]
    match = taxonomy.find(heading.title)
    if match is None or match.concept.retired is None:
        return None
    values = {"title": heading.title, "label": match.concept.label}
    if not match.concept.retired:
        return RawDiagnostic(heading.span, values, message="retired")
    label = (taxonomy.concepts.get(match.concept.retired) or taxonomy.forms[match.concept.retired]).label
    others = (taxonomy.find(section.title) for section in document.sections)
    is_named = any(other is not None and other.concept.id == match.concept.retired for other in others)
    edits = () if is_named else _rename(document, context, heading, label)
    values["label"] = label
    return RawDiagnostic(heading.span, values, edits, safe=False, message="replaced")


def _similar(document: Document, context: RuleContext, heading: Section) -> RawDiagnostic | None:
    """Return the diagnostic of a heading that is similar to a label (of bundled ones, one often is by chance), or has a misspelt word."""
    taxonomy, title = context.taxonomy, heading.title
    near, meant, is_misspelt = taxonomy.suggest(title), None, False
    if near is not None and near.concept.retired is None:
        from difflib import SequenceMatcher

        is_own = near.concept.id in taxonomy.own_concepts
        is_misspelt = SequenceMatcher(None, fold(title), fold(near.label)).ratio() >= _MIN_SIMILARITY
        meant = near.preferred if is_own else near.label if is_misspelt else None
    if meant is None:
        meant, is_misspelt = taxonomy.respelt(title), True
    if meant is None:
        return None
    edits = _rename(document, context, heading, meant) if is_misspelt else ()
    values = {"title": title, "suggestion": meant}
    return RawDiagnostic(heading.span, values, edits, safe=False, message="similar")


def section_alias(document: Document, context: RuleContext) -> RawDiagnostics:
    """Report headings that are another name of a concept than the preferred one."""
    taxonomy = context.taxonomy
    if not taxonomy.concepts:
        return
    found = (
        (index, _whole_match(document, index, context)) for index in sorted(sections_with_entries(document))
    )
    matches = [(index, match) for index, match in found if match is not None]
    named = Counter(match.concept.id for _, match in matches)
    for index, match in matches:
        if match.kind not in _MESSAGES or match.concept.retired is not None:
            continue
        heading = document.sections[index]
        values = {"title": heading.title, "label": match.preferred}
        severity = Severity.WARNING if match.kind == "hiddenLabel" else Severity.INFO
        is_only = named[match.concept.id] == 1 and not (index == 0 and heading.level == 1)
        edits = _rename(document, context, heading, match.preferred) if is_only else ()
        message = _MESSAGES[match.kind]
        yield RawDiagnostic(heading.span, values, edits, False, severity, message)


def _whole_match(document: Document, index: int, context: RuleContext) -> Match | None:
    """Return the concept whose label a heading is, unless it names another one below the section above."""
    match = context.taxonomy.find(document.sections[index].title)
    if match is None:
        return None
    found = resolve_section(document, index, context.taxonomy)
    if match.kind == "altLabel" and match.concept.id in context.taxonomy.forms:
        return None  # `Others` and `Papers` may be called as the list likes
    labels = [*found.subjects, *found.forms]
    return match if [label.concept for label in labels] == [match.concept.id] else None


def _rename(document: Document, context: RuleContext, heading: Section, label: str) -> tuple[Edit, ...]:
    """Return edits that rename a section and the links to it, not its numbering and emoji; none if another file links to it."""
    text = document.source.text
    start, end = heading.span
    match = HEADING.match(text[start:end])
    if match is None or fold(match["words"]) != fold(heading.title):
        return ()
    span = Span(start + match.start("words"), start + match.end("words"))
    edits = [Edit.reword(span, match["words"], label)]
    if heading.kind != "heading" or _titles(document)[heading.title] > 1:
        return tuple(edits)
    old = slug_of(text[start:end], context.slugs)
    new = slug_of(text[start : span.start] + label + text[span.end : end], context.slugs)
    path = document.source.path or ""
    for reference in context.project.references(path):
        if reference.anchor == old and new != old:
            if reference.path != path:
                return ()
            after = f"{reference.url.partition('#')[0]}#{new}"
            edits.append(Edit.relink(reference.fragment, reference.url, after, new))
    return tuple(edits)


@lru_cache(maxsize=1)
def _titles(document: Document) -> Counter[str]:
    return Counter(section.title for section in document.sections)


def affiliation(document: Document, context: RuleContext) -> RawDiagnostics:
    """Report organisations under another name than the taxonomy's `prefLabel`."""
    taxonomy, text = context.taxonomy, document.source.text
    if not taxonomy.affiliations:
        return
    for entry in document.entries:
        for field in entry.affiliations:
            known = taxonomy.affiliation(field.value)
            if known is None or field.value == known.label or text[slice(*field.span)] != field.value:
                continue
            edit = Edit.reword(field.span, field.value, known.label)
            yield RawDiagnostic(field.span, {"name": field.value, "label": known.label}, (edit,))


def unused(document: Document, context: RuleContext) -> RawDiagnostics:
    """Report concepts of the list's own taxonomy that no section of the project names, in the project's first file."""
    taxonomy = context.taxonomy
    if not taxonomy.concepts or (document.source.path or "") != min(context.project.facts):
        return
    found = [taxonomy.resolve(title) for title in context.conventions.forms(Question(SECTION))]
    used = {label.concept for each in found for label in (*each.subjects, *each.qualifiers)}
    used |= {broader for id in used for broader in taxonomy.ancestors(id)}
    unseen = [id for id in taxonomy.concepts if id in taxonomy.own_concepts and id not in used]
    left = [id for id in unseen if not taxonomy.concepts.is_retired(id)]
    for id in left[:_MOST]:
        path, line, _ = taxonomy.places[id]
        file = os.path.basename(path or "")  # a baseline is read in other folders too
        values = {"label": taxonomy.concepts[id].label, "where": f"{file}:{line}"}
        yield RawDiagnostic(Span(0, 0), values, message="unused")
    if len(left) > _MOST:
        yield RawDiagnostic(Span(0, 0), {"count": f"{len(left) - _MOST:,}"}, message="more")
