"""The names of sections against the taxonomy that the config names."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from difflib import SequenceMatcher

from shelfread.core.diagnostics import Applicability, Change, Edit, Effect, RawDiagnostic, Severity, Span
from shelfread.core.support.regex import lazy
from shelfread.document.model import Document, Section
from shelfread.document.recognizers.citation import find_year, is_citation
from shelfread.index.anchors.anchors import slug_of
from shelfread.index.context import RuleContext
from shelfread.index.conventions.title_line import sections_with_entries
from shelfread.taxonomy.fold import fold

_WORD = lazy(r"[^\W\d_]")
# Headings of every list that are no subject of any.
_OF_LISTS = frozenset(
    """others,other,misc,miscellaneous,miscellanea,miscellany,general,uncategorized,content,contents,toc,
    table of contents,resources,related lists,related projects,see also,references,external links,
    further reading""".replace("\n    ", "").split(",")
)  # fmt: skip
_SLIP = 0.88
"""From so near on a heading is misspelt; below it is perhaps a subject that the taxonomy lacks."""
_DATED = lazy(
    r"\b(?:years?|before|after|until|since|program(?:me)?|earlier|older|and|to|of)\b|[\W\d_]", re.IGNORECASE
)


# ---------------------------------------------------------------------------------------- sections
def section(document: Document, context: RuleContext) -> Iterator[RawDiagnostic]:
    """Headings of entries that are no concept of the taxonomy."""
    taxonomy = context.taxonomy
    if not taxonomy.concepts:
        return
    for index in sorted(sections_with_entries(document)):
        one = document.sections[index]
        if not is_subject(one, index, document, context) or taxonomy.find(one.title) is not None:
            continue
        near = taxonomy.suggest(one.title)
        if near is None and one.kind == "item":
            continue  # a thing with things below it may be no heading at all
        label = near.concept.label if near is not None else ""
        guess = f", did you mean '{label}'?" if near is not None else ""
        slip = near is not None and SequenceMatcher(None, fold(one.title), fold(near.label)).ratio() >= _SLIP
        edits = _renamed(document, context, one, label) if slip else ()
        yield RawDiagnostic(one.span, {"title": one.title, "guess": guess}, edits, Applicability.UNSAFE)


def section_alias(document: Document, context: RuleContext) -> Iterator[RawDiagnostic]:
    """Headings that are another name of a concept than the preferred one."""
    taxonomy = context.taxonomy
    if not taxonomy.concepts:
        return
    matches = {
        index: taxonomy.find(document.sections[index].title)
        for index in sorted(sections_with_entries(document))
    }
    named = Counter(match.concept.id for match in matches.values() if match is not None)
    for index, match in matches.items():
        if match is None or match.kind == "prefLabel":
            continue
        one = document.sections[index]
        values = {"title": one.title, "label": match.concept.label, "how": _HOW[match.kind]}
        severity = Severity.WARNING if match.kind == "hiddenLabel" else Severity.INFO
        alone = named[match.concept.id] == 1 and not (index == 0 and one.level == 1)
        edits = _renamed(document, context, one, match.concept.label) if alone else ()
        yield RawDiagnostic(one.span, values, edits, Applicability.UNSAFE, severity)


_HOW = {"altLabel": "another name", "hiddenLabel": "no name to use"}


def is_subject(one: Section, index: int, document: Document, context: RuleContext) -> bool:
    """Whether a section's title is to name a subject: not the page's, no year, venue, letter or `Others`."""
    if index == 0 and (one.level == 1 or (len(document.sections) > 1 and document.sections[1].parent == 0)):
        return False
    if one.year is not None or one.citation is not None or len(_WORD.findall(one.title)) < 2:
        return False
    if fold(one.title) in _OF_LISTS:
        return False
    if context.vocabulary.role(one.title) is not None:
        return False  # a kind of thing: Papers, Books, Videos
    return not (find_year(one.title) and is_citation(_DATED.sub(" ", one.title), context.vocabulary))


def _renamed(document: Document, context: RuleContext, one: Section, label: str) -> tuple[Edit, ...]:
    """Another title for a section, numbering and marks kept, and for all links that lead to it."""
    text = document.source.text
    start, end = one.span
    at = _core(text[start:end])
    if at is None or fold(text[start + at.start : start + at.end]) != fold(one.title):
        return ()
    span = Span(start + at.start, start + at.end)
    before = text[span.start : span.end]
    edits = [Edit(*span, label, Effect(Change.WORDS, before, label))]
    if one.kind != "heading" or context.table(_titles, document)[one.title] > 1:
        return tuple(edits)
    old = slug_of(text[start:end], context.project.slugs)
    new = slug_of(text[start : span.start] + label + text[span.end : end], context.project.slugs)
    for reference in context.project.references(document.source.path or ""):
        if reference.anchor == old and new != old:
            after = f"{reference.url.partition('#')[0]}#{new}"
            effect = Effect(Change.DESTINATION, reference.url, after)
            edits.append(Edit(*reference.fragment, new, effect, reference.path))
    return tuple(edits)


def _titles(document: Document) -> Counter[str]:
    """How often a title is that of a section."""
    return Counter(section.title for section in document.sections)


def words_of(title: str) -> str:
    """A title without numbering and marks around it."""
    at = _core(title)
    return title if at is None else title[at.start : at.end]


_CORE = lazy(r"(?:\W*\d{1,3}(?:\.\d{1,3})*[.)]?\s+)?[^\w(]*(?P<core>[(\w](?:.*[\w)])?)")


def _core(title: str) -> Span | None:
    """The words of a title without numbering and marks around them."""
    match = _CORE.match(title)
    return Span(*match.span("core")) if match else None
