"""How entries write their authors: the delimiters between names, and the form of `et al.`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from shelfread.core.diagnostics import Span
from shelfread.core.support.named_tuple import NamedTuple
from shelfread.core.support.regex import lazy
from shelfread.document.model import Entry, Field
from shelfread.index.conventions.question import Observation, Topic, question

AUTHORS: Final = Topic("authors")

_DELIMITER = lazy(r"[ \t]{0,3}[,;]?[ \t]{0,3}(?:(?:and|&)[ \t]{1,3})?")
_USUAL = frozenset((", ", ", and ", " and ", " & ", ", & ", "; "))
_ET_AL = lazy(
    r"(?P<before>[,;]?[ \t]{1,3})(?:and[ \t]+)?(?P<word>et\.?[ \t]{0,2}al(?![a-z])|others(?![a-z]))(?P<dot>\.|[*_]{1,3}\.)?",
    re.IGNORECASE,
)
_CONTINUES = frozenset(" \t,;&(")
_MORE_NAMES = lazy(r"[ \t]*[,;&(\w]|[ \t]+and\b")


class AuthorForm(NamedTuple):
    """The form in which an entry answers one question about its authors."""

    question: str
    form: str
    span: Span
    """Of several delimiters, from the first to the last."""


def find_author_forms(entry: Entry, text: str) -> Iterator[AuthorForm]:
    """Yield the forms of a paper's list of authors; none if a name has a comma or the list was not read to its end."""
    if not entry.authors or entry.kind != "paper":
        return
    names = [author.value for author in entry.authors]
    if "," in "".join(names):
        return  # family names first: a comma may be within a name or between two
    last = entry.authors[-1].span.end
    shortened = False
    if text[last : last + 1] in _CONTINUES:
        if match := _ET_AL.match(text, last, last + 24):
            shortened = True
            word = " ".join(match[0][len(match["before"]) :].replace("*", "").replace("_", "").split())
            end = match.end() if match["dot"] in (None, ".") else match.end("word")
            several = "of several" if len(names) > 1 else "of one"
            yield AuthorForm(f"for the others {several}", match["before"] + word, Span(last, end))
        elif _MORE_NAMES.match(text, last, last + 24):
            return
    if len(names) > 1:
        yield from _delimiters(entry.authors, names, shortened, text)


def _delimiters(
    authors: Sequence[Field], names: list[str], shortened: bool, text: str
) -> Iterator[AuthorForm]:
    """Yield the delimiter between authors, and the one before the last author unless `et al.` follows."""
    inner = len(names) if shortened else len(names) - 1
    if inner > 1:
        delimiter = _common_delimiter(authors[:inner], names[:inner], text)
        if delimiter is None:
            return
        span = Span(authors[0].span.end, authors[inner - 1].span.start)
        yield AuthorForm("between authors", delimiter, span)
    if not shortened and (delimiter := _common_delimiter(authors[-2:], names[-2:], text)) is not None:
        question = "before the last author" if inner > 1 else "between two authors"
        yield AuthorForm(question, delimiter, Span(authors[-2].span.end, authors[-1].span.start))


def _common_delimiter(authors: Sequence[Field], names: list[str], text: str) -> str | None:
    """Return what is between each two authors, if it is always the same: commas, semicolons, `and`, `&`."""
    first = text[authors[0].span.end : authors[1].span.start]
    if not first or (first not in _USUAL and not _DELIMITER.fullmatch(first)):
        return None
    return first if first.join(names) == text[authors[0].span.start : authors[-1].span.end] else None


def delimiters_within(authors: tuple[Field, ...], span: Span) -> list[Span]:
    """Return the spans of the delimiters in the span of a form; of `et al.`, that span itself."""
    gaps = [Span(author.span.end, following.span.start) for author, following in pairwise(authors)]
    return [gap for gap in gaps if span.start <= gap.start and gap.end <= span.end] or [span]


def observe_author_style(entry: Entry, text: str) -> Iterator[Observation]:
    for author_form in find_author_forms(entry, text):
        yield question(AUTHORS, author_form.question), author_form.form
