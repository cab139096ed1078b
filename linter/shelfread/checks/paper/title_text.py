"""Titles with full stops and remains of BibTeX, LaTeX, HTML and PDF, and authors in another form than the list's."""

from __future__ import annotations

import re
from collections import Counter
from html import unescape
from itertools import chain
from unicodedata import normalize

from shelfread.checks.common.styles import LocalStyles
from shelfread.core.diagnostics import (
    MARKUP,
    Edit,
    RawDiagnostic,
    RawDiagnostics,
    Severity,
    Span,
    find_overlapping,
)
from shelfread.core.patterns import lazy
from shelfread.document.model import Document
from shelfread.index.context import RuleContext
from shelfread.index.conventions import Convention, When, learn
from shelfread.index.observations import (
    AUTHORS,
    STOPS,
    TITLE_END,
    AuthorForm,
    delimiters_within,
    find_author_forms,
    find_title_end,
)

_JOINTS = {",", "and", ", and", "&", ", &"}
_LAST = ("before the last author", "between two authors")
_MESSAGES = {
    "between authors": "between",
    "between two authors": "between-two",
    "before the last author": "last",
    "for the others of several": "others",
    "for the others of one": "others",
}


def authors_form(document: Document, context: RuleContext, *, when: When = "learned") -> RawDiagnostics:
    """Report authors that are joined, or cut short, in another way than the list's."""
    usual = context.departures(document, AUTHORS, when)
    if not usual:
        return
    text = document.source.text
    entries = [entry for entry in document.entries if entry.kind == "paper" and not entry.is_heading]
    forms = [(entry, find_author_forms(entry, text)) for entry in entries]
    credited = [(entry, [credit for credit in found if credit.question in usual]) for entry, found in forms]
    cases = ((entry, credit.question, credit.form) for entry, credits in credited for credit in credits)
    styles = LocalStyles(document, cases)
    for entry, credits in credited:
        found: list[RawDiagnostic] = []
        edits: list[Edit] = []
        for credit in credits:
            convention = usual[credit.question]
            form = convention.form
            if credit.form in (form, f"{form}."):
                continue  # the full stop may be that of the sentence
            if not styles.has(entry, credit.question, credit.form, form, when):
                joints = delimiters_within(entry.authors, credit.span)
                edits += (Edit.reword(span, text[slice(*span)], form) for span in joints)
                if when != "learned" or not _is_as_good(credit, form):
                    found.append(_difference(credit, convention, when == "always"))
        if found:  # one list of authors is fixed whole or not at all
            yield max(found, key=lambda raw: raw.severity)._replace(edits=tuple(edits))


def _is_as_good(credit: AuthorForm, usual: str) -> bool:
    """Return whether a form is as good English as the usual one (`Lee, Ray, and Fox`, `Lee et al.`), or is shown as it."""
    found, right = credit.form.strip(), usual.strip()
    is_joint = credit.question in _LAST and {found, right} <= _JOINTS
    return (is_joint or found.lstrip(", ") == right.lstrip(", ")) if found != right else "  " in credit.form


def _difference(credit: AuthorForm, convention: Convention, always: bool) -> RawDiagnostic:
    found, right = credit.form.strip(), convention.form.strip()
    values = {"found": found, "usual": right, "count": convention.cases, "total": convention.total}
    message = _MESSAGES[credit.question] if found != right else "spaces"
    severity = Severity.WARNING if always or convention.is_strict else Severity.INFO
    return RawDiagnostic(credit.span, values, (), False, severity, message)


_NO_STOPS = str.maketrans("", "", STOPS)
# What may follow a title whose full stop is removed: the end of the line, links, another cell, but no sentence.
_LAST_WORD = lazy(r"\w[\w'’-]*\W?\Z")
_LONGEST_WORD = 40
_MAY_FOLLOW = lazy(r"[ \t]*(?:$|[\r\n]|\(https?:|\(\.{0,2}/|\\?\[|[|<])")
# It begins with one set of characters, which is found much faster than alternatives.
_SUSPECT = lazy(r"[{}\\&-](?:(?<=[{}\\])|(?<=&)(?:\w+;|#)|(?<=[a-z]-) [a-z])")
# `{GPU}`, `{{Deep}}`, `{Markov}`: words whose capitals BibTeX keeps.
_BRACES = lazy(r"(?<!\\[\"'`^~=.uvHc])(?<!\{)\\?\{+\\?((?=[^{}\s$\\,]*[^\W\d_a-z])[^{}$\\,]*)\\?\}+")
# An accent command that is a letter is followed by a brace or a space: `\\c{c}`, not `\\ch`.
_ACCENT = lazy(r"\\(?P<accent>[\"'`^~=.]|[uvHc](?=[{ ]))[{ ]?\\?(?P<letter>[A-Za-z])\}?(?![A-Za-z]*\{)")
_COMMAND = lazy(
    r"\\(?:text(?:bf|it|tt|sc|rm|sf)|emph|mathbf|mathcal|mathrm|bf|it|em|ell|alpha|beta|gamma|epsilon|lambda|mu|"
    r"sigma|tau|omega|times|infty|ss|ae|oe|aa|o|l|textquotesingle|textendash|textemdash)\b(?:\{[^{}]*\})?"
)
_ENTITY = lazy(r"(?i)&(?:amp;)?(?:amp|lt|gt|quot|apos|nbsp|ndash|mdash|#\d{2,5}|#x[0-9a-f]{2,5});")
_MATHEMATICS = lazy(r"(?<!\\)\$(?![\s$])[^$\n]*[^$\s\\]\$(?!\d)")
_ARGUMENT = lazy(r"\\[A-Za-z]{2,20}$")
_COMBINING = dict(
    zip("\"'`^~=.uvHc", "\u0308\u0301\u0300\u0302\u0303\u0304\u0307\u0306\u030c\u030b\u0327", strict=True)
)


def title_end(document: Document, context: RuleContext, *, when: When = "learned") -> RawDiagnostics:
    """Report titles with a full stop if the list's have none, and titles without one if the list's have one."""
    usual = _usual_ends(document, context, when)
    if not usual:
        return
    text = document.source.text
    entries = [entry for entry in document.entries if entry.dialect in usual and not entry.is_heading]
    ends = [(entry, span) for entry in entries if (span := find_title_end(entry, text)) is not None]
    cases = ((entry, entry.dialect, _kind(text[slice(*span)])) for entry, span in ends)
    styles = LocalStyles(document, cases)
    parted = Counter(text[slice(*span)] for _, span in ends if not _MAY_FOLLOW.match(text, span.end))
    for entry, span in ends:
        found = text[slice(*span)]
        convention, forms = usual[entry.dialect]
        if _kind(found) == convention.form:
            continue
        bare = found.translate(_NO_STOPS)
        # The stop parts the title from what follows, unless markup alone does so where the others have more text.
        is_markup = found[-1:] not in STOPS and 2 * parted[bare] > len(ends)
        if found != bare and not is_markup and not _MAY_FOLLOW.match(text, span.end):
            continue
        # Closing markers have the full stop where the list has it, if it has such markers.
        stopped = (form for form in forms if form != bare and form.translate(_NO_STOPS) == bare)
        right = bare if found != bare else next(stopped, None)
        if not styles.has(entry, entry.dialect, _kind(found), convention.form, when):
            edits = () if right is None else _edits(span, found, right)
            yield _diagnostic(span, convention, edits, when, text)


def _usual_ends(
    document: Document, context: RuleContext, when: When
) -> dict[str, tuple[Convention, list[str]]]:
    """Return the usual ends of titles by the dialects that depart from them, with the forms of the list, the usual one first."""
    facts = context.own_facts(document)
    found: dict[str, tuple[Convention, list[str]]] = {}
    for asked, forms in context.conventions.disputed(TITLE_END):
        counts: Counter[str] = Counter()
        for form, count in forms.items():
            counts[_kind(form)] += count
        convention = learn(counts, when)
        own = forms if facts is None else facts.forms(asked)
        if convention is not None and any(_kind(form) != convention.form for form in own):
            found[asked.subject] = convention, [form for form, _ in forms.most_common()]
    return found


def _kind(form: str) -> str:
    """Return whether the end of a title is `with` or `without` a full stop."""
    return "without" if form.translate(_NO_STOPS) == form else "with"


def _edits(span: Span, found: str, right: str) -> tuple[Edit, ...]:
    """Return edits of the full stop alone, which leave emphasis markers as they are."""
    if len(right) > len(found):
        index = next(index for index, character in enumerate(right) if character in STOPS)
        return (Edit(span.start + index, span.start + index, right[index], MARKUP),)
    stops = (span.start + index for index, character in enumerate(found) if character in STOPS)
    return tuple(Edit(start, start + 1, "", MARKUP) for start in stops)


def _diagnostic(
    span: Span, convention: Convention, edits: tuple[Edit, ...], when: When, text: str
) -> RawDiagnostic:
    values = {"count": convention.cases, "total": convention.total}
    start = edits[0].start if edits else span.start
    place, message = Span(start, start + 1), "extra"
    if convention.form == "with":  # a missing full stop is reported at the word before its place
        word = _LAST_WORD.search(text, max(0, start - _LONGEST_WORD), start)
        place, message = Span(word.start() if word else start - 1, start), "missing"
    diagnostic = RawDiagnostic(place, values, edits, message=message)
    if when == "always" or convention.is_strict:
        return diagnostic
    return diagnostic._replace(safe=False, severity=Severity.INFO)


def title_residue(document: Document, context: RuleContext) -> RawDiagnostics:
    """Report BibTeX braces, LaTeX, and HTML entities shown as text."""
    text, protected = document.source.text, document.tree.protected
    for entry in document.entries:
        start, end = entry.title.span
        if entry.kind != "paper" or not _SUSPECT.search(text, start, end):
            continue
        mathematics = [Span(*match.span()) for match in _MATHEMATICS.finditer(text, start, end)]
        for diagnostic in _residues(text, start, end, entry.title.value):
            opaque = (find_overlapping(spans, *diagnostic.span) for spans in (protected, mathematics))
            if next(chain(*opaque), None) is None:
                yield diagnostic


def _residues(text: str, start: int, end: int, shown: str) -> RawDiagnostics:
    for match in _BRACES.finditer(text, start, end):
        if _ARGUMENT.search(text, max(start, match.start() - 21), match.start()):
            continue  # `\underline{User}`
        inner = Span(*match.span(1))
        edits = (Edit(match.start(), inner.start, "", MARKUP), Edit(inner.end, match.end(), "", MARKUP))
        # `{GPUs}ATC'22`: two words that only the brace parts; `{B}ERT` and `{GPU}s` are one.
        glued = match[1][-1:].islower() and text[match.end() : match.end() + 1].isupper()
        yield _residue("braces", match, match[1], edits, safe=not glued)
    for match in _ACCENT.finditer(text, start, end):
        letter = normalize("NFC", match["letter"] + _COMBINING[match["accent"]])
        if len(letter) == 1 and letter.isalpha():
            yield _residue("accent", match, letter, (Edit.reword(Span(*match.span()), match[0], letter),))
    for match in _COMMAND.finditer(text, start, end):
        yield _residue("command", match)
    for match in _ENTITY.finditer(text, start, end):
        seen = unescape(match[0])
        if match[0] in shown or (seen in shown and _ENTITY.fullmatch(seen)):
            yield _residue("entity", match)


def _residue(
    message: str, match: re.Match[str], right: str = "", edits: tuple[Edit, ...] = (), safe: bool = False
) -> RawDiagnostic:
    span, values = Span(*match.span()), {"residue": match[0], "right": right}
    return RawDiagnostic(span, values, edits, safe, message=message)
