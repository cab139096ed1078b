"""Remains of BibTeX, LaTeX, HTML and PDF in titles that were copied from there."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from html import unescape
from unicodedata import normalize

from shelfread.core.diagnostics import MARKUP, Applicability, Edit, RawDiagnostic, RawDiagnostics, Span
from shelfread.core.support.regex import lazy
from shelfread.document.model import Document
from shelfread.index.context import RuleContext

# It begins with one set of characters, which is found much faster than alternatives.
_SUSPECT = lazy(r"[{}\\&-](?:(?<=[{}\\])|(?<=&)(?:\w+;|#)|(?<=[a-z]-) [a-z])")
# `{GPU}`, `{{Deep}}`, `{Markov}`: words whose capitals BibTeX keeps.
_BRACES = lazy(r"(?<!\\[\"'`^~=.uvHc])\\?\{+\\?([^{}\s$\\,]*[^\W\d_a-z][^{}$\\,]*)\\?\}+")
# An accent command that is a letter is followed by a brace or a space: `\\c{c}`, not `\\ch`.
_ACCENT = lazy(r"\\(?P<accent>[\"'`^~=.]|[uvHc](?=[{ ]))[{ ]?\\?(?P<letter>[A-Za-z])\}?(?![A-Za-z]*\{)")
_COMMAND = lazy(
    r"\\(?:text(?:bf|it|tt|sc|rm|sf)|emph|mathbf|mathcal|mathrm|bf|it|em|ell|alpha|beta|gamma|epsilon|lambda|mu|"
    r"sigma|tau|omega|times|infty|ss|ae|oe|aa|o|l|textquotesingle|textendash|textemdash)\b(?:\{[^{}]*\})?"
)
_ENTITY = lazy(r"(?i)&(?:amp;)?(?:amp|lt|gt|quot|apos|nbsp|ndash|mdash|#\d{2,5}|#x[0-9a-f]{2,5});")
# Words that follow an intended hyphen, as in "short- to long-term", do not count.
_HYPHEN = lazy(
    r"(?<![\w-])([A-Za-z]{2,})- (?!(?:and|or|to|und|oder|bis|y|et|nor|vs|versus|but|from|through|plus|as|into|by|"
    r"via|in|on|of|for|with|the|a|an|is|at)\b)([a-z]{2,})"
)
_MATHEMATICS = lazy(r"(?<!\\)\$(?![\s$])[^$\n]*[^$\s\\]\$(?!\d)")
_ARGUMENT = lazy(r"\\[A-Za-z]{2,20}$")
_COMBINING = dict(
    zip("\"'`^~=.uvHc", "\u0308\u0301\u0300\u0302\u0303\u0304\u0307\u0306\u030c\u030b\u0327", strict=True)
)


def title_residue(document: Document, context: RuleContext) -> RawDiagnostics:
    """Report BibTeX braces, LaTeX, HTML entities shown as text, and words hyphenated at the end of a line."""
    text, protected = document.source.text, document.tree.protected
    for entry in document.entries:
        start, end = entry.title.span
        if entry.kind != "paper" or not _SUSPECT.search(text, start, end):
            continue
        mathematics = [Span(*match.span()) for match in _MATHEMATICS.finditer(text, start, end)]
        for diagnostic in _residues(text, start, end, entry.title.value):
            if not _overlaps(diagnostic.span, protected) and not _overlaps(diagnostic.span, mathematics):
                yield diagnostic


def _residues(text: str, start: int, end: int, shown: str) -> RawDiagnostics:
    for match in _BRACES.finditer(text, start, end):
        if _ARGUMENT.search(text, max(start, match.start() - 21), match.start()):
            continue  # `\underline{User}`
        inner = Span(*match.span(1))
        edits = (Edit(match.start(), inner.start, "", MARKUP), Edit(inner.end, match.end(), "", MARKUP))
        # `{GPUs}ATC'22`: two words that only the brace parts; `{B}ERT` and `{GPU}s` are one.
        glued = match[1][-1:].islower() and text[match.end() : match.end() + 1].isupper()
        applicability = Applicability.UNSAFE if glued else Applicability.SAFE
        yield _diagnostic("braces", match, match[1], edits, applicability)
    for match in _ACCENT.finditer(text, start, end):
        letter = normalize("NFC", match["letter"] + _COMBINING[match["accent"]])
        if len(letter) == 1 and letter.isalpha():
            yield _diagnostic("accent", match, letter, (Edit.reword(Span(*match.span()), match[0], letter),))
    for match in _COMMAND.finditer(text, start, end):
        yield _diagnostic("command", match)
    for match in _ENTITY.finditer(text, start, end):
        seen = unescape(match[0])
        if match[0] in shown or (seen in shown and _ENTITY.fullmatch(seen)):
            yield _diagnostic("entity", match)
    for match in _HYPHEN.finditer(text, start, end):
        yield _diagnostic("hyphen", match)


def _diagnostic(
    message: str,
    match: re.Match[str],
    right: str = "",
    edits: tuple[Edit, ...] = (),
    applicability: Applicability = Applicability.UNSAFE,
) -> RawDiagnostic:
    span, values = Span(*match.span()), {"residue": match[0], "right": right}
    return RawDiagnostic(span, values, edits, applicability, message=message)


def _overlaps(span: Span, protected: Sequence[Span]) -> bool:
    index = bisect_right(protected, span.start, key=lambda other: other.end)
    return index < len(protected) and protected[index].start < span.end
