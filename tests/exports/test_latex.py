"""Text as LaTeX source."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shelfread.exports.entry_formats import latex, latex_title

TEXTS = {
    "50% & #1 $x$ a_b": r"50\% \& \#1 \$x\$ a\_b",
    "\\write18{ls}": r"\textbackslash{}write18\ensuremath{\lbrace}ls\ensuremath{\rbrace}",
    "~ ^ `": r"\textasciitilde{} \textasciicircum{} \textasciigrave{}",
    "--fast ''x''": r"-{}-fast '{}'x'{}'",
    "“a” ‘b’ – —": "``a'' `b' -- ---",
    "a -- b -– c": "a -{}- b -{}-- c",
    "Müller, Çelik, Åse, Łódź": r"M{\"{u}}ller, {\c{C}}elik, {\AA}se, {\L}{\'{o}}d{\'{z}}",
    "naïve ậ": r"na{\"{\i}}ve {\^{\d{a}}}",
    "α → ∞": r"\ensuremath{\alpha} \ensuremath{\rightarrow} \ensuremath{\infty}",
    "标题 🎉": "标题 🎉",
}
TITLES = {
    "GPipe: Efficient Training of Giant Networks": "{GPipe}: Efficient Training of Giant Networks",
    "A Study of GPUs in the 3D Case": "A Study of {GPUs} in the {3D} Case",
    "Large-Scale Training with GPT-3": "Large-Scale Training with {GPT-3}",
    "Learning to train on Tofu in Berlin": "Learning to train on {Tofu} in {Berlin}",
    "Fast reads: Why sorting helps": "Fast reads: Why sorting helps",
    "Programming in C (Second Edition)": "Programming in {C} (Second Edition)",
    "Security Observability with eBPF": "Security Observability with {eBPF}",
    "Is “BERT” All You Need?": "Is ``{BERT}'' All You Need?",
    "大规模GPU集群的调度：A Survey of ML": "大规模{GPU}集群的调度：A Survey of {ML}",
    "用BERT模型": "用{BERT}模型",
    "Élan vital": r"{\'{E}}lan vital",
}


@pytest.mark.parametrize("text", TEXTS)
def test_escapes(text: str) -> None:
    assert latex(text) == TEXTS[text]


@pytest.mark.parametrize("title", TITLES)
def test_capitals(title: str) -> None:
    assert latex_title(title) == TITLES[title]


@given(st.text())
def test_nothing_is_markup(text: str) -> None:
    """Braces are in pairs, every command is one of ours, and nothing special is bare."""
    for written in (latex(text), latex_title(text)):
        depth = 0
        for brace in re.findall(r"[{}]", written):
            depth += 1 if brace == "{" else -1
            assert depth >= 0
        assert depth == 0
        commands = set(re.findall(r"\\([a-zA-Z]+|[^a-zA-Z])", written))
        assert not commands & {"write", "input", "include", "def", "catcode", "csname", "\\", "{", "}"}
        assert not re.search(r"(?<!\\)[%#$&_]|[~^](?!\{)", written.replace("\\~", "").replace("\\^", ""))
