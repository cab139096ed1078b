"""Entries are inserted in the form of the list, at their place, and nothing else changes."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shelfread.core.source import Source
from shelfread.document.entry_data import entry_data
from shelfread.document.read import read
from shelfread.imports.imported_entry import EntryOrigin, ImportedEntry, build_entry
from shelfread.imports.insert_entries import Insertion, insert_entries
from shelfread.imports.stated_venue import read_venue
from shelfread.imports.target_section import Target
from shelfread.taxonomy.load import load

TAXONOMY = load()
VOCABULARY = TAXONOMY.vocabulary
X, Y, Z = (f"https://arxiv.org/abs/2001.0000{number}" for number in (1, 2, 3))
CODE = "https://github.com/openshelf/kit"


def paper(title: str, venue: str = "OSDI", year: int = 2020, url: str = Z, **more: Any) -> ImportedEntry:
    more.setdefault("links", [("Paper", url)] if url else [])
    return build_entry(
        title,
        EntryOrigin("a.bib", 1, 1),
        "bibtex",
        VOCABULARY,
        venue=read_venue(f"{venue} {year}", VOCABULARY),
        year=year,
        **more,
    )


def tool(name: str, description: str | None = None) -> ImportedEntry:
    return build_entry(
        name,
        EntryOrigin("a.csv", 2, 2),
        "csv",
        VOCABULARY,
        name=name,
        description=description,
        links=[("", f"https://{name.lower()}.example.org")],
    )


def insert(text: str, *entries: ImportedEntry) -> Insertion:
    document = read(Source(text, "list.md"), VOCABULARY)
    section = document.entries[-1].section if document.entries else len(document.sections) - 1
    return insert_entries(document, [(entry, Target(section, "it was named")) for entry in entries], TAXONOMY)


def test_a_section_ends_its_descriptions_in_its_own_way() -> None:
    stopped = "".join(
        f"- [{name}](https://{name}.org) - Sorts books.\n" for name in ("Oak", "Elm", "Fir", "Yew")
    )
    plain = "".join(f"- [{name}](https://{name}.org) - For books\n" for name in ("Ash", "Bay", "Box"))
    for text, end in (
        (f"# A\n\n## B\n\n{stopped}\n## C\n\n{plain}", ""),
        (f"# A\n\n## C\n\n{plain}\n## B\n\n{stopped}", "."),
    ):
        written = insert(text, tool("Kit", "For maps.")).text
        assert f" - For maps{end}\n" in written
    long = "".join(f"- [Shelf {n}](https://shelf{n}.org) - For books{'.' * (n % 2)}\n" for n in range(10))
    text = f"# A\n\n## C\n\n{plain}\n## B\n\n{long}"
    assert " - For maps.\n" in insert(text, tool("Kit", "For maps.")).text


def test_a_cell_has_the_stop_of_et_al_with_it_alone_and_a_link_as_the_others_have() -> None:
    rows = "".join(
        f"| {word} Shelves of Books | OSDI 2020 | Stone et al. | [link]({X}{number}) |\n"
        for number, word in enumerate(("Deep", "Narrow", "Tall"))
    )
    text = f"| Title | Venue | Authors | Link |\n|---|---|---|---|\n{rows}"
    entry = paper("Order in Long Shelves", authors=["Wu, Lin"], links=[("Code", CODE)])
    assert insert(text, entry).text == f"{text}| Order in Long Shelves | OSDI 2020 | Wu | [link]({CODE}) |\n"


@pytest.mark.parametrize(
    ("people", "cited", "written"),
    [
        (("Ott & Wu", "Wu & Elm", "Oak & Elm"), "Shelfmatics (202{})", "Stone"),
        # No comma stands between people and a year in brackets.
        (("Wu et al.", "Elm et al.", "Oak et al."), "SOSP (2023)", "Stone (2020)"),
    ],
)
def test_brackets_of_what_is_not_known_are_left_out(
    people: tuple[str, ...], cited: str, written: str
) -> None:
    rows = "".join(
        f"| **{name}** | Oak | [{who}, {cited.format(number)}]({X}{number}) |\n"
        for number, (name, who) in enumerate(zip(("ulm", "bari", "oslo"), people, strict=True))
    )
    text = f"# P\n\n| Name | Wood | Key Paper |\n|---|---|---|\n{rows}"
    new = f"| **Mango: A Shelf** |  | [{written}]({Z}) |\n"
    assert insert(text, paper("Mango: A Shelf", "", authors=["Ada Stone"])).text == text + new


def test_people_and_preprints_are_cited_as_the_others() -> None:
    cited = "".join(
        f'- {name}, et al. "[{word} Shelves.](https://arxiv.org/pdf/2301.0000{n})" arXiv preprint arXiv:2301.0000{n} (2023).\n'
        for n, (name, word) in enumerate(
            (("Stone, Ada", "Deep"), ("Field, Ben", "Tall"), ("Wu, Lin", "Long"))
        )
    )
    entry = paper("Order", "arXiv", 2020, authors=["Oak, Mia", "Lin Elm"])
    line = f'- Oak, Mia, et al. "[Order.]({Z})" arXiv preprint arXiv:2001.00003 (2020).\n'
    assert insert(f"# Papers\n\n{cited}", entry).text.endswith(line)


def test_the_last_cell_is_edged_as_most_are() -> None:
    rows = f"| [Deep Shelves]({X}) | OSDI | 2020 |-|\n| [Wide Shelves of Oak]({Y}) | OSDI | 2021 | [Code]({CODE}) |\n"
    text = f"| Title | Venue | Year | Code |\n|---|---|---|---|\n{rows}| [Tall Shelves]({X}1) | OSDI | 2021 |-|\n"
    assert (
        insert(text, paper("Order in Shelves")).text == f"{text}| [Order in Shelves]({Z}) | OSDI | 2020 |-|\n"
    )


# A list in each dialect, and the line that becomes of "Mango: A Shelf" at OSDI 2020.
DIALECTS = {
    "bracket-links": (
        f"* Apple: Books (NSDI 2019) \\[[Paper]({X})]\n* Beet: Order (SOSP 2019) \\[[Paper]({Y})]\n",
        f"* Mango: A Shelf (OSDI 2020) \\[[Paper]({Z})]\n",
    ),
    "label-brackets": (
        f"- Apple: Books. NSDI 2019. [[PDF]]({X})\n- Beet: Order. SOSP 2019. [[PDF]]({Y})\n",
        f"- Mango: A Shelf. OSDI 2020. [[PDF]]({Z})\n",
    ),
    "linked-title": (
        f"+ [Apple: Books]({X}), NSDI'19.\n+ [Beet: Order]({Y}), SOSP'19.\n",
        f"+ [Mango: A Shelf]({Z}), OSDI'20.\n",
    ),
    "venue-first": (
        f"- [NSDI'19] [Apple: Books]({X})\n- [SOSP'19] [Beet: Order]({Y})\n",
        f"- [OSDI'20] [Mango: A Shelf]({Z})\n",
    ),
    "bold-title": (
        f"1. **Apple: Books.** NSDI 2019. [paper]({X})\n2. **Beet: Order.** SOSP 2019. [paper]({Y})\n",
        f"3. **Mango: A Shelf.** OSDI 2020. [paper]({Z})\n",
    ),
    "name-and-quotes": (
        f'- **Apple**: "Apple: Books", NSDI, 2019 (*Oxford*). [[Paper]({X})]\n- **Beet**: "Beet: Order", SOSP, 2019 (*Duke*). [[Paper]({Y})]\n',
        f'- **Mango**: "Mango: A Shelf", OSDI, 2020. [[Paper]({Z})]\n',
    ),
    "ones": (
        f"1. [Apple: Books]({X}) (NSDI 2019)\n1. [Beet: Order]({Y}) (SOSP 2019)\n",
        f"1. [Mango: A Shelf]({Z}) (OSDI 2020)\n",
    ),
    "table": (
        f"| Year | Title | Venue | Links |\n|---|---|---|---|\n| 2019 | Apple: Books | NSDI | [Paper]({X}) |\n| 2019 | Beet: Order | SOSP | [Paper]({Y}) |\n",
        f"| 2020 | Mango: A Shelf | OSDI | [Paper]({Z}) |\n",
    ),
    "table of bold cells": (
        f"**Year** | **Venue** | **Title**\n:-: | :-: | :-\n**2019** | **NSDI** | [Apple: Books]({X})\n**2019** | **SOSP** | [Beet: Order]({Y})\n",
        f"**2020** | **OSDI** | [Mango: A Shelf]({Z})\n",
    ),
    "loose": (
        f"- Apple: Books (NSDI 2019) [[Paper]({X})]\n\n- Beet: Order (SOSP 2019) [[Paper]({Y})]\n",
        f"\n- Mango: A Shelf (OSDI 2020) [[Paper]({Z})]\n",
    ),
    "paragraphs": (
        f"**Apple: Books** \\\nNSDI 2019. [[Paper]({X})]\n\n**Beet: Order** \\\nSOSP 2019. [[Paper]({Y})]\n",
        f"\n**Mango: A Shelf** \\\nOSDI 2020. [[Paper]({Z})]\n",
    ),
}  # fmt: skip


@pytest.mark.parametrize("dialect", DIALECTS)
def test_it_is_written_as_the_list_writes(dialect: str) -> None:
    listed, line = DIALECTS[dialect]
    text = f"# Papers\n\n## Shelves\n\n{listed}"
    assert insert(text, paper("Mango: A Shelf")).text == text + line


def test_a_section_of_one_entry_has_a_form_of_its_own() -> None:
    others = "".join(f"- [Beet {n}: Order of Long Shelves]({X}{n}) [[code]]({CODE}{n})\n" for n in range(20))
    own = f"- 2016 | Learning by Looking at Shelves | *Ada Stone, et al* | NeurIPS | [`PDF`]({Y})\n"
    new = f"- 2020 | Mango: A Shelf | *Bo Wood, et al* | OSDI | [`PDF`]({Z})\n"
    text = f"# Books\n\n## Order\n\n{others}\n## Imitation\n\n{own}"
    assert insert(text, paper("Mango: A Shelf", authors=["Bo Wood", "Cy Reed"])).text == text + new


def test_a_column_of_links_has_the_link() -> None:
    head = "| Title | Town | URL |\n|---|---|---|\n"
    row = "| {} | {} | [Link]({}) |\n"
    text = f"# Books\n\n{head}" + "".join(
        row.format(f"Beet {n}: Order", "Ulm" * (n + 1), f"{X}{n}") for n in range(3)
    )
    assert insert(text, paper("Mango: A Shelf")).text == text + row.format("Mango: A Shelf", "", Z)


@pytest.mark.parametrize("label", ["[raw]", "[[raw]]"])
def test_a_column_of_links_with_other_labels_has_the_link(label: str) -> None:
    rows = [
        f"| {name} | 1,{n}00 | {label}(https://example.org/{n}.csv) |\n"
        for n, name in enumerate(["Ulm", "Bari"])
    ]
    text = f"# P\n\n| Name | Pages | URL |\n|---|---|---|\n{''.join(rows)}"
    link = label.replace("raw", "Paper")
    assert insert(text, paper("Mango: A Shelf")).text == f"{text}| Mango: A Shelf |  | {link}({Z}) |\n"


def test_a_link_that_is_called_as_its_row_is_and_a_description_that_begins_in_bold() -> None:
    """Though links to code, and to a page, stand there, and another column has the name with no link."""
    row = "| {0} | **{1}** {2} | {3} | [{0}]({4}) |\n"
    rows = "".join(
        row.format(name, "Oak", "Holds books.", f"[{name}](.)", url)
        for name, url in (("ulm", f"{CODE}1"), ("bari", f"{CODE}2"), ("oslo", "https://oslo.example.org"))
    )
    text = f"# P\n\n| Name | Description | Pictures | link |\n|---|---|---|---|\n{rows}"
    new = "| Mango | Holds maps. |  | [Mango](https://mango.example.org) |\n"
    assert insert(text, tool("Mango", "Holds maps.")).text == text + new


def test_the_only_column_of_links_has_the_address_as_the_others() -> None:
    rows = "".join(f"| **{name}** | 2019 | <https://{name}.example.org> |\n" for name in ("ulm", "bari"))
    text = f"# P\n\n| Name | Year | Sources |\n|---|---|---|\n{rows}"
    assert insert(text, paper("Mango: A Shelf")).text == f"{text}| **Mango: A Shelf** | 2020 | <{Z}> |\n"


@pytest.mark.parametrize("kind", ["https://github.com/a/{}", "https://{}.example.org"])
def test_an_address_alone_stands_as_those_of_the_others(kind: str) -> None:
    """Also where papers above have labels."""
    papers = "".join(
        f"1. **{word} Shelves of Books** [[paper]]({X}{word})\n" for word in ("Deep", "Tall", "Odd")
    )
    tools = "".join(f"1. **{name}** ({kind.format(name)})\n" for name in ("ulm", "bari"))
    text = f"# P\n\n## Papers\n\n{papers}\n## Tools\n\n{tools}"
    assert insert(text, tool("Mango")).text == f"{text}1. **Mango** (https://mango.example.org)\n"


@pytest.mark.parametrize("venue", ["NSDI", "arXiv"])
def test_the_papers_link_has_the_label_that_all_have(venue: str) -> None:
    """Also where it leads to another host."""
    lines = [
        f"- {title} (OSDI 2019) [[link](https://doi.org/10.1145/3302424.{n})]\n"
        for n, title in enumerate(("Apple", "Beet", "Fig"))
    ]
    text = f"# Papers\n\n{''.join(lines)}"
    assert (
        insert(text, paper("Mango: A Shelf", venue)).text
        == f"{text}- Mango: A Shelf ({venue} 2020) [[link]({Z})]\n"
    )


def test_items_that_are_no_entries_go_on_without_a_blank_line() -> None:
    text = f"# P\n\n## Full\n\n- Apple: Books (NSDI 2019) [[Paper]({X})]\n- Beet: Order (SOSP 2019) [[Paper]({Y})]\n\n## Bare\n\n- Cork: Tables of Long Shelves\n"
    document = read(Source(text, "list.md"), VOCABULARY)
    done = insert_entries(document, [(paper("Mango: A Shelf"), Target(2, "it was named"))], TAXONOMY)
    assert done.text == f"{text}- Mango: A Shelf (OSDI 2020) [[Paper]({Z})]\n"


def test_one_entry_shows_no_distance() -> None:
    items = [f"- [Beet {n}: Order of Long Shelves]({X}{n})\n" for n in range(4)]
    text = f"# Books\n\n## Order\n\n{chr(10).join(items)}\n## More\n\n- [Apple: Books for Many People]({Y})\n"
    assert insert(text, paper("Mango: A Shelf")).text == f"{text}\n- [Mango: A Shelf]({Z})\n"


@pytest.mark.parametrize("dialect", DIALECTS)
def test_what_follows_stays(dialect: str) -> None:
    listed, line = DIALECTS[dialect]
    text = f"# Papers\n\n## Shelves\n\n{listed}\nSome words.\n\n## More\n\nOthers.\n"
    document = read(Source(text, "list.md"), VOCABULARY)
    done = insert_entries(document, [(paper("Mango: A Shelf"), Target(1, "it was named"))], TAXONOMY)
    assert done.text == text.replace(listed, listed + line)


_TITLES = st.text("abcdefg XYZ*_[]<>&|#$`~\\()é中-", min_size=1, max_size=40).map(
    lambda text: f"Shelf {text} of books"
)


@given(
    titles=st.lists(_TITLES, min_size=1, max_size=4, unique=True),
    dialect=st.sampled_from(sorted(DIALECTS)),
    code=st.booleans(),
)
def test_what_is_inserted_reads_back(titles: list[str], dialect: str, code: bool) -> None:
    """Or it is left out and named; no title can be markup."""
    listed, _ = DIALECTS[dialect]
    text = f"# Papers\n\n## Shelves\n\n{listed}"
    entries = [
        paper(
            title,
            url="",
            links=[
                ("Paper", f"https://arxiv.org/abs/2002.1000{number}"),
                *([("Code", CODE)] if code else []),
            ],
        )
        for number, title in enumerate(titles)
    ]
    done = insert(text, *entries)
    assert len(done.inserted) + len(done.left_out) == len(entries)
    after = read(Source(done.text, "list.md"), VOCABULARY)
    back = [entry_data(entry, after, TAXONOMY) for entry in after.entries]
    assert len(back) == 2 + len(done.inserted)
    for item in done.inserted:
        links = {link["url"] for link in item.entry["links"]}
        if item.remarks:  # a table has the columns that it has
            assert "table" in dialect and item.remarks == (f"the list has no place for its link {CODE}",)
            links.remove(CODE)
        (found,) = (data for data in back if {link["url"] for link in data["links"]} == links)
        assert (found["venue"], found["year"]) == ("OSDI", 2020)
        assert "".join(filter(str.isalnum, found["title"])) == "".join(
            filter(str.isalnum, item.entry["title"])
        )


def test_links_have_the_lists_words_and_order() -> None:
    """And none stands there twice, though a picture leads to the same repository."""
    text = f"# P\n\n- A: Books (NSDI 2019) [[code]({CODE})] [[pdf]({X})]\n- B: Order (SOSP 2019) [[code]({CODE}2)] [[pdf]({Y})]\n"
    done = insert(
        text, paper("C: Rest", url="", links=[("Stars", f"{CODE}3"), ("Paper", Z), ("Code", f"{CODE}3")])
    )
    assert done.text == f"{text}- C: Rest (OSDI 2020) [[code]({CODE}3)] [[pdf]({Z})]\n"


def test_authors_stand_where_the_list_has_them() -> None:
    text = f"# P\n\n- Apple: Books (NSDI 2019) [[Paper]({X})]\n  - Ada Stone, Ben Field\n- Beet: Order (SOSP 2019) [[Paper]({Y})]\n  - Cy Moor, Dee Lee\n"
    done = insert(text, paper("Mango: A Shelf", authors=["Quill, Pat", "Wood, Q."]))
    assert done.text == f"{text}- Mango: A Shelf (OSDI 2020) [[Paper]({Z})]\n  - Pat Quill, Q. Wood\n"


def test_a_section_without_venues_is_no_reason_to_lose_one() -> None:
    cited = "".join(f"- Shelf {word} (OSDI 2020) [[Paper]({X}{word})]\n" for word in "abc")
    dated = "".join(f"- Room {word} (2020) [[Paper]({Y}{word})]\n" for word in "abc")
    text = f"# P\n\n## A\n\n{cited}\n## B\n\n{dated}"
    assert (
        insert(text, paper("Mango: A Shelf")).text == f"{text}- Mango: A Shelf (OSDI 2020) [[Paper]({Z})]\n"
    )
    text = f"# P\n\n{dated}"
    assert insert(text, paper("Mango: A Shelf")).text == f"{text}- Mango: A Shelf (2020) [[Paper]({Z})]\n"


@pytest.mark.parametrize("papers", [2, 4])
def test_a_tool_among_papers_is_a_link(papers: int) -> None:
    lines = [f"- [Room {word}]({X}{word}) by Ada Stone. OSDI, 2020.\n" for word in "abcd"[:papers]]
    text = f"# P\n\n{''.join(lines)}"
    assert insert(text, tool("Mango")).text == f"{text}- [Mango](https://mango.example.org)\n"


def test_a_date_or_badge_of_another_entry_is_not_copied() -> None:
    text = f"# P\n\n- [2019/05] **Apple: Books.** NSDI 2019. [[Paper]({X})] ![](https://img.shields.io/badge/a-green)\n"
    done = insert(text, paper("Mango: A Shelf"))
    assert "2019/05" not in done.text.removeprefix(text) and "badge" not in done.text.removeprefix(text)


@pytest.mark.parametrize("end", ["\n", "\r\n", ""])
def test_line_ends_are_kept(end: str) -> None:
    newline = end or "\n"
    text = (
        newline.join(["# P", "", f"- [Apple: Books]({X}), NSDI 2019.", f"- [Beet: Order]({Y}), SOSP 2019."])
        + end
    )
    done = insert(text, paper("Mango: A Shelf"))
    assert done.text == f"{text}{'' if end else newline}- [Mango: A Shelf]({Z}), OSDI 2020.{newline}"


# ---------------------------------------------------------------------------------------------------------- places
NAMES = "Ant Bee Cat Dog Eel Fox Gnu Hen Ibis Jay Koi Lynx".split()


def test_names_stay_sorted() -> None:
    lines = [f"- [{name}](https://{name.lower()}.example.org) - Does it.\n" for name in NAMES]
    done = insert(
        "# Tools\n\n" + "".join(lines),
        tool("Emu", "Runs fast."),
        tool("Zebu", "Walks."),
        tool("Aal", "Swims."),
    )
    expected = sorted(
        [
            *lines,
            *(
                f"- [{name}](https://{name.lower()}.example.org) - {does}.\n"
                for name, does in (("Emu", "Runs fast"), ("Zebu", "Walks"), ("Aal", "Swims"))
            ),
        ]
    )
    assert done.text == "# Tools\n\n" + "".join(expected)
    assert [item.line for item in done.inserted] == [3, 9, 17]


def test_years_stay_sorted_and_numbers_in_sequence() -> None:
    lines = [
        f"{n}. [Shelf {name}](https://arxiv.org/abs/2001.001{n:02}) (OSDI {2030 - n})\n"
        for n, name in enumerate(NAMES[::2] + NAMES[1::2], start=1)
    ]
    done = insert("# P\n\n" + "".join(lines), paper("Mango: A Shelf", year=2024))
    got = done.text.splitlines()[2:]
    assert [int(line.partition(".")[0]) for line in got] == list(range(1, 14))
    assert got[6] == f"7. [Mango: A Shelf]({Z}) (OSDI 2024)"


ITEM = "{}[{name}](https://{name}.example.org) - Does it.\n"


@pytest.mark.parametrize(
    ("listed", "new"),
    [
        # An item that is no entry is in the list, too, and a loose list keeps its blank lines.
        (["1. ", "\n2. Pets\n   - ", "   - ", "\n3. ", "\n4. Words alone.\n"], "\n5. "),
        (["1. ", "2. ", "* "], "3. "),
        (["- ", "- ", "* "], "- "),
        (["- ", "- ", "\nOthers:\n\n* "], ""),
    ],
)
def test_it_is_the_last_of_its_list(listed: list[str], new: str) -> None:
    names = ["Ant", "Cat", "Dog", "Bee", "Hen"]
    items = [
        item if item.endswith("\n") else ITEM.format(item, name=name)
        for item, name in zip(listed, names, strict=False)
    ]
    text = f"# Tools\n\n## Pets\n\n{''.join(items)}\n## More\n\n{ITEM.format('- ', name='Fox')}"
    document = read(Source(text, "list.md"), VOCABULARY)
    done = insert_entries(document, [(tool("Ape", "Does it"), Target(1, "it was named"))], TAXONOMY)
    line = ITEM.format(new or "- ", name="Ape").replace("//Ape", "//ape")
    at = text.index("\n## More") if new else text.index("\nOthers")
    assert done.text == text[:at] + line + text[at:]


def test_a_sorted_list_stays_sorted_above_another_marker() -> None:
    lines = [ITEM.format("- ", name=name) for name in NAMES]
    text = f"# Tools\n\n{''.join(lines)}{ITEM.format('* ', name='Mole')}"
    new = f"- [Doe](https://doe.example.org) - Does it.\n{lines[3]}"
    assert insert(text, tool("Doe", "Does it")).text == text.replace(lines[3], new)


def test_nested_lines_follow_the_width_of_the_number() -> None:
    items = "".join(
        f"{n}. Shelf {name} (OSDI 2020) [[Paper](https://arxiv.org/abs/2001.001{n:02})]\n   - Ada Stone\n"
        for n, name in enumerate(NAMES[8::-1], start=1)
    )
    new = f"10. Mango: A Shelf (OSDI 2020) [[Paper]({Z})]\n    - Bo Wood\n"
    text = f"# P\n\n{items}"
    assert insert(text, paper("Mango: A Shelf", authors=["Bo Wood"])).text == text + new


@pytest.mark.parametrize(
    "names", [[*reversed(NAMES[:3] + NAMES[6:] + NAMES[3:6])], [*NAMES[:2], "Fox", "Cat", *NAMES[6:9]]]
)
def test_an_unsorted_list_grows_at_its_end(names: list[str]) -> None:
    lines = [f"- [{name}](https://{name.lower()}.example.org) - Does it.\n" for name in names]
    text = "# Tools\n\n" + "".join(lines)
    assert insert(text, tool("Cow", "Moos.")).text.startswith(text)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_an_empty_section_gets_the_form_of_the_list(dialect: str) -> None:
    listed, line = DIALECTS[dialect]
    text = f"# P\n\n## Full\n\n{listed}\n## Empty\n\n## Last\n"
    document = read(Source(text, "list.md"), VOCABULARY)
    done = insert_entries(document, [(paper("Mango: A Shelf"), Target(2, "it was named"))], TAXONOMY)
    head = "".join(listed.splitlines(keepends=True)[:2]) if "table" in dialect else ""
    first = line.lstrip("\n").replace("3. ", "1. ")
    assert done.text == text.replace("## Empty\n", f"## Empty\n\n{head}{first}")


def test_a_list_grows_by_hundreds_at_once() -> None:
    lines = [
        f"- Shelf {n:04} (OSDI 2020) [[Paper](https://arxiv.org/abs/2001.{n:05})]\n" for n in range(0, 600, 2)
    ]
    entries = [paper(f"Shelf {n:04}", url=f"https://arxiv.org/abs/2001.{n:05}") for n in range(1, 100, 2)]
    done = insert("# P\n\n" + "".join(lines), *entries)
    got = done.text.splitlines()[2:]
    assert len(got) == 350 and got == sorted(got)


@pytest.mark.parametrize(
    ("listed", "line"),
    [
        ("- [{number}] **{title}** (OSDI 2020) [[pdf]]({url})", "- [4] **Mango: A Shelf** (OSDI 2020) [[pdf]]({url})"),
        ("**[{number}]** **{title}**. *OSDI 2020*. [[pdf]]({url})\n", "\n**[4]** **Mango: A Shelf**. *OSDI 2020*. [[pdf]]({url})"),
    ],
)  # fmt: skip
def test_numbers_go_on(listed: str, line: str) -> None:
    titles = enumerate(("Zebra: Order of Books", "Beet: Order of Rows", "Apple: Order of Racks"), start=1)
    lines = "\n".join(listed.format(number=number, title=title, url=X) for number, title in titles)
    text = f"# Papers\n\n{lines.rstrip()}\n"
    assert insert(text, paper("Mango: A Shelf")).text == f"{text}{line.format(url=Z)}\n"


def test_numbers_that_do_not_count_say_something_of_an_entry_alone() -> None:
    lines = [
        f"- [{n}] **{title}** (OSDI 2020) [[pdf]]({X})\n"
        for n, title in ((3, "Oaks"), (1, "Elms"), (9, "Firs"))
    ]
    done = insert(f"# Papers\n\n{''.join(lines)}", paper("Mango: A Shelf"))
    assert done.text.endswith(f"\n- **Mango: A Shelf** (OSDI 2020) [[pdf]]({Z})\n")


def test_the_bullet_is_that_of_most_entries() -> None:
    text = "# Tools\n\n" + "".join(
        f"+{blank}[{name}](https://{name}.org) - Is.\n"
        for name, blank in (("a", "\t"), ("b", "\t"), ("c", "  "))
    )
    assert insert(text, tool("Zed")).text == f"{text}+\t[Zed](https://zed.example.org)\n"


def test_a_cell_of_links_has_the_brackets_of_its_column() -> None:
    row = "| {} | [Repository](https://github.com/lab/{}) |\n"
    text = f"# Engines\n\n| Engine | Link |\n|---|---|\n{row.format('Oak', 'oak')}{row.format('Elm', 'elm')}"
    assert insert(text, tool("Ash")).text.splitlines()[-1].count("[") == 1


def test_what_no_entry_shows_how_to_write_is_left_out() -> None:
    text = f"# Agents\n\n| Paper | Venue |\n|---|---|\n| **[TS]({X})**<br>Sorting Shelves by Their Readers | OSDI 2019 |\n"
    done = insert(text, paper("Mango: A Shelf"))
    ((entry, reason),) = done.left_out
    assert done.text == text and entry["title"] == "Mango: A Shelf" and reason.endswith("add it by hand")


@pytest.mark.parametrize(
    ("form", "new"),
    [
        pytest.param("- [Shelf {0}]({1}) — Sorts {0} books. *(Open)*\n", "- [Rack]({}) — Keeps wine in order.\n", id="a mark of others"),
        pytest.param('* [Shelf {0}]({1}) - "Sorts {0} books."\n', "* [Rack]({}) - Keeps wine in order.\n", id="a stop in quotes"),
    ],
)  # fmt: skip
def test_a_description_ends_as_the_text_of_others_does(form: str, new: str) -> None:
    listed = "".join(
        form.format(name, f"https://{name}.example.org/") for name in ("old", "new", "red", "thin")
    )
    text = f"# Books\n\n## Order\n\n{listed}"
    written = new.format("https://rack.example.org")
    assert insert(text, tool("Rack", "Keeps wine in order.")).text == text + written


def test_the_stars_of_some_others_are_no_form() -> None:
    listed = "".join(
        f"- [Book {n}]({X}{n}) (OSDI 2020) {'⭐⭐' * (n % 3 > 0)}".rstrip() + "\n" for n in range(9)
    )
    new = f"- [Mango]({Z}) (OSDI 2020)\n"
    assert insert(f"# Books\n\n{listed}", paper("Mango")).text == f"# Books\n\n{listed}{new}"


@pytest.mark.parametrize(
    "said", [" - **$**", " (free)", " by [Ada Stone](https://ada.example.org) @ ShelfConf 2014"]
)
def test_what_others_note_is_not_said_of_a_new_entry(said: str) -> None:
    listed = "".join(f"- [{name}](https://{name}.example.org/){said}\n" for name in ("old", "new", "red"))
    written = "- [Rack](https://rack.example.org)\n"
    assert insert(f"# Books\n\n{listed}", tool("Rack")).text == f"# Books\n\n{listed}{written}"


@pytest.mark.parametrize("listed", ["本を並べる。", "Sorts books.", "Sorts books"])
@pytest.mark.parametrize("description", ["酒を冷やす", "酒を冷やす。", "Keeps wine in order."])
def test_a_description_ends_as_those_in_its_script_do(listed: str, description: str) -> None:
    rows = "".join(f"- [{name}](https://{name}.example.org/) - {listed}\n" for name in ("Oak", "Elm", "Ash"))
    text = f"# Books\n\n{rows}- [Fir](https://fir.example.org/) - 棚を作る。\n"
    latin_stop = "" if listed == "Sorts books" else "."
    ended = description.rstrip(".。") + ("。" if "酒" in description else latin_stop)
    written = f"- [Rack](https://rack.example.org) - {ended}\n"
    assert insert(text, tool("Rack", description)).text == text + written


def test_a_link_whose_words_the_description_has_stays_in_it() -> None:
    """Though one other entry has a link between name and description, and not at its beginning, where it would be a label."""
    listed = "".join(f"- [{name}](https://{name}.example.org/) - Holds books.\n" for name in ("Oak", "Elm"))
    text = f"# Books\n\n{listed}- [Fir](https://fir.example.org/) + [firs](https://example.com/f) - Holds maps.\n"
    links = [("Rack", "https://rack.example.org"), ("its blog", "https://example.com/b"), ("Code", CODE)]
    entry = build_entry(
        "Rack",
        EntryOrigin("a.md", 1, 1),
        "classic",
        VOCABULARY,
        description="See its blog. Code.",
        links=links,
    )
    written = insert(text, entry).text.removeprefix(text)
    assert "See [its blog](https://example.com/b). Code." in written
    assert written.count("its blog") == 1 and f"+ [Code]({CODE}) -" in written


def test_links_of_tools_are_called_and_parted_as_those_of_others() -> None:
    """Though they stand before the description, where a label of no role would be a word of it."""
    others = (
        f"[home](https://{{0}}.example.org), [repo]({CODE}1)",
        f"[repo]({CODE}2)",
        f"[repo]({CODE}3)",
        "[docs](https://{0}.example.org/)",
    )
    listed = "\n".join(
        f"- **{name}** | {links.format(name)}  \n  Holds books.\n"
        for name, links in zip(("Oak", "Elm", "Ash", "Yew"), others, strict=True)
    )
    text = f"# Books\n\n{listed}"
    page = [("Rack", "https://rack.example.org")]
    for links, new in (
        (page, "[home](https://rack.example.org)"),
        ([("Rack", CODE)], f"[repo]({CODE})"),
        ([*page, ("Code", CODE)], f"[home](https://rack.example.org), [repo]({CODE})"),
    ):
        entry = build_entry(
            "Rack", EntryOrigin("a.md", 1, 1), "classic", VOCABULARY, description="Keeps wine.", links=links
        )
        assert insert(text, entry).text.endswith(f"\n\n- **Rack** | {new}  \n  Keeps wine.\n")


def test_a_paper_is_called_by_its_id_and_a_page_by_its_kind_where_the_others_are() -> None:
    papers = "".join(
        f"- {word} Shelves of Books (OSDI 2020) [[2001.0000{n}]]({X[:-1]}{n})\n"
        for n, word in enumerate(("Deep", "Tall", "Odd"), start=4)
    )
    pages = "".join(f"- {name} [[official site]](https://{name}.example.org/)\n" for name in ("Oak", "Elm"))
    text = f"# Books\n\n## Papers\n\n{papers}\n## Shelves\n\n{pages}"
    document = read(Source(text, "list.md"), VOCABULARY)
    new = [(paper("Mango: A Shelf"), 1), (tool("Rack"), 2)]
    done = insert_entries(document, [(entry, Target(at, "it was named")) for entry, at in new], TAXONOMY)
    added = [line for line in done.text.splitlines() if line not in text]
    assert added == [
        f"- Mango: A Shelf (OSDI 2020) [[2001.00003]]({Z})",
        "- Rack [[official site]](https://rack.example.org)",
    ]


def test_a_year_within_the_link_of_a_title() -> None:
    books = "".join(
        f"- [Shelves of {name} ({year})](https://{name}.example.org)\n"
        for name, year in (("Oak", 2007), ("Elm", 2019), ("Yew", 2020))
    )
    for year, new in ((2021, "[Rack (2021)]"), (None, "[Rack]")):
        text = f"# Books\n\n{books}"
        entry = {**tool("Rack"), "year": year}
        assert insert(text, entry).text == f"{text}- {new}(https://rack.example.org)\n"


def test_a_preprint_is_cited_as_the_others_are() -> None:
    """Below a year, which need not be stated; the section has more papers that were published."""
    listed = "".join(
        f"- **[{cited}]** {word} Shelves of Books [[pdf]]({X}{n})\n"
        for n, (cited, word) in enumerate(
            zip(("OSDI 20", "SOSP 20", "NSDI 20", "FAST 20", "arXiv", "arXiv"), NAMES, strict=False)
        )
    )
    text = f"# Papers\n\n## 2020\n\n{listed}"
    for venue, cited in (("arXiv", "arXiv"), ("OSDI", "OSDI 20")):
        new = f"- **[{cited}]** Mango: A Shelf [[pdf]]({Z})\n"
        assert insert(text, paper("Mango: A Shelf", venue)).text == text + new


def test_a_name_before_a_title_stands_in_no_other_cell() -> None:
    rows = "".join(
        f"| 202{5 - n} | **[Shelves{n}] Shelves{n}: A Study of Rows** | OSDI | [link]({X}{n}) |\n"
        for n in range(4)
    )
    text = f"# Books\n\n| Year | Title | Venue | Paper |\n|---|---|---|---|\n{rows}"
    new = f"| 2020 | **[Mango] Mango: A Shelf** | OSDI | [link]({Z}) |\n"
    assert " ".join(insert(text, paper("Mango: A Shelf")).text.splitlines()[-1].split()) + "\n" == new


def test_a_link_to_code_stands_in_the_column_of_code() -> None:
    rows = "".join(
        f"| [Learning {what}]({X}{n}) | ICML | 2022 | [Code]({CODE}{n}) |\n"
        for n, what in enumerate(("to Sing", "to Dance", "to Sew"))
    )
    rows += f"| Learning to Cook | ICML | 2022 | [Code]({CODE}9) |\n"
    text = f"# Books\n\n| Title | Venue | Year | Code |\n|---|---|---|---|\n{rows}"
    entry = paper("Learning to Knit", "ICML", 2022, links=[("", f"{CODE}8")])
    new = f"| Learning to Knit | ICML | 2022 | [Code]({CODE}8) |\n"
    assert insert(text, entry).text == text + new


def test_the_own_link_of_a_tool_is_that_of_its_name() -> None:
    listed = "".join(
        f"- [Shelf {name}](https://{name}.example.org/) - Sorts {name} books.\n"
        for name in ("old", "new", "red")
    )
    text = f"# Books\n\n## Order\n\n{listed}"
    links = [("Rack", "https://rack.example.org"), ("Code", CODE)]
    entry = build_entry(
        "Rack",
        EntryOrigin("a.md", 1, 1),
        "markdown",
        VOCABULARY,
        name="Rack",
        description="Keeps wine in order.",
        links=links,
    )
    new = f"- [Rack](https://rack.example.org) - Keeps wine in order. [[Code]({CODE})]\n"
    assert insert(text, entry).text == text + new


def test_a_link_of_no_role_is_called_as_the_list_calls_pages_and_a_year_in_code_stands_there() -> None:
    listed = "".join(
        f"- **Shelves of {name}** *Ada Stone, Ben Field* `202{n}` [[pdf]]({X}{n}) [[website]](https://{name}.example.org)\n"
        for n, name in enumerate(("Oak", "Elm", "Ash"))
    )
    text = f"# Books\n\n{listed}"
    for label, shown in (("Mango", "website"), ("", "link")):
        entry = paper("Mango", "", 2023, links=[(label, "https://mango.example.org")])
        new = f"- **Mango** *Ada Stone* `2023` [[{shown}]](https://mango.example.org)\n"
        assert insert(text, {**entry, "authors": ["Ada Stone"]}).text == text + new


def test_a_description_is_not_lost_for_the_form_of_one_entry() -> None:
    listed = "".join(
        f"- [Shelf {name}](https://{name}.example.org): sorts {name} books\n"
        for name in ("old", "new", "red", "odd", "tall")
    )
    text = f"# Books\n\n{listed}- [Shelving at Low Temperature]({X}) [[Code]({CODE})]\n"
    entry = tool("Rack", "keeps wine")
    links = [{**entry["links"][0], "label": "Rack"}, {"label": "Code", "role": "code", "url": CODE}]
    line = f"- [Rack](https://rack.example.org): keeps wine [[Code]({CODE})]\n"
    assert insert(text, {**entry, "links": links}).text == text + line


def test_the_stop_before_a_mark_counts_beside_descriptions_without_marks() -> None:
    listed = "".join(
        f"- [Shelf {name}](https://{name}.example.org/) — Sorts {name} books. *(Open)*\n"
        for name in ("old", "new", "red")
    )
    text = f"# Books\n\n{listed}- [Desk](https://desk.example.org/) — Holds books\n"
    new = "- [Rack](https://rack.example.org) — Keeps wine in order.\n"
    assert insert(text, tool("Rack", "Keeps wine in order.")).text == text + new


def test_no_stop_follows_a_question() -> None:
    listed = "".join(
        f"- {word} Shelves. In *KDD 202{n}*. [[pdf]({X}{n})]\n"
        for n, word in enumerate(("Deep", "Tall", "Long"))
    )
    written = insert(f"# Papers\n\n{listed}", paper("Why Do Books Fall?", "KDD", 2023)).text
    assert "- Why Do Books Fall? In *KDD 2023*." in written


def test_a_link_is_called_by_its_own_address_and_the_word_before_it_is_that_of_its_host() -> None:
    def line(name: str, *links: tuple[str, str, str]) -> str:
        written = ", ".join(f"{word}: [{words}]({url})" for word, words, url in links)
        return f"- **{name}** ({written}) -- Sorts books\n"

    def code(path: str) -> tuple[str, str, str]:
        return "github", path, f"https://github.com/{path}"

    def page(host: str) -> tuple[str, str, str]:
        return "web", host, f"https://{host}"

    listed = "".join(
        line(name.title(), code(f"shelf/{name}"), ("gem", name.title(), f"https://rubygems.org/gems/{name}"))
        + line(f"{name}er", code(f"wood/{name}er"))
        for name in ("oak", "elm", "fir")
    )
    kit = build_entry(
        "Kit", EntryOrigin("a.csv", 2, 2), "csv", VOCABULARY, description="Sorts books", links=[("", CODE)]
    )
    assert insert(f"# A\n\n{listed}", kit).text.endswith(line("Kit", code("openshelf/kit")))
    # No word of other hosts is left before a page, and none of two links that are not there.
    new = "- [Ash](https://ash.example.org) - Sorts books\n"
    assert insert(f"# A\n\n{listed}", tool("Ash", "Sorts books")).text.endswith(new)
    pages = "".join(line(name, page(f"{name}.example.org")) for name in ("yew", "box", "bay"))
    new = line("Ash", page("ash.example.org"))
    assert insert(f"# A\n\n{listed}{pages}", tool("Ash", "Sorts books")).text.endswith(new)


@pytest.mark.parametrize(
    ("findings", "written"),
    [
        ("<ins>EMNLP-Findings</ins> 202{}", "<ins>NAACL-Findings</ins> 2022"),
        ("Findings of EMNLP 202{}", "Findings of NAACL 2022"),
        ("EMNLP (Findings) 202{}", "NAACL (Findings) 2022"),
        ("EMNLP Oral 202{}", "Findings of NAACL 2022"),
    ],
)
def test_findings_are_those_of_one_paper_and_told_as_the_list_tells_them(findings: str, written: str) -> None:
    listed = "".join(
        f"- **{word} Shelves of Books** {findings.format(number)} [[Paper]({X}{number})]\n"
        for number, word in enumerate(("Deep", "Narrow", "Tall", "Wide"))
    )
    apart = paper("Order", "NAACL", 2022, "https://aclanthology.org/2022.findings-naacl.9/")
    text = insert(f"# Papers\n\n{listed}", paper("Rows", "ICLR", 2022), apart).text
    proceedings = written.replace("NAACL", "ICLR").replace("Findings of ", "")
    for word in ("-Findings", " (Findings)"):
        proceedings = proceedings.replace(word, "")
    assert f"- **Rows** {proceedings} [[" in text
    assert f"- **Order** {written} [[" in text


def test_entries_of_one_import_have_the_same_blanks_and_their_sections_indentation() -> None:
    forms = (
        "**{}** <ins>OSDI</ins> 2019\n\n    [[Paper]({})] *Ada Stone*",
        "**{}**  <ins>OSDI</ins> 2019\n\n    [[Paper]({})] [[Code](https://github.com/wood/shelf)] *Ada Stone*",
        "**{}** <ins>OSDI</ins> 2019\n\n    [[Paper]({})]*Ada Stone*",
        "**{}**\n\n   [[Paper]({})] *Ada Stone*",
    )
    text = "# P\n"
    for number, form in enumerate(forms):
        text += f"\n## S{number}\n\n" + "".join(
            f"{place}. {form.format(f'{word} Shelves of Books', f'{X}{number}{place}')}\n\n"
            for place, word in enumerate(("Wide", "Deep", "Tall"), 1)
        )
    new = insert(text, paper("Rows", authors=["Lin Elm"]), paper("Order", links=[("Code", CODE)])).text
    assert f"4. **Rows** <ins>OSDI</ins> 2020\n\n   [[Paper]({Z})] *Lin Elm*\n" in new
    assert f"5. **Order** <ins>OSDI</ins> 2020\n\n   [[Code]({CODE})]\n" in new
    deep = "".join(
        f"1. **{word} Shelves of Books** (OSDI 2020)\n\n    [[Paper]({X}{number})]\n\n   *Ada Stone, Lin Elm*\n\n"
        for number, word in enumerate(("Wide", "Deep", "Tall"))
    )
    new = insert(f"# P\n\n{deep}", paper("Rows", authors=["Lin Elm"])).text
    assert f"**Rows** (OSDI 2020)\n\n    [[Paper]({Z})]\n\n   *Lin Elm*\n" in new


def test_two_people_are_named_where_the_list_names_two() -> None:
    people = ("Wu & Elm", "Oak & Fir", "Ash & Bay", *["Box et al."] * 9)
    rows = "".join(
        f"| {word} Shelves of Books | {who} | OSDI 2020 | [link]({X}{number}) |\n"
        for number, (word, who) in enumerate(
            zip("Big Deep Tall Wide Old New Low Red Odd Dry Wet Raw".split(), people, strict=True)
        )
    )
    text = f"| Title | Authors | Venue | Link |\n|---|---|---|---|\n{rows}"
    for authors, written in ((["Ada Stone", "Lin Yew"], "Stone & Yew"), (["Ada Stone"] * 3, "Stone et al.")):
        new = insert(text, paper("Order in Shelves", authors=authors)).text
        assert new == f"{text}| Order in Shelves | {written} | OSDI 2020 | [link]({Z}) |\n"


def test_two_authors_of_a_book_are_parted_as_those_of_another_are() -> None:
    books = "".join(
        f"- [{title} of Shelves](https://{title}.example.org) - by {who}; 2010; Wood\n"
        for title, who in (("Art", "Ada Stone"), ("Book", "Lin Elm and Mia Oak"), ("Craft", "Ben Field"))
    )
    book = paper("Tidy Shelves", "", 2019, "https://tidy.example.org", authors=["Dora Moor", "Ida Kern"])
    new = "- [Tidy Shelves](https://tidy.example.org) - by Dora Moor and Ida Kern"
    assert new in insert(f"# A\n\n{books}", book).text
