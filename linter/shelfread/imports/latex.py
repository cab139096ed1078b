"""LaTeX in the fields of BibTeX, as Unicode: accents, dashes, braces and font commands."""

from __future__ import annotations

import re
from unicodedata import normalize

from shelfread.core.support.regex import lazy

_ACCENTS = dict(zip("`'^\"~=.uvHckrdb", map(chr, (
    0x300, 0x301, 0x302, 0x308, 0x303, 0x304, 0x307, 0x306, 0x30C, 0x30B, 0x327, 0x328, 0x30A, 0x323, 0x331,
)), strict=True))  # fmt: skip
_LETTERS = {
    "ss": "ß", "ae": "æ", "AE": "Æ", "oe": "œ", "OE": "Œ", "aa": "å", "AA": "Å", "o": "ø", "O": "Ø", "l": "ł",
    "L": "Ł", "i": "i", "j": "j", "dj": "đ", "DJ": "Đ", "th": "þ", "TH": "Þ", "dh": "ð", "textendash": "–",
    "textemdash": "—", "textquoteright": "’", "textquoteleft": "‘", "ldots": "…", "dots": "…", "alpha": "α", "beta": "β", "gamma": "γ",
    "delta": "δ", "epsilon": "ε", "lambda": "λ", "mu": "μ", "pi": "π", "sigma": "σ", "tau": "τ", "phi": "φ",
    "omega": "ω", "times": "×", "infty": "∞", "ell": "ℓ", "textregistered": "®", "texttrademark": "™", "copyright": "©",
    **{name: name for name in "log exp min max sin cos tan lim sup inf det mod".split()}, "textbackslash": "\\", "textunderscore": "_", "textasciitilde": "~", "slash": "/",
}  # fmt: skip
_ACCENT = lazy(
    r"\\(?:([`'^\"~=.])\s?|([uvHckrdb])(?=[\s{\\]))\s{0,3}(?:\{\s?(\\[ij]|[^\W\d_])\s?\}|(\\[ij](?![A-Za-z])\s?|[^\W\d_]))"
)
_ESCAPED = lazy(r"\\([&%$#_{} ])")
_COMMAND = lazy(r"\\([A-Za-z]+)\*?\s?")
_BRACES = str.maketrans("", "", "{}")
_MATH = lazy(r"(?<!\\)\$([^$]{0,200})\$")


def to_unicode(text: str) -> str:
    """Return a field's value as plain text: accents composed, known commands replaced, others and braces dropped."""
    if "\\" in text or "$" in text:
        text = _ACCENT.sub(_accented, text)
        text = _MATH.sub(r"\1", text)
        text = _ESCAPED.sub(
            lambda match: "\x01" if match[1] == "{" else "\x02" if match[1] == "}" else match[1], text
        )
        text = _COMMAND.sub(lambda match: _LETTERS.get(match[1], ""), text).replace("\\", "")
    if "{" in text or "}" in text:
        text = text.translate(_BRACES)
    if "~" in text:
        text = text.replace("~", " ")
    if "--" in text:
        text = text.replace("---", "—").replace("--", "–")
    if "``" in text or "''" in text:
        text = text.replace("``", "“").replace("''", "”")
    return " ".join(text.replace("\x01", "{").replace("\x02", "}").split())


def _accented(match: re.Match[str]) -> str:
    letter = (match[3] or match[4]).strip().lstrip("\\")
    return normalize("NFC", letter + _ACCENTS[match[1] or match[2]])
