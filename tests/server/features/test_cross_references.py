"""Definitions and references of what stands at the cursor."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from shelfread.server.cross_references import find_definitions, find_references
from support.marked import Marked, read_marked

TWO = "# A\n\n[first](#notes) [second](#notes-1) [other](b.md#notes)\n\n## Notes\n\n## Notes\n"
OTHER = "# B\n\n[back](a.md#notes-1) [title](./a.md#a)\n\n## Notes\n"


def defined(texts: str | Mapping[str, str]) -> list[str]:
    marked = read_marked(texts)
    return marked.shown(find_definitions(marked.document, marked.context, marked.offset))


def referred(marked: Marked, declared: bool = False) -> list[str]:
    found = find_references(marked.document, marked.context, marked.offset, with_declaration=declared)
    return marked.shown(found)


@pytest.mark.parametrize(
    ("link", "place"),
    [
        ("[a](#no‸tes)", "list.md:3 Notes"),
        ("[a‸](#notes)", "list.md:3 Notes"),
        ("[a](#Notes‸)", "list.md:3 Notes"),
        ("[a](#user-content-notes‸)", "list.md:3 Notes"),
        ("[a](#notes-1‸)", "list.md:5 Notes"),
        ("[a](#%E6%BC%A2‸)", "list.md:7 漢"),
        ("[a](#mark‸)", 'list.md:9 <a name="mark">'),
        ('<a href="#no‸tes">a</a>', "list.md:3 Notes"),
        ("[a](list.md#not‸es)", "list.md:3 Notes"),
    ],
)
def test_a_link_leads_to_its_anchor(link: str, place: str) -> None:
    assert defined(f'{link}\n\n## Notes\n\n## Notes\n\n## 漢\n\n<a name="mark"></a>\n') == [place]


@pytest.mark.parametrize(
    "link", ["[a](#no‸thing)", "[a](https://example.org/#no‸tes)", "wo‸rds", "`[a](#no‸tes)`"]
)
def test_what_leads_nowhere_has_no_definition(link: str) -> None:
    assert defined(f"{link}\n\n## Notes\n") == []


def test_links_lead_to_other_files() -> None:
    assert defined({"a.md": TWO.replace("b.md#n", "b.md#‸n"), "b.md": OTHER}) == ["b.md:5 Notes"]
    assert defined({"docs/a.md": "[x](../b.md‸)\n", "b.md": OTHER}) == ["b.md:1 "]
    assert defined({"a.md": "[x](docs#on‸e)\n", "docs/README.md": "# One\n"}) == ["docs/README.md:1 One"]
    assert defined({"a.md": "[x](../../etc/passwd.md‸)\n"}) == []


def test_a_reference_leads_to_its_definition() -> None:
    for link in ("[text][La‸bel]", "[label‸]", "[label‸][]", "![pic][LABEL‸]"):
        assert defined(f"{link}\n\n[Label]: https://example.org\n[label]: other\n") == ["list.md:3 Label"]
    assert defined("[text][label]\n\n[label]: #nOt‸es\n\n# Notes\n") == ["list.md:5 Notes"]


REPEATED = {
    "a.md": "# A\n\n## X\n\n* [Al‸pha](https://example.org/alpha) - One.\n* [Beta](https://example.org/beta) - Two.\n",
    "b.md": "# B\n\n* [Alpha](https://example.org/alpha/) - Again.\n",
}


def test_a_repeated_entry_leads_to_its_other_places() -> None:
    assert defined(REPEATED) == ["b.md:3 Alpha"]
    assert referred(read_marked(REPEATED)) == ["b.md:3 Alpha"]
    assert defined({**REPEATED, "a.md": REPEATED["a.md"].replace("‸", "").replace("Bet", "Be‸t")}) == []


def test_a_paper_is_the_same_by_its_identifier() -> None:
    line = "* **{}** (OSDI'22) \\[[Paper](https://arxiv.org/abs/{})]\n"
    first = line.format("Serving of Large‸ Transformer Models", "2309.06180")
    second = line.format("Serving of Large Transformer Models", "2309.06180v2")
    found = defined({"a.md": f"# A\n\n{first}", "b.md": f"# B\n\n## C\n\n{second}"})
    assert found == ["b.md:5 Serving of Large Transformer Models"]


def test_references_of_a_heading_are_in_all_files() -> None:
    marked = read_marked({"a.md": TWO[:-2] + "‸" + TWO[-2:], "b.md": OTHER})
    assert referred(marked) == ["a.md:3 notes-1", "b.md:3 notes-1"]
    assert referred(marked, declared=True) == ["a.md:7 Notes", "a.md:3 notes-1", "b.md:3 notes-1"]


def test_references_of_a_link_are_those_of_its_target() -> None:
    marked = read_marked({"a.md": TWO.replace("(#notes)", "(#not‸es)"), "b.md": OTHER})
    assert referred(marked, declared=True) == ["a.md:5 Notes", "a.md:3 notes"]


def test_references_of_a_definition_are_its_links() -> None:
    text = "[one][L] and [l] and ![x][l]\n\n[‸l]: https://example.org\n"
    assert referred(read_marked(text)) == ["list.md:1 L", "list.md:1 l", "list.md:1 l"]
    assert referred(read_marked(text), declared=True)[0] == "list.md:3 l"
