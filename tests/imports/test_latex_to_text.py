"""LaTeX in the fields of BibTeX."""

from __future__ import annotations

import pytest

from shelfread.imports.from_bibtex import to_unicode


@pytest.mark.parametrize(
    ("latex", "text"),
    [
        (r"{\'E}tag\`eres and Stra\ss e, \O{}rsted", "Étagères and Straße, Ørsted"),
        (r"Nguy{\~{\^e}}n, K{\i}c{\i}man, {\v S}vec", "Nguyễn, Kıcıman, Švec"),
        (r"{BERT}: a {T}ransformer", "BERT: a Transformer"),
        (r"$O(\log(n))$ and $\mathcal{O}(1)$, $\epsilon\to\infty$", "O(log(n)) and O(1), ε→∞"),
        (r"\emph{Very} \texttt{fast} \unknown{shelves}\today", "Very fast shelves"),
        (r"R\&D & 50\% of 60%, A--B---``C''~D", "R&D & 50% of 60%, A–B—“C” D"),
        (r"Books for US$5", "Books for US$5"),
        (r"a \verb", "a \\verb"),
        (r"\input{/etc/hostname}x", "x"),
        (r"\textbackslash{}pi -{}- \textasciicircum{}2", r"\pi -- ^2"),
        (r"{\LaTeX} with \BibTeX{} and \TeX", "LaTeX with BibTeX and TeX"),
        ("{" * 5000 + r"\'e" + "}" * 5000, r"\'e"),
    ],
)
def test_it_becomes_plain_text(latex: str, text: str) -> None:
    assert to_unicode(latex) == text
