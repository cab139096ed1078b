"""The rule `entry/duplicate`, in what its page is too short to show."""

from __future__ import annotations

import pytest

from shelfread.checks.entry.duplicate import duplicate
from shelfread.core.diagnostics import Severity
from support.project import run

LINE = "- {} [[Paper]]({})\n"
ARXIV = "https://arxiv.org/abs/2001.{:05}"
TITLE = "Scheduling the Jobs of Many Tenants on Few Machines"
CITED = "- {} ({}) [[Paper]({})]\n"
PREPRINT = "https://arxiv.org/abs/2001.00001"
USENIX = "https://www.usenix.org/conference/osdi20/presentation/doe"


def papers(numbers: range, name: str = "Title of Paper Number {} in This List") -> str:
    return "".join(LINE.format(name.format(n), ARXIV.format(n)) for n in numbers)


def where(text: str | dict[str, str]) -> list[tuple[str, object, str]]:
    return [
        (f"{one.path}:{one.line}", one.place.values["where"], one.place.severity.label)
        for one in run(duplicate, text)
    ]


def paper(cited: str, url: str = PREPRINT, title: str = TITLE) -> str:
    return CITED.format(title, cited, url)


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


def tools(numbers: range, text: str = "A tool of kind {} that holds the books of a shelf.") -> str:
    return "".join(f"- [Tool {n}](https://t{n}.org) - {text.format(n)}\n" for n in numbers)


@pytest.mark.parametrize(("again", "told"), [(2, 1), (3, 1), (9, 1), (10, 0)])
def test_what_a_file_lists_elsewhere_is_said_once_and_not_of_a_habit(again: int, told: int) -> None:
    found = run(duplicate, f"## By topic\n\n{tools(range(60))}\n## Read first\n\n{tools(range(again))}")
    assert len(found) == told
    assert {each.place.message for each in found} <= {"cross-listed"}
    assert all(each.place.values["count"] == again for each in found)


def test_a_copied_line_is_a_slip_where_nothing_else_is_listed_twice() -> None:
    one = tools(range(1))
    assert where(f"## A\n\n{one}\n## B\n\n{one}") == [("list.md:7", "list.md:3", "info")]
    two = tools(range(2))
    anew = tools(range(1, 2), "Here it is one for beginners.")
    assert where(f"## A\n\n{two}\n## B\n\n{one}{anew}") == []


def test_what_another_heading_or_file_says_anew_is_meant() -> None:
    one, anew = tools(range(1)), tools(range(1), "Here it is one for beginners.")
    assert where({"a.md": one, "b.md": one}) == []
    assert where(f"## A\n\n{one}\n## B\n\n{anew}") == where({"a.md": one, "b.md": anew}) == []


@pytest.mark.parametrize(
    ("headings", "count"), [(("2019", "2020"), 1), (("ML", "NLP"), 0), (("2020", "Best of 2020"), 0)]
)
def test_a_paper_is_of_one_year_and_of_several_subjects(headings: tuple[str, str], count: int) -> None:
    one = papers(range(1))
    found = where(f"## {headings[0]}\n\n{one}\n## {headings[1]}\n\n{one}")
    assert found == [("list.md:7", "list.md:3", "info")] * count


def test_one_repository_holds_the_versions_of_two_years() -> None:
    rows = "- [Set](https://github.com/a/set) (2011, Scheme) - Solves puzzles.\n- [Set](https://github.com/a/set) ({}) - {}\n"
    assert where(rows.format("2022, Python", "Solves them with a graph.")) == []
    assert where(rows.format("2022, Python", "Solves puzzles.")) == [("list.md:2", "list.md:1", "warning")]
    assert where(rows.format("2011, Scheme", "Finds sets.")) == [("list.md:2", "list.md:1", "warning")]


def test_the_listing_in_the_same_section_is_named() -> None:
    one = papers(range(1))
    found = where(f"## A\n\n{one}\n## B\n\n{one}\ntext\n\n\n{one}")
    assert found == [("list.md:12", "list.md:7", "warning")]


@pytest.mark.slow
def test_each_of_many_equals_is_found_once() -> None:
    found = where(papers(range(1)) * 600)
    assert len(found) == 599
    assert found[-1] == ("list.md:600", "list.md:1", "warning")


def test_a_repetition_by_design_is_for_information() -> None:
    text = "## All\n\n" + papers(range(50)) + "\n" + papers(range(13))
    assert {severity for *_, severity in where(text)} == {"info"}


def test_a_second_order_of_the_whole_list_is_not_mentioned() -> None:
    text = "## By topic\n\n" + papers(range(50)) + "\n## By date\n\n" + papers(range(50))
    assert where(text) == []
    # But what one section has twice is.
    assert where(text + papers(range(3, 4))) == [("list.md:106", "list.md:59", "warning")]


def test_a_translation_is_not_mentioned() -> None:
    assert where({"README.md": papers(range(50)), "README.zh.md": papers(range(50))}) == []


def test_a_copied_link_under_another_title_is_said_to_be_one() -> None:
    text = LINE.format("A Study of Jobs in Clusters", ARXIV.format(1)) + LINE.format(
        "Graphs beyond Memory", ARXIV.format(1)
    )
    (found,) = run(duplicate, text)
    assert found.place.message == "another-title"


def test_the_case_of_a_doi_does_not_count() -> None:
    text = LINE.format("A Study of Jobs in Clusters", "https://doi.org/10.1145/AB.1")
    assert where(text + LINE.format("Graphs beyond Memory", "https://doi.org/10.1145/ab.1"))


@pytest.mark.parametrize(
    ("title", "found"),
    [
        ("Title of Graphs beyond Memory", ["warning"]),  # "Title" is a word of the whole list
        ("Job Placement beyond Memory", ["info"]),
        ("Graphs", []),
        ("Shelves: What Others Say of It", []),
    ],
)
def test_a_preprint_keeps_a_word_when_it_is_renamed(title: str, found: list[str]) -> None:
    first = LINE.format("Shelves: Placements and Title of Nodes", ARXIV.format(99))
    text = f"## A\n\n{papers(range(30))}{first}\n## B\n\n{LINE.format(title, ARXIV.format(99))}"
    assert severities(text) == found


def test_the_title_that_is_listed_less_often_is_to_blame() -> None:
    titles = ("Numbers beyond Graphs and Time", "A Study of Clusters", "A Study of Clusters")
    text = "".join(f"## {n}\n\n{LINE.format(title, ARXIV.format(1))}\n" for n, title in enumerate(titles))
    assert [(one.line, one.place.values["where"]) for one in run(duplicate, text)] == [(3, "list.md:7")]


@pytest.mark.parametrize(
    ("first", "second", "line"),
    [
        ("Grid", "Mesh", 2),
        ("Mesh", "Grid", 1),
        ("Grid", "Lattice", 2),
        ("Lattice", "Mesh", 2),
        ("The Mesh Way", "The Grid Way", 1),
    ],
)
def test_the_name_that_an_address_does_not_have_is_to_blame(first: str, second: str, line: int) -> None:
    (found,) = run(
        duplicate, f"- [{first}](https://saw.org/get-grid)\n- [{second}](https://saw.org/get-grid)\n"
    )
    assert (found.line, found.place.severity) == (line, Severity.WARNING)
    assert found.place.values["where"] == f"list.md:{3 - line}"


@pytest.mark.parametrize(
    ("first", "second", "count"),
    [
        (
            "[xilem](https://github.com/linebender/xilem)",
            "[linebender/xilem](https://github.com/linebender/xilem)",
            1,
        ),
        ("[nmap](https://nmap.org/)", "[nmap](http://www.nmap.org/?utm_source=x)", 1),
        ("[nmap](https://nmap.org/)", "[Zenmap](https://nmap.org/)", 0),
    ],
)
def test_one_address_may_be_of_several_things(first: str, second: str, count: int) -> None:
    text = f"- {first} - Does this.\n- [mtr](https://example.org/mtr) - Traces.\n- {second} - Does that.\n"
    assert len(run(duplicate, text)) == count


@pytest.mark.parametrize(
    ("first", "second", "severity"),
    [
        ("[Grid](https://saw.org/get)", "[Mesh](https://saw.org/get)", "warning"),
        ("[Grid](https://saw.org/?a=1)", "[Mesh](https://saw.org/?a=1)", "warning"),
        ("[uv](https://github.com/astral-sh/uv)", "[uv build](https://github.com/astral-sh/uv)", None),
        ("[hatch](https://saw.org/hatch)", "[hatchling](https://saw.org/hatch)", None),
        ("[hatch](https://github.com/a/hatch)", "[hatchling](https://github.com/a/hatch)", None),
        ("[Grid:2.7](https://saw.org/grid)", "[Grid:3.6](https://saw.org/grid)", None),
        ("[Grid-mod](https://github.com/a/grid)", "[Grid (a)](https://github.com/a/grid)", None),
        ("[Grid-mod](https://github.com/a/grid)", "[Grid (Ada)](https://github.com/a/grid)", "info"),
        ("[Grid](https://saw.org/get#grid)", "[Mesh](https://saw.org/get#mesh)", None),
        ("[Grid](https://saw.org/)", "[Mesh](https://saw.org)", None),
        ("[Website](https://saw.org/get)", "[Mesh](https://saw.org/get)", None),
        (
            "[Grid](https://saw.org/get)",
            "[Tools](https://tools.org/a)\n  - [Mesh](https://saw.org/get)",
            None,
        ),
    ],
)
def test_one_address_under_two_names(first: str, second: str, severity: str | None) -> None:
    text = f"- {first} - Does this.\n- [mtr](https://example.org/mtr) - Traces.\n- {second} - Does that.\n"
    found = run(duplicate, text)
    assert [each.place.severity.label for each in found] == ([severity] if severity else [])
    assert all(each.place.values["title"] in first for each in found)


def test_a_page_that_several_names_share_is_no_single_thing() -> None:
    text = "".join(f"- [{name}](https://saw.org/accepted) - Is a talk.\n" for name in ("Ant", "Bee", "Cat"))
    assert run(duplicate, text) == []


@pytest.mark.parametrize(("heading", "found"), [("", ["warning"]), ("\n## Others\n\n", [])])
def test_an_article_explains_a_term_in_two_sections(heading: str, found: list[str]) -> None:
    page = "https://en.wikipedia.org/wiki/Shelf_mark"
    text = f"## Terms\n\n- [Shelf marks]({page}) - A term.\n{heading}- [Marks]({page}) - A term.\n"
    assert severities(text) == found


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
    assert run(duplicate, text) == []


def test_a_companion_below_two_parents_is_no_duplicate() -> None:
    child = "  - [Purse](https://example.org/purse) - Its client.\n"
    text = f"- [Split](https://example.org/split) - Splits.\n{child}- [Share](https://example.org/share) - Shares.\n{child}"
    assert run(duplicate, text) == []
    (found,) = run(duplicate, f"- [Split](https://example.org/split) - Splits.\n{child}{child}")
    assert found.place.severity.label == "warning"


def severities(text: str | dict[str, str]) -> list[str]:
    return [one.place.severity.label for one in run(duplicate, text)]


@pytest.mark.parametrize(
    ("second", "found"),
    [
        (paper("OSDI 2020", USENIX), ["warning"]),
        (paper("arXiv 2020", USENIX, TITLE.replace("Many Tenants", "Many-Tenants")), ["warning"]),
        (paper("TPDS 2021", "https://doi.org/10.1109/TPDS.2021.1"), []),
        (paper("OSDI 2020 Poster", "https://example.org/poster.pdf"), []),
        (paper("OSDI 2020", USENIX, TITLE.replace("Machines", "Machine")), ["info"]),
        (paper("SOSP 2021", USENIX, TITLE.replace("Tenants", "Tennants")), ["info"]),
        (paper("OSDI 2020", USENIX, f"Foo: {TITLE}"), ["info"]),
        (paper("OSDI 2020", USENIX, f"{TITLE}++"), []),
        (paper("OSDI 2020", USENIX, f"{TITLE}, Part 2"), []),
        (f"  {paper('OSDI 2020 poster', USENIX)}", []),
    ],
)
def test_companions_are_no_duplicates(second: str, found: list[str]) -> None:
    assert severities(paper("OSDI 2020") + second) == found


def test_a_page_of_many_papers_is_no_identity() -> None:
    page = "https://example.org/accepted.html"
    text = paper("SOSP 2023", page) + paper("SOSP 2023", page, "Another Way to Share a Page of Papers")
    assert severities(text) == []
    assert severities(text + paper("SOSP 2023", page, "Scheduling")) == ["warning"]


def test_a_volume_is_no_identity() -> None:
    book = "https://doi.org/10.1007/978-3-030-12345-6"
    assert severities(paper("ECCV 2020", book) + paper("ECCV 2020", book, "Quite Another Thing")) == []


def test_a_published_paper_keeps_its_title() -> None:
    other = "Fusing Models beyond Any Measure"
    text = "## A\n\n" + paper("OSDI 2020", USENIX) + "\n## B\n\n"
    assert severities(text + paper("OSDI 2020", USENIX, other)) == ["warning"]
    assert severities(text.replace(USENIX, PREPRINT) + paper("arXiv 2020", PREPRINT, other)) == ["warning"]
    assert severities(text + paper("OSDI 2020", USENIX, "Tetris")) == []


def test_a_proceedings_hash_is_of_its_year() -> None:
    address = "https://proceedings.mlsys.org/paper/{}/hash/f0f9e98bc2e2f0abc3e315eaa0d808fc-Abstract.html"
    text = (
        f"- Learning to Place Operators on Machines (MLSys 2021) [[Paper]({address.format(2021)})]\n"
        f"- A Compiler of Sparse Tensors for Everybody (MLSys 2022) [[Paper]({address.format(2022)})]\n"
    )
    assert run(duplicate, text) == []


@pytest.mark.parametrize(
    ("first", "second", "severity"),
    [
        ("Ladders", "Climbing with Ladders", None),
        ("Ladder Data", "The Ladder Blog", "info"),
        ("Ladders in Go", "Snakes for Beginners", "warning"),
    ],
)
def test_two_angles_of_one_page(first: str, second: str, severity: str | None) -> None:
    page = "https://docs.example.org/ladders"
    text = f"## Tasks\n\n- [{first}]({page}) - For this.\n\n## Models\n\n- [{second}]({page}) - For that.\n"
    assert severities(text) == ([severity] if severity else [])
    near = text.replace("## Models\n\n", "")
    assert [each.place.severity.label for each in run(duplicate, near)] == ["warning"]


@pytest.mark.parametrize(("name", "severity"), [("(SHELF)", "warning")])
def test_a_variant_with_a_longer_short_name_may_share_a_paper(name: str, severity: str) -> None:
    line = "- [{} Conservative Shelves {}](https://arxiv.org/abs/2001.00001)\n"
    text = papers(range(2, 6)) + line.format("Most", "(SHELF)") + line.format("Discrete Most", name)
    assert where(text) == [("list.md:6", "list.md:5", severity)]


def test_two_versions_of_one_set_share_a_paper() -> None:
    line = f"- **Shelf ({{}})**: {TITLE} (OSDI 2020) [[Paper]({USENIX})] [[Data](https://{{}}.example)]\n"
    assert not where(line.format("v1", "a") + line.format("v2", "b"))
    assert where(line.format("v1", "a") + line.format("v1", "b"))


def test_a_short_title_of_other_people_is_another_work() -> None:
    by = "- {1}. Tidy Shelves (OSDI 2018) [[Paper](https://{0}.example/a.pdf)]\n"
    assert not where(by.format("a", "Ada Stone, Cy Moor") + by.format("b", "Ben Field, Dee Lee"))
    assert where(by.format("a", "Ada Stone, Cy Moor") + by.format("b", "Ada Stone, Cy Moor"))


def test_the_preprint_of_a_published_paper_is_left_to_another_rule() -> None:
    text = f"## 2019\n\n{paper('arXiv 2019')}\n## 2020\n\n{paper('OSDI 2020')}"
    assert where(text) == []
    assert where(text.replace("arXiv 2019", "OSDI 2019")) == [("list.md:7", "list.md:3", "info")]


def test_an_entry_is_named_as_it_begins() -> None:
    lines = "- **Crate** - [Bad privacy policy](https://a.org/25). Has trackers.\n- [Box](https://a.org/25) - Keeps salt.\n"
    assert [one.place.values["title"] for one in run(duplicate, lines)] == ["Crate"]


def test_other_people_may_call_their_paper_so_too() -> None:
    line = "- **Sorting Models of Tidy Shelves in Libraries: A Survey.** *{}*. arXiv 2023. [[Paper]({})]\n"
    first = line.format("Ada Stone, Ben Field", "https://arxiv.org/abs/2303.00001")
    for people, count in (("Cleo Ray, Dan Hill", 0), ("Ada Stone, Ben Field", 1)):
        again = line.format(people, "https://arxiv.org/abs/2305.00002")
        assert len(where(first + papers(range(3, 9)) + again)) == count


def test_several_things_may_be_of_one_paper() -> None:
    rows = [
        f"| [{name}](https://arxiv.org/abs/2302.00003) | Breads |\n" for name in ("RYE10", "Buns", "Spelt")
    ]
    table = "| Dataset | Type |\n| --- | --- |\n"
    assert where(table + "".join(rows)) == []
    assert len(where(table + "".join(rows[:2]))) == 1
