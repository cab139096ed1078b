"""Conventions of lists in words: `Paper before Code (50 of 55)`."""

from __future__ import annotations

from collections.abc import Sequence

from shelfread.index.conventions.conventions import Convention, Topic
from shelfread.index.conventions.description_style import DESCRIPTION_END, DESCRIPTION_START, SEPARATOR
from shelfread.index.conventions.line_style import LABEL_ORDER
from shelfread.index.conventions.observations import GAP
from shelfread.index.conventions.paper_style import AUTHORS, TITLE_END, VENUE_FORM
from shelfread.taxonomy.vocabulary import Vocabulary

_MAX_SHOWN = 3
_MAX_LENGTH = 50
_PARTS = {"label": "[label]", "link": "[name]", "text": "description"}
_OPENING = {"]": "[", ")": "(", "”": "“", "’": "‘"}
_CLOSING = {"[": "]", "(": ")"}
_WORDS = {
    "stop": "a full stop",
    "none": "no full stop",
    "capital": "a capital letter",
    "small": "a small letter",
}
_VENUES = {"name": "VENUE", "words": "Venue in Words", "preprint": "arXiv"}


def describe_conventions(
    topic: Topic, conventions: Sequence[tuple[str, Convention]], vocabulary: Vocabulary
) -> str:
    """Return the first conventions of a topic, each with the subject of its question, in words."""
    counts: dict[str, tuple[int, int]] = {}
    for subject, (form, cases, total) in conventions:
        text = _show(_describe(topic, subject, form, vocabulary))
        before = counts.get(text, (0, 0))
        counts[text] = before[0] + cases, before[1] + total
    described = [f"{text} ({cases:,} of {total:,})" for text, (cases, total) in counts.items()]
    return ", ".join(described[:_MAX_SHOWN]) + (", ..." if len(described) > _MAX_SHOWN else "")


def _describe(topic: Topic, subject: str, form: str, vocabulary: Vocabulary) -> str:
    if topic == GAP:
        return _describe_gap(subject, form)
    if topic == LABEL_ORDER:
        first, second = (form, *(name for name in subject.split() if name != form))[:2]
        return f"{_role(first, vocabulary)} before {_role(second, vocabulary)}"
    if topic == SEPARATOR:
        return f"name{form}description"
    if topic in (DESCRIPTION_START, DESCRIPTION_END):
        return _WORDS.get(form, form)
    if topic == TITLE_END:
        opening = "".join(_OPENING.get(mark, mark) for mark in reversed(form.strip(".。")))
        return f"{opening}Title{form}" + ("" if "." in form or "。" in form else " without a full stop")
    if topic == VENUE_FORM:
        name, _, bracket = subject.partition(" ")
        return f"{bracket}{_VENUES.get(name, name)}{form}{_CLOSING.get(bracket, '')}"
    if topic == AUTHORS:
        return f"'{form}' {subject}"
    return form


def _describe_gap(subject: str, form: str) -> str:
    """Return a gap between the parts around it: `title [label]`, `[label] [label]`."""
    left, _, right = subject.split()[0].partition("-") if subject.split() else ("", "", "")
    before, after = _PARTS.get(left, left), _PARTS.get(right, right)
    if form[:1] in ("]", ")"):
        before = before.strip("[]") if form[0] == "]" else before
    if form[-1:] == "[":
        after = after.strip("[]")
    closing = "".join(_CLOSING.get(mark, "") for mark in reversed(form.rpartition(" ")[2]))
    opening = "".join(_OPENING.get(mark, "") for mark in reversed(form.partition(" ")[0]))
    return f"{opening}{before}{form}{after}{closing}"


def _role(id: str, vocabulary: Vocabulary) -> str:
    return vocabulary.roles[id].label if id in vocabulary.roles else id.replace("_", " ")


def _show(text: str) -> str:
    line = " ".join(text.splitlines())
    if not line.isprintable():
        line = ascii(line)[1:-1]
    return line if len(line) <= _MAX_LENGTH else f"{line[:_MAX_LENGTH]}..."
