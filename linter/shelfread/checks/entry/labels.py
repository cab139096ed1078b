"""The links and labels of entries: what stands first, how many a host has, how labels are written and ordered."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise

from shelfread.checks.common.styles import LocalStyles
from shelfread.core.diagnostics import MOVED, Edit, RawDiagnostic, RawDiagnostics, Severity, Span
from shelfread.core.patterns import lazy
from shelfread.core.wording import is_slip
from shelfread.document.model import Document, Entry, LabelledLink
from shelfread.document.passages import addresses, entry_spans, outer_entries, within
from shelfread.document.plain_text import SHORTCODE
from shelfread.index.context import RuleContext
from shelfread.index.conventions import LABEL, Convention, Question, When, learn
from shelfread.index.line_style import LABEL_ORDER, compare_labels, find_labels, kind_of, labels_of, main_link

_NUMBER = lazy(r"\d+\W*$|\b(?:[ivx]+|[a-d])\W*$", re.IGNORECASE)
_LETTERS = lazy(r"[^\W\d_]{2}")
_SHORTCODE = lazy(SHORTCODE)
_BROKEN = lazy(r"\][ \t]?\($|\)\[$")
_NAMED = ("classic", "plain-name")
_LEAST_ITEMS, _LEAST_LATE = 10, 3  # a section with so many items that begin with text writes them so


def bare_url(document: Document, context: RuleContext, *, when: When = "learned") -> RawDiagnostics:
    """Report bare URLs in entries of a file whose other links have a text."""
    entries = entry_spans(document)
    forms: Counter[str] = Counter()
    bare: list[Span] = []
    text = document.source.text
    for link in document.links:
        if link.image or not within(entries, link.start):
            continue
        if link.form == "bare" and _BROKEN.search(text, max(0, link.start - 3), link.start):
            continue  # a broken link, which other rules report
        forms["bare" if link.form == "bare" else "link"] += 1
        if link.form == "bare":
            bare.append(Span(link.start, link.end))
    convention = learn(forms, when) if bare else None
    if convention is None or convention.form != "link":
        return
    for span in bare:
        yield RawDiagnostic(span, {"count": convention.cases, "total": convention.total})


def link_first(document: Document, context: RuleContext, *, when: When = "learned") -> RawDiagnostics:
    """Report items with text before their link, in lists whose items begin with it."""
    if when == "never":
        return
    text = document.source.text
    items = [entry for entry in outer_entries(document.entries, document) if entry.dialect in _NAMED]
    late = [(entry, span) for entry in items if (span := _late_link(entry, text))]
    if when == "learned" and (len(items) < _LEAST_ITEMS or len(late) * 10 > len(items)):
        return
    counts = {"count": len(items) - len(late), "total": len(items)}
    sections = Counter(entry.section for entry, _ in late)
    above = {None, 0} if any(part.parent == 0 for part in document.sections) else {None}
    for entry, span in late:
        if document.sections and entry.section in above:
            continue  # what the list says of itself
        is_style = when == "learned" and sections[entry.section] >= _LEAST_LATE
        if not is_style and sum(1 for label in entry.links if not label.link.image) == 1:
            yield RawDiagnostic(span, counts)


def _late_link(entry: Entry, text: str) -> Span | None:
    """Return the first link of an entry if words come before it; an image or an icon may."""
    link = min((Span(*label.link[:2]) for label in entry.links if not label.link.image), default=None)
    start = entry.title_line.start
    bracket = text.find("[", start, link.start + 1) if link is not None else -1
    before = _SHORTCODE.sub("", text[start : max(start, bracket)])
    return link if _LETTERS.search(before) and not before.endswith("!") else None


def one_link_per_host(document: Document, context: RuleContext) -> RawDiagnostics:
    """Report a second link of an entry to the same host in the same role, unless its label has a number."""
    text = document.source.text
    known = {address.span for address in addresses(document)}
    for entry in document.entries:
        if len(entry.links) < 2:
            continue
        main = main_link(entry)
        firsts: dict[tuple[str, str], LabelledLink] = {}
        for label in [*([main] if main else []), *labels_of(entry, text)]:
            if label.role is None or label.link.destination not in known or label.link.image:
                continue
            parts = label.link.url.split("/", 3)
            if len(parts) < 3 or parts[1]:
                continue
            host = parts[2].lower().removeprefix("www.")
            first = firsts.setdefault((host, label.role.id), label)
            if first is label or _NUMBER.search(label.label):
                continue
            same = first.link.url == label.link.url or first.label.casefold() == label.label.casefold()
            values = {"host": host, "role": label.role.label, "first": first.label}
            severity = Severity.ERROR if same else Severity.INFO
            yield RawDiagnostic(Span(label.link.start, label.link.end), values, severity=severity)


_COMMON = 20
# A label that so many links have, and that is not too short to be another word with the same letters.
_SHORT = 3
# Names with one official spelling, which no convention of a list overrides.
_NAMES = {
    name.casefold(): name
    for name in (
        "arXiv BibTeX bioRxiv Colab DBLP DockerHub Gist GitHub GitLab Gitee Google HuggingFace IEEE Jupyter "
        "JAX Keras LinkedIn MATLAB MindSpore ModelScope MXNet OpenReview PaddlePaddle PyPI PyTorch ResearchGate "
        "SlideShare SlidesLive SourceForge Substack TensorFlow Theano Twitter USENIX Vimeo YouTube Zenodo"
    ).split()
}
_BETWEEN = lazy(r"[^\w\n\r<>]{0,12}")
_PAIRS = {"[": "]", "(": ")"}
# What follows a label and belongs to it: a badge, a remark.
_BELONGS = lazy(r"[ \t]*(?:!\[|\[!\[|[(:]|<img)")


def label_case(document: Document, context: RuleContext, *, when: When = "learned") -> RawDiagnostics:
    """Report labels that differ from the usual spelling in case alone, or in two letters that are swapped."""
    if when == "learned":
        yield from _swapped(document, context)
    usual = context.departures(document, LABEL, when)
    if not usual:
        return
    text = document.source.text
    labels = [label for label in find_labels(document) if label.word.casefold() in usual]
    styles = LocalStyles(document, ((label, label.word.casefold(), label.word) for label in labels))
    for label in labels:
        word, folded = label.word, label.word.casefold()
        convention = usual[folded]
        form = convention.form
        if form == word or _NAMES.get(folded, form) != form or styles.has(label, folded, word, form, when):
            continue
        if when == "learned" and _is_own_spelling(document, context, word, form):
            continue
        start = text.find(word, *label.span)
        span = Span(start, start + len(word)) if start >= 0 else label.span
        edits = (Edit.reword(span, word, form),) if start >= 0 else ()
        values = {"label": word, "usual": form, "count": convention.cases, "total": convention.total}
        yield RawDiagnostic(span, values, edits, message="case")


def _is_own_spelling(document: Document, context: RuleContext, word: str, usual: str) -> bool:
    facts, question = context.own_facts(document), Question(LABEL, word.casefold())
    if facts is None:
        return False
    return facts.observations[question, word] > 3 * facts.observations[question, usual] + 1


def _swapped(document: Document, context: RuleContext) -> RawDiagnostics:
    """Yield labels that no other link has, and that are a common one with two letters swapped (`[Cdoe]`)."""
    rare = _find_swapped(document, context)
    text = document.source.text
    for label in find_labels(document) if rare else ():
        usual = rare.get(label.word.casefold())
        start = text.find(label.word, *label.span)
        if usual is not None and start >= 0:
            span = Span(start, start + len(label.word))
            values = {"label": label.word, "usual": usual.form, "count": usual.cases, "total": usual.total}
            yield RawDiagnostic(span, values, (Edit.reword(span, label.word, usual.form),), message="swapped")


def _find_swapped(document: Document, context: RuleContext) -> dict[str, Convention]:
    """Return the labels of a file that are a common one with two letters swapped, each with that."""
    common: dict[str, Convention] = {}
    for question, forms in context.conventions.questions(LABEL):
        form, count = forms.most_common(1)[0]
        if forms.total() >= _COMMON and len(form) > _SHORT:
            common["".join(sorted(question.subject))] = Convention(form, count, forms.total())
    facts = context.own_facts(document)
    if not common or facts is None:
        return {}
    words = {question.subject for question, _ in facts.observations if question.topic == LABEL}
    rare: dict[str, Convention] = {}
    for word in sorted(words):
        usual = common.get("".join(sorted(word)))
        once = context.conventions.forms(Question(LABEL, word)).total() <= 1
        if usual is not None and once and is_slip(word, usual.form.casefold()):
            rare[word] = usual
    return rare


def label_order(document: Document, context: RuleContext, *, when: When = "learned") -> RawDiagnostics:
    """Report two adjacent labels that most entries have in the opposite order."""
    usual = context.departures(document, LABEL_ORDER, when)
    if not usual:
        return
    text = document.source.text
    leading = _leading(document, text)
    for entry in document.entries:
        if len(entry.links) < 2:
            continue
        for first, second in pairwise(labels_of(entry, text)):
            order = compare_labels(first, second)
            convention = usual.get(order[0].subject) if order else None
            if order is None or convention is None or convention.form == order[1]:
                continue
            if when == "learned" and not convention.is_strict:
                continue
            if when == "learned" and _leads(leading, entry, first):
                continue  # the convention of the section: for tools the code comes first
            start, end = first.link.end, second.link.start
            if end < start or not _BETWEEN.fullmatch(text, start, end):
                continue  # a link that was not closed may hold the next one
            values = {"first": second.label, "second": first.label}
            counts = {"count": convention.cases, "total": convention.total}
            span = Span(first.link.start, second.link.end)
            yield RawDiagnostic(span, {**values, **counts}, _swap(first, second, text))


def _leading(document: Document, text: str) -> dict[int | None, Counter[str]]:
    """Return how often each label comes first in the entries of each section."""
    found: dict[int | None, Counter[str]] = {}
    for entry in document.entries:
        first = next(labels_of(entry, text), None)
        if first is not None:
            found.setdefault(entry.section, Counter())[kind_of(first)] += 1
    return found


def _leads(leading: dict[int | None, Counter[str]], entry: Entry, label: LabelledLink) -> bool:
    """Return whether at least half of the section's other entries begin with a label of this kind."""
    kinds = leading.get(entry.section, Counter())
    return kinds[kind_of(label)] > 1 and (kinds[kind_of(label)] - 1) * 2 >= kinds.total() - 1


def _swap(first_label: LabelledLink, second_label: LabelledLink, text: str) -> tuple[Edit, ...]:
    """Return the edits that swap two labels and their brackets; none if these differ."""
    first, first_form = _bracketed(first_label, text)
    second, second_form = _bracketed(second_label, text)
    if first_form != second_form or first.end > second.start or _BELONGS.match(text, second.end):
        return ()
    moved = MOVED
    return (Edit(*first, text[slice(*second)], moved), Edit(*second, text[slice(*first)], moved))


def _bracketed(label: LabelledLink, text: str) -> tuple[Span, str]:
    """Return the span of a label with the brackets directly around it, and their form."""
    start, end = label.link.start, label.link.end
    form = text[start : start + 2] if text[start : start + 2] == "[[" else text[start : start + 1]
    opening = text[start - 1 : start] if start else ""
    closing = end + 1 if text[end : end + 1] == "\\" else end
    if opening in _PAIRS and text[closing : closing + 1] == _PAIRS[opening]:
        escaped = text[start - 2 : start - 1] == "\\"
        start, end, form = start - 1 - escaped, closing + 1, f"{opening}{form}"
    return Span(start, end), form
