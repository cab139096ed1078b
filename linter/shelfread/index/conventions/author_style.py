"""How entries write their authors: what joins them, and what stands for the others."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final, NamedTuple

from shelfread.core.diagnostics import Span
from shelfread.core.support.regex import lazy
from shelfread.document.model import Entry, Field
from shelfread.index.conventions.question import Observation, Question, Topic

AUTHORS: Final = Topic("authors")

_JOINT = lazy(r"[ \t]{0,3}[,;]?[ \t]{0,3}(?:(?:and|&)[ \t]{1,3})?")
_USUAL = frozenset((", ", ", and ", " and ", " & ", ", & ", "; "))
_OTHERS = lazy(
    r"(?P<before>[,;]?[ \t]{1,3})(?:and[ \t]+)?(?P<word>et\.?[ \t]{0,2}al(?![a-z])|others(?![a-z]))(?P<dot>\.|[*_]{1,3}\.)?",
    re.IGNORECASE,
)


_GOES_ON = frozenset(" \t,;&(")
_MORE = lazy(r"[ \t]*[,;&(\w]|[ \t]+and\b")


class AuthorForm(NamedTuple):
    """A question of how authors are written, the form that an entry has, and where it has it: of several joints, from the first to the last."""

    question: str
    form: str
    span: Span


def find_author_forms(entry: Entry, text: str) -> Iterator[AuthorForm]:
    """The forms of an entry's list of authors: of people that it names one after the other, in one line."""
    if not entry.authors or entry.kind != "paper":
        return
    names = [author.value for author in entry.authors]
    if "," in "".join(names):
        return  # family names first: what a comma joins is not sure
    last = entry.authors[-1].span.end
    others = False
    if text[last : last + 1] in _GOES_ON:
        if match := _OTHERS.match(text, last, last + 24):
            others = True
            word = " ".join(match[0][len(match["before"]) :].replace("*", "").replace("_", "").split())
            end = match.end() if match["dot"] in (None, ".") else match.end("word")
            several = "of several" if len(names) > 1 else "of one"
            yield AuthorForm(f"for the others {several}", match["before"] + word, Span(last, end))
        elif _MORE.match(text, last, last + 24):
            return  # the list goes on with what was not read
    if len(names) > 1:
        yield from _joints(entry.authors, names, others, text)


def _joints(authors: tuple[Field, ...], names: list[str], others: bool, text: str) -> Iterator[AuthorForm]:
    """What joins the authors, all of them with `others` behind them, else the last one by itself."""
    inner = len(names) if others else len(names) - 1
    if inner > 1:
        joint = _joint(authors[:inner], names[:inner], text)
        if joint is None:
            return
        span = Span(authors[0].span.end, authors[inner - 1].span.start)
        yield AuthorForm("between authors", joint, span)
    if not others:
        joint = _joint(authors[-2:], names[-2:], text)
        if joint is not None:
            span = Span(authors[-2].span.end, authors[-1].span.start)
            yield AuthorForm("before the last author" if inner > 1 else "between two authors", joint, span)


def _joint(authors: tuple[Field, ...], names: list[str], text: str) -> str | None:
    """What stands between each author and the next, where it is commas and `and`, and always the same."""
    joint = text[authors[0].span.end : authors[1].span.start]
    if joint not in _USUAL and not _JOINT.fullmatch(joint):
        return None
    return (
        joint if joint and joint.join(names) == text[authors[0].span.start : authors[-1].span.end] else None
    )


def separators_within(authors: tuple[Field, ...], span: Span) -> list[Span]:
    """Where each joint of a credit stands; what is no joint stands by itself."""
    spans = [Span(one.span.end, other.span.start) for one, other in pairwise(authors)]
    return [one for one in spans if span.start <= one.start and one.end <= span.end] or [span]


def observe_author_style(entry: Entry, text: str) -> Iterator[Observation]:
    """How an entry writes its authors."""
    for credit in find_author_forms(entry, text):
        yield Observation(Question(AUTHORS, credit.question), credit.form)
