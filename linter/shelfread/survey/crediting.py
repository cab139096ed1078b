"""How entries write their authors: what joins them, and what stands for the others."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from shelfread.diagnostic import Span
from shelfread.document.model import Entry, Field

_JOINT = re.compile(r"[ \t]{0,3}[,;]?[ \t]{0,3}(?:(?:and|&)[ \t]{1,3})?")
_USUAL = frozenset((", ", ", and ", " and ", " & ", ", & ", "; "))
_OTHERS = re.compile(
    r"(?P<before>[,;]?[ \t]{1,3})(?:and[ \t]+)?(?P<word>et\.?[ \t]{0,2}al(?![a-z])|others(?![a-z]))(?P<dot>\.|[*_]{1,3}\.)?",
    re.IGNORECASE,
)


_MORE = re.compile(r"[ \t]*[,;&(\w]|[ \t]+and\b")


class Credit(NamedTuple):
    """A question of how authors are written, the form that an entry has, and where it has it."""

    question: str
    form: str
    spans: tuple[Span, ...]


def credits_of(entry: Entry, text: str) -> Iterator[Credit]:
    """The forms of an entry's list of authors: of people that it names one after the other, in one line."""
    authors = entry.authors
    if not authors or entry.kind != "paper" or any("," in author.value for author in authors):
        return
    last = authors[-1].span.end
    others = _OTHERS.match(text, last, last + 24)
    if others is not None:
        word = " ".join(others[0][len(others["before"]) :].replace("*", "").replace("_", "").split())
        several = "of several" if len(authors) > 1 else "of one"
        end = others.end() if others["dot"] in (None, ".") else others.end("word")
        yield Credit(f"for the others {several}", others["before"] + word, (Span(last, end),))
    elif _MORE.match(text, last, last + 24):
        return  # the list goes on with what was not read
    joints = _joints(authors, text)
    if not joints:
        return
    ends = len(joints) if others is not None else len(joints) - 1
    forms = {text[slice(*joint)] for joint in joints[:ends]}
    if len(forms) > 1:
        return
    if forms:
        yield Credit("between authors", forms.pop(), tuple(joints[:ends]))
    if others is None:
        question = "before the last author" if ends else "between two authors"
        yield Credit(question, text[slice(*joints[-1])], (joints[-1],))


def _joints(authors: tuple[Field, ...], text: str) -> list[Span] | None:
    """What stands between each author and the next; None where that is more than commas and `and`."""
    joints = []
    end = -1
    for author in authors:
        start, after = author.span
        if end >= 0:
            if text[end:start] not in _USUAL and not (
                0 < start - end < 12 and _JOINT.fullmatch(text, end, start)
            ):
                return None
            joints.append(Span(end, start))
        end = after
    return joints


def credit_forms(entry: Entry, text: str) -> Iterator[tuple[str, str]]:
    """How an entry writes its authors."""
    for credit in credits_of(entry, text):
        yield f"authors {credit.question}", credit.form
