"""The checks of order, numbers, nesting, marks and labels, in what their pages are too short to show."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from itertools import pairwise

import pytest

from shelfread.checks.common.sequence import in_order
from shelfread.checks.entry.indent import indent
from shelfread.checks.entry.label_order import label_order
from shelfread.checks.entry.marker_space import marker_space
from shelfread.checks.entry.numbering import numbering
from shelfread.checks.entry.order import order
from shelfread.core.diagnostics import Diagnostic, Fix, RawDiagnostic, Severity
from shelfread.core.edits import apply_edits
from shelfread.core.source import Source
from shelfread.document.model import Document
from shelfread.fixes.rounds import FixResult, fix_text
from support.project import LIST, read_project, run

NAMES = "Alpha Bravo Charlie Delta Echo Foxtrot Golf Hotel India Juliett Kilo Lima Mike November".split()


def items(names: list[str], mark: str = "-", sub: str = "") -> str:
    return "".join(f"{mark} [{name}](https://example.org/{name.split()[0]}){sub}\n" for name in names)


def moved(names: list[str], start: int, end: int) -> list[str]:
    rest = [*names[:start], *names[start + 1 :]]
    return [*rest[:end], names[start], *rest[end:]]


def said(text: str, **options: object) -> list[str]:
    values = [one.place.values for one in run(order, text, **options)]
    return [f"{each['title']} {each['where']} {each['other']}" for each in values]


def fixed(check: Callable[..., Iterator[RawDiagnostic]], text: str, unsafe: bool = False) -> FixResult:
    """The text as the fixer leaves it, with conservation."""

    def diagnose(source: Source) -> tuple[Document, list[Diagnostic]]:
        documents, context = read_project(source.text)
        found = [
            Diagnostic(
                "x/y",
                place.severity,
                "",
                LIST,
                place.span,
                Fix(place.edits, place.applicability) if place.edits else None,
            )
            for place in check(documents[LIST], context)
        ]
        return documents[LIST], found

    return fix_text(Source(text, LIST), diagnose, unsafe=unsafe)


# ------------------------------------------------------------------------------------------- order
def test_a_longest_part_in_order() -> None:
    assert in_order([]) == []
    assert in_order([3, 1, 2, 2, 5, 4]) == [1, 2, 3, 5]


@pytest.mark.parametrize("seed", range(20))
def test_the_longest_part_is_as_long_as_can_be(seed: int) -> None:
    values = random.Random(seed).choices(range(20), k=60)
    best = [1] * len(values)
    for at, value in enumerate(values):
        best[at] += max((best[i] for i in range(at) if values[i] <= value), default=0)
    kept = in_order(values)
    assert len(kept) == max(best)
    assert [values[place] for place in kept] == sorted(values[place] for place in kept)


@pytest.mark.parametrize("start", range(len(NAMES)))
@pytest.mark.parametrize("end", [0, 5, len(NAMES) - 1])
def test_one_misplaced_entry_is_one_finding_and_goes_home(start: int, end: int) -> None:
    text = items(moved(NAMES, start, end))
    if abs(start - end) < 2:
        return
    assert [each.split()[0] for each in said(text)] == [NAMES[start]]
    assert fixed(order, text, unsafe=True).text == items(NAMES)


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("tail", ["\n", ""])
@pytest.mark.parametrize("blank", ["", "\n"])
@pytest.mark.parametrize("end", [2, len(NAMES) - 1])
def test_lines_and_blank_lines_stay_as_they_were(newline: str, tail: str, blank: str, end: int) -> None:
    def text(names: list[str]) -> str:
        chunks = [f"- [{name}](https://example.org/x)\n  - note of {name}\n" for name in names]
        return ("# Title\n\n" + blank.join(chunks)).removesuffix("\n").replace("\n", newline) + (
            newline if tail else ""
        )

    result = fixed(order, text(moved(NAMES, 8, end)))
    assert result.text == text(NAMES)
    assert not result.dropped


def test_several_that_belong_in_one_place_keep_their_order() -> None:
    names = ["Bravo 3", "Bravo 1", "Bravo 2"]
    text = items([*NAMES, *NAMES[:1], *NAMES[2:]])
    assert said(text) == []
    text = items([f"{a}{b}" for a in NAMES for b in "abc"] + names)
    result = fixed(order, text)
    assert result.text.count("\n") == text.count("\n")
    assert [line for line in result.text.splitlines() if "Bravo" in line] == items(
        ["Bravo 1", "Bravo 2", "Bravo 3", "Bravoa", "Bravob", "Bravoc"]
    ).splitlines()


def test_equals_keep_their_order() -> None:
    text = items([*NAMES[:6], "Zulu", *NAMES[6:], "Mike"]).replace(
        "[Mike](", "[Mike](https://example.org/1", 1
    )
    result = fixed(order, text).text
    assert result.index("/1") < result.index("example.org/Mike)")


def test_numbers_stay_where_they_are() -> None:
    def text(names: list[str]) -> str:
        return "".join(f"{n}. [{name}](https://example.org/x)\n" for n, name in enumerate(names, 1))

    result = fixed(order, text(moved(NAMES, 3, 11)))
    assert result.text == text(NAMES)
    ones = "".join(f"1. [{name}](https://example.org/x)\n" for name in moved(NAMES, 3, 11))
    assert fixed(order, ones).text == "".join(f"1. [{name}](https://example.org/x)\n" for name in NAMES)


def test_a_comment_goes_with_the_line_below_it() -> None:
    names = moved(NAMES, 9, 3)
    comment = "<!-- shelfread-disable-next-line link/insecure -->\n"
    for indentation in ("", "  "):
        text = items(names).replace("- [Juliett]", f"{indentation}{comment}- [Juliett]")
        assert said(text) == ["Juliett after India"]
        assert f"{indentation}{comment}- [Juliett]" in fixed(order, text).text


def test_other_items_are_not_crossed() -> None:
    text = items(NAMES) + "- Those that are no longer made:\n" + items(NAMES[:6])
    assert said(text) == []


def test_siblings_of_one_list_are_what_is_ordered() -> None:
    text = items(NAMES[:6]) + "\ntext\n\n" + items(NAMES[:6])
    assert said(text) == []
    nested = "".join(
        f"- [{name}](https://example.org/x)\n  - [Zulu](https://example.org/z)\n" for name in NAMES
    )
    assert said(nested) == []


def test_rows_of_a_table() -> None:
    head = "| Name | What |\n|---|---|\n"
    rows = [f"| [{name}](https://example.org/x) | about it |\n" for name in NAMES]
    assert fixed(order, head + "".join(moved(rows, 9, 3))).text == head + "".join(rows)


@pytest.mark.parametrize(
    "names",
    [
        [
            "an Alpha",
            "The Bravo",
            "A Charlie",
            "delta",
            "Echo",
            "The Foxtrot",
            "golf",
            "Hotel",
            "An India",
            "Kilo",
        ],
        ["Lecture 1", *[f"Lecture {n}" for n in range(2, 13)]],
        [
            "alpha-x",
            "alpha",
            "bravo-x",
            "bravo",
            "charlie-x",
            "charlie",
            "delta-x",
            "delta",
            "echo-x",
            "echo",
        ],
        [*NAMES[:11], "/r/alpha", "/r/bravo"],
        [*NAMES[:11], "2alpha", ".bravo"],
        [
            "(A) Zed",
            "Bow",
            "(C) X",
            "(D) W",
            "Eel",
            "(F) V",
            "Gnu",
            "(K) U",
            "SkyPilot",
            "S-Lora",
            "Splitwise",
        ],
        ["Émile", "Eta", "Fabrice", "Ödön", "Otto", "Rémy", "Rex", "Ulla", "Vera", "Werner"],
        [*NAMES[:11], "Others"],
        [
            "机器学习",
            "B 系统",
            "数据",
            "A 论文",
            "编译器",
            "C 网络",
            "操作系统",
            "内存",
            "存储",
            "网络",
            "调度",
        ],
    ],
    ids=["articles", "numbers", "lines", "symbols", "marks", "names in front", "accents", "others", "cjk"],
)
def test_orders_that_are_usual(names: list[str]) -> None:
    assert said(items(names)) == []


def test_what_begins_a_sorted_list_may_be_pinned() -> None:
    (found,) = run(order, items(["Zulu", *NAMES]))
    assert found.place.severity is Severity.INFO
    assert fixed(order, items(["Zulu", *NAMES])).text == items(["Zulu", *NAMES])


def test_short_lists_where_nearly_all_of_a_file_are_sorted() -> None:
    short = items(["Alpha", "Bravo", "Zulu", "Charlie", "Delta", "Echo"])
    assert said(short) == []
    file = "".join(f"## {number}\n\n{items(NAMES[:7])}\n" for number in range(6))
    assert said(f"{file}## last\n\n{short}") == ["Zulu after Echo"]


def test_years() -> None:
    years = [2024, 2024, 2023, 2023, 2023, 2022, 2022, 2021, 2024, 2021, 2020, 2020, 2019, 2018]

    def text(years: list[int]) -> str:
        paper = "- A Study of Jobs, Part {} [[Paper]](https://example.org/{}.pdf) OSDI {}\n"
        return "".join(paper.format(chr(90 - n), n, year) for n, year in enumerate(years))

    (found,) = run(order, text(years), by="date")
    assert found.place.values["by"] == "year, newest first"
    assert found.place.severity is Severity.WARNING
    assert [one.place.severity for one in run(order, text(years))] in ([], [Severity.INFO])
    assert run(order, text([2024] * 12 + [2023, 2024, 2022, 2024])) == []


def test_a_preprint_stays_where_it_was_before_it_had_a_venue() -> None:
    lines = [
        f"- **A Study of {name}s.** OSDI {2024 - n // 3} [[Paper]](https://arxiv.org/abs/{24 - n // 3}01.0000{n % 9})\n"
        for n, name in enumerate(NAMES)
    ]
    lines.insert(8, "- **A Study of Zulus.** OSDI 2024 [[Paper]](https://arxiv.org/abs/2206.00001)\n")
    assert run(order, "".join(lines), by="date") == []


@pytest.mark.slow
def test_ten_thousand_entries_are_put_in_order() -> None:
    chance = random.Random(7)
    names = sorted({"".join(chance.choices("abcdefghij", k=8)) for _ in range(10_000)})
    mixed = [*names]
    for _ in range(600):
        mixed.insert(chance.randrange(len(mixed)), mixed.pop(chance.randrange(len(mixed))))
    documents, survey = read_project(items(mixed))
    edits = sorted({edit for place in order(documents[LIST], survey) for edit in place.edits})
    assert all(before.end <= after.start for before, after in pairwise(edits))
    assert apply_edits(documents[LIST].source.text, edits) == items(names)


@pytest.mark.slow
def test_ten_thousand_near_equals() -> None:
    assert said(items([f"Same {n % 3}" for n in range(10_000)])) == []


@pytest.mark.slow
def test_a_thousand_that_belong_in_one_place_are_moved_once() -> None:
    names = [f"{n:05}" for n in range(10_000)]
    documents, context = read_project(items(names[:10] + names[910:] + names[10:910]))
    places = list(order(documents[LIST], context))
    assert len(places) == 900
    assert sum(len(place.edits) for place in places) == 901


# ----------------------------------------------------------------------------------------- numbers
def numbered(*numbers: int, mark: str = ".") -> str:
    return "".join(f"{number}{mark} [x](https://example.org/{number})\n" for number in numbers)


def test_a_slip_is_one_finding_and_the_list_counts_again() -> None:
    (found,) = run(numbering, numbered(1, 2, 3, 5, 6, 7))
    assert (found.line, found.text, found.place.values["before"]) == (4, "5", 3)
    assert found.fixed.split(" ")[-2].endswith("6.")
    assert fixed(numbering, numbered(1, 2, 3, 3, 4, mark=")")).text.count("5)") == 1


def test_several_slips_are_one_finding_for_information() -> None:
    (found,) = run(numbering, numbered(1, 2, 3, 4, 6, 7, 8, 8, 9))
    assert found.place.severity is Severity.INFO
    result = fixed(numbering, numbered(1, 2, 3, 4, 6, 7, 8, 8, 9)).text
    assert [line.partition(".")[0] for line in result.splitlines()] == [str(n) for n in range(1, 10)]


@pytest.mark.parametrize(
    "numbers",
    [
        (1, 1, 1, 1, 1),
        (0, 0, 0, 0),
        (21, 1, 1, 1, 1, 1),
        (1, 2, 3, 4),
        (7, 8, 9, 10),
        (5, 4, 3, 2, 1),
        (1, 2, 3, 1, 2, 3),
        (10, 20, 30, 40, 50),
        (1999, 2004, 2005, 2017),
        (1, 2, 2),
    ],
)
def test_lists_that_do_not_count_or_count_well(numbers: tuple[int, ...]) -> None:
    assert run(numbering, numbered(*numbers)) == []


def test_a_list_that_goes_on_below_a_paragraph_is_its_own() -> None:
    assert run(numbering, f"{numbered(1, 2, 3, 4)}\ntext\n\n{numbered(6, 7, 8, 9)}") == []


def test_a_falling_list_is_reported_alone() -> None:
    (found,) = run(numbering, numbered(6, 5, 4, 4, 3, 2, 1))
    assert found.place.edits == ()


def test_leading_zeros_stay() -> None:
    text = numbered(1, 2, 4, 5).replace("\n", "\n0")[:-1]
    assert "04. [x](https://example.org/5)" in fixed(numbering, "0" + text).text


def test_numbers_that_would_unnest_what_is_below_them_stay() -> None:
    text = "".join(f"{n}. [x](https://example.org/{n})\n   - note\n" for n in (1, 2, 3, 4, 5, 6, 7, 8, 8, 9))
    result = fixed(numbering, text)
    assert result.text == text
    assert result.dropped


# ------------------------------------------------------------------------------------------ indent
NESTED = "- [One](https://example.org/1)\n  - note\n- [Two](https://example.org/2)\n{}- [Three](https://example.org/3)\n  - note\n"


@pytest.mark.parametrize(
    "line", [" - a note\n", " - a note\n - and another\n", " * a note\n   of two lines\n"]
)
def test_a_note_that_stands_beside_its_entry_is_nested(line: str) -> None:
    text = NESTED.format(line)
    found = run(indent, text)
    if line.startswith(" *"):
        assert found == []  # another mark begins another list: nothing tells that it is a slip
        return
    assert len(found) == line.count("\n")
    result = fixed(indent, text, unsafe=True)
    assert result.text == NESTED.format(line.replace(" - ", "  - "))


@pytest.mark.parametrize(
    "text",
    [
        NESTED.format(" - [An entry](https://example.org/4)\n"),
        NESTED.format("\n - a note after a blank line\n"),
        "- [One](https://example.org/1)\n- [Two](https://example.org/2)\n - a note\n- [Three](https://example.org/3)\n",
        "1. one\n   - note\n2. two\n   - note\n",
        "1. one\n\n - a list after a blank line\n",
        "1. one\n- a list of its own\n",
        "- text of two lines\n      - and this\n- other\n",
    ],
)
def test_what_may_be_meant(text: str) -> None:
    assert run(indent, text) == []


def test_bullets_that_end_a_numbered_list_are_nested() -> None:
    text = "1. one\n  - note\n  - more\n2. two\n  - note\n3. three\n"
    assert len(run(indent, text)) == 2
    assert fixed(indent, text, unsafe=True).text == text.replace("  - ", "   - ")


def test_a_line_that_the_text_above_has_swallowed() -> None:
    text = NESTED.format("       - a note\n")
    (found,) = run(indent, text)
    assert found.line == 4
    assert fixed(indent, text, unsafe=True).text == NESTED.format("  - a note\n")


# ------------------------------------------------------------------------------------ marker-space
@pytest.mark.parametrize(
    ("text", "marks"),
    [
        ("- [a](u)\n-[b](u)\n- [c](u)\n", ["-"]),
        ("-[a](u)\n- [b](u)\n", ["-"]),
        ("-[a](u)\n-[b](u)\n-[c](u)\n", ["-", "-", "-"]),
        ("* [a](u)\n*Text of an item\n", ["*"]),
        ("1. [a](u)\n2.[b](u)\n3. [c](u)\n", ["2."]),
        ("- [a](u)\n\n-[b](u)\n\n- [c](u)\n", ["-"]),
        ("- [a](u)\n  - note\n  -Note\n", ["-"]),
        ("- [ ] a\n-[ ] b\n-[x] c\n", ["-", "-"]),
        ("> - [a](u)\n> -[b](u)\n", ["-"]),
    ],
)
def test_marks_without_a_blank(text: str, marks: list[str]) -> None:
    assert [one.place.values["mark"] for one in run(marker_space, text)] == marks
    result = fixed(marker_space, text)
    assert not result.dropped
    assert not result.remaining
    assert result.text.count(" ") == text.count(" ") + len(marks)


@pytest.mark.parametrize(
    "text",
    [
        "* [a](u)\n*text*\n",
        "* [a](u)\n**bold** text\n",
        "- [a](u)\n-5 degrees\n",
        "- [a](u)\n--flag\n",
        "- [a](u)\n-flag of a command\n",
        "- [a](u)\n*Needs an account\n",
        "* [a](u)\n\n*Needs an account\n",
        "-[a](u)\n",
        "text\n-[not a link] text\n",
        "- [a](u)\n-[not a link] text\n",
        "```\n- [a](u)\n-[b](u)\n```\n",
        "- [a](u)\n+1 to this\n",
        "- [a](u)\n  1.5 million\n",
        "-[a](u)\n-[b](u)\n",
    ],
)
def test_marks_that_are_none(text: str) -> None:
    assert run(marker_space, text) == []


# ------------------------------------------------------------------------------------- label-order
LINE = "- A Study of Jobs, {} {} {}\n"
PAPER, CODE = "[[Paper](https://example.org/{0}.pdf)]", "[[Code](https://github.com/example/{0})]"


def study(name: str, first: str = PAPER, second: str = CODE) -> str:
    return LINE.format(name, first.format(name), second.format(name))


def test_the_minority_is_turned_round() -> None:
    text = "".join(map(study, NAMES)) + study("Zulu", CODE, PAPER)
    (found,) = run(label_order, text)
    assert (found.place.values["first"], found.place.values["count"]) == ("Paper", 14)
    assert fixed(label_order, text).text == "".join(map(study, NAMES)) + study("Zulu")


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("[Code](https://github.com/example/1)", "[[Paper](https://example.org/1.pdf)]"),
        (CODE, f"{PAPER} ![stars](https://example.org/s.svg)"),
        (CODE, f"{PAPER} (official)"),
    ],
)
def test_labels_of_two_forms_or_with_something_of_their_own_stay(first: str, second: str) -> None:
    (found,) = run(label_order, "".join(map(study, NAMES)) + study("Zulu", first, second))
    assert found.place.edits == ()


@pytest.mark.parametrize(
    ("first", "second"), [(f"{CODE} (a text)", PAPER), (f"{CODE} by Bob", PAPER), (f"{CODE}<br>", PAPER)]
)
def test_labels_that_are_not_side_by_side_are_left_alone(first: str, second: str) -> None:
    assert run(label_order, "".join(map(study, NAMES)) + study("Zulu", first, second)) == []


@pytest.mark.parametrize("form", ["{}", r"\[{}]", "({})", "[[{}]]"])
def test_brackets_go_with_their_labels(form: str) -> None:
    paper = form.format("[Paper](https://example.org/{0}.pdf)")
    code = form.format("[Code](https://github.com/example/{0})")
    if form == "[[{}]]":
        paper, code = "[[Paper]](https://example.org/{0}.pdf)", "[[Code]](https://github.com/example/{0})"
    text = "".join(study(name, paper, code) for name in NAMES)
    assert fixed(label_order, text + study("Zulu", code, paper)).text == text + study("Zulu", paper, code)


def test_two_habits_are_none() -> None:
    text = "".join(study(name, *((PAPER, CODE) if n % 4 else (CODE, PAPER))) for n, name in enumerate(NAMES))
    assert run(label_order, text) == []


# ----------------------------------------------------------------------------------------- hostile
@pytest.mark.parametrize(
    "text",
    [
        "- - - - - - - - [a](https://e.org/u)\n" * 200,
        "<!-- c -->\n- [a](https://e.org/u)\n" * 600,
        "".join(f"{n}. [a{n}](https://e.org/u)\n <!-- c -->\n" for n in range(600)),
        "-[a](https://e.org/u)\n" * 1_000,
        "- [a](https://e.org/u)" + "[[b](https://e.org/u)]" * 1_000 + "\n",
        "- [a](https://e.org/u)\n" + "         - b\n" * 1_000,
        "1. a\n - b\n" * 800,
        " - a\n- [b](https://e.org/u)\n  - c\n" * 600,
        "- ["
        + "1" * 20_000
        + "](https://e.org/u)\n- ["
        + " " * 20_000
        + "b](https://e.org/u)\n"
        + "- [.](https://e.org/u)\n" * 10,
    ],
)
def test_hostile_input_ends_soon(text: str) -> None:
    documents, context = read_project(text)
    for check in (order, numbering, indent, marker_space, label_order):
        for _ in check(documents[LIST], context):
            pass


@pytest.mark.parametrize(
    ("names", "severity"),
    [
        (["Zed"], "warning"),
        (["eXistenZ", "k", "k3d"], None),  # right in one collation or the other
    ],
)
def test_what_another_usual_collation_keeps_is_no_certain_finding(
    names: list[str], severity: str | None
) -> None:
    rest = [f"{letter}{number}" for letter in "abcdfghijlm" for number in range(3)]
    row = [*rest[:14], *names, *rest[14:]] if severity else sorted([*rest, *names])
    found = run(order, items(row))
    assert {one.place.severity.label for one in found} == ({severity} if severity else set())


def test_what_follows_a_struck_out_entry_may_stand_there() -> None:
    names = [f"{letter}x" for letter in "abcdefghijklmnop"]
    lines = items(names).splitlines(keepends=True)
    lines[3] = lines[3].replace("[dx]", "~~[dx]").replace(")", ")~~", 1)
    lines.insert(4, "- [zx](https://example.org/zx)\n")
    (found,) = run(order, "".join(lines))
    assert found.place.severity.label == "info"


def test_marks_may_come_before_digits_and_an_underscore_before_a_hyphen() -> None:
    names = [
        "ax",
        "bx",
        "cx-vault",
        "cx",
        "cx2",
        "dx_y",
        "dx-a",
        "ex",
        "fx",
        "gx",
        "hx",
        "ix",
        "jx",
        "kx",
        "lx",
        "mx",
    ]
    assert {one.place.severity.label for one in run(order, items(names))} <= {"info"}
