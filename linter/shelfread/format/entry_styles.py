"""The styles `linked-title`, `- [Title](u) (OSDI 2020) [[Code](v)]`, `bracket-links` and `table`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from shelfread.core.diagnostics import Span, TextEdit, apply_edits
from shelfread.core.patterns import lazy
from shelfread.core.source import Source
from shelfread.document.model import Document
from shelfread.fixes.tokens import WORD
from shelfread.format.house_style import (
    ANY_LINK,
    HouseStyle,
    role_label,
    write_labels,
    write_title,
    write_venue,
)
from shelfread.format.title_parts import QUOTES, TORN, Label, TitleLine, link_target, unwrapped
from shelfread.format.unharmed import PAPER, Rewrite, Variant, find_blemish, is_paper
from shelfread.markdown.node import Block
from shelfread.taxonomy.vocabulary import Vocabulary

_PIPE = re.compile(r"(?<!\\)\|")
_CELL_SEPARATORS = " \t.,;|/·"
_END = lazy(r"(?<![\s,;|/·])(?<!\.\.)(?:[\s,;|/·]|(?<!\bal)(?<!\b[A-Z])\.|(?<=[\s\w]):)+$")
_COLUMNS = ("Title", "Authors", "Affiliations", "Venue", "Links")
_MIN_ROWS = 2  # fewer entries between others that stay do not become a table


class Row(NamedTuple):
    """The cells of an entry by column, and the words that this removes and adds."""

    cells: dict[str, str]
    variant: Variant


def write_row(line: TitleLine, house_style: HouseStyle, vocabulary: Vocabulary) -> Row | str:
    """Return an entry of a list as a row of a table, or the reason why it cannot be one."""
    text = line.text
    if line.is_torn:
        return TORN
    if len(line.entry.block.blocks) > 1:
        return "a row has no room for what is below its title line"
    if "\n" in text[line.span.start : line.span.end] or "\r" in text[line.span.start : line.span.end]:
        return "its title line continues on a second line"
    removed = added = venue = ""
    if line.venue is not None and line.citation is not None:
        venue = text[line.citation.start : line.citation.end]
    labels = []
    link = line.main.link if line.main is not None else None
    target = link_target(link, text) if link is not None else None
    if link is not None and target is None:
        return "its title's link is not an inline link"
    title = line.plain_title
    if link is not None and line.linked != line.outer:
        title = unwrapped(text[link.text.start : link.text.end])
    if link is not None and house_style.linked:
        title = unwrapped(text[line.linked.start : line.linked.end])
    elif line.main is not None:
        added = role_label(line.main.role, house_style, vocabulary)
        labels.append(f"[{added}]{target}")
    for label in line.labels:
        words, label_target = label.words, label.target
        if label_target is None:
            return "one of its links is not an inline link"
        cites = line.citation is not None and label.span.start <= line.citation.start < label.span.end
        if cites and not venue:
            venue = f"[{words}]{label_target}"
        else:
            labels.append(f"[{words}]{label_target}")
    behind = _END.sub("", unwrapped(line.behind).lstrip(_CELL_SEPARATORS))
    cells = dict.fromkeys(_COLUMNS, "")
    for column, names in (("Authors", line.entry.authors), ("Affiliations", line.entry.affiliations)):
        if names and WORD.findall(behind) == WORD.findall(" ".join(name.value for name in names)):
            cells[column], behind = behind.strip("()*_ "), ""
    if line.markers in (*house_style.highlights, *QUOTES):
        title = f"{line.markers}{title}{QUOTES.get(line.markers, line.markers)}"
    gap = "" if behind.startswith(":") else " "
    cells["Title"] = line.before + gap.join(filter(None, (title, behind)))
    cells["Venue"], cells["Links"] = venue, ", ".join(labels)
    row = " ".join(filter(None, cells.values()))
    if (blemish := find_blemish(text[line.span.start : line.span.end], row)) is not None:
        return blemish
    cells = {column: _PIPE.sub(r"\|", unwrapped(cell)) for column, cell in cells.items()}
    return Row(cells, Variant("", removed, added, bool(removed or added)))


def write_tables(
    document: Document, indexes: Mapping[int, int], rows: Mapping[int, Row]
) -> tuple[list[Rewrite], dict[int, str]]:
    """Return the runs of entries that become tables, and for others with rows the reason; `indexes` are by their offsets."""
    rewrites: list[Rewrite] = []
    reasons: dict[int, str] = {}
    for block in document.tree.blocks:
        if block.kind != "list":
            continue
        if block.marker in (".", ")"):
            found = (indexes.get(item.start, -1) for item in block.blocks)
            reasons.update({index: "its number would be lost" for index in found if index in rows})
            continue
        for has_row, group in groupby(block.blocks, lambda item: indexes.get(item.start, -1) in rows):
            items = list(group)
            run = [indexes[item.start] for item in items] if has_row else []
            if len(run) < min(_MIN_ROWS, len(block.blocks)):
                reasons.update(dict.fromkeys(run, "the entries beside it stay in the list"))
            elif not any(cell for index in run for cell in list(rows[index].cells.values())[1:]):
                reason = "neither it nor the entries beside it have a second column"
                reasons.update(dict.fromkeys(run, reason))
            elif run:
                rewrites.append(_write_table(document.source, items, run, rows))
    return rewrites, reasons


def _write_table(
    source: Source, items: Sequence[Block], run: Sequence[int], rows: Mapping[int, Row]
) -> Rewrite:
    columns = [column for column in _COLUMNS if any(rows[index].cells[column] for index in run)]
    cells = [columns, ["---"] * len(columns)]
    cells += [[rows[index].cells[column] for column in columns] for index in run]
    lines = [f"|{'|'.join(f' {cell} ' if cell else ' ' for cell in row)}|" for row in cells]
    variants = [rows[index].variant for index in run]
    stated = Variant(
        text="",
        removed=" ".join(variant.removed for variant in variants),
        added=" ".join([*columns, *(variant.added for variant in variants)]),
        relabels=any(variant.relabels for variant in variants),
    )
    return Rewrite(tuple(run), *_replace_lines(source, items[0].first, items[-1].end, lines, stated))


def _replace_lines(
    source: Source, first: int, end: int, lines: Iterable[str], stated: Variant
) -> tuple[Span, Variant]:
    """Return the span from the line `first` (from 0) to the offset `end`, and its text with blank lines around."""
    last = source.line_at(end)
    above = [""] * bool(first and source.lines[first - 1].strip())
    below = [""] * bool(last + 1 < len(source.lines) and source.lines[last + 1].strip())
    text = source.newline.join([*above, *lines, *below])
    return Span(source.starts[first], end), stated._replace(text=text, is_line=False)


_SEPARATORS = " \t,;|/·&"
_STOPS = (".", ",", ";", ":")


def linked_title_variants(
    line: TitleLine, house_style: HouseStyle, vocabulary: Vocabulary
) -> list[Variant] | str:
    """Return variants of a line in which the title links to the paper, the best first; else the reason."""
    index = next((index for index, label in enumerate(line.labels) if is_paper(label.link)), None)
    if index is None:
        return "its title line has no link to its paper"
    label, text = line.labels[index], line.text
    target = label.target
    if target is None or target.startswith("["):
        return "its paper's link is not an inline link"
    if not label.link.link.url:
        return "its paper's link has no URL"
    title = unwrapped(text[line.title.start : line.title.end])
    words = label.words.strip()
    # A label that names its role alone, or only that it is a link, carries no more than the title that replaces it.
    bare = words.strip("`*_ ")
    role = vocabulary.role(bare)
    cites = line.citation is not None and label.span.start <= line.citation.start < label.span.end
    says_nothing = bare.casefold() in ANY_LINK or (role is not None and role.id == PAPER)
    removed = words if says_nothing and not cites else ""
    kept = words if not removed else ""
    is_plain = words.startswith("![") or any(bracket in words for bracket in "()[]（）")
    if kept and not is_plain:
        kept = f"{house_style.venue[0]}{kept}{house_style.venue[1]}"
    linked = f"[{title}]{target}"
    variants: list[Variant] = []
    others = line.label_targets()
    if others is not None and line.has_nothing_behind and not (kept and is_plain):
        del others[index]
        parts = [write_title(linked, line, house_style)]
        parts += write_venue(line, house_style)
        parts += [kept] * bool(kept) + [write_labels(others, house_style)] * bool(others)
        variants.append(Variant(line.before + " ".join(parts), removed))
    # In place: the title becomes the link, the label is removed.
    removal = TextEdit(*(label.span if kept else _with_separators(label, text)), kept)
    markers = line.markers if line.markers[:1] in ("*", "_") else ""
    for title_edit in (TextEdit(*line.title, linked), TextEdit(*line.outer, f"{markers}{linked}{markers}")):
        edited = apply_edits(text, [title_edit, removal], *line.span)
        variants.append(Variant(edited.rstrip(" \t"), removed))
    return variants


def _with_separators(label: Label, text: str) -> Span:
    start, end = label.span
    if label.form[0] or label.form[1]:
        while start and text[start - 1] in " \t":
            start -= 1
        if text[start - 1 : start] in _STOPS and text[end : end + 1] in _STOPS:
            end += 1  # of two marks that would be side by side the first stays
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
) -> list[Variant] | str:
    """Return variants of a line with a plain title and its link as a label, the best first, or the reason if there are none."""
    target, word = None, ""
    if line.main is not None:
        target = link_target(line.main.link, line.text)
        if target is None or target.startswith("["):
            return "its title's link is not an inline link"
        if not line.main.link.url:
            return "its title's link has no URL"
        word = role_label(line.main.role, house_style, vocabulary)
    label = write_labels([(word, target)], house_style) if target is not None else ""
    title = write_title(line.plain_title, line, house_style)
    variants: list[Variant] = []
    others = line.label_targets()
    if others is not None and line.has_nothing_behind and (line.citation is None or line.venue or not label):
        labels = [(word, target), *others] if target is not None else others
        parts = [title, *write_venue(line, house_style)]
        parts += [write_labels(labels, house_style)] * bool(labels)
        variants.append(Variant(line.before + " ".join(parts), added=word, relabels=bool(label)))
    text, (start, end) = line.text, line.span
    if line.main is None:
        if not _has_usual_markers(line, house_style):
            edited = apply_edits(text, [TextEdit(*line.outer, title)], start, end)
            variants.append(Variant(edited, relabels=False))
        return variants
    link = line.main.link
    plain = TextEdit(link.start, link.end, unwrapped(text[link.text.start : link.text.end]))
    for insertion in _insertions(line, label):
        edited = apply_edits(text, [plain, insertion], start, end)
        variants.append(Variant(edited, added=word, relabels=bool(label)))
    return variants


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
