"""Text as LaTeX source: nothing in it is a command, and pdfLaTeX sets what it has characters for."""

from __future__ import annotations

from functools import lru_cache
from unicodedata import normalize

from shelfread.core.patterns import lazy

# BibTeX counts braces even behind a backslash, so none is written for a brace that is text.
_ASCII = {
    "\\": r"\textbackslash{}",
    "{": r"\ensuremath{\lbrace}",
    "}": r"\ensuremath{\rbrace}",
    "<": r"\ensuremath{<}",
    ">": r"\ensuremath{>}",
    "|": r"\ensuremath{|}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "`": r"\textasciigrave{}",
    **{character: f"\\{character}" for character in "#$%&_"},
}
_LETTERS = dict(zip("ßøØłŁæÆœŒåÅıȷđĐðÐþÞŋŊ", r"\ss \o \O \l \L \ae \AE \oe \OE \aa \AA \i \j \dj \DJ \dh \DH \th \TH \ng \NG".split(), strict=True))  # fmt: skip
_MATHEMATICS = dict(
    zip(
        "αβγδεζηθικλμνξπρστυφχψωΓΔΘΛΞΠΣΦΨΩ×→←↔∞≤≥≈≠∈∑√∇−∂∀∃",
        r"""alpha beta gamma delta varepsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau upsilon phi chi psi
        omega Gamma Delta Theta Lambda Xi Pi Sigma Phi Psi Omega times rightarrow leftarrow leftrightarrow infty leq geq
        approx neq in sum surd nabla - partial forall exists""".split(),
        strict=True,
    )
)
_SIGNS = {
    "–": "--",
    "—": "---",
    "“": "``",
    "”": "''",
    "‘": "`",
    "’": "'",
    "…": r"\ldots{}",
    "«": r"\guillemotleft{}",
    "»": r"\guillemotright{}",
}
_ACCENTS = dict(zip("\u0300\u0301\u0302\u0303\u0304\u0306\u0307\u0308\u030a\u030b\u030c\u0323\u0327\u0328\u0331", "`'^~=u.\"rHvdckb", strict=True))  # fmt: skip
_SPECIAL = lazy(r"[^\w\s.,:;!?()/+=*@\[\]\"'-]|[_\x80-\U0010ffff]|-(?=-)|'(?=')|(?<=[?!])`")
_AROUND = "()[].,:;!?\"“”‘’'"
# Blanks, and the scripts that are written without them: `大规模GPU集群` keeps the capitals of `GPU`.
_WORDS = lazy(r"( |[\u2e80-\u9fff\uac00-\ud7af\uff00-\uffef]+)")
_BREAKS = tuple(":?!.：？！。")
_HYPHEN = lazy(r"[-‐‑/]")
_WORD = lazy(r"[^\W\d_]+")
_SMALL = frozenset(
    "a an and as at but by for from in into is nor of on or over per the to under via with without".split()
)


def latex(text: str) -> str:
    """Return a text as LaTeX source. Letters of scripts that pdfLaTeX does not know stay as they are."""
    return _SPECIAL.sub(lambda match: _escaped(match[0]), text)


def latex_title(title: str) -> str:
    """Return a title in which braces keep the capitals that a bibliography style may not make small.

    These are those of names such as `GPipe` and `DNN`, and in a title in sentence case those of all words but the first.
    """
    words = _WORDS.split(title)  # and what is between them
    capitals = not _is_title_case(words)
    written = []
    starts = True
    for word in words:
        keep = _has_capital_inside(word) or (
            not starts and ((capitals and _is_capital(word)) or _is_lone(word))
        )
        written.append(_in_braces(word) if keep else latex(word))
        starts = word.rstrip(" ")[-1:] in _BREAKS if word.strip(" ") else starts
    return "".join(written)


def _in_braces(word: str) -> str:
    """Return a word in braces, with what surrounds it outside: a colon before a word shows that it begins a part."""
    inner = word.strip(_AROUND)
    before, _, after = word.partition(inner)
    return f"{latex(before)}{{{latex(inner)}}}{latex(after)}"


@lru_cache(maxsize=512)
def _escaped(character: str) -> str:
    if character in ("-", "'"):
        return character + "{}"  # two of them are another character
    for table in (_ASCII, _SIGNS):
        if character in table:
            return table[character]
    if character in _MATHEMATICS:
        return rf"\ensuremath{{\{_MATHEMATICS[character]}}}" if character != "−" else r"\ensuremath{-}"
    if character in _LETTERS:
        return f"{{{_LETTERS[character]}}}"
    return _accented(character)


def _accented(character: str) -> str:
    """Return a letter with accents as commands, one that LaTeX has none for as it is."""
    parts = normalize("NFD", character)
    base, marks = parts[0], parts[1:]
    if not marks or not base.isascii() or not all(mark in _ACCENTS for mark in marks):
        return character
    written = rf"\{base}" if base in "ij" and marks[0] not in "\u0323\u0328\u0331" else base
    for mark in marks:
        command = _ACCENTS[mark]
        written = rf"\{command}{{{written}}}"
    return f"{{{written}}}"


def _is_title_case(words: list[str]) -> bool:
    long = [word for word in words[1:] if word[:1].upper() != word[:1].lower() and word.lower() not in _SMALL]
    capitals = sum(word[:1].isupper() for word in long)
    return capitals * 4 > len(long) * 3


def _is_capital(word: str) -> bool:
    letters = _WORD.search(word)
    return letters is not None and letters[0][0].isupper()


def _has_capital_inside(word: str) -> bool:
    """Return whether a capital follows another character of the same part: `GPU`, `LoRA`, `3D`."""
    return any(part[1:] != part[1:].lower() for part in _HYPHEN.split(word.lstrip(_AROUND)))


def _is_lone(word: str) -> bool:
    """Return whether a word is a letter by itself, as in `Programming in C`."""
    return len(word) == 1 and word.isupper() and word != "A"
