"""Items of a table of contents whose sections were renamed, and headings that an item covers."""

from __future__ import annotations

import pytest

from shelfread.checks.contents.sync import sync
from support.project import Found, message_of, run

LISTED = ("Agents", "Books", "Compilers", "Data", "Evaluation", "Formats", "Graphs", "Inference", "Kernels")


def page(items: str, *headings: str) -> str:
    body = "".join(
        f"\n## {heading}\n\n- [A link](https://example.org/{n})\n" for n, heading in enumerate(headings)
    )
    return f"# List\n\n{items}\n{body.replace('## ^', '### ')}"


def contents(*titles: str) -> str:
    lines = (f"- [{title}](#{title.lower().replace(' ', '-')})\n" for title in titles)
    return "".join(line.replace("- [^", "  - [").replace("(#^", "(#") for line in lines)


def messages(found: list[Found]) -> list[str]:
    return [message_of("contents/sync", one.place) for one in found]


def test_a_renamed_section_is_one_finding_and_one_fix() -> None:
    old, new = contents(*LISTED), tuple("Wire Protocols" if name == "Formats" else name for name in LISTED)
    (found,) = run(sync, page(old, *new))
    assert messages([found]) == [
        "'Formats' leads nowhere; the heading in its place is 'Wire Protocols' in line 34"
    ]
    assert found.place.safe
    assert found.fixed == page(contents(*new), *new)


def test_the_last_section_may_be_the_renamed_one() -> None:
    new = (*LISTED[:-1], "Wire Protocols")
    (found,) = run(sync, page(contents(*LISTED), *new))
    assert found.place.message == "renamed" and found.fixed == page(contents(*new), *new)


def test_sections_renamed_in_a_row_are_paired_in_order() -> None:
    new = ("Agents", "Shelves", "Translators", *LISTED[3:])
    found = run(sync, page(contents(*LISTED), *new))
    assert [(one.place.values["item"], one.place.values["heading"]) for one in found] == [
        ("Books", "Shelves"),
        ("Compilers", "Translators"),
    ]
    assert all(one.place.safe for one in found)


@pytest.mark.parametrize(
    ("item", "heading", "message"),
    [
        pytest.param(
            "- [Formats](#formats)", "Formates", "'Formats' leads nowhere; did you mean", id="a slip"
        ),
        pytest.param(
            "- [File types](#formats)",
            "Wire Protocols",
            "'File types' leads nowhere; did you",
            id="own words",
        ),
    ],
)
def test_what_may_have_another_reading_is_unsafe(item: str, heading: str, message: str) -> None:
    text = page(contents(*LISTED).replace("- [Formats](#formats)", item), *LISTED).replace(
        "## Formats", f"## {heading}"
    )
    (found,) = run(sync, text)
    assert messages([found])[0].startswith(message)
    assert not found.place.safe


def test_a_section_of_another_level_or_place_is_no_new_name() -> None:
    gone = [name for name in LISTED if name != "Formats"]
    assert run(sync, page(contents(*LISTED), *gone)) == []
    deeper = [f"^{name}" if name == "Formats" else name for name in LISTED]
    assert run(sync, page(contents(*LISTED), *deeper).replace("### Formats", "### Wire Protocols")) == []
    below = contents(*LISTED).replace("- [Formats](#formats)\n", "- [Formats](#formats)\n  - [Old](#old)\n")
    assert messages(run(sync, page(below, *LISTED).replace("## Formats", "## Wire Protocols"))) == [
        "the table of contents does not list 'Wire Protocols'"
    ]
    moved = [*gone, "Wire Protocols"]
    assert messages(run(sync, page(contents(*LISTED), *moved))) == [
        "the table of contents does not list 'Wire Protocols'"
    ]


def test_names_without_emoji_and_numbers_of_entries_are_known() -> None:
    text = page(contents(*LISTED), *(f"🎵 {name} ({n})" for n, name in enumerate(LISTED)))
    found = run(sync, text)
    assert messages(found)[0] == "'Agents' leads nowhere; its heading is '#-agents-0' in line 14"
    assert len(found) == len(LISTED)
    assert all(not one.place.safe for one in found)


def test_a_second_list_of_the_page_has_its_own_findings() -> None:
    line = " · ".join(f'<a href="#{name.lower()}-of-old">{name}</a>' for name in LISTED[:4])
    text = page(f"<p>{line}</p>\n\n{contents(*LISTED).replace(')', '-of-old)')}", *LISTED)
    assert len(run(sync, text)) == 4 + len(LISTED)


def test_a_name_that_the_page_has_below_many_headings_is_no_section_that_is_missed() -> None:
    headings = tuple(heading for name in LISTED for heading in (name, "^Surveys"))
    assert run(sync, page(contents(*LISTED), *headings)) == []
