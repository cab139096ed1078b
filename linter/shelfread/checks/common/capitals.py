"""Title case and sentence case."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, NamedTuple, TypeAlias

from shelfread.checks.common import WORDS
from shelfread.core.diagnostics import Edit, RawDiagnostic, RawDiagnostics, Span
from shelfread.core.patterns import lazy
from shelfread.document.model import Document
from shelfread.index.conventions import learn
from shelfread.markdown.node import Text

Style: TypeAlias = Literal["learned", "title", "sentence"]

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
    document: Document, titles: Iterable[tuple[Span, Sequence[Text]]], style: Style
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
    # A word that the list writes in lower case is not a name.
    common = _common_words(document) if expected != "title" else frozenset()
    message = "learned" if style == "learned" else "configured"
    for span, words in found:
        wrong = _wrong(words, expected, common)
        if not wrong:
            continue
        edits = []
        for word in wrong:
            first = word.text[0].swapcase() + word.text[1:]
            edits.append(Edit.reword(Span(word.start, word.start + len(word.text)), word.text, first))
        shown = ", ".join(f"'{word.text}'" for word in wrong[:5])
        values = {"words": shown, "style": expected, "count": count, "total": total}
        yield RawDiagnostic(span, values, tuple(edits), safe=False, message=message)


def _style_of(words: list[_Word]) -> str:
    """Return `title`, `sentence` or `mixed`."""
    capitals = sum(1 for word in words if word.text[0].isupper())
    return "title" if capitals == len(words) else "mixed" if capitals else "sentence"


def _wrong(words: list[_Word], style: str, common: frozenset[str]) -> list[_Word]:
    if style == "title":
        return [word for word in words if word.text[0].islower()]
    return [word for word in words if word.text[0].isupper() and word.text.lower() in common]


def _common_words(document: Document) -> frozenset[str]:
    """Return the words that a list has in lower case more than once."""
    counts = Counter(_LOWER.findall(document.source.text))
    return frozenset(word for word, count in counts.items() if count > 1)


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
