"""How a list writes its entries: brackets of labels and venues, words for link roles, markers of titles."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any, NamedTuple, TypeAlias

from shelfread.format.title_parts import QUOTES, TitleLine, is_within
from shelfread.taxonomy.vocabulary import Role, Vocabulary

_DEFAULT_LABEL = ("[", "", "", "]")
_CLOSING = {"(": ")", "[": "]", "（": "）", "【": "】", "\\[": "\\]"}
_FEWEST_HIGHLIGHTS = 3
_EMPHASIS = ("", "*", "_", "**", "__")
# Labels of papers that do not name a host: `arXiv` would be wrong for a DOI.
_NEUTRAL = frozenset({"paper", "pdf"})
# What a link is called, or the column that it stands in, whatever it leads to.
ANY_LINK = frozenset({"link", "url", "here", "web", "website", "site", "homepage"})

# How many times each form was found: `label` with the brackets `[`, empty, empty, `]`.
Counts: TypeAlias = Counter[tuple[str, Any]]


class HouseStyle(NamedTuple):
    """The most common forms in a list. Rewriting entries in these forms changes none of them."""

    label: tuple[str, str, str, str]  # see `Label.form`
    separator: str  # what is between two labels
    row: tuple[str, str] | None  # the brackets around several labels in a row, if there are any
    venue: tuple[str, str]
    markers: str  # the markers around titles
    # other markers that several titles have: what they say of those would be lost without them.
    highlights: frozenset[str]
    linked: bool  # whether most titles are links
    words: dict[str, str]  # the label of a link role, by its id


def count_forms(lines: Iterable[TitleLine], vocabulary: Vocabulary) -> Counts:
    """Count the forms of a text's title lines, including those in tables."""
    counts: Counts = Counter()
    for line in lines:
        text = line.text
        counts["markers", line.markers] += 1
        counts["linked", line.main is not None] += 1
        if line.venue_bracket:
            counts["venue", line.venue_bracket] += 1
        for label in line.labels:
            role = vocabulary.role(label.words)
            if role is not None and (role.id != "paper" or label.words.casefold() in _NEUTRAL):
                counts[f"word {role.id}", label.words] += 1
        for part in line.parts:
            row = [label for label in line.labels if is_within(label.span, part)]
            opening = text[part.start : row[0].span.start] if row else ""
            if not opening:
                counts.update(("label", label.form) for label in row)
            if len(row) > 1:
                counts["row", (opening, text[row[-1].span.end : part.end]) if opening else None] += 1
        for first, second in pairwise(line.labels):
            gap = text[first.span.end : second.span.start]
            if len(gap) < 4 and not gap.strip(" ,|/·"):
                counts["separator", gap] += 1
    return counts


def find_house_style(counts: Counts) -> HouseStyle:
    """Return the most common form of each kind."""
    venue = _most_common(counts, "venue", "(")
    markers = _most_common(counts, "markers", "")
    kinds = {kind for kind, _ in counts if kind.startswith("word ")}
    return HouseStyle(
        label=_most_common(counts, "label", _DEFAULT_LABEL),
        separator=_most_common(counts, "separator", " "),
        row=_most_common(counts, "row", None),
        venue=(venue, _CLOSING[venue]),
        markers=markers if markers in _EMPHASIS else "",
        highlights=frozenset(
            form
            for (kind, form), count in counts.items()
            if kind == "markers" and form != markers and form in _EMPHASIS[1:] and count >= _FEWEST_HIGHLIGHTS
        ),
        linked=_most_common(counts, "linked", False),
        words={kind.removeprefix("word "): _most_common(counts, kind, "") for kind in kinds},
    )


def write_labels(labels: Sequence[tuple[str, str]], house_style: HouseStyle) -> str:
    """Return labels, each given by its text and target, as the list writes them; images behind them, bare."""
    worded = [label for label in labels if not label[0].startswith("![")]
    images = [f"[{words}]{target}" for words, target in labels if words.startswith("![")]
    if house_style.row is not None and len(worded) > 1:
        inner = ", ".join(f"[{words}]{target}" for words, target in worded)
        return " ".join([f"{house_style.row[0]}{inner}{house_style.row[1]}", *images])
    before, opening, closing, after = house_style.label
    written = [f"{before}[{opening}{words}{closing}]{target}{after}" for words, target in worded]
    return " ".join([*filter(None, [house_style.separator.join(written)]), *images])


def role_label(role: Role | None, house_style: HouseStyle, vocabulary: Vocabulary) -> str:
    """Return what the list calls links of a role."""
    role = role or vocabulary.roles["paper"]
    return house_style.words.get(role.id) or role.label


def write_title(title: str, line: TitleLine, house_style: HouseStyle) -> str:
    """Return a title in the list's markers, or in the quotation marks or the highlight that it has."""
    if line.markers in QUOTES:
        return f"{line.markers}{title}{QUOTES[line.markers]}"
    markers = line.markers if line.markers in house_style.highlights else house_style.markers
    return f"{markers}{title}{markers}"


def write_venue(line: TitleLine, house_style: HouseStyle) -> list[str]:
    """Return the venue in the list's brackets; an empty list if there is none outside of labels."""
    if line.venue is None or line.citation is None:
        return []
    opening, closing = house_style.venue
    return [f"{opening}{line.text[line.citation.start : line.citation.end]}{closing}"]


def _most_common(counts: Counts, kind: str, default: Any) -> Any:
    """Return the most common form; of several as common the default, or the first in order of their text."""
    forms = {form: count for (other, form), count in counts.items() if other == kind}
    best = max(forms.values(), default=0)
    if forms.get(default, 0) == best:
        return default
    return min((form for form in forms if forms[form] == best), key=repr)
