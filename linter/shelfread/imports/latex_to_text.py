"""LaTeX in the fields of BibTeX, as Unicode: accents, dashes, braces and font commands."""

from __future__ import annotations

from contextlib import suppress
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from shelfread.core.patterns import lazy

if TYPE_CHECKING:
    from pylatexenc.latex2text import LatexNodes2Text

_MARKUP = lazy(r"[\\$~]|--|``|''")
_BRACES = str.maketrans("", "", "{}")
_PERCENT = lazy(r"(?<!\\)%")
_DOLLAR = lazy(r"(?<!\\)\$")
# Categories of pylatexenc for whole documents: `<cit.>` for a citation, an upper-case heading for `\section`.
_LAYOUT = ["latex-placeholders", "latex-approximations", "latex-ethuebung", "nonstandard-qit"]
# Commands whose argument stays as it is: `O(n)` for `\mathcal{O}(n)`.
_AS_IS = "ensuremath sqrt mathbf mathit mathsf mathbb mathtt mathcal mathscr mathfrak".split()
_MACROS = {"epsilon": "ε", "phi": "φ", "textasciicircum": "^", "copyright": "©", "slash": "/", "-": "", "\\": " ", "today": "", "input": "", "include": ""}  # fmt: skip


@lru_cache(maxsize=4096)  # authors and venues recur
def to_unicode(text: str) -> str:
    """Return a field's value as plain text: accents composed, known commands replaced, others and braces dropped."""
    if _MARKUP.search(text) is not None:
        text = _PERCENT.sub(r"\%", text)  # a field has no comments
        if len(_DOLLAR.findall(text)) % 2:
            text = _DOLLAR.sub(r"\$", text)  # a price
        with suppress(RecursionError, IndexError):  # nested too deeply, or `\verb` at the end
            return " ".join(_decoder().latex_to_text(text).split())
    return " ".join(text.translate(_BRACES).split())


@cache
def _decoder() -> LatexNodes2Text:
    from pylatexenc.latex2text import (
        LatexNodes2Text,
        MacroTextSpec,
        SpecialsTextSpec,
        get_default_latex_context_db,
    )

    context = get_default_latex_context_db().filter_context(exclude_categories=_LAYOUT)
    context.add_context_category(
        "fields of entries",
        [
            *(MacroTextSpec(name, discard=False) for name in _AS_IS),
            *(MacroTextSpec(name, text) for name, text in _MACROS.items()),
        ],
        specials=[SpecialsTextSpec("&", "&")],
        prepend=True,
    )
    context.set_unknown_macro_spec(MacroTextSpec("", discard=False))
    return LatexNodes2Text(latex_context=context, math_mode="text", strict_latex_spaces=True)
