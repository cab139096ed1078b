"""Words of messages: numbers with their nouns, texts in one line, and what was probably meant."""

from __future__ import annotations

from collections.abc import Iterable

from shelfread.core.patterns import lazy


def counted(number: int, noun: str, plural: str = "") -> str:
    """Return a number with its noun: `1 link`, `1,200 links`; `plural` is by default `noun` with an `s`."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


_BLANKS = lazy(r"[\s\x00-\x1f\x7f-\x9f]+")
# Marks that turn the direction of a line, or are not seen. Joiners stay: scripts and emoji need them.
_UNSEEN = lazy(
    r"[\xad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ufffe\uffff\U000e0000-\U000e007f]"
)
_SURROGATE = lazy(r"[\ud800-\udfff]")


def one_line(text: str) -> str:
    """Return a text with blanks and control characters made one space, unseen marks left out."""
    if text.isascii() and text.isprintable() and "  " not in text and text[:1] != " " and text[-1:] != " ":
        return text
    return " ".join(_BLANKS.split(_SURROGATE.sub("\ufffd", _UNSEEN.sub("", text)))).strip()


def nearest(name: str, known: Iterable[str], least: float = 0.6) -> str | None:
    """Return the known name that is most similar; None if none is similar enough."""
    import difflib

    return next(iter(difflib.get_close_matches(name, list(known), 1, least)), None)


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return `, did you mean 'x'?` for the most similar known name, empty if none is similar enough."""
    near = nearest(name, known)
    return f", did you mean '{near}'?" if near else ""


def is_slip(first: str, second: str) -> bool:
    """Return whether one letter is inserted, removed or replaced, or two are swapped (optimal string alignment of 1)."""
    from rapidfuzz.distance import OSA  # few lists need it

    return OSA.distance(first, second, score_cutoff=1) == 1
