"""The checks of all entries, in what their pages are too short to show."""

from __future__ import annotations

import pytest

from shelfread.checks.common.labels import label_case
from shelfread.checks.entry.duplicate import duplicate
from shelfread.checks.entry.label_order import label_order
from shelfread.checks.entry.spacing import glued
from shelfread.core.diagnostics import Severity
from support.project import run

LINE = "- {} [[Paper]]({})\n"
ARXIV = "https://arxiv.org/abs/2001.{:05}"


def papers(numbers: range, name: str = "Title of Paper Number {} in This List") -> str:
    return "".join(LINE.format(name.format(n), ARXIV.format(n)) for n in numbers)


def where(text: str | dict[str, str]) -> list[tuple[str, object, str]]:
    return [
        (f"{one.path}:{one.line}", one.place.values["where"], one.place.severity.label)
        for one in run(duplicate, text)
    ]


# -------------------------------------------------------------------------------------- duplicates
@pytest.mark.parametrize(
    "url",
    [
        "https://arxiv.org/pdf/2001.00001v3",
        "http://arxiv.org/abs/2001.00001",
        "https://export.arxiv.org/abs/2001.00001",
        "https://doi.org/10.48550/arXiv.2001.00001",
    ],
)
def test_one_arxiv_id_has_many_addresses(url: str) -> None:
    text = LINE.format("A Study of Jobs in Clusters", ARXIV.format(1)) + LINE.format(
        "A Study of Jobs in Clusters", url
    )
    assert where(text) == [("list.md:2", "list.md:1", "warning")]


def test_another_heading_or_file_is_for_information() -> None:
    one = papers(range(1))
    assert where(f"## A\n\n{one}\n## B\n\n{one}") == [("list.md:7", "list.md:3", "info")]
    assert where({"a.md": one, "b.md": one}) == [("b.md:1", "a.md:1", "info")]


def test_the_listing_in_the_same_section_is_named() -> None:
    one = papers(range(1))
    found = where(f"## A\n\n{one}\n## B\n\n{one}\ntext\n\n\n{one}")
    assert found == [("list.md:7", "list.md:3", "info"), ("list.md:12", "list.md:7", "warning")]


def test_each_of_three_thousand_equals_is_found_once() -> None:
    found = where(papers(range(1)) * 3000)
    assert len(found) == 2999
    assert found[-1] == ("list.md:3000", "list.md:1", "warning")


def test_a_repetition_by_design_is_for_information() -> None:
    text = "## All\n\n" + papers(range(50)) + "\n" + papers(range(13))
    assert {severity for *_, severity in where(text)} == {"info"}


def test_a_second_order_of_the_whole_list_is_not_mentioned() -> None:
    assert where("## By topic\n\n" + papers(range(50)) + "\n## By date\n\n" + papers(range(50))) == []


def test_a_translation_is_not_mentioned() -> None:
    assert where({"README.md": papers(range(50)), "README.zh.md": papers(range(50))}) == []


def test_a_copied_link_under_another_title_is_said_to_be_one() -> None:
    text = LINE.format("A Study of Jobs in Clusters", ARXIV.format(1)) + LINE.format(
        "Graphs beyond Memory", ARXIV.format(1)
    )
    (found,) = run(duplicate, text)
    assert found.place.values["under"] == ", under another title"


@pytest.mark.parametrize(
    ("first", "second", "count"),
    [
        (
            "[xilem](https://github.com/linebender/xilem)",
            "[linebender/xilem](https://github.com/linebender/xilem)",
            1,
        ),
        ("[uv](https://github.com/astral-sh/uv)", "[uv build](https://github.com/astral-sh/uv)", 0),
        ("[nmap](https://nmap.org/)", "[nmap](http://www.nmap.org/?utm_source=x)", 1),
        ("[nmap](https://nmap.org/)", "[Zenmap](https://nmap.org/)", 0),
    ],
)
def test_one_address_may_be_of_several_things(first: str, second: str, count: int) -> None:
    text = f"- {first} - Does this.\n- [mtr](https://example.org/mtr) - Traces.\n- {second} - Does that.\n"
    assert len(run(duplicate, text)) == count


def test_code_and_prose_are_no_identity() -> None:
    text = (
        "- A Study of Jobs in Clusters [[Paper](https://arxiv.org/abs/2001.00001)] [[Code](https://github.com/a/b)]\n"
        "- Another Study of Jobs Elsewhere [[Paper](https://arxiv.org/abs/2001.00002)] [[Code](https://github.com/a/b)]\n"
        "  - Compares with [that](https://arxiv.org/abs/2001.00001).\n\n"
        "See [the study](https://arxiv.org/abs/2001.00001).\n"
    )
    assert run(duplicate, text) == []


def test_what_is_nested_in_different_things_is_not_in_one_section() -> None:
    text = (
        "- [Uni A](https://a.example.org/)\n  - [Ada Lovelace](https://ada.example.org/)\n"
        "- [Uni B](https://b.example.org/)\n  - [Bob Martin](https://bob.example.org/)\n"
        "  - [Carl Gauss](https://carl.example.org/)\n  - [Ada Lovelace](https://ada.example.org/)\n"
    )
    assert [one.place.severity for one in run(duplicate, text)] == [Severity.INFO]


# -------------------------------------------------------------------------------------------- gaps
def listed(gap: str, count: int, odd: str) -> str:
    one = "- A Study of Jobs [[Paper]](https://arxiv.org/abs/2001.00001){}[[Code]](https://github.com/a/b)\n"
    return one.format(gap) * count + one.format(odd)


@pytest.mark.parametrize(
    ("gap", "count", "odd", "fault"),
    [
        (" ", 9, "", "a blank is missing"),
        (" ", 9, "  ", "a blank too many"),
        (" ", 9, "\t", "another blank than usual"),
        ("", 9, " ", "a blank too many"),
        (", ", 9, ",", "a blank is missing"),
        (" ", 8, "", None),
        (" ", 30, " and ", None),
    ],
)
def test_blanks_are_learned_for_each_pair_and_its_marks(
    gap: str, count: int, odd: str, fault: str | None
) -> None:
    found = run(glued, listed(gap, count, odd))
    assert [one.place.values["fault"] for one in found] == ([fault] if fault else [])
    assert all(one.fixed == listed(gap, count, gap) for one in found)


def test_gaps_are_the_project_s() -> None:
    texts = {"a.md": listed(" ", 20, " "), "b.md": listed("", 1, "")}
    assert [(one.path, one.line) for one in run(glued, texts)] == [("b.md", 1), ("b.md", 2)]
    assert run(glued, texts, when="never") == []


def test_blanks_between_cells_are_the_table_s() -> None:
    rows = "| Title | Link | Code |\n|---|---|---|\n"
    rows += (
        "| A Study of Jobs | [Paper](https://arxiv.org/abs/2001.00001) | [Code](https://github.com/a/b) |\n"
        * 12
    )
    rows += "| A Study of Jobs | [Paper](https://arxiv.org/abs/2001.00001)|[Code](https://github.com/a/b) |\n"
    assert run(glued, rows) == []


# ------------------------------------------------------------------------------------------ labels
@pytest.mark.parametrize(
    ("labels", "texts"),
    [
        (["GitHub"] * 46 + ["Github"], ["Github"]),
        (["Paper"] * 8 + ["paper"], []),
        (["Paper"] * 9 + ["paper"], ["paper"]),
        (["Paper"] * 85 + ["paper"] * 15, ["paper"] * 15),
        (["Paper"] * 43 + ["paper"] * 7, []),
        (["Pytorch"] * 40 + ["PyTorch", "pytorch"], []),
    ],
)
def test_the_majority_must_be_clear(labels: list[str], texts: list[str]) -> None:
    text = "".join(f"- A Study of Jobs [[{label}]](https://example.org/x)\n" for label in labels)
    assert [one.text for one in run(label_case, text)] == texts


def test_a_linked_title_is_no_label() -> None:
    text = "- [Prism](https://arxiv.org/abs/2001.00001): A Study of Jobs\n" * 12
    assert run(label_case, text + "- [PRISM](https://arxiv.org/abs/2001.00002): Another Study\n") == []


# ------------------------------------------------------------------------- what a list means otherwise
def test_a_file_with_a_spelling_of_its_own_is_told_for_information() -> None:
    line = "- A Study of {} Jobs [[{}](https://arxiv.org/abs/2001.{:05})]\n"
    usual = "".join(line.format(at, "Paper", at + 1) for at in range(90))
    other = "".join(line.format(at, "paper", at + 100) for at in range(6))
    found = run(label_case, {"a.md": usual, "b.md": other, "c.md": line.format(99, "paper", 99)})
    assert {(one.path, one.place.severity.label) for one in found} == {("b.md", "info"), ("c.md", "error")}


def test_a_section_that_leads_with_code_is_left_alone() -> None:
    paper = "[[Paper](https://arxiv.org/abs/2001.{:05})]"
    code = "[[Code](https://github.com/example/r{})]"
    lines = [f"- A Study of {at} Jobs {paper.format(at)} {code.format(at)}\n" for at in range(1, 30)]
    tools = [f"- Tool {at} for Jobs {code.format(at)}\n" for at in range(30, 34)]
    turned = f"- A Tool for Everybody {code.format(40)} {paper.format(40)}\n"
    text = "## Papers\n\n" + "".join(lines) + "\n## Tools\n\n" + "".join(tools)
    assert run(label_order, text + turned) == []
    (found,) = run(label_order, "## Papers\n\n" + turned + "".join(lines))
    assert found.line == 3


def test_a_companion_below_two_parents_is_told_for_information() -> None:
    child = "  - [Purse](https://example.org/purse) - Its client.\n"
    text = f"- [Split](https://example.org/split) - Splits.\n{child}- [Share](https://example.org/share) - Shares.\n{child}"
    (found,) = run(duplicate, text)
    assert found.place.severity.label == "info"
    (found,) = run(duplicate, f"- [Split](https://example.org/split) - Splits.\n{child}{child}")
    assert found.place.severity.label == "warning"
