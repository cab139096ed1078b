"""The style `linked-title`: `- [Title](u) (OSDI 2020) [[Code](v)]`."""

from __future__ import annotations

from collections.abc import Iterator

from shelfread.core.diagnostics import Span
from shelfread.core.spans import TextEdit, apply_edits
from shelfread.format.entries.house_style import HouseStyle, write_labels, write_title, write_venue
from shelfread.format.entries.title_parts import Label, TitleLine
from shelfread.format.entries.unharmed import PAPER, Variant, is_paper
from shelfread.taxonomy.vocabulary import Vocabulary

_SEPARATORS = " \t,;|/·&"
_STOPS = (".", ",", ";", ":")


def find_variants(
    line: TitleLine, house_style: HouseStyle, vocabulary: Vocabulary
) -> Iterator[Variant] | str:
    """Return variants of a line in which the title links to the paper, the best first; else the reason."""
    index = next((index for index, label in enumerate(line.labels) if is_paper(label.link)), None)
    if index is None:
        return "its title line has no link to its paper"
    target = line.labels[index].target
    if target is None or target.startswith("["):
        return "its paper's link is not an inline link"
    if not line.labels[index].link.link.url:
        return "its paper's link has no URL"
    return _variants(line, index, target, house_style, vocabulary)


def _variants(
    line: TitleLine, index: int, target: str, house_style: HouseStyle, vocabulary: Vocabulary
) -> Iterator[Variant]:
    label, text = line.labels[index], line.text
    title = " ".join(text[line.title.start : line.title.end].split())
    words = label.words.strip()
    # A label that names its role alone carries no more than the title that replaces it.
    role = vocabulary.role(words.strip("`*_ "))
    cites = line.citation is not None and label.span.start <= line.citation.start < label.span.end
    removed = words if role is not None and role.id == PAPER and not cites else ""
    kept = words if not removed else ""
    is_plain = words.startswith("![") or any(bracket in words for bracket in "()[]（）")
    if kept and not is_plain:
        kept = f"{house_style.venue[0]}{kept}{house_style.venue[1]}"
    linked = f"[{title}]{target}"
    others = line.label_targets()
    if others is not None and line.has_nothing_behind and not (kept and is_plain):
        del others[index]
        parts = [write_title(linked, line, house_style)]
        parts += write_venue(line, house_style)
        parts += [kept] * bool(kept) + [write_labels(others, house_style)] * bool(others)
        yield Variant(line.before + " ".join(parts), removed)
    # In place: the title becomes the link, the label is removed.
    removal = TextEdit(*(label.span if kept else _with_separators(label, text)), kept)
    markers = line.markers if line.markers[:1] in ("*", "_") else ""
    for title_edit in (TextEdit(*line.title, linked), TextEdit(*line.outer, f"{markers}{linked}{markers}")):
        yield Variant(apply_edits(text, [title_edit, removal], *line.span).rstrip(" \t"), removed)


def _with_separators(label: Label, text: str) -> Span:
    """Return the span of a label and of the separators that are removed with it."""
    start, end = label.span
    if label.form[0] or label.form[1]:
        while start and text[start - 1] in " \t":
            start -= 1
        if text[start - 1 : start] in _STOPS and text[end : end + 1] in _STOPS:
            end += 1  # of two marks that would be side by side the first stays
    elif text[start - 1 : start] in ("[", "("):
        while end < len(text) and text[end] in _SEPARATORS:
            end += 1
    else:
        while start and text[start - 1] in _SEPARATORS:
            start -= 1
    return Span(start, end)
