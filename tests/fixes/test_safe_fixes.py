"""Safe fixes spoil nothing: over the pages' examples, the reading's cases, and both with typing errors put in.

What is looked for here is counted by regular expressions alone and owes nothing to the checks of fixes.
"""

from __future__ import annotations

import re

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from shelfread.cli import group
from support.examples import PAGES
from support.paths import DATA

_CASES = [
    part
    for path in sorted((DATA / "entries").glob("*.md"))
    for part in re.split(r"^\.\n", path.read_text(encoding="utf-8"), flags=re.MULTILINE)[1::3]
]
TEXTS = [
    *(
        text
        for page in PAGES.values()
        for example in page.examples
        for name, text in example.files.items()
        if name.endswith(".md")
    ),
    *("\n".join(_CASES[start : start + 8]) for start in range(0, len(_CASES), 8)),
]
ALL_RULES = ("--preset", "core,papers,awesome,strict,taxonomy")

SHORTCODE = re.compile(r"(?<![\w:]):[a-z][a-z_]+:(?![\w:])")
CODE = re.compile(r"(?m)(?<!`)`[^`\n]+`(?!`)")
MATH = re.compile(r"\$[^\s$][^$\n]*\$")
MARKS = {
    "two stops": re.compile(r"(?<!\.)\.\.(?!\.)"),
    "a stop and a comma": re.compile(r"(?<![A-Z])(?<!\bal)(?<!\betc)(?<!Inc)\.,"),
    "a stop and a colon": re.compile(r"[^\W\d_]\.:"),
    "two commas": re.compile(",,"),
    "brackets in brackets": re.compile(r"\(\([^()]*\)\)|\[\[[^][()]*\]\](?!\()"),
}
PAIRS = ("()", "[]", "{}", "（）")


def fixed(text: str) -> str:
    done = CliRunner().invoke(group, ["fix", "--isolated", *ALL_RULES, "-"], input=text)
    assert done.exit_code in (0, 1), (done.stderr, done.exception)
    return done.stdout


def spoiled(before: str, after: str) -> list[str]:
    """What is worse in a text than before."""
    worse = [name for name, marks in MARKS.items() if len(marks.findall(after)) > len(marks.findall(before))]
    worse += [f"unpaired {pair}" for pair in PAIRS if _unpaired(after, *pair) > _unpaired(before, *pair)]
    worse += [
        f"unpaired {mark}" for mark in ("**", "`") if _odd_lines(after, mark) > _odd_lines(before, mark)
    ]
    worse += [f"shortcodes: {lost}" for lost in _lost(SHORTCODE, before, after)]
    worse += [f"math: {lost}" for lost in _lost(MATH, before, after)]
    if not _odd_lines(before, "`"):
        worse += [f"code: {lost}" for lost in _lost(CODE, before, after)]
    return worse


def _unpaired(text: str, opening: str, closing: str) -> int:
    unpaired = 0
    for line in text.splitlines():
        depth = 0
        for character in line:
            if character == opening:
                depth += 1
            elif character == closing and depth:
                depth -= 1
            else:
                unpaired += character == closing
        unpaired += depth
    return unpaired


def _odd_lines(text: str, mark: str) -> int:
    return sum(line.count(mark) % 2 for line in text.splitlines())


def _lost(pattern: re.Pattern[str], before: str, after: str) -> list[str]:
    return sorted(set(pattern.findall(before)) - set(pattern.findall(after)))


# The lines of lists with one habit each, and what may stand in their places.
HABITS = [
    "- [{name}](https://example.org/{n}) - {text}.",
    "- [{name}](https://example.org/{n}): {text}",
    "- [{name}](https://example.org/{n}) : {text}.",
    "- {title}. [[Paper](https://arxiv.org/abs/2001.000{n})] [[Code](https://github.com/example/{n})]",
    "- {title} [[Paper]](https://arxiv.org/abs/2001.000{n}) [[Code]](https://github.com/example/{n})",
    "- **{title}.** *Ann Lee, Bob Roe.* OSDI 2020. [[paper](https://arxiv.org/abs/2001.000{n})]",
    '- "{title}", Ann Lee, Bob Roe, OSDI, 2020 [[paper](https://arxiv.org/abs/2001.000{n})]',
    "- **{name}**: {title} (OSDI 2020) [[Paper](https://arxiv.org/abs/2001.000{n})]",
]
PLAIN = {"name": "Tool", "text": "Sorts jobs by their age", "title": "A Study of Jobs in Places"}
ODD = {
    "name": ["`zap`", "Zap :zap:", "Zap (new", "Zap.js", "**Zap**"],
    "text": [":zap: Fast", "sorts `a.b`", "Sorts, with Github", ":zap: Fast :fire:", "A tool: small, fast", "Costs $5 or $x_1$", "Fast..", "[a](b.md) fast"],
    "title": ["Jobs :fire:", "Jobs, Places: `x`", "Less Jobs, More Places and Times", "Jobs (of Places", "Jobs in $O(n)$", "What Jobs?", "Jobs et al", "*Jobs*", "Jobs: ", "Jobs -"],
}  # fmt: skip
MARKS_TYPED = ["(", ")", "[", "]", "*", "**", "`", ".", ",", ":", " ", "$", "）", ":fire:", " - "]


def typed_wrong(draw: st.DrawFn) -> str:
    """A page's text, or a list with one habit and some odd lines, with a few typing errors."""
    text = draw(st.one_of(st.sampled_from(TEXTS), st.composite(_with_habit)()))
    for _ in range(draw(st.integers(0, 4))):
        at = draw(st.integers(0, max(0, len(text) - 1)))
        kind = draw(st.sampled_from(["cut", "twice", "mark"]))
        new = "" if kind == "cut" else text[at : at + 1] * 2
        if kind == "mark":
            new = text[at : at + 1] + draw(st.sampled_from(MARKS_TYPED))
        text = text[:at] + new + text[at + 1 :]
    return text


def _with_habit(draw: st.DrawFn) -> str:
    habit = draw(st.sampled_from(HABITS))
    lines = [
        habit.format(n=n, **{key: f"{value} {n}" for key, value in PLAIN.items()}) for n in range(30, 50)
    ]
    for at in draw(st.lists(st.integers(0, len(lines)), min_size=1, max_size=2)):
        filled = {key: draw(st.sampled_from(values)) for key, values in ODD.items()}
        other = draw(st.sampled_from(HABITS)) if draw(st.booleans()) else habit
        lines.insert(at, other.format(n=50 + at, **filled))
    return "\n".join([*lines, ""])


def test_the_marks_are_found() -> None:
    assert spoiled("a. [x](u) :zap: `c` $x^2$\n", "a., ((x)) [x](u :zap - `c $x^2\n") == [
        "a stop and a comma", "brackets in brackets", "unpaired ()", "unpaired `", "shortcodes: :zap:", "math: $x^2$", "code: `c`",
    ]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("index", range(0, len(TEXTS), 10))
def test_texts(index: int) -> None:
    for text in TEXTS[index : index + 10]:
        assert spoiled(text, fixed(text)) == [], text


@pytest.mark.slow
@given(st.composite(typed_wrong)())
def test_texts_with_typing_errors(text: str) -> None:
    assert spoiled(text, fixed(text)) == []
