"""The style `bracket-links`: `- Title (OSDI 2020) [[Paper](u)] [[Code](v)]`."""

from __future__ import annotations

from collections.abc import Iterator

from shelfread.core.patterns import lazy
from shelfread.core.spans import TextEdit, apply_edits
from shelfread.format.entries.house_style import (
    HouseStyle,
    role_label,
    write_labels,
    write_title,
    write_venue,
)
from shelfread.format.entries.title_parts import QUOTES, TitleLine, link_target
from shelfread.format.entries.unharmed import Variant
from shelfread.taxonomy.vocabulary import Vocabulary

_LINE_END = lazy(r"(?i)(?<![\s\\])(?<!<br>)(?<!<br/>)(?<!<br />)(?:\s|\\|<br ?/?>)+$")
_TARGET = lazy(r"\]\([^\s()]*(?:\([^\s()]*\)[^\s()]*)*\)")


def has_style(line: TitleLine, house_style: HouseStyle) -> bool:
    """Return whether the title is no link and has the usual markers or none, and no venue is before it."""
    venue_first = line.venue is not None and line.venue.end <= line.outer.start
    return line.main is None and _has_usual_markers(line, house_style) and not venue_first


def find_variants(
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
    return _variants(line, target, word, house_style)


def _variants(line: TitleLine, target: str | None, word: str, house_style: HouseStyle) -> Iterator[Variant]:
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
