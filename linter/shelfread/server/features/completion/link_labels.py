"""The labels of an entry's links, in the words and brackets of the list."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from lsprotocol import types as lsp

from shelfread.core.support.regex import lazy
from shelfread.document.model import Document
from shelfread.format.entries.house_style import HouseStyle, count_forms, find_house_style
from shelfread.format.entries.title_lines import find_title_lines
from shelfread.index.context import RuleContext
from shelfread.server.features.completion.cursor import Cursor, completion
from shelfread.taxonomy.vocabulary import Vocabulary

_WORDS = lazy(r"[^\W\d_]?[\w .+/-]{0,30}$")
_URL = "url"


def complete_link_label(
    cursor: Cursor, document: Document, context: RuleContext
) -> list[lsp.CompletionItem] | None:
    """Return whole links with the labels that lists use; None if no bracket is open."""
    style = house_style(document, context.vocabulary)
    before, opening, closing, after = style.label
    found = _opened(cursor.before, f"{before}[{opening}")
    if found is None:
        return None
    start, lead = found
    closed = len(cursor.after) - len(cursor.after.lstrip("]"))
    span = cursor.span(len(cursor.before) - start, min(closed, lead.count("[")))
    return [
        completion(
            cursor,
            span,
            f"{before}[{opening}{words}{closing}]({_URL}){after}",
            kind=lsp.CompletionItemKind.Field,
            label=words,
            detail=detail,
            order=order,
            match=f"{lead}{words}",
            placeholder=_URL,
        )
        for order, (words, detail) in enumerate(_labels(style, context))
    ]


def _opened(line: str, lead: str) -> tuple[int, str] | None:
    """Return where the brackets before the last words begin, and as much of `lead` as is written of them."""
    match = _WORDS.search(line)
    end = match.start() if match is not None else len(line)
    for length in range(len(lead), 0, -1):
        if lead[:length].endswith("[") and line.endswith(lead[:length], 0, end):
            return end - length, lead[:length]
    return (end - 1, "[") if line.endswith("[", 0, end) else None


def _labels(style: HouseStyle, context: RuleContext) -> Iterator[tuple[str, str]]:
    """Yield labels and what is known of them: first the list's own, the most common first, then the vocabulary's."""
    used = context.conventions.role_labels
    given: set[str] = set()
    for role in sorted(used, key=lambda role: -used[role].total()):
        words, count = used[role].most_common(1)[0]
        given.add(role)
        yield words, f"{role}: {count} times in this project"
    for known in context.vocabulary.roles.values():
        if known.label not in given:
            yield style.words.get(known.id, known.label), "not used in this project"


@lru_cache(maxsize=4)  # the last readings of a few open documents
def house_style(document: Document, vocabulary: Vocabulary) -> HouseStyle:
    """Return how a list writes its entries."""
    lines, _ = find_title_lines(document, with_rows=True)
    return find_house_style(count_forms(lines.values(), vocabulary))
