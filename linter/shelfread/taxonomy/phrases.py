"""Divides a heading into labels of concepts and the words between them, the common ones of heading_words.yaml."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from shelfread.core.yaml_files import load_table
from shelfread.taxonomy.concept import MAX_WORDS, Label, Labels
from shelfread.taxonomy.label_forms import is_ideograph, is_word, singular, stem
from shelfread.taxonomy.label_forms import tokens as tokens_of

_TABLE = load_table(Path(__file__).with_name("heading_words.yaml"))


def _words(key: str) -> frozenset[str]:
    return frozenset(" ".join(_TABLE[key]).split())


def _with_forms(words: frozenset[str]) -> frozenset[str]:
    return words | {singular(word) for word in words} | {stem(word) for word in words}


PLAIN = _with_forms(_words("plain"))
TREATMENTS = _with_forms(_words("treatments"))
INVERTING = _words("inverting")
FIELDS = _words("fields")
PREPOSITIONS = _words("prepositions")
JOINING = _words("joining")

_COMMON = PLAIN | TREATMENTS | PREPOSITIONS | JOINING

_COSTS = {"label": 10, "treatment": 14, "plain": 12, "preposition": 1, "unknown": 100}


class HeadingPiece(NamedTuple):
    """Words of a heading. `kind` is label, treatment, plain, preposition, join, break, open, close or unknown."""

    kind: str
    words: tuple[str, ...]
    label: Label | None = None


def divide(tokens: Sequence[str], labels: Labels) -> list[HeadingPiece]:
    """Return the pieces of contracted tokens: as few words as possible unknown, then as few labels as possible."""
    costs = [0] * (len(tokens) + 1)
    pieces: list[tuple[int, HeadingPiece]] = [(0, HeadingPiece("", ()))] * len(tokens)
    stems = [stem(token) for token in tokens]
    for start in reversed(range(len(tokens))):
        best, end = _single(tokens[start]), start + 1
        cost = _COSTS.get(best.kind, 0) + costs[end]
        if is_word(tokens[start]):
            key = stem_key = ""
            words: list[str] = []
            has_join = False
            for index in range(start, min(len(tokens), start + 2 * MAX_WORDS)):
                token = tokens[index]
                if token in "():" or len(words) == MAX_WORDS:
                    break
                if not is_word(token) or token in ("and", "the"):
                    has_join = has_join or token != "the"
                    continue
                words.append(token)
                key += token
                stem_key += stems[index]
                piece = _in_ideographs(key) if len(words) > 1 and is_ideograph(token) else None
                if piece is not None and (new := _COSTS.get(piece.kind, 0) + costs[index + 1]) < cost:
                    best, cost, end = piece, new, index + 1
                if _COSTS["label"] + costs[index + 1] >= cost:
                    continue
                if len(words) > 1:
                    label = labels.find_joined(key) or labels.find_stems(stem_key, words)
                else:  # a stem alone is less than a word that changes nothing
                    label = labels.find([token]) if best.kind == "unknown" else labels.find_same([token])
                if label is None or (has_join and not is_joined(label.text)):
                    continue
                cost, end = _COSTS["label"] + costs[index + 1], index + 1
                best = HeadingPiece("label", tuple(words), label)
        costs[start] = cost
        pieces[start] = end, best
    found: list[HeadingPiece] = []
    index = 0
    while index < len(tokens):
        index, piece = pieces[index]
        found.append(piece)
    return found


def is_joined(words: str | Sequence[str]) -> bool:
    """Return whether a label, or words, are joined by `/`, `+`, `&`, a comma or `and`."""
    if isinstance(words, str):
        words = tokens_of(words)
    return any(word in ("/", "+", "&", ",", "and") for word in words)


def is_common(word: str) -> bool:
    """Return whether a word says nothing about a subject by itself: `of`, `Efficient`, `Methods`."""
    return word in _COMMON


def _in_ideographs(word: str) -> HeadingPiece | None:
    """Return the piece of a common word of several signs, None for any other."""
    if not is_common(word):
        return None
    piece = _single(word)
    return None if piece.kind == "unknown" else piece


def _single(token: str) -> HeadingPiece:
    """Return the piece of a token that is part of no label."""
    if token == "(":
        return HeadingPiece("open", ())
    if token == ")":
        return HeadingPiece("close", ())
    if token in ":;-\u2014\u2192":
        return HeadingPiece("break", ())
    if token in JOINING:
        return HeadingPiece("join", (token,) if is_word(token) else ())
    if token in PREPOSITIONS:
        return HeadingPiece("preposition", (token,))
    if token in PLAIN or token.isdigit() or (len(token) == 1 and token.isascii()):
        return HeadingPiece("plain", (token,))
    return HeadingPiece("treatment" if token in TREATMENTS else "unknown", (token,))
