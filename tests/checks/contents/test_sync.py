"""Tables of contents in many styles, and hostile ones."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from shelfread.checks.contents.sync import sync
from shelfread.core.diagnostics import Diagnostic, Severity
from shelfread.core.source import Source
from shelfread.document.read import read
from shelfread.engine.lint import lint
from shelfread.fixes.rounds import fix_text
from shelfread.index.context import build_context
from shelfread.index.facts import facts
from shelfread.markdown.node import Tree
from shelfread.rulebook.metadata import bind, load_rules
from shelfread.taxonomy.load import load as load_taxonomy
from support.project import message_of, run

CARDS = load_rules()
TAXONOMY = load_taxonomy()
HEADINGS = "\n## Alpha\n\n## Beta\n\n## Gamma\n\n## Delta\n\n## Epsilon\n"


def findings(text: str) -> list[str]:
    return [message_of("contents/sync", one.place) for one in run(sync, text)]


def fixed(text: str, *, unsafe: bool = False) -> str:
    """The text as the fix leaves it, conservation included; a second run changes nothing."""
    rules = [bind(CARDS[id]) for id in ("contents/sync", "link/missing-anchor")]

    def diagnose(source: Source) -> tuple[Tree, list[Diagnostic]]:
        document = read(source, TAXONOMY.vocabulary)
        return document.tree, lint(document, build_context({"": facts(document)}, TAXONOMY), rules, CARDS)

    result = fix_text(Source(text), diagnose, unsafe=unsafe)
    assert not result.dropped
    again = fix_text(Source(result.text), diagnose, unsafe=unsafe)
    assert again.text == result.text
    return result.text


def test_the_prefix_of_github_is_kept() -> None:
    names = ["alpha", "beta", "gamma", "delta", "epsilon"]
    right = "".join(f"- [{name.title()}](#user-content-{name})\n" for name in names)
    assert fixed(right.replace("#user-content-gamma", "#usr-content-gamma") + HEADINGS) == right + HEADINGS


def test_an_item_that_leads_nowhere_is_the_first_to_mean_a_heading() -> None:
    right = "- [Alpha](#alpha-tools)\n- [Beta](#beta)\n- [Gamma](#gamma)\n- [Alpha](#alpha)\n"
    headings = "\n## Alpha tools\n\n## Beta\n\n## Gamma\n\n## Alpha\n"
    assert fixed(right.replace("(#alpha)", "(#alha)") + headings) == right + headings


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param(
            "- [Alpha](#alpha)\n- [Beta](#beta)\n- [Delta](#delta)\n- [Epsilon](#epsilon)\n",
            "- [Alpha](#alpha)\n- [Beta](#beta)\n- [Gamma](#gamma)\n- [Delta](#delta)\n- [Epsilon](#epsilon)\n",
            id="tight",
        ),
        pytest.param(
            " *   [Alpha](#alpha)\n\n *   [Beta](#beta)\n\n *   [Delta](#delta)\n\n *   [Epsilon](#epsilon)\n",
            " *   [Alpha](#alpha)\n\n *   [Beta](#beta)\n\n *   [Gamma](#gamma)\n\n *   [Delta](#delta)\n\n"
            " *   [Epsilon](#epsilon)\n",
            id="loose",
        ),
    ],
)
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_a_line_is_added_in_the_manner_of_its_neighbours(before: str, after: str, newline: str) -> None:
    text = f"# List\n\n{before}{HEADINGS}".replace("\n", newline)
    assert fixed(text) == f"# List\n\n{after}{HEADINGS}".replace("\n", newline)


def test_a_flat_contents_keeps_a_section_below_the_subsections_of_the_one_above() -> None:
    text = (
        "- [A](#a)\n- [One](#one)\n- [C](#c)\n- [D](#d)\n- [Two](#two)\n\n"
        "## A\n### One\n## B\n## C\n## D\n### Two\n"
    )
    assert fixed(text) == text.replace("- [C](#c)\n", "- [B](#b)\n- [C](#c)\n")


def test_emoji_are_left_out_where_the_contents_leaves_them_out() -> None:
    text = (
        "- [Books](#-books)\n- [Papers](#-papers)\n- [Tools](#-tools)\n- [Zoo](#-zoo)\n\n"
        "## 📚 Books\n## 📄 Papers\n## 🎤 Talks [live]\n## 🔧 Tools\n## 🐘 Zoo\n"
    )
    assert fixed(text) == text.replace("- [Tools]", "- [Talks \\[live\\]](#-talks-live)\n- [Tools]")


def test_wording_that_is_the_contents_own_makes_a_line_unsafe() -> None:
    text = "- [1 A](#a)\n- [2 B](#b)\n- [3 C](#c)\n- [E](#e)\n- [F](#f)\n- [G](#g)\n\n" + "".join(
        f"## {name}\n" for name in "ABCDEFG"
    )
    (found,) = run(sync, text)
    assert message_of("contents/sync", found.place) == "the table of contents does not list 'D'"
    assert not found.place.safe


def test_a_line_beside_one_that_leads_nowhere_is_unsafe() -> None:
    """The heading may have been renamed, and the old line be its own."""
    text = "- [Owls](#owls)\n- [Night Birds](#night-birds)\n- [Storks](#storks)\n- [Terns](#terns)\n\n"
    headings = "".join(f"## {name}\n" for name in ("Owls", "Storks", "Bats", "Terns"))
    added = [found for found in run(sync, text + headings) if found.place.message == "missing"]
    assert [found.place.safe for found in added] == [False]


def test_text_behind_the_links_is_beyond_what_can_be_written() -> None:
    text = "".join(f"- [{name}](#{name.lower()}) _3 projects_\n" for name in "ABDE") + "\n"
    (found,) = run(sync, text + "## A\n## B\n## C\n## D\n## E\n")
    assert found.place.edits == ()


def test_one_place_has_one_finding() -> None:
    text = "- [Alpha](#alpha)\n- [Betta](#betta)\n- [Gamma](#gamma)\n\n## Alpha\n## Beta\n## Gamma\n"
    document = read(Source(text), TAXONOMY.vocabulary)
    rules = [bind(CARDS[id]) for id in ("contents/sync", "link/missing-anchor")]
    (found,) = lint(document, build_context({"": facts(document)}, TAXONOMY), rules, CARDS)
    assert (found.rule, found.severity) == ("contents/sync", Severity.ERROR)
    assert fixed(text) == text
    assert fixed(text, unsafe=True) == text.replace("Betta", "Beta").replace("betta", "beta")


@pytest.mark.parametrize(
    "contents",
    [
        pytest.param("[Alpha](#alpha) | [Beta](#beta) | [Delta](#delta) | [Epsilon](#epsilon)", id="line"),
        pytest.param(
            "| | |\n|-|-|\n| [Alpha](#alpha) | [Beta](#beta) |\n| [Delta](#delta) | [Epsilon](#epsilon) |",
            id="table",
        ),
        pytest.param(
            "<ul>\n"
            + "".join(
                f'<li><a href="#{one.lower()}">{one}</a></li>\n'
                for one in ("Alpha", "Beta", "Delta", "Epsilon")
            )
            + "</ul>",
            id="html",
        ),
        pytest.param(
            "<!--ts-->\n* [Alpha](#alpha)\n* [Beta](#beta)\n* [Delta](#delta)\n* [Epsilon](#epsilon)\n<!--te-->",
            id="generated",
        ),
    ],
)
def test_what_is_not_edited_is_reported(contents: str) -> None:
    (found,) = run(sync, f"# List\n\n{contents}\n{HEADINGS}")
    message = "the table of contents does not list 'Gamma'"
    if "<!--ts-->" in contents:
        message += "; generate it again (see the comment 'ts' above it)"
    assert (message_of("contents/sync", found.place), found.text) == (message, "Gamma")
    assert found.place.edits == ()


def test_a_contents_in_parts_is_one() -> None:
    text = (
        "**Letters**\n\n- [Alpha](#alpha)\n- [Beta](#beta)\n- [Gamma](#gamma)\n\n**More**\n\n- [Delta](#delta)\n"
        f"- [Epsilon](#epsilon)\n{HEADINGS}"
    )
    assert findings(text) == []


def test_two_contents_of_one_page_are_each_its_own() -> None:
    tools = "".join(f"- [{name}](#{name.lower()})\n" for name in ("Saw", "Axe", "Plane"))
    text = (
        "- [Wood](#wood)\n- [Tools](#tools)\n- [Metal](#metal)\n\n## Wood\n## Tools\n\n"
        f"{tools}\n### Saw\n### Axe\n### Drill\n### Plane\n## Metal\n### Iron\n### Steel\n"
    )
    assert findings(text) == ["the table of contents does not list 'Drill'"]
    assert fixed(text) == text.replace("- [Plane]", "- [Drill](#drill)\n- [Plane]")


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("- [A](#a)\n- [B](#b)\n\n## A\n## B\n## C\n", id="two links are no contents"),
        pytest.param(
            f"See [A](#alpha), [B](#beta), and [D](#delta) for what is new in this list, please.\n{HEADINGS}"
            "### X\n",
            id="prose",
        ),
        pytest.param(
            f"{HEADINGS}\n- [A](#alpha)\n- [B](#beta)\n- [D](#delta)\n- [E](#epsilon)\n", id="links back"
        ),
        pytest.param(
            "- [A](#a)\n- [B](#b)\n- [C](#c)\n- [D](#d)\n- [E](#e)\n\n## A\n## B\n## C\n## D\n## E\n## Credits\n"
            "## License\n## Related lists\n- [x](https://example.org)\n",
            id="sections at the end",
        ),
        pytest.param(
            "- [E](#e)\n- [C](#c)\n- [A](#a)\n- [D](#d)\n- [B](#b)\n\n## A\n## B\n## C\n## D\n## E\n",
            id="own order",
        ),
        pytest.param(
            "- [A](#a)\n- [B](#b)\n- [C](#c)\n\n## A\n### 1\n## B\n### 2\n## C\n### 3\n", id="one level"
        ),
    ],
)
def test_no_false_alarm(text: str) -> None:
    assert findings(text) == []


@pytest.mark.slow
def test_a_page_of_one_name_often() -> None:
    """Each subsection is found by the section that it is in, however often its name comes."""
    sections = range(120)
    right = "".join(f"- [S{n}](#s{n})\n  - [Papers](#papers{f'-{n}' if n else ''})\n" for n in sections)
    body = "\n" + "".join(f"## S{n}\n### Papers\n" for n in sections)
    wrong = right.replace("(#papers-77)", "(#papers)").replace("(#papers-90)", "(#papers)")
    assert findings(right + body) == []
    assert fixed(wrong + body) == right + body


@pytest.mark.slow
def test_long_contents() -> None:
    """What is quadratic takes minutes here."""
    size = range(1100)
    headings = "\n" + "".join(f"# N {n}\n" for n in size)

    def contents(numbers: Iterable[int]) -> str:
        return "".join(f"- [N {n}](#n-{n})\n" for n in numbers)

    assert len(findings(contents(n ^ 1 if n % 20 < 2 else n for n in size) + headings)) == 1
    assert len(findings(contents(n for n in size if n % 9) + headings)) == 122
    assert findings(contents(size) + "\n" + "# Other\n" * 1000) == []
    assert len(findings("- [N](#n)\n" * 1000 + "\n# N" * 1000)) == 999


@pytest.mark.slow
def test_the_edits_of_many_omitted_headings_are_few() -> None:
    """Lines that are added together are in one fix, which not each of many findings repeats."""

    def count(size: int) -> int:
        listed = [n for n in range(size) if not 0 < n - size // 2 <= size // 9]
        contents = "".join(f"- [N {n}](#n-{n})\n" for n in listed)
        found = run(sync, contents + "\n" + "".join(f"# N {n}\n" for n in range(size)))
        assert len(found) > size // 10
        return sum(len(edit.text) + 1 for one in found for edit in one.place.edits)

    assert count(900) < 2.5 * count(450)


def test_an_item_that_a_rule_makes_a_heading_is_no_section() -> None:
    names = ["Ada", "Bix", "Cog", "Dot"]
    contents = "".join(f"- [{name}](#{name.lower()})\n" for name in names)
    sections = "".join(f"## {name}\n\n- [Tool {name}](https://example.org/{name})\n\n" for name in names)
    accident = sections.replace(
        "- [Tool Cog](https://example.org/Cog)", "- [Tool Cog](https://example.org/Cog)\n    ---"
    )
    assert run(sync, f"# Tools\n\n{contents}\n{sections}") == []
    assert run(sync, f"# Tools\n\n{contents}\n{accident}") == []


@pytest.mark.parametrize(
    "above",
    [
        "<div>\n  <h2>Interested in more?</h2>\n</div>\n\n",
        "> ### How can I help?\n>\n> Tell your friends.\n\n",
    ],
)
def test_a_heading_between_two_parts_of_the_contents_or_in_a_quote_is_no_section(above: str) -> None:
    names = ("Alpha", "Beta", "Gamma", "Delta", "Epsilon")
    summary = "- [9 alphas](#alpha)\n- [7 betas](#beta)\n- [Gammas](#gamma)\n\n"
    contents = "".join(f"- [{name}](#{name.lower()})\n" for name in names)
    body = "\n" + "".join(f"## {name}\n\nText.\n\n" for name in names)
    assert [
        each for each in findings(f"# List\n\n{summary}{above}{contents}{body}") if "not list" in each
    ] == []
    assert len(findings(f"# List\n\n{contents}{body.replace('## Beta', '## Zeta')}")) == 1


def test_a_heading_whose_item_leads_nowhere_is_not_missing_too() -> None:
    names = ("Alpha", "Beta", "Gamma", "Delta", "Epsilon")
    items = "".join(f"- [{name}](#{name.lower()})\n" for name in names) + "- [Dynamic analysis](#dynamic)\n"
    headings = HEADINGS.replace("## Beta", "## {}\n\n## Beta")
    missing = [
        one for one in findings(items + headings.format("Dynamic analysis/tools")) if "not list" in one
    ]
    assert missing == []
    assert "the table of contents does not list 'Zeta'" in findings(items + headings.format("Zeta"))


def test_a_shorter_name_is_no_slip() -> None:
    names = [f"Part {letter}" for letter in "ABCDEFGHIJ"]
    items = "".join(f"- [{name}](#{name.lower().replace(' ', '-')})\n" for name in names)
    headings = "".join(f"\n## {name}\n" for name in (*names, "AI and Machines"))
    assert findings(f"{items}- [Learn AI](#ai-and-machines)\n{headings}") == []
    assert len(findings(f"{items}- [AI and Machinas](#ai-and-machines)\n{headings}")) == 1


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(
            f"See [Alpha](#alpha), [Beta](#beta) and [Epsilon](#epsilon).\n{HEADINGS}", id="sentence"
        ),
        pytest.param(
            "".join(
                f"- Add what cannot be sorted elsewhere to [{name}](#{name.lower()})\n"
                for name in ("Alpha", "Beta", "Delta", "Epsilon")
            )
            + HEADINGS,
            id="sentences of a list",
        ),
        pytest.param(
            "[Top](#top) | [Contents](#contents) | [Epsilon](#epsilon)\n\n## Top\n## News\n## Contents\n\n"
            f"- [Alpha](#alpha)\n- [Beta](#beta)\n- [Gamma](#gamma)\n- [Delta](#delta)\n- [Epsilon](#epsilon)\n{HEADINGS}",
            id="above the contents",
        ),
        pytest.param(
            "- [X](#x)\n  - [A](#a)\n  - [C](#c)\n  - [B](#b)\n- [Y](#y)\n  - [D](#d)\n  - [E](#e)\n  - [F](#f)\n"
            "## X\n### A\n### B\n### C\n## Y\n### D\n### E\n### F\n",
            id="control: no order of words",
        ),
    ],
)
def test_no_contents_and_what_is_above_it(text: str) -> None:
    assert findings(text) == (
        ["'C' is not in the order of the headings; it belongs after 'B'"] if "[X]" in text else []
    )


def test_a_name_that_comes_twice_is_the_heading_of_its_place() -> None:
    right = "- [Wood](#wood)\n- [Tools](#tools)\n- [Metal](#metal)\n- [Tools](#tools-1)\n- [Glass](#glass)\n"
    headings = "\n## Wood\n## Tools\n## Metal\n## Tools\n## Glass\n"
    assert fixed(right.replace("#tools-1", "#tools") + headings) == right + headings
    assert (
        fixed(right.replace("#tools)", "#tols)").replace("#tools-1", "#tools") + headings) == right + headings
    )


def test_items_out_of_order_are_one_finding() -> None:
    names = [chr(ord("Z") - n) for n in range(24)]
    wrong = "".join(
        f"- [{name}](#{name.lower()})\n" for name in [names[1], names[0], *names[2:-2], names[-1], names[-2]]
    )
    headings = "\n" + "".join(f"## {name}\n" for name in names)
    (found,) = findings(wrong + headings)
    assert found.startswith("2 items are not in the order of the headings; ")


def test_an_item_in_its_place_by_name_stays() -> None:
    names = [*"ABCDEFGHIJKL"]
    headings = "\n" + "".join(f"## {name}\n" for name in [*names[:2], "D", "C", *names[4:]])
    items = [f"[{name}](#{name.lower()})" for name in names]
    assert findings("".join(f"- {item}\n" for item in items) + headings) == []
    assert (
        findings("- [Z](#z)\n" + "".join(f"- {item}\n" for item in reversed(items)) + "## Z\n" + headings)
        == []
    )


def test_an_introduction_is_not_missed() -> None:
    items = "- [Books](#books)\n  - [Old](#old)\n  - [New](#new)\n  - [Rare](#rare)\n- [Papers](#papers)\n"
    entry = "- [A](https://example.org/a)\n"
    body = f"### Old\n{entry}### New\n{entry}### Rare\n{entry}## Papers\n{entry}"
    assert findings(f"{items}\n## Books\n### Kinds\nThree.\n{body}") == []
    assert findings(f"{items}\n## Books\n### Kinds\n{entry}{body}") == [
        "the table of contents does not list 'Kinds'"
    ]


def test_the_title_and_the_contents_themselves_are_listed() -> None:
    contents = (
        "# Shelves\n\n# Contents\n\n- [Shelves](#shelves)\n- [Contents](#contents)\n"
        "  - [Alpha](#alpha)\n  - [Beta](#beta)\n  - [Gamma](#gamma)\n  - [Epsilon](#epsilon)\n"
    )
    assert findings(contents + HEADINGS) == ["the table of contents does not list 'Delta'"]
    badges = "[![](a.svg)](#shelves) [![](b.svg)](#beta) [![](c.svg)](#shelves)\n"
    assert findings(contents.replace("# Contents", f"{badges}\n# Contents") + HEADINGS) == [
        "the table of contents does not list 'Delta'"
    ]
    assert findings("# Shelves\n\n## Top\n\n- [Shelves](#shelves)\n- [Top](#top)\n" + HEADINGS) == []


def test_closing_words_with_a_link_are_no_section() -> None:
    names = ("Alpha", "Beta", "Gamma", "Delta", "Epsilon")
    contents = "".join(f"- [{name}](#{name.lower()})\n" for name in names)
    entry = "\n- [Shelf](https://shelf.example.org) - Keeps books.\n"
    text = contents + "".join(f"\n## {name}\n{entry}" for name in names)
    assert findings(f"{text}\n## Next steps\n{entry}") == []
    assert findings(f"{text}\n## Zeta\n{entry}") == ["the table of contents does not list 'Zeta'"]
