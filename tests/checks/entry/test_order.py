"""The rule `entry/order`, in what its page is too short to show."""

from __future__ import annotations

import random

import pytest

from shelfread.checks.entry.order import order
from shelfread.core.diagnostics import Severity
from support.project import LIST, fixed, read_project, run
from support.work import executed_lines

NAMES = "Alpha Bravo Charlie Delta Echo Foxtrot Golf Hotel India Juliett Kilo Lima Mike November".split()


def items(names: list[str], mark: str = "-", sub: str = "") -> str:
    return "".join(f"{mark} [{name}](https://example.org/{name.split()[0]}){sub}\n" for name in names)


def moved(names: list[str], start: int, end: int) -> list[str]:
    rest = [*names[:start], *names[start + 1 :]]
    return [*rest[:end], names[start], *rest[end:]]


def said(text: str, **options: object) -> list[str]:
    places = [one.place for one in run(order, text, **options)]
    return [f"{place.values['title']} {place.message} {place.values['other']}" for place in places]


def test_names_come_before_the_emoji_in_front_of_them() -> None:
    lines = items(["Delta 2", "Delta", "Echo 2", "Echo", *NAMES[5:]], "- :tada:")
    assert said(lines + items(["Lemma"], "- :free:")) == ["Lemma before Lima"]


def test_a_name_that_is_listed_twice_hides_no_other() -> None:
    text = items([*NAMES[1:7], "Alpha", "Hotel", "Bravo"])
    assert said(text, when="always") == ["Alpha before Bravo", "Bravo before Charlie"]


@pytest.mark.parametrize("start", range(len(NAMES)))
@pytest.mark.parametrize("end", [1, 5, len(NAMES) - 1])
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
    assert said(items(["Zulu", *NAMES])) == []
    assert said(items(["Zulu", *NAMES]), when="always") == ["Zulu after November"]


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
    assert run(order, text(years)) == []  # papers are added at the end, which is hardly an order
    assert run(order, text([2024] * 12 + [2023, 2024, 2022, 2024])) == []


def test_many_entries_are_put_in_order() -> None:
    chance = random.Random(7)
    names = sorted({"".join(chance.choices("abcdefghij", k=8)) for _ in range(600)})
    mixed = [*names]
    for _ in range(40):
        mixed.insert(chance.randrange(len(mixed)), mixed.pop(chance.randrange(len(mixed))))
    documents, context = read_project(items(mixed))
    edits = {edit for place in order(documents[LIST], context) for edit in place.edits}
    text = documents[LIST].source.text
    pieces, at = [], 0
    for edit in sorted(edits):
        assert edit.start >= at
        pieces += [text[at : edit.start], edit.text]
        at = edit.end
    assert "".join([*pieces, text[at:]]) == items(names)


def test_many_near_equals() -> None:
    assert said(items([f"Same {n % 3}" for n in range(600)])) == []


def test_many_that_belong_in_one_place_are_moved_once() -> None:
    def lines(count: int) -> int:
        names = [f"{n:05}" for n in range(10 * count)]
        documents, context = read_project(items(names[:10] + names[10 + count :] + names[10 : 10 + count]))
        places = list(order(documents[LIST], context))
        assert len(places) == count
        assert sum(len(place.edits) for place in places) == count + 1
        documents, context = read_project(documents[LIST].source.text)
        return executed_lines(lambda: list(order(documents[LIST], context)))

    assert lines(80) < 8 * lines(20)  # 16 times, if it were quadratic


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
    assert run(order, "".join(lines)) == []


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


def table(rows: list[tuple[str, str]]) -> str:
    lines = [f"| [{name}](https://example.org/{name}) | `{other}` |" for name, other in rows]
    return "\n".join(["| Name | Class |", "| --- | --- |", *lines, ""])


def test_a_table_may_be_sorted_by_another_column() -> None:
    names = [*NAMES[:9], "Zulu", *NAMES[9:]]
    classes = sorted(f"shelves.{name}Shelf" for name in names)
    assert said(table(list(zip(names, classes, strict=True)))) == []
    numbers = [f"{number} books" for number in range(len(names))]
    for other in (numbers, [f"shelves.{name}Shelf" for name in names], ["shelves.Shelf"] * len(names)):
        assert said(table(list(zip(names, other, strict=True)))) == ["Zulu after November"]
    assert said(table(list(zip(names, classes, strict=True))), by="name") == ["Zulu after November"]
