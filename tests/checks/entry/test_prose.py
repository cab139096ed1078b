"""The checks of texts and headings, in what their pages are too short to show."""

from __future__ import annotations

import pytest

from shelfread.checks.heading.wording import entry_case, heading_case, punctuation
from shelfread.checks.text.brackets import lines_that_differ
from shelfread.checks.text.product_names import names, slips
from shelfread.checks.text.proper_names import proper_names
from shelfread.checks.text.punctuation_and_emoji import emoji, repeated_punctuation
from shelfread.checks.text.punctuation_pairs import brackets, punctuation_pairs
from shelfread.core.diagnostics import Applicability, Severity
from shelfread.core.source import Source
from support.project import run

URL = "https://example.org/a"
LINE = f"- [Tool]({URL}) - "


def faults(text: str) -> list[tuple[int, str]]:
    return [(one.line, one.text) for one in run(brackets, text)]


# -------------------------------------------------------------------------------- brackets, quotes
@pytest.mark.parametrize(
    "words",
    [
        "Draws :) and ;-) and (nearly) all faces :(",
        "Does 1) this, 2) that and iii) more",
        "Does a) this (and b) that)",
        "在两个方面改进：1）速度，2）内存",
        "Takes [0, 1) and (0, 1] and (-1.5, n]",
        "Shows $f(x$ and `(` and <b>(bold)</b>",
        'Is 5" wide, 7” high and 3′ deep',
        "Says “I don’t” and ‘you do’ of the ’90s",
        "Says „so“, ”så” and “so”",
        "Solves “100 problems of 2020” (“nlp100”)",
        "Is cut off (where the page had no room..",
        'Quotes "{u} and Aky{\\"u}rek',
        "Is linked ([here](https://example.org/b_(c)))",
        "Spells \\(escaped\\) and &quot;entities&quot;",
    ],
)
def test_what_may_stand_alone(words: str) -> None:
    assert faults(LINE + words) == []


def test_what_one_line_opens_another_may_close() -> None:
    assert faults(f"{LINE}Does much (see\n  - [one]({URL}) - this,\n  - [two]({URL}) - that).\n") == []
    assert faults(f"{LINE}Does much (see\n{LINE}this and that).\n") == [(1, "("), (2, ")")]
    assert run(punctuation_pairs, "列表（包括\n\n- 论文\n- 书）\n") == []


def test_a_number_is_none_where_that_leaves_more_alone() -> None:
    assert faults(f"{LINE}Has (plan B) and (plan C") == [(1, "(")]


def test_cells_are_read_one_by_one() -> None:
    text = f"| Name | Text |\n|---|---|\n| [Tool]({URL}) | Does (this |\n| [Other]({URL}) | that) |\n"
    assert faults(text) == [(3, "("), (4, ")")]


def test_a_label_gets_the_brackets_that_the_others_have() -> None:
    inner = f"- A Study of Jobs [[Paper]]({URL}) [[Code]({URL})\n"
    assert run(brackets, inner)[0].fixed == f"- A Study of Jobs [[Paper]]({URL}) [[Code]]({URL})\n"
    outer = f"- A Study of Jobs \\[[Paper]({URL})] [Code]({URL})]\n"
    assert run(brackets, outer)[0].fixed == f"- A Study of Jobs \\[[Paper]({URL})] \\[[Code]({URL})]\n"
    lost = f"- A Study of Jobs [[Paper]]({URL}) [Code]]({URL})\n"
    assert run(brackets, lost)[0].fixed == f"- A Study of Jobs [[Paper]]({URL}) [[Code]]({URL})\n"
    alone = f"- A Study of Jobs [[Code]({URL})\n"
    assert run(brackets, alone)[0].place.edits == ()


def test_the_width_is_that_of_the_words_and_sure_where_it_is_the_lists_too() -> None:
    narrow = run(brackets, f"{LINE}Serves models （fast)\n{LINE}Trains (slowly)\n")[0]
    assert narrow.fixed.startswith(f"{LINE}Serves models (fast)")
    assert narrow.place.applicability is Applicability.SAFE
    wide = run(brackets, f"{LINE}论文（很好)，代码（也好），数据（还行）\n")[0]
    assert wide.fixed == f"{LINE}论文（很好），代码（也好），数据（还行）\n"
    mixed = run(brackets, f"{LINE}Serves (很好）\n{LINE}Trains (slowly)\n")[0]
    assert mixed.place.applicability is Applicability.UNSAFE


def test_what_holds_many_lone_brackets_is_no_prose() -> None:
    assert faults(f"{LINE}Eats ( ( ( ( ( (") == []


@pytest.mark.parametrize("part", ["(", "[", "([{", "“", '"', "1) ", "[a](https://x.org) ["])
def test_hostile_brackets_end(part: str) -> None:
    run(brackets, LINE + part * 5000)
    run(brackets, (LINE + part + "\n") * 2000)


def test_lines_end_as_they_may() -> None:
    assert faults(f"# A\r\n\r\n{LINE}Does (this\r\n{LINE}Does that\r\n") == [(3, "(")]


# ------------------------------------------------------------------------------------------- names
def spelt(text: str, **options: object) -> list[str]:
    return [one.text for one in run(proper_names, text, **options)]


def test_no_slip_is_a_name() -> None:
    assert not set(slips()) & set(slips().values())
    assert {"github", "node.js", "nodejs"} <= names()


@pytest.mark.parametrize(
    "words",
    [
        "See github.com, @github, #github, github-cli, docs/github and ./Github.md.",
        'Runs `Javascript`, says "Github" and “the Github way”, after *Javascript Weekly*.',
        "Goes with [Github](https://github.com) and <https://Github.com>.",
        "Manages Cisco IOS and the old MacOS 9; JAVASCRIPT; Nodejs_path; a.Github; Github.io.",
        "Is written in python, go and rust by a llama with a notion of Latex.",
    ],
)
def test_what_is_another_name(words: str) -> None:
    assert spelt(LINE + words) == []


@pytest.mark.parametrize(
    "words",
    [
        "Runs on Github.",
        "用Github写的",
        "Github/GitLab client.",
        "Non-Github hosts.",
        "(Github)",
        "It's Github's.",
    ],
)
def test_what_is_the_name(words: str) -> None:
    assert spelt(LINE + words) == ["Github"]


def test_papers_titles_are_their_authors() -> None:
    assert spelt(f"- A Study of Javascript on Github [[Paper]({URL})]\n") == []


def test_own_names_go_before_the_table() -> None:
    assert spelt(LINE + "Uses Github and openwrt.", names=("Github", "OpenWrt")) == ["openwrt"]
    assert spelt(LINE + "Uses (x and y.", names=("(X",)) == ["(x"]


# ------------------------------------------------------------------------------------------- marks
@pytest.mark.parametrize(
    "words", ["Runs a,,b", "Waits...", "What?!", "std::path", "∩(,,x,,)∩", "等。。。", "x ;; y"]
)
def test_marks_that_are_meant(words: str) -> None:
    assert run(repeated_punctuation, f"{LINE}`a,,b` [a,,b]({URL}) {words}") == [] or words in (
        "Runs a,,b",
        "x ;; y",
    )


def test_outside_of_entries_one_may_shout() -> None:
    (found,) = run(repeated_punctuation, "Thank you all!!\n")
    assert found.place.severity is Severity.INFO


def test_signs_are_no_emoji() -> None:
    assert run(emoji, "## Done ✓ → ★ 10:30:45\n") == []
    assert [one.text for one in run(emoji, "## ❤️ 🇫🇷 👩‍💻 :tada:\n")] == ["❤️", "🇫🇷", "👩‍💻", ":tada:"]


# ---------------------------------------------------------------------------------------- headings


def test_headings_without_words() -> None:
    assert run(punctuation, "##\n\n#\n") == []


def test_a_new_anchor_takes_its_links_along_or_is_left() -> None:
    assert run(punctuation, "[a](#tools-)\n\n## Tools :\n")[0].fixed == "[a](#tools)\n\n## Tools\n"
    assert run(punctuation, "## Tools :\n\n## Tools\n")[0].place.edits == ()
    safe = run(punctuation, "[a](#tools)\n\n## Tools:\n")[0]
    assert (safe.fixed, safe.place.applicability) == ("[a](#tools)\n\n## Tools\n", Applicability.SAFE)


def test_capitals_follow_the_list() -> None:
    text = "".join(f"## Section Number{n % 3} of Papers\n\n" for n in range(11)) + "## Another section here\n"
    (found,) = run(
        heading_case, text.replace("Number0", "Alpha").replace("Number1", "Beta").replace("Number2", "Gamma")
    )
    assert found.text == "Another section here"
    assert found.fixed.endswith("## Another Section Here\n")
    assert run(heading_case, text, style="learned")[0].place.applicability is Applicability.UNSAFE


def test_titles_of_tools_have_no_style() -> None:
    assert run(entry_case, f"- [left Pad tool]({URL}) - pads strings.\n", style="title") == []


def test_lines_that_differ_are_few() -> None:
    source = Source('（a） ! "b" 【c】 〔d〕 〖e〗 :\n（a \n"\n〖\n(\n')
    assert lines_that_differ(source) == [1, 2, 3, 4]
