"""Malformed URLs together with other rules."""

from __future__ import annotations

from shelfread.core.diagnostics import Diagnostic
from shelfread.core.source import Source
from shelfread.document.read import read
from shelfread.engine.lint import lint
from shelfread.fixes.rounds import fix_text
from shelfread.index.context import build_context
from shelfread.index.facts import facts
from shelfread.markdown.node import Tree
from shelfread.rulebook.metadata import bind, load_rules
from shelfread.taxonomy.load import load as load_taxonomy

CARDS = load_rules()


def test_a_fix_is_composed_of_all_that_is_wrong_with_an_address() -> None:
    rules = [bind(CARDS[id]) for id in ("link/tracking", "link/insecure", "link/malformed")]
    taxonomy = load_taxonomy()

    def diagnose(source: Source) -> tuple[Tree, list[Diagnostic]]:
        document = read(source, taxonomy.vocabulary)
        return document.tree, lint(document, build_context({"": facts(document)}, taxonomy), rules, CARDS)

    text = "[A](http://arxiv.org/abs/1404.5997?utm_source=a&x=1) [B](hhttp://arxiv.org/abs/1404.5997?utm_source=b)\n"
    assert [one.rule for one in diagnose(Source(text))[1]] == ["link/tracking", "link/malformed"]
    result = fix_text(Source(text), diagnose)
    assert result.text == "[A](https://arxiv.org/abs/1404.5997?x=1) [B](https://arxiv.org/abs/1404.5997)\n"
    assert not result.dropped
