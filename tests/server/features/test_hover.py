"""What is shown of what is at the cursor."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from shelfread.core.diagnostics import Diagnostic, Severity, Span
from shelfread.rulebook.metadata import load_rules, read_metadata
from shelfread.server.hover import hover
from shelfread.taxonomy.load import load
from shelfread.taxonomy.taxonomy import Taxonomy
from support.marked import Marked, read_marked
from support.project import BARE

RULES = load_rules()
ORCA = (
    "* **Orca: A Distributed‸ Serving System for Transformers** (OSDI'22)"
    " \\[[Paper](https://www.usenix.org/conference/osdi22/presentation/yu)] \\[[Code](https://github.com/x/orca)]\n"
    "  * Ada Stone, Ben Field\n"
)


def described(texts: str | Mapping[str, str], taxonomy: Taxonomy = BARE) -> str:
    return describe(read_marked(texts, taxonomy))


def describe(marked: Marked, found: tuple[Diagnostic, ...] = ()) -> str:
    description = hover(marked.document, marked.context, found, RULES, marked.offset)
    if description is None:
        return ""
    assert description.span.start <= marked.offset <= description.span.end
    return description.text


def test_an_entry_is_described_with_what_is_known() -> None:
    lines = described(f"# Papers\n\n## Serving\n\n{ORCA}").splitlines()
    assert lines == [
        "**Orca: A Distributed Serving System for Transformers**",
        "",
        "- Name: Orca",
        "- Authors: Ada Stone, Ben Field",
        "- Venue: OSDI, written `OSDI'22`",
        "- Year: 2022",
        "- Paper: the address proves OSDI 2022",
        "- Paper: [`https://www.usenix.org/conference/osdi22/presentation/yu`]"
        "(<https://www.usenix.org/conference/osdi22/presentation/yu>)",
        "- Code: [`https://github.com/x/orca`](<https://github.com/x/orca>)",
        "- USENIX: `osdi22/yu`",
        "- GitHub: `x/orca`",
    ]


def test_a_venue_from_a_heading_is_said_to_be_so() -> None:
    text = "# Papers\n\n## OSDI 2020\n\n* **A Study of‸ Distributed Serving Systems** \\[[Paper](https://example.org/a.pdf)]\n"
    assert "- Venue: OSDI, from the heading `OSDI 2020` in line 3\n- Year: 2020, from a heading" in described(
        text
    )


def test_a_year_from_an_arxiv_id_is_said_to_be_so() -> None:
    text = (
        "# P\n\n* **A Study of‸ Distributed Serving Systems** \\[[Paper](https://arxiv.org/abs/1404.5997)]\n"
    )
    assert "- Year: 2014, from the arXiv id" in described(text)


def test_a_classic_entry_is_described() -> None:
    shown = described(
        "# Tools\n\n* [Al‸pha](https://example.org/a) - A tool.\n* [Beta](https://example.org/b) - B.\n"
    )
    assert shown.startswith("**Alpha**\n\n- Description: A tool.\n- Alpha (")


def test_an_entry_that_surely_belongs_elsewhere_says_where() -> None:
    words = "Filters Schedules Neurons Layers Heads Speech Graphs Rankers Trees".split()
    subjects = ("Pruning", "Rounding", "Teachers")
    verbs = ("Pruning", "Rounding", "Distilling")
    lists = [
        f"## {title}\n\n"
        + "".join(f"- [{verb} of {word}](https://example.com/{verb}{word}) - {verb} it.\n" for word in words)
        for title, verb in zip(subjects, verbs, strict=True)
    ]
    stray = "- [Distill‸ing Twice](https://example.com/twice) - Distilling again.\n"
    (said,) = described("\n".join((lists[0] + stray, *lists[1:]))).splitlines()[-1:]
    assert said.startswith("Belongs in **Teachers** (") and said.endswith("% sure, because of 'distilling')")
    assert "Belongs in" not in described("\n".join((*lists[:2], lists[2] + stray)))


def test_other_places_of_an_entry_are_named() -> None:
    again = ORCA.replace("‸", "")
    shown = described({"a.md": f"# A\n\n## One\n\n{ORCA}", "b.md": f"# B\n\n## Two\n\n{again}"})
    assert "- Listed too: `b.md:5` in B &#62; Two" in shown


def test_a_venue_is_described_by_the_vocabulary() -> None:
    shown = described(f"# A\n\n{ORCA.replace('‸', '').replace('OSDI', 'OS‸DI')}")
    assert shown.startswith(
        "**OSDI**: USENIX Symposium on Operating Systems Design and Implementation\n\n- Kind: conf"
    )
    assert "every year from 2021" in shown and "- Id: `osdi`" in shown


def test_a_section_is_described_by_the_taxonomy() -> None:
    taxonomy = load("machine-learning")
    text = f"# Papers\n\n## Reinforcement‸ Learning\n\n### More\n\n{ORCA.replace('‸', '')}"
    shown = described(text, taxonomy)
    assert shown.startswith(
        "**Reinforcement Learning**\n\n- Entries: 0, 1 with the sections below\n- Subject: "
    )
    assert "the heading is its label" in shown
    unknown = described("# Things\n\n## Gardening‸ and Cooking\n", taxonomy)
    assert "- No subject of `machine-learning`" in unknown


def test_a_link_shows_the_heading_that_it_leads_to() -> None:
    text = {"a.md": "[see](b.md#the-end‸)\n", "b.md": "# The End\n"}
    assert described(text) == "The heading **The End** of `b.md`, anchor `#the-end`"


def test_a_finding_shows_the_reason_of_its_rule() -> None:
    marked = read_marked("# A\n\n[x](#no‸where)\n")
    finding = Diagnostic("link/missing-anchor", Severity.ERROR, "no", "list.md", Span(8, 16))
    shown = describe(marked, (finding, finding))
    assert shown.startswith("**link/missing-anchor** (error): Checks for links to headings or anchors")
    assert "After a heading is renamed, a link to it does nothing." in shown
    assert shown.count("**link/missing-anchor**") == 1 and "```" not in shown


def test_every_rule_has_a_reason_to_show() -> None:
    marked = read_marked("word\n")
    for id in RULES:
        finding = Diagnostic(id, Severity.INFO, "", "list.md", Span(0, 1))
        assert describe(marked, (finding,)).partition("\n\n")[2], id


def test_the_page_of_a_project_s_own_rule_is_not_shown(tmp_path: Path) -> None:
    page = tmp_path / "rule.md"
    front = "summary: Bad <img src=x>.\nseverity: error\ncheck: link.empty.empty\nmessage: m\n"
    page.write_text(f"---\n{front}---\n# own/rule\n\n## Why\n\n![](https://example.org/pixel.png)\n")
    rules = {"own/rule": read_metadata(page, "own/rule", custom=True)}
    marked = read_marked("word\n")
    finding = Diagnostic("own/rule", Severity.ERROR, "", "list.md", Span(0, 4))
    description = hover(marked.document, marked.context, [finding], rules, 1)
    assert description is not None
    assert description.text == "**own/rule** (error): Bad &#60;img src=x&#62;."


def test_texts_of_a_list_are_escaped() -> None:
    text = "# A\n\n* [An‸ `a` <img src=x> ![p](https://e.org/p.png)](https://example.org/a) - <script>x</script> [y](z).\n"
    shown = described(text + "* [B](https://example.org/b) - C.\n")
    assert shown and "<img" not in shown and "<script" not in shown and "![" not in shown


def test_nothing_is_known_of_blank_lines_and_prose() -> None:
    assert described("# A\n‸\nSome prose.\n") == ""
    assert described("Some‸ prose.\n") == ""
