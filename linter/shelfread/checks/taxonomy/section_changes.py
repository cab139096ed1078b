"""Sections that a change added or renamed, compared with the base commit of `--since`."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Collection

from shelfread.core.diagnostics import RawDiagnostic, RawDiagnostics
from shelfread.core.differences import GONE
from shelfread.core.wording import is_slip
from shelfread.document.heading_subjects import is_subject, resolve_section
from shelfread.document.model import Document
from shelfread.index.anchors import slug_of
from shelfread.index.context import BaseText, RuleContext
from shelfread.index.conventions import Question
from shelfread.index.line_style import sections_with_entries
from shelfread.index.observations import SECTION
from shelfread.index.pages import has_subjects
from shelfread.index.placement.section_model import Text, learn, text_of
from shelfread.taxonomy.concept import MIN_WORD
from shelfread.taxonomy.label_forms import fold, singular, tokens

# Of a new section so many entries are looked at; where such a share of the like belongs is near, if two words say so.
_MOST_ENTRIES, _LEAST_NEAR = 20, 0.1
_SAME_SHARE = 0.5  # a section with so many of the lines of one that is gone is that one under another name


def new_section(document: Document, context: RuleContext) -> RawDiagnostics:
    """Report sections of a change that the list's taxonomy does not have, nor another section of the list."""
    taxonomy = context.taxonomy
    if context.base is None or not taxonomy.concepts or not has_subjects(document, context):
        return
    titles = context.base.context.conventions.forms(Question(SECTION))
    known = set(map(fold, titles))
    concepts = taxonomy.own_concepts | {
        label.concept for title in titles for label in taxonomy.resolve(title).subjects
    }
    path = document.source.path or ""
    is_new_file = context.base.paths.get(path) is None
    changed = context.base.changed_lines.get(path, ())
    renamed = _renamed(document, context.base.text(document))
    new: dict[int, str] = {}
    for index in sorted(sections_with_entries(document)):
        section = document.sections[index]
        is_new = is_new_file or any(changed[section.line - 1 : section.line])
        if not is_new or index in renamed or fold(section.title) in known:
            continue
        if not is_subject(section, index, document, context.vocabulary):
            continue
        named = resolve_section(document, index, taxonomy)
        if any(label.concept in concepts for label in named.subjects) or (named.forms and not named.subjects):
            continue
        is_known = bool(named.subjects) and not taxonomy.closed
        new[index] = "other" if is_known or not taxonomy.own_concepts else "own"
    near = _nearest(document, new) if new else {}
    for index, message in new.items():
        values = {"title": document.sections[index].title, "near": near.get(index, "")}
        kind = f"{message}-near" if values["near"] else message
        yield RawDiagnostic(document.sections[index].span, values, message=kind)


def _nearest(document: Document, new: Collection[int]) -> dict[int, str]:
    """Return for each new section those in which its entries may belong, with their lines."""
    texts: dict[int, list[Text]] = {index: [] for index in new}
    added = [index for index, entry in enumerate(document.entries) if entry.section in texts]
    model, names = learn(document, frozenset(added)), document.short_paths()
    for entry in map(document.entries.__getitem__, added):
        texts[entry.section or 0].append(text_of(entry))
    found = {}
    for index, of in texts.items():
        said = " ".join(f"{text.title} {text.description}" for text in of[:_MOST_ENTRIES])
        places = model.places(Text(document.sections[index].title, said))
        near = [place.section for place in places if place.words[1:] and place.share >= _LEAST_NEAR]
        found[index] = ", ".join(f"'{names[each]}' ({document.sections[each].line})" for each in near)
    return found


def renamed_section(document: Document, context: RuleContext) -> RawDiagnostics:
    """Report sections of a change that have another name than before, if links or the taxonomy know only the old one."""
    base, taxonomy, path = context.base, context.taxonomy, document.source.path or ""
    before = base.text(document) if base is not None else None
    if base is None or before is None or not taxonomy.concepts:
        return
    anchors = set(context.own_anchors(document)[1])
    for index, old_index in _renamed(document, before).items():
        section, old = document.sections[index], before.document.sections[old_index]
        slug = slug_of(before.document.source.text[slice(*old.span)], context.slugs)
        references = context.project.references(path) if slug not in anchors else ()
        links = [link.path for link in references if link.anchor == slug]
        values = {"title": section.title, "old": old.title, "files": ", ".join(dict.fromkeys(links))}
        message = _said(document, index, before, old_index, context, values)
        if not message and _is_misspelt(section.title, old.title, document):
            yield RawDiagnostic(section.span, values, message="misspelt")
        elif message or links:
            name = "-".join(filter(None, (message, "links" if links else "")))
            yield RawDiagnostic(section.span, values, message=name)


def _said(
    document: Document,
    index: int,
    before: BaseText,
    old_index: int,
    context: RuleContext,
    values: dict[str, str],
) -> str:
    """Return the name of what the taxonomy says of a new name, if that is not the same as of the old one."""
    taxonomy, section = context.taxonomy, document.sections[index]
    if not is_subject(section, index, document, context.vocabulary):
        return ""
    found = resolve_section(document, index, taxonomy)
    old = resolve_section(before.document, old_index, taxonomy)
    if not old.is_known or found.subjects == old.subjects:
        return ""
    values["was"] = ", ".join(taxonomy.match(label).preferred for label in old.subjects or old.forms)
    values["is"] = ", ".join(taxonomy.match(label).preferred for label in found.subjects or found.forms)
    if not found.is_known:
        return "unknown"
    return "" if values["is"] == values["was"] else "other"


def _is_misspelt(title: str, old: str, document: Document) -> bool:
    """Return whether a new name differs by a letter from the old one, in a word that only the old one shares with entries."""
    words, before = (
        {singular(word) for word in tokens(each) if len(word) >= MIN_WORD} for each in (title, old)
    )
    new, gone = words - before, before - words
    if len(new) != 1 or len(gone) != 1 or not is_slip(*new, *gone):
        return False
    said = {singular(word) for entry in document.entries for word in tokens(entry.title.value)}
    return gone <= said and new.isdisjoint(said)


def _renamed(document: Document, before: BaseText | None) -> dict[int, int]:
    """Return the sections of a base text that have other titles now, by the sections that have most of their lines."""
    if before is None:
        return {}
    sections, old = document.sections, before.document.sections
    starts = [section.line - 1 for section in old]
    kept = {before.lines[section.line - 1] for section in sections}
    found: dict[int, int] = {}
    for index, section in enumerate(sections):
        if before.lines[section.line - 1] != GONE:
            continue
        rows = [before.lines[row] for row in _rows(document, index) if before.lines[row] != GONE]
        owners = Counter(bisect_right(starts, row) - 1 for row in rows)
        for owner, count in owners.most_common(1):
            if owner < 0 or starts[owner] in kept or fold(old[owner].title) == fold(section.title):
                continue
            if count >= _SAME_SHARE * len(_rows(before.document, owner)):
                found[index] = owner
    return found


def _rows(document: Document, index: int) -> list[int]:
    """Return the lines of a section, from 0, without its heading, empty lines, and sections below it."""
    sections, lines = document.sections, document.source.lines
    end = sections[index + 1].line - 1 if index + 1 < len(sections) else len(lines)
    return [row for row in range(sections[index].line, end) if lines[row].strip()]
