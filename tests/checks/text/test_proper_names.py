"""The rule `text/proper-names`, in what its page is too short to show."""

from __future__ import annotations

import pytest

from shelfread.checks.text.proper_names import known_names, misspellings, proper_names
from shelfread.core.diagnostics import Severity
from support.project import run

URL = "https://example.org/a"
LINE = f"- [Tool]({URL}) - "


def spelt(text: str, **options: object) -> list[str]:
    return [one.text for one in run(proper_names, text, **options)]


def test_no_slip_is_a_name() -> None:
    assert not set(misspellings()) & set(misspellings().values())
    assert {"github", "node.js", "nodejs"} <= known_names()


@pytest.mark.parametrize(
    "words",
    [
        "See github.com, @github, #github, github-cli, docs/github and ./Github.md.",
        'Runs `Javascript`, says "Github" and “the Github way”, after *Javascript Weekly*.',
        "Goes with [Github](https://github.com) and <https://Github.com>.",
        "Is called Awesome-Github-Shelves.",
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


def test_descriptions_copied_from_github_are_their_authors() -> None:
    copied = "".join(f"- [o/r{n}](https://github.com/o/r{n}) - Runs on Github.\n" for n in range(10))
    found = run(proper_names, f"{copied}\nMade for Github.\n")
    assert spelt(copied.replace("Github", "github")) == []  # as many write there
    safe = [one.place.safe for one in found]
    assert safe == [False] * 10 + [True]


def test_own_names_go_before_the_table() -> None:
    assert spelt(LINE + "Uses Github and openwrt.", names=("Github", "OpenWrt")) == ["openwrt"]
    assert spelt(LINE + "Uses (x and y.", names=("(X",)) == ["(x"]


def test_a_word_alone_in_brackets_is_a_label() -> None:
    (found,) = run(proper_names, LINE + "Sorts shelves. [Pytorch]")
    assert (found.place.severity, found.place.safe) == (Severity.INFO, False)
    (found,) = run(proper_names, LINE + "Sorts shelves. [Pytorch only]")
    assert found.place.safe


def test_abstracts_are_their_authors() -> None:
    text = "### A Study of Javascript (OSDI 2020)\n\n[Paper](https://www.usenix.org/x.pdf)\n\nAbstract: We run on MacOS.\n"
    other = "### A Study of Jobs (OSDI 2021)\n\n[Paper](https://www.usenix.org/y.pdf)\n\nAbstract: We run on Github.\n"
    assert spelt(f"{text}\n{other}\n## Notes\n\nWritten for Github.\n") == ["Github"]
