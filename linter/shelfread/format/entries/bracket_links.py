"""The style `bracket-links`: `- Title (OSDI 2020) [[Paper](u)] [[Code](v)]`."""

from __future__ import annotations

from collections.abc import Iterator

from shelfread.format.entries.house_style import Habits, bare_title, labels_with, word_for
from shelfread.format.entries.rewrite import Way
from shelfread.format.entries.title_parts import NOTHING, Line, before, behind, pairs_of, target_of
from shelfread.format.layout.replacement import Piece, rewrite
from shelfread.taxonomy.vocabulary import Vocabulary


def is_written(line: Line, habits: Habits) -> bool:
    """Whether a line has the style: its title is no link and has the usual marks or none, its venue is not before it."""
    leads = line.venue is not None and line.venue.end <= line.outer.start
    return line.main is None and line.marks in ("", habits.marks) and not leads


def ways(line: Line, text: str, habits: Habits, vocabulary: Vocabulary) -> Iterator[Way] | str:
    """How a line could be written so that its title is plain and its links are labels; or why it cannot."""
    target, word = None, ""
    if line.main is not None:
        target = target_of(line.main.link, text)
        if target is None or target.startswith("["):
            return "its title's link is no inline link"
        word = word_for(line.main.role, habits, vocabulary)
    return _ways(line, target, word, text, habits)


def _ways(line: Line, target: str | None, word: str, text: str, habits: Habits) -> Iterator[Way]:
    own = labels_with([(word, target)], habits) if target is not None else ""
    title = bare_title(line, text)
    others = pairs_of(line, text)
    if (
        others is not None
        and NOTHING.fullmatch(behind(line, text))
        and (line.cites is None or line.venue or not own)
    ):
        labels = [(word, target), *others] if target is not None else others
        parts = [f"{habits.marks}{title}{habits.marks}"]
        if line.venue is not None and line.cites is not None:
            parts.append(f"{habits.venue[0]}{text[line.cites.start : line.cites.end]}{habits.venue[1]}")
        parts += [labels_with(labels, habits)] * bool(labels)
        yield Way(before(line, text) + " ".join(parts), come=word, relabels=bool(own))
    start, end = line.span
    if line.main is None:
        if line.marks not in ("", habits.marks):
            piece = Piece(*line.outer, f"{habits.marks}{title}{habits.marks}")
            yield Way(rewrite(text, [piece], start, end), relabels=False)
        return
    link = line.main.link
    bare = Piece(link.start, link.end, " ".join(text[link.text.start : link.text.end].split()))
    for at, said in _places(line, own, text):
        yield Way(rewrite(text, [bare, Piece(at, at, said)], start, end), come=word, relabels=bool(own))


def _places(line: Line, own: str, text: str) -> Iterator[tuple[int, str]]:
    """Where the new label could stand: before the first one, behind the venue, at the line's end, behind the title."""
    title = max(line.outer.end, line.title.end)
    row = next((hole for hole in line.holes if hole.start >= title and hole != line.venue), None)
    if row is not None:
        yield row.start, f"{own} "
    elif line.venue is not None and line.venue.start >= title and line.venue_brackets:
        yield line.venue.end, f" {own}"
    newline = text.find("\n", title, line.span.end)
    end = newline if newline >= 0 else line.span.end
    while end > title and text[end - 1] in " \t\r\\":
        end -= 1
    yield end, f" {own}"
    yield title, f" {own}"
