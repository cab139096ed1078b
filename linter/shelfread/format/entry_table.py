"""The style `table`: a run of entries as rows of Title, Venue, Links."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from shelfread.core.diagnostics import Span
from shelfread.core.patterns import lazy
from shelfread.core.source import Source
from shelfread.document.model import Document
from shelfread.fixes.tokens import WORD
from shelfread.format.house_style import HouseStyle, role_label
from shelfread.format.title_parts import QUOTES, TORN, TitleLine, link_target
from shelfread.format.unharmed import Rewrite, Variant, find_blemish, is_paper
from shelfread.markdown.node import Block
from shelfread.taxonomy.vocabulary import Vocabulary

_PIPE = re.compile(r"(?<!\\)\|")
_SEPARATORS = " \t.,;|/·"
_END = lazy(r"(?<![\s,;|/·])(?<!\.\.)(?:[\s,;|/·]|(?<!\bal)(?<!\b[A-Z])\.|(?<=[\s\w]):)+$")
_BREAK = re.compile(r"^<br ?/?>|<br ?/?>$", re.IGNORECASE)
_COLUMNS = ("Title", "Authors", "Affiliations", "Venue", "Links")
_MIN_ROWS = 2
"""Fewer entries between others that stay do not become a table."""


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
        title = " ".join(text[link.text.start : link.text.end].split())
    if link is not None and house_style.linked:
        title = " ".join(text[line.linked.start : line.linked.end].split())
    elif line.main is not None:
        added = role_label(line.main.role, house_style, vocabulary)
        labels.append(f"[{added}]{target}")
    for label in line.labels:
        words, label_target = label.words, label.target
        if label_target is None:
            return "one of its links is not an inline link"
        cites = line.citation is not None and label.span.start <= line.citation.start < label.span.end
        if house_style.linked and target is None and is_paper(label.link) and not cites:
            title, target, removed = f"[{title}]{label_target}", label_target, words
        elif cites and not venue:
            venue = f"[{words}]{label_target}"
        else:
            labels.append(f"[{words}]{label_target}")
    behind = _END.sub("", " ".join(line.behind.split()).lstrip(_SEPARATORS))
    breaks = "".join(_BREAK.findall(behind))
    behind = _END.sub("", _BREAK.sub("", behind).lstrip(_SEPARATORS))
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
    cells = {column: _PIPE.sub(r"\|", " ".join(cell.split())) for column, cell in cells.items()}
    return Row(cells, Variant("", removed, added, bool(removed or added), breaks))


def write_tables(
    document: Document, indexes: Mapping[int, int], rows: Mapping[int, Row]
) -> tuple[list[Rewrite], dict[int, str]]:
    """Return the runs of entries that become tables, and for other entries with rows the reason.

    `indexes` are the entries with rows, by the offsets at which their items start.
    """
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
        breaks="".join(variant.breaks for variant in variants),
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
