"""Matching of two states of a list: what was done to an invented one is what comes back."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shelfread.changes.compare import compare
from shelfread.changes.listed import Comparison
from shelfread.core.source import Source
from shelfread.document.read import read
from shelfread.taxonomy.load import load

VOCABULARY = load(None).vocabulary
SYLLABLES = "ba ko ri mu te lan dor fi gus hel nap ost pra qui sen tov ulm wek xor yaz zin".split()


class Paper(NamedTuple):
    title: str
    venue: str
    links: tuple[tuple[str, str], ...]

    @property
    def line(self) -> str:
        links = "".join(f" [[{label}]({url})]" for label, url in self.links)
        return f"- {self.title} ({self.venue}){links}"


def paper(number: int) -> Paper:
    words = random.Random(number)
    title = " ".join("".join(words.choices(SYLLABLES, k=3)).capitalize() for _ in range(6))
    return Paper(
        title, f"OSDI {2010 + number % 10}", (("Paper", f"https://example.org/papers/{number}.pdf"),)
    )


def page(sections: Mapping[str, Sequence[Paper]]) -> str:
    parts = ["# A List of Papers"]
    for name, papers in sections.items():
        parts += [f"## {name}", "\n".join(one.line for one in papers)]
    return "\n\n".join(parts) + "\n"


def compared(before: str | Mapping[str, str], after: str | Mapping[str, str]) -> Comparison:
    sides = []
    for texts in (before, after):
        named = {"list.md": texts} if isinstance(texts, str) else texts
        sides.append([read(Source(text, path), VOCABULARY) for path, text in named.items()])
    return compare(*sides)


def titles(listed: Sequence[object]) -> set[str]:
    return {(one if hasattr(one, "entry") else one.after).entry.title.value for one in listed}  # type: ignore[attr-defined]


DEEDS = ("keep", "remove", "move", "slip", "year", "code", "link", "name", "move and year")


def do(deed: str, one: Paper, number: int) -> Paper:
    """What becomes of a paper."""
    if deed == "slip":
        at = one.title.index(" ") + 2
        return one._replace(title=one.title[:at] + one.title[at + 1 :])
    if "year" in deed:
        return one._replace(venue="OSDI 1999")
    if deed == "code":
        return one._replace(links=(*one.links, ("Code", f"https://github.com/x/r{number}")))
    if deed == "link":
        return one._replace(links=(("Paper", f"https://elsewhere.org/{number}"),))
    return one._replace(title=f"Wek: {one.title}") if deed == "name" else one


@settings(max_examples=40)
@given(
    st.lists(st.lists(st.sampled_from(DEEDS), max_size=8), min_size=2, max_size=5),
    st.integers(0, 6),
    st.randoms(use_true_random=False),
)
def test_what_was_done_comes_back(deeds: list[list[str]], added: int, chance: random.Random) -> None:
    names = [f"Section {chr(65 + at)}" for at in range(len(deeds))]
    before: dict[str, list[Paper]] = {name: [] for name in names}
    after: dict[str, list[Paper]] = {name: [] for name in names}
    done: dict[str, set[str]] = {deed: set() for deed in (*DEEDS, "add")}
    number = 0
    for name, row in zip(names, deeds, strict=True):
        for deed in ("keep", *row):
            number += 1
            old = paper(number)
            new = do(deed, old, number)
            before[name].append(old)
            done[deed].add(new.title)
            if deed != "remove":
                others = [other for other in names if other != name]
                after[chance.choice(others) if deed.startswith("move") else name].append(new)
    for at in range(added):
        new = paper(1000 + at)
        done["add"].add(new.title)
        after[chance.choice(names)].append(new)
    for papers in after.values():
        chance.shuffle(papers)
    found = compared(page(before), page(after))
    assert titles(found.added) == done["add"]
    assert titles(found.removed) == done["remove"]
    assert titles(found.moved) == done["move"] | done["move and year"]
    changed = ("slip", "year", "code", "link", "name", "move and year")
    assert titles(found.changed) == set().union(*(done[deed] for deed in changed))
    assert not found.sections and not found.reformatted
    fields = {one.after.entry.title.value: {field.field for field in one.fields} for one in found.changed}
    expected = {
        "year": {"venue_text", "year"},
        "code": {"links", "identifiers.github"},
        "link": {"links"},
        "slip": {"title"},
    }
    for deed, names_of in expected.items():
        assert all(fields[title] == names_of for title in done[deed])


LISTS = {"Memory": [paper(1), paper(2)], "Storage": [paper(3), paper(4)]}


def test_nothing_is_other() -> None:
    found = compared(page(LISTS), page(LISTS).replace("\n", "\r\n"))
    assert not any(found[:-1])


def test_order_is_no_move() -> None:
    papers = [paper(number) for number in range(6)]
    found = compared(page({"A": papers}), page({"A": [*papers[1:], papers[0]]}))
    assert [one.entries for one in found.reordered] == [1]
    assert not any((found.added, found.removed, found.moved, found.changed))


def shelves(found: Comparison) -> list[tuple[str, str, str, int]]:
    return [
        (
            one.kind,
            *("/".join(shelf.titles) or shelf.path if shelf else "" for shelf in (one.before, one.after)),
            one.entries,
        )
        for one in found.sections
    ]


def test_a_renamed_section_is_one_statement() -> None:
    text = page(LISTS)
    found = compared(text, text.replace("## Memory", "## Memory and Caches"))
    assert shelves(found) == [("renamed", "A List of Papers/Memory", "A List of Papers/Memory and Caches", 2)]
    assert not found.moved
    # What is below it goes with it, as it does with the list's own title.
    nested = text.replace("## Memory", "## Hardware\n\n### Memory").replace("## Storage", "### Storage")
    found = compared(nested, nested.replace("## Hardware", "## Machines"))
    assert shelves(found) == [("renamed", "A List of Papers/Hardware", "A List of Papers/Machines", 4)]
    found = compared(nested, nested.replace("# A List of Papers", "# Papers"))
    assert shelves(found) == [("renamed", "A List of Papers", "Papers", 4)]
    assert not found.moved


def test_renamed_and_changed_at_once() -> None:
    after = {
        "Caches": [paper(1)._replace(venue="OSDI 1999"), paper(2), paper(9)],
        "Storage": LISTS["Storage"][1:],
    }
    found = compared(page(LISTS), page(after))
    assert [kind for kind, *_ in shelves(found)] == ["renamed"]
    assert titles(found.added) == {paper(9).title}
    assert titles(found.removed) == {paper(3).title}
    assert titles(found.changed) == {paper(1).title}
    assert not found.moved


def test_half_of_the_entries_continue_a_section() -> None:
    found = compared(page(LISTS), page({"Caches": [paper(1)], "Storage": [paper(2), *LISTS["Storage"]]}))
    assert shelves(found) == [("renamed", "A List of Papers/Memory", "A List of Papers/Caches", 1)]
    assert titles(found.moved) == {paper(2).title}


def test_sections_that_come_go_and_move() -> None:
    text = page(LISTS)
    more = text + page({"New": [paper(7)]}).partition("\n\n")[2]
    assert shelves(compared(text, more)) == [("added", "", "A List of Papers/New", 1)]
    assert shelves(compared(more, text)) == [("removed", "A List of Papers/New", "", 1)]
    below = page({"Storage": LISTS["Storage"], "Memory": LISTS["Memory"]}).replace("## Memory", "### Memory")
    assert shelves(compared(text, below)) == [
        ("moved", "A List of Papers/Memory", "A List of Papers/Storage/Memory", 2)
    ]


def test_a_section_without_entries_follows_the_one_above_it_alone() -> None:
    text = page(LISTS) + "\n## Networks\n"
    assert shelves(compared(text, text.replace("A List of Papers", "Papers about Shelves"))) == [
        ("renamed", "A List of Papers", "Papers about Shelves", 4)
    ]
    assert shelves(compared(text, text.replace("Networks", "Nets"))) == [
        ("added", "", "A List of Papers/Nets", 0),
        ("removed", "A List of Papers/Networks", "", 0),
    ]


def test_a_renamed_file() -> None:
    text = page(LISTS)
    found = compared(
        {"old.md": text, "b.md": page({"B": [paper(8)]})}, {"new.md": text, "b.md": page({"B": [paper(8)]})}
    )
    assert shelves(found) == [("renamed", "old.md", "new.md", 4)]
    assert not found.moved


def test_from_file_to_file() -> None:
    one, other = {"A": [paper(1), paper(2)]}, {"B": [paper(3)]}
    found = compared(
        {"a.md": page(one), "b.md": page(other)},
        {"a.md": page({"A": [paper(1)]}), "b.md": page({"B": [paper(2), paper(3)]})},
    )
    ((before, after),) = found.moved
    assert (before.where, after.where) == ("a.md:6", "b.md:5")


def test_repeated_entries_are_told_apart() -> None:
    one = paper(1)
    text = page({"By topic": [one, paper(2)], "By year": [one, paper(3)]})
    edited = one._replace(venue="OSDI 1999")
    found = compared(text, page({"By topic": [one, paper(2)], "By year": [edited, paper(3)]}))
    assert [(change.before.entry.line, change.after.entry.line) for change in found.changed] == [(10, 10)]
    found = compared(text, page({"By topic": [paper(2)], "By year": [one, paper(3)]}))
    assert [gone.entry.line for gone in found.removed] == [5]
    assert not found.moved


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("- [GPT-3](https://a.org/gpt3) - Writes texts.", "- [GPT-4](https://b.org/gpt4) - Writes poems."),
        ("- [nmap](https://nmap.org) - Scans ports.", "- [lynis](https://cisofy.com) - Audits a system."),
        (
            "- Efficient Training of Large Models (OSDI 2020) [[Paper](https://arxiv.org/abs/2001.00001)]",
            "- Scalable Serving of Large Graphs (OSDI 2020) [[Paper](https://arxiv.org/abs/2001.00002)]",
        ),
        (
            "- Efficient Training of Large Models [[Paper](https://arxiv.org/abs/2001.00001)]",
            "- Efficient Training of Large Models on Small Machines [[Paper](https://arxiv.org/abs/2001.00002)]",
        ),
    ],
)
def test_another_thing_in_the_same_place(before: str, after: str) -> None:
    head = "# List\n\n## Tools\n\n- [One](https://one.org) - Does it.\n"
    found = compared(head + before + "\n", head + after + "\n")
    assert (len(found.added), len(found.removed), len(found.changed)) == (1, 1, 0)


@pytest.mark.parametrize(
    ("before", "after", "fields"),
    [
        (
            "- [nmap](https://nmap.org) - Scans ports.",
            "- [Nmap](https://nmap.org) - Scans ports.",
            {"title", "name", "links"},
        ),
        ("- [nmap](https://nmap.org) - Scans ports.", "- [nmap](https://new.org) - Scans ports.", {"links"}),
        (
            "- [nmap](https://nmap.org) - Scans ports.",
            "- [nmap](https://nmap.org) - Scans hosts.",
            {"description"},
        ),
        (
            "- [old-name](https://a.org) - Scans all the ports of all hosts.",
            "- [new-name](https://b.org) - Scans all the ports of all hosts.",
            {"title", "name", "links"},
        ),
        ("- [nmap](https://nmap.org) - Scans ports.", "- [nmap](https://nmap.org) – Scans ports.", set()),
        (
            "- [nmap](https://nmap.org) - Scans ports.",
            "* **[nmap](https://nmap.org)** - Scans  ports.",
            set(),
        ),
        (
            "- Training of Large Models on Small Machines (OSDI 2020)\n  - Ada Lovelace, Alan Turing\n  - A note of old.",
            "- Training of Large Models on Small Machines (OSDI 2020)\n  - Ada Lovelace, Kurt Gödel\n  - A new note.",
            {"authors", "notes"},
        ),
    ],
)
def test_fields(before: str, after: str, fields: set[str]) -> None:
    head = (
        "# List\n\n## Tools\n\n- [One](https://one.org) - Does it.\n- [Two](https://two.org) - Does it too.\n"
    )
    found = compared(head + before + "\n", head + after + "\n")
    assert {field.field for one in found.changed for field in one.fields} == fields
    assert len(found.changed) == bool(fields)
    assert len(found.reformatted) == (not fields)
    assert not found.added and not found.removed


def test_words_of_no_field_are_told_as_text() -> None:
    head = "# List\n\n## Papers\n\n"
    line = (
        "- Training of Large Models on Small Machines (OSDI 2020) [[Paper](https://arxiv.org/abs/2001.00001)]"
    )
    found = compared(f"{head}{line}\n", f"{head}{line} best of all\n")
    changed = {field.field for one in found.changed for field in one.fields}
    assert changed and not found.reformatted


def test_numbers_of_items_and_rows_do_not_count() -> None:
    items = [f"[Tool {name}](https://{name}.org) - Does what {name} does." for name in "abcdefgh"]
    numbered = ["".join(f"{at}. {one}\n" for at, one in enumerate(some, 1)) for some in (items, items[1:])]
    found = compared(*(f"# List\n\n## Tools\n\n{text}" for text in numbered))
    assert (len(found.removed), len(found.changed), len(found.reformatted)) == (1, 0, 0)
    table = "# List\n\n## Tools\n\n| # | Tool | About |\n|---|---|---|\n"
    rows = [
        "".join(f"| {at} | [Tool {n}](https://{n}.org) | Does {n}. |\n" for at, n in enumerate(some, 1))
        for some in ("abcd", "bcd")
    ]
    found = compared(*(table + text for text in rows))
    assert (len(found.removed), len(found.changed)) == (1, 0)


def test_what_a_heading_states_is_no_change_of_an_entry() -> None:
    text = (
        "# List\n\n## 2023\n\n- Training of Large Models on Small Machines [[Paper](https://a.org/1.pdf)]\n"
    )
    found = compared(text, text.replace("## 2023", "## 2024"))
    assert [kind for kind, *_ in shelves(found)] == ["renamed"]
    assert not found.changed


def test_the_outer_entry_is_not_changed_by_what_is_in_it() -> None:
    text = (
        "# List\n\n## Tools\n\n- [Foo](https://foo.org) - Does foo.\n  - [Bar](https://bar.org) - Does bar.\n"
        "  - [Baz](https://baz.org) - Does baz.\n- [One](https://one.org) - Does it.\n"
    )
    found = compared(text, text.replace("Does bar", "Does bars"))
    assert titles(found.changed) == {"Bar"}
