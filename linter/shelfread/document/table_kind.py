"""Tells tables of entries from others: results, matrices, legends, news."""

from __future__ import annotations

import re

from shelfread.core.support.regex import lazy
from shelfread.document.non_entries import ABOUT_LIST, CONTENTS, LEGEND, NEWS, RESULT, is_contents_list
from shelfread.document.recognizers.citation import is_citation
from shelfread.document.table_cells import Row
from shelfread.document.table_columns import Columns, is_title_header
from shelfread.taxonomy.vocabulary import Vocabulary

_SCORE = lazy(
    r"\b(?:acc(?:uracy)?|f-?1|f0\.5|bleu|rouge|meteor|perplexity|ppl|scores?|m?ap|avg\.?|average|mean|em|las|uas|wer|mrr|"
    r"rmse|mae|precision|recall|auc|top-?[15]|errors?|psnr|ssim|miou|iou|fps)\b|%|@\d",
    re.IGNORECASE,
)
# Numbers that say what a thing is, not how well it does.
_FACT = lazy(
    r"\b(?:version|size|param\w*|rating|price|cost|year|date|time|stars?|downloads?|citations?|impact|forks?|rank|"
    r"no|number of|total|pages?)\b|#|⭐",
    re.IGNORECASE,
)
_SOURCE = lazy(r"\W*(?:papers?|reference)\s?[/&]\s?sources?\W*", re.IGNORECASE)
_YEARS = lazy(
    r"\W*(?:before |since |until |<=?|>=?)?(?:19|20)\d\d(?:\s?[-–~]\s?(?:(?:19|20)?\d\d)?)?\W*", re.IGNORECASE
)
_CHANGES = lazy(r"\b(?:updates?|change(?:s|log)?|news|what's new)\b|更新", re.IGNORECASE)
_PEOPLE = lazy(r"\W*(?:contributors?|maintainers?)\W*", re.IGNORECASE)
_TITLED = lazy(r"\btitles?\b|标题|题目", re.IGNORECASE)


def why_no_entries(
    header: list[str], rows: list[Row], columns: Columns, vocabulary: Vocabulary
) -> str | None:
    """Return what a table is if its rows are no entries, else None."""
    links = [link.link for row in rows for cell in row.cells for link in cell.plain.links]
    if any(map(_PEOPLE.fullmatch, header)):
        return ABOUT_LIST
    if _is_matrix(header, vocabulary):
        return LEGEND
    if _are_results(header, columns):
        return RESULT
    if "title" in columns.indexes:
        link_lists = any(column.share("links") > 0.5 for column in columns.columns)
        return LEGEND if link_lists and "title" in columns.guessed else None
    if is_contents_list(links):
        return CONTENTS
    return NEWS if not links and _CHANGES.search(" ".join(header)) else LEGEND


def _is_matrix(header: list[str], vocabulary: Vocabulary) -> bool:
    """Return whether the columns of a table are years or venues."""
    others = [text for text in header[1:] if text]
    marks = sum(
        1 for text in others if _YEARS.fullmatch(text) or (text.isupper() and is_citation(text, vocabulary))
    )
    return marks >= 2 and marks > 0.6 * len(others)


def _are_results(header: list[str], columns: Columns) -> bool:
    """Return whether rows are results: columns of scores, beside names that have no link of their own."""
    title = columns.indexes.get("title")
    if title is not None and title < len(header) and _TITLED.search(header[title]):
        return False
    has_source = any(map(_SOURCE.fullmatch, header))
    scores = 0
    for i, column in enumerate(columns.columns):
        text = header[i] if i < len(header) else ""
        numbers = column.share("score", "number")
        if i in columns.indexes.values() or numbers < 0.6 or _FACT.search(text):
            continue
        scores += bool(has_source or _SCORE.search(text) or column.share("score") > 0.5)
    if scores == 0:
        return False
    if scores >= max(2, 0.5 * (len(columns.columns) - 1)):
        return True
    if title is None or any(
        map(is_title_header, header[:title])
    ):  # the paper is only the named thing's source
        return True
    return columns.columns[title].kinds["linked"] < 0.5 * columns.rows
