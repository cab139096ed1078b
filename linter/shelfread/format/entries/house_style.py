"""How a list writes its entries: the brackets of its labels and venues, its words for roles, its titles' marks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any, NamedTuple, TypeAlias

from shelfread.format.entries.title_parts import Line, words_of_label
from shelfread.taxonomy.vocabulary import Role, Vocabulary

_PLAIN = ("[", "", "", "]")
_CLOSING = {"(": ")", "[": "]", "（": "）", "【": "】", "\\[": "\\]"}
# Words for a paper that say nothing of where it is: `arXiv` would be wrong of a DOI.
_EMPHASIS = ("", "*", "_", "**", "__")
_NEUTRAL = frozenset({"paper", "pdf"})


Counts: TypeAlias = Counter[tuple[str, Any]]
"""How often a question has an answer: `label` the brackets `[`, empty, empty, `]`."""


class Habits(NamedTuple):
    """What most entries of a list have. None of it changes when entries are rewritten in that manner."""

    label: tuple[str, str, str, str]
    between: str
    """What parts two labels."""
    row: tuple[str, str] | None
    """The brackets around several labels in a row, where these have such."""
    venue: tuple[str, str]
    marks: str
    """The marks around titles."""
    linked: bool
    """Whether titles mostly are links."""
    words: dict[str, str]
    """The label of a role, by its id."""


def count_habits(lines: Iterable[Line], text: str, vocabulary: Vocabulary) -> Counts:
    """How often the lines of a text do what how, those of tables among them."""
    counts: Counts = Counter()
    for line in lines:
        counts["marks", line.marks] += 1
        counts["linked", line.main is not None] += 1
        if line.venue_brackets:
            counts["venue", line.venue_brackets] += 1
        for label in line.labels:
            said = words_of_label(label, text)
            role = vocabulary.role(said)
            if role is not None and (role.id != "paper" or said.casefold() in _NEUTRAL):
                counts[f"word {role.id}", said] += 1
        for hole in line.holes:
            held = [one for one in line.labels if hole.start <= one.span.start and one.span.end <= hole.end]
            opening = text[hole.start : held[0].span.start] if held else ""
            if not opening:
                counts.update(("label", label.form) for label in held)
            if len(held) > 1:
                brackets = (opening, text[held[-1].span.end : hole.end]) if opening else None
                counts["row", brackets] += 1
        for one, other in pairwise(line.labels):
            gap = text[one.span.end : other.span.start]
            if len(gap) < 4 and not gap.strip(" ,|/·"):
                counts["between", gap] += 1
    return counts


def learn_habits(counts: Counts) -> Habits:
    """What is done most often."""
    venue = _most(counts, "venue", "(")
    marks = _most(counts, "marks", "")
    return Habits(
        _most(counts, "label", _PLAIN),
        _most(counts, "between", " "),
        _most(counts, "row", None),
        (venue, _CLOSING[venue]),
        marks if marks in _EMPHASIS else "",
        _most(counts, "linked", False),
        {
            question.removeprefix("word "): _most(counts, question, "")
            for question in {question for question, _ in counts}
            if question.startswith("word ")
        },
    )


def labels_with(links: Sequence[tuple[str, str]], habits: Habits) -> str:
    """Labels, each its words and its target, as the list has them."""
    if habits.row is not None and len(links) > 1:
        inner = ", ".join(f"[{words}]{target}" for words, target in links)
        return f"{habits.row[0]}{inner}{habits.row[1]}"
    before, opening, closing, after = habits.label
    return habits.between.join(
        f"{before}[{opening}{words}{closing}]{target}{after}" for words, target in links
    )


def word_for(role: Role | None, habits: Habits, vocabulary: Vocabulary) -> str:
    """What the list calls links of a role."""
    role = role or vocabulary.roles["paper"]
    return habits.words.get(role.id) or role.label


def bare_title(line: Line, text: str) -> str:
    """The title as written, without its link."""
    link = line.main.link if line.main else None
    start, end = line.title
    if link is None or link.start < start or end < link.end:
        return " ".join(text[start:end].split())
    return " ".join(
        (text[start : link.start] + text[link.text.start : link.text.end] + text[link.end : end]).split()
    )


def _most(counts: Counts, question: str, usual: Any) -> Any:
    """The commonest form; of two alike the usual one, or the first by its letters."""
    forms = {form: count for (asked, form), count in counts.items() if asked == question}
    best = max(forms.values(), default=0)
    if forms.get(usual, 0) == best:
        return usual
    return min((form for form in forms if forms[form] == best), key=repr)
