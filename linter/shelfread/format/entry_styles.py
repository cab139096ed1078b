"""The styles `linked-title`, `- [Title](u) (OSDI 2020) [[Code](v)]`, and `bracket-links`, `- Title (OSDI 2020) [[Paper](u)] [[Code](v)]`."""

from __future__ import annotations

from collections.abc import Iterator

from shelfread.core.diagnostics import Span, TextEdit, apply_edits
from shelfread.core.patterns import lazy
from shelfread.format.house_style import HouseStyle, role_label, write_labels, write_title, write_venue
from shelfread.format.title_parts import QUOTES, Label, TitleLine, link_target
from shelfread.format.unharmed import PAPER, Variant, is_paper
from shelfread.taxonomy.vocabulary import Vocabulary

_SEPARATORS = " \t,;|/·&"
_STOPS = (".", ",", ";", ":")


def linked_title_variants(
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
    return _linked_title_variants(line, index, target, house_style, vocabulary)


def _linked_title_variants(
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


_LINE_END = lazy(r"(?i)(?<![\s\\])(?<!<br>)(?<!<br/>)(?<!<br />)(?:\s|\\|<br ?/?>)+$")
_TARGET = lazy(r"\]\([^\s()]*(?:\([^\s()]*\)[^\s()]*)*\)")


def has_bracket_links(line: TitleLine, house_style: HouseStyle) -> bool:
    """Return whether the title is no link and has the usual markers or none, and no venue is before it."""
    venue_first = line.venue is not None and line.venue.end <= line.outer.start
    return line.main is None and _has_usual_markers(line, house_style) and not venue_first


def bracket_link_variants(
    line: TitleLine, house_style: HouseStyle, vocabulary: Vocabulary
) -> Iterator[Variant] | str:
    """Return variants of a line in which the title is plain and its link a label, the best first.

    Return the reason if there are none.
    """
    target, word = None, ""
    if line.main is not None:
        target = link_target(line.main.link, line.text)
        if target is None or target.startswith("["):
            return "its title's link is not an inline link"
        if not line.main.link.url:
            return "its title's link has no URL"
        word = role_label(line.main.role, house_style, vocabulary)
    return _bracket_link_variants(line, target, word, house_style)


def _bracket_link_variants(
    line: TitleLine, target: str | None, word: str, house_style: HouseStyle
) -> Iterator[Variant]:
    label = write_labels([(word, target)], house_style) if target is not None else ""
    title = write_title(line.plain_title, line, house_style)
    others = line.label_targets()
    if others is not None and line.has_nothing_behind and (line.citation is None or line.venue or not label):
        labels = [(word, target), *others] if target is not None else others
        parts = [title, *write_venue(line, house_style)]
        parts += [write_labels(labels, house_style)] * bool(labels)
        yield Variant(line.before + " ".join(parts), added=word, relabels=bool(label))
    text, (start, end) = line.text, line.span
    if line.main is None:
        if not _has_usual_markers(line, house_style):
            yield Variant(apply_edits(text, [TextEdit(*line.outer, title)], start, end), relabels=False)
        return
    link = line.main.link
    plain = TextEdit(link.start, link.end, " ".join(text[link.text.start : link.text.end].split()))
    for insertion in _insertions(line, label):
        edited = apply_edits(text, [plain, insertion], start, end)
        yield Variant(edited, added=word, relabels=bool(label))


def _has_usual_markers(line: TitleLine, house_style: HouseStyle) -> bool:
    return line.markers in ("", house_style.markers, *house_style.highlights, *QUOTES)


def _insertions(line: TitleLine, label: str) -> Iterator[TextEdit]:
    """Insert the new label before the first one, behind the venue, at the line's end or behind the title."""
    title = max(line.outer.end, line.title.end)
    row = next((part for part in line.parts if part.start >= title and part != line.venue), None)
    if row is not None and not _is_bracketed(line.text[title : row.start]):
        yield TextEdit(row.start, row.start, f"{label} ")
    elif line.venue is not None and line.venue.start >= title and line.venue_bracket:
        yield TextEdit(line.venue.end, line.venue.end, f" {label}")
    text = line.text
    newline = text.find("\n", title, line.span.end)
    end = newline if newline >= 0 else line.span.end
    line_end = _LINE_END.search(text, title, end)
    end = line_end.start() if line_end is not None else end
    yield TextEdit(end, end, f" {label}")
    yield TextEdit(title, title, f" {label}")


def _is_bracketed(before: str) -> bool:
    """Return whether what follows a text is within a bracket that holds other words too."""
    words = _TARGET.sub("", before)
    return any(words.count(opening) > words.count(closing) for opening, closing in ("()", "[]", "（）"))
