"""Comments that ignore rules, and unused ones."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from shelfread.core.diagnostics import Diagnostic
from shelfread.core.source import Source
from shelfread.document.read import read
from shelfread.engine.lint import lint
from shelfread.fixes.rounds import fix_text
from shelfread.index.context import build_context
from shelfread.index.facts import facts
from shelfread.markdown.node import Tree
from shelfread.rulebook import suppressions
from shelfread.rulebook.metadata import BoundRule, bind, load_rules, read_metadata
from shelfread.rulebook.suppressions import remark_lint_rules
from shelfread.taxonomy.load import load as load_taxonomy
from support.command_line import sample, write_page

__all__ = ["sample"]

KNOWN = ("word/the", "word/other", "link/empty", "suppression/unused")


@pytest.fixture
def rules(tmp_path: Path, sample: None) -> list[BoundRule]:
    the = read_metadata(write_page(tmp_path, "word/the"), "word/the", custom=True)
    return [bind(the), *(bind(load_rules()[f"suppression/{name}"]) for name in ("unused", "unknown"))]


def find(
    text: str, rules: list[BoundRule], narrowed: bool = False, aside: Sequence[str] = ()
) -> list[Diagnostic]:
    """What is found in a text that breaks word/the wherever it has `teh`."""
    taxonomy = load_taxonomy()
    document = read(Source(text, "list.md"), taxonomy.vocabulary)
    return lint(
        document, build_context({"list.md": facts(document)}, taxonomy), rules, KNOWN, narrowed, aside
    )


def said(text: str, rules: list[BoundRule], narrowed: bool = False, aside: Sequence[str] = ()) -> list[str]:
    """`line rule`, of an unused comment what it does as well."""
    source = Source(text)
    return [
        " ".join(
            [
                str(source.position(one.span.start)[0]),
                one.rule.replace("suppression/", ""),
                *one.message.split("'")[1:2],
            ]
        )
        if one.rule == "suppression/unused"
        else f"{source.position(one.span.start)[0]} {one.rule}"
        for one in find(text, rules, narrowed, aside)
    ]


@pytest.mark.parametrize(
    "name",
    ["word/the", "word", "word/*", "", "link/empty, word/the", "word/the -- it is a name", "-- a name"],
)
def test_a_line(rules: list[BoundRule], name: str) -> None:
    text = f"- teh <!-- shelfread-disable-line {name} -->\n- teh\n"
    assert "1 word/the" not in said(text, rules)
    assert "2 word/the" in said(text, rules)


@pytest.mark.parametrize("name", ["word/other", "link", "the", "WORD/THE", "teh -- word/the"])
def test_another_rule_is_not_ignored(rules: list[BoundRule], name: str) -> None:
    assert "1 word/the" in said(f"- teh <!-- shelfread-disable-line {name} -->\n", rules)


def test_the_next_line_is_the_next_that_is_not_blank(rules: list[BoundRule]) -> None:
    comment = "<!-- shelfread-disable-next-line word/the -->"
    assert said(f"{comment}\n- teh\n- teh\n", rules) == ["3 word/the"]
    assert said(f"{comment}\n\n\n# teh\n\nteh\n", rules) == ["6 word/the"]


def test_a_range(rules: list[BoundRule]) -> None:
    text = "teh\n\n<!-- shelfread-disable word -->\n\nteh\n\n<!-- shelfread-enable word -->\n\nteh\n"
    assert said(text, rules) == ["1 word/the", "9 word/the"]
    assert said("teh\n\n<!-- shelfread-disable -->\n\nteh\n", rules) == ["1 word/the"]


def test_of_switches_the_last_one_decides(rules: list[BoundRule]) -> None:
    text = "<!-- shelfread-disable word -->\n\nteh\n\n<!-- shelfread-enable word/the -->\n\nteh\n"
    assert said(text, rules) == ["7 word/the"]
    text = "<!-- shelfread-disable word -->\n\nteh\n\n<!-- shelfread-enable -->\n\nteh\n"
    assert said(text, rules) == ["7 word/the"]


def test_a_file(rules: list[BoundRule]) -> None:
    assert said("teh\n\n<!-- shelfread-disable-file word/the -->\n\nteh\n", rules) == []


def test_what_looks_like_a_comment_in_code_is_none(rules: list[BoundRule]) -> None:
    assert said("`<!-- shelfread-disable-file -->`\n\nteh\n", rules) == ["3 word/the"]
    assert said("<!-- shelfread-disabled -->\n\nteh\n", rules) == ["1 suppression/unknown", "3 word/the"]


def test_unused_comments(rules: list[BoundRule]) -> None:
    assert said("- the <!-- shelfread-disable-line word/the -->\n", rules) == [
        "1 unused disable-line word/the"
    ]
    assert said("- the <!-- shelfread-disable-line -->\n", rules) == ["1 unused disable-line"]
    assert said("- the <!-- shelfread-disable-line word -->\n", rules) == ["1 unused disable-line word"]
    assert said("<!-- shelfread-disable -->\n\n<!-- shelfread-enable -->\n", rules) == ["1 unused disable"]


def test_only_what_ran_is_judged(rules: list[BoundRule]) -> None:
    assert said("- the <!-- shelfread-disable-line link/empty -->\n", rules) == []
    assert said("- the <!-- shelfread-disable-line link -->\n", rules) == []
    assert said("- the <!-- shelfread-disable-line word -->\n", rules, narrowed=True) == []
    assert said("- the <!-- shelfread-disable-line -->\n", rules, narrowed=True) == []
    assert said("- the <!-- shelfread-disable-line word -->\n", rules, aside=("word",)) == []
    assert said("- the <!-- shelfread-disable-line word/the -->\n", rules, aside=("word",))


@pytest.mark.parametrize(
    ("comment", "message"),
    [
        ("disable-line word/tha", "no rule is called 'word/tha', did you mean 'word/the'?"),
        ("disable-line words", "no rule is called 'words', did you mean 'word'?"),
        ("disable-line qqqq", "no rule is called 'qqqq'"),
        (
            "disable-lien word/the",
            "no comment begins with 'shelfread-disable-lien', did you mean 'disable-line'?",
        ),
        ("formatting off", "no comment begins with 'shelfread-formatting', did you mean 'format'?"),
    ],
)
def test_an_unknown_name_is_named_and_stays(rules: list[BoundRule], comment: str, message: str) -> None:
    (one,) = find(f"- x <!-- shelfread-{comment} -->\n", rules)
    assert (one.rule, one.message, one.fix) == ("suppression/unknown", message, None)


@pytest.mark.parametrize("comment", ["shelfread-list", "shelfread-format off", "shelfread-", "shelfread"])
def test_other_comments_are_known(rules: list[BoundRule], comment: str) -> None:
    assert find(f"- x <!-- {comment} -->\n", rules) == []


def test_the_nearest_of_two_is_the_one_that_is_used(rules: list[BoundRule]) -> None:
    text = "<!-- shelfread-disable-file word/the -->\n\n- teh <!-- shelfread-disable-line word/the -->\n"
    assert said(text, rules) == ["1 unused disable-file word/the"]


@pytest.mark.parametrize(
    ("text", "fixed"),
    [
        ("- the <!-- shelfread-disable-line word/the -->\n", "- the\n"),
        ("- the <!-- shelfread-disable-line word/the --> end\n", "- the end\n"),
        ("- the <!-- shelfread-disable-line word/the -->end\n", "- the end\n"),
        ("- the<!-- shelfread-disable-line word/the --> end\n", "- the end\n"),
        ("<!-- shelfread-disable word/the -->\n- the\n", "- the\n"),
        ("a\r\n\r\n<!-- shelfread-disable-file word/the -->\r\n\r\n- the\r\n", "a\r\n\r\n\r\n- the\r\n"),
        ("- the <!-- shelfread-disable-line word/the -->", "- the"),
        (
            "- teh <!-- shelfread-disable-line word, word/the link/empty -- why -->\n",
            "- teh <!-- shelfread-disable-line word/the link/empty -- why -->\n",
        ),
    ],
)
def test_the_fix_takes_out_what_is_idle(rules: list[BoundRule], text: str, fixed: str) -> None:
    def diagnose(source: Source) -> tuple[Tree, list[Diagnostic]]:
        return read(source, load_taxonomy().vocabulary).tree, find(source.text, rules)

    assert fix_text(Source(text, "list.md"), diagnose).text == fixed  # type: ignore[arg-type]


def test_many_comments_and_findings_are_quick(rules: list[BoundRule]) -> None:
    text = "".join(f"<!-- shelfread-disable word/x{n} -->\n\nteh\n\n" for n in range(1000))
    assert len(find(text, rules)) == 2000


# ------------------------------------------------------------------------------------- remark-lint


@pytest.fixture
def theirs(monkeypatch: pytest.MonkeyPatch) -> None:
    """A rule of remark-lint's that looks for what word/the does."""
    monkeypatch.setattr(suppressions, "remark_lint_rules", lambda: {"awesome-the": "word/the"})


@pytest.mark.usefixtures("theirs")
@pytest.mark.parametrize("names", ["", "awesome-the", "no-such-rule awesome-the", "remark-lint-awesome-the"])
def test_a_range_for_remark_lint(rules: list[BoundRule], names: str) -> None:
    text = f"teh\n\n<!--lint disable {names}-->\n\nteh\n\n<!-- lint enable {names} -->\n\nteh\n"
    assert said(text, rules) == ["1 word/the", "9 word/the"]


@pytest.mark.usefixtures("theirs")
@pytest.mark.parametrize("names", ["list-item-indent", "no-such-rule", "word/the", "awesome-github"])
def test_a_range_for_another_rule_of_remark_lint(rules: list[BoundRule], names: str) -> None:
    assert said(f"<!--lint disable {names}-->\n\nteh\n", rules) == ["3 word/the"]


def test_what_remark_lint_knows_of_ours() -> None:
    families = {id.partition("/")[0] for id in load_rules()} | {"contents"}
    for name, rules in remark_lint_rules().items():
        assert rules, name
        assert {id.partition("/")[0] for id in rules.split()} <= families
