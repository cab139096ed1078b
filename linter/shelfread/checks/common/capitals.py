"""Title case and sentence case."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from shelfread.checks.common import WORDS, Capitals
from shelfread.core.diagnostics import Edit, RawDiagnostic, RawDiagnostics, Span
from shelfread.core.patterns import lazy
from shelfread.document.model import Document
from shelfread.index.conventions import learn
from shelfread.markdown.node import Text

_LETTER = r"[^\W\d_]"
_MARKS = r"\u0300-\u036f"  # the accents that stand behind their letter, which are no letters
_WORD = lazy(
    rf"(?<![\w'’{_MARKS}]){_LETTER}(?:{_LETTER}|['’{_MARKS}])*(?:-(?:{_LETTER}|['’{_MARKS}])+)*(?![\w.+#/@])"
)
_LOWER = lazy(r"(?<=[ (])[a-z]{4,}(?=[ ,.;:)])")
_LEAST_LETTERS = 4  # shorter words may be in lower case in either style


class _Word(NamedTuple):
    """A word that has a capital in title case and none in sentence case."""

    start: int
    text: str


def check_capitals(
    document: Document, titles: Iterable[tuple[Span, Sequence[Text]]], style: Capitals
) -> RawDiagnostics:
    """Report titles that are not in the style, by the words of their texts; the messages are `learned` and `configured`."""
    found = [(span, words) for span, nodes in titles if (words := list(_find_words(nodes)))]
    expected: str = style
    count = total = 0
    if style == "learned":
        convention = learn(Counter(_style_of(words) for _, words in found))
        if convention is None or convention.form == "mixed":
            return
        expected, count, total = convention.form, convention.cases, convention.total
    # A word that the list writes in lower case, more than once, is not a name.
    counts = Counter(_LOWER.findall(document.source.text)) if expected != "title" else Counter[str]()
    message = "learned" if style == "learned" else "configured"
    for span, words in found:
        if expected == "title":
            wrong = [word for word in words if word.text[0].islower()]
        else:
            wrong = [word for word in words if word.text[0].isupper() and counts[word.text.lower()] > 1]
        if not wrong:
            continue
        edits = tuple(
            Edit.reword(Span(start, start + len(word)), word, word[0].swapcase() + word[1:])
            for start, word in wrong
        )
        shown = ", ".join(f"'{word}'" for _, word in wrong[:5])
        values = {"words": shown, "style": expected, "count": count, "total": total}
        yield RawDiagnostic(span, values, edits, safe=False, message=message)


def _style_of(words: list[_Word]) -> str:
    capitals = sum(1 for word in words if word.text[0].isupper())
    return "title" if capitals == len(words) else "mixed" if capitals else "sentence"


def _find_words(nodes: Sequence[Text]) -> Iterator[_Word]:
    """Yield the words of a title that show its style: not the first one, short ones, names or small words."""
    first = True
    for node in nodes:
        if node.end - node.start != len(node.value):
            continue
        for match in _WORD.finditer(node.value):
            word = match[0]
            before = node.value[max(0, match.start() - 3) : match.start()].rstrip()[-1:]
            if first or before in ":：.?!–—" or (before and before in "/@"):
                first = False
                continue
            if len(word) < _LEAST_LETTERS or word.lower() in WORDS["small_words"] or not word[1:].islower():
                continue
            if word[0].swapcase().swapcase() != word[0] or len(word[0].swapcase()) > 1:
                continue  # no pair of letters: ß, CJK
            yield _Word(node.start + match.start(), word)
