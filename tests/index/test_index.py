"""Facts of single files, and how a project merges them."""

from __future__ import annotations

import pickle
from collections import Counter

import pytest

from shelfread.index.anchors import slug_of
from shelfread.index.conventions import LABEL, Convention, Question, When, learn
from shelfread.index.facts import facts
from shelfread.index.line_style import gaps, labels_of, main_link
from shelfread.index.observations import GAP, VENUE_NAME, acm_form
from shelfread.index.pages import find_presets
from shelfread.index.repeats import are_similar_titles, is_same_name
from shelfread.taxonomy.load import load
from support.project import read_project

ENTRY = "- A Study of Jobs (OSDI 2020) [[Paper](https://arxiv.org/abs/2001.00001)] [[Code](https://github.com/a/b)]\n"


@pytest.mark.parametrize(
    ("counts", "when", "form"),
    [
        ((9, 1), "learned", "a"),
        ((8, 1), "learned", None),
        ((17, 3), "learned", None),
        ((9,), "learned", None),
        ((10,), "learned", "a"),
        ((2, 1), "always", "a"),
        ((1, 1), "always", None),
        ((), "always", None),
        ((90, 1), "never", None),
    ],
)
def test_a_convention_is_nine_of_ten(counts: tuple[int, ...], when: When, form: str | None) -> None:
    learned = learn(Counter(dict(zip("abc", counts, strict=False))), when)
    assert (learned.form if learned else None) == form


def test_a_convention_has_the_number_of_its_cases() -> None:
    assert learn(Counter(a=46, b=1)) == Convention("a", 46, 47)


@pytest.mark.parametrize(
    ("line", "found"),
    [
        (ENTRY, [("title-venue (", " ("), ("venue-label )[", ") ["), ("label-label ][", "] [")]),
        ("- [nmap](https://nmap.org) -  Scans ports.\n", [("link-text -", " -  ")]),
        (
            "- **A Study of Jobs**. [[Paper]](https://arxiv.org/abs/2001.00001)\n",
            [("title-label **.", "**. ")],
        ),
        (
            "- A Study of Jobs [[Paper]](https://arxiv.org/abs/1) and [[Code]](https://github.com/a/b)\n",
            [("title-label ", " ")],
        ),
        ("- [nmap](https://nmap.org), a scanner.\n", [("link-text ,", ", ")]),
        ("| A Study of Jobs | [Paper](https://arxiv.org/abs/1) |\n|---|---|\n", []),
    ],
)
def test_gaps_between_parts(line: str, found: list[tuple[str, str]]) -> None:
    documents, _ = read_project(line)
    text = documents["list.md"].source.text
    got = [(gap.kind, gap.form) for entry in documents["list.md"].entries for gap in gaps(entry, text)]
    assert got == found
    assert all(
        text[slice(*gap.span)] == gap.form
        for entry in documents["list.md"].entries
        for gap in gaps(entry, text)
    )


@pytest.mark.parametrize(
    ("line", "main", "labels"),
    [
        (ENTRY, None, ["Paper", "Code"]),
        (
            "- [A Study of Jobs](https://arxiv.org/abs/1) [[Code](https://github.com/a/b)]\n",
            "A Study of Jobs",
            ["Code"],
        ),
        ("- [Orca](https://arxiv.org/abs/1): A Serving System for Models\n", "Orca", []),
        (
            "- [nmap](https://nmap.org) - Scans ports ([Source Code](https://x.org), [fork](https://y.org) of z).\n",
            "nmap",
            ["Source Code"],
        ),
    ],
)
def test_the_link_of_a_title_is_no_label(line: str, main: str | None, labels: list[str]) -> None:
    documents, _ = read_project(line)
    document = documents["list.md"]
    (entry,) = document.entries
    found = main_link(entry)
    assert (found.label if found else None) == main
    assert [label.label for label in labels_of(entry, document.source.text)] == labels


@pytest.mark.parametrize(
    ("url", "form"),
    [
        ("http://dl.acm.org/doi/10.1145/1.2", "https://dl.acm.org/doi/"),
        ("https://dl.acm.org/doi/abs/10.1145/1.2", "https://dl.acm.org/doi/abs/"),
        ("https://doi.org/10.1145/1.2", "https://doi.org/"),
        ("https://dl.acm.org/doi/10.5555/1.2", None),
        ("https://doi.org/10.1109/1.2", None),
    ],
)
def test_acm_urls_have_forms(url: str, form: str | None) -> None:
    assert acm_form(url) == form


def test_facts_of_several_files_merge() -> None:
    _, context = read_project({"a.md": ENTRY, "b.md": ENTRY.replace("Code", "code")})
    conventions, duplicates = context.conventions, context.project.duplicates
    assert conventions.forms(Question(LABEL, "code")) == Counter(Code=1, code=1)
    assert conventions.forms(Question(LABEL, "paper")) == Counter(Paper=2)
    assert dict(conventions.questions(VENUE_NAME)) == {Question(VENUE_NAME, "osdi"): Counter(OSDI=2)}
    assert conventions.forms(Question(GAP, "label-label ][")) == Counter({"] [": 2})
    assert conventions.role_labels["Paper"] == Counter(Paper=2)
    assert duplicates.first_listings["arxiv:2001.00001"].path == "a.md"
    assert (duplicates.repeats("a.md"), duplicates.repeats("b.md")[0].other.path) == ({}, "a.md")


def test_new_facts_of_a_file_change_only_that_file() -> None:
    _, context = read_project({"a.md": ENTRY, "b.md": ENTRY})
    changed, _ = read_project({"b.md": ENTRY.replace("Code", "code") + "\n## More\n"})
    amended = context.with_files(facts(changed["b.md"]))
    assert amended.conventions.forms(Question(LABEL, "code")) == Counter(Code=2)
    assert amended.project.anchors("b.md") == ("more",)
    assert amended.project.anchors("a.md") == context.project.anchors("a.md")
    assert amended.project.duplicates.repeats("b.md")[0].other.path == "a.md"


def test_a_first_listing_remains_the_first_when_files_change() -> None:
    _, context = read_project({"a.md": "# A\n", "b.md": ENTRY})
    changed, _ = read_project({"a.md": ENTRY})
    duplicates = context.with_files(facts(changed["a.md"])).project.duplicates
    assert duplicates.first_listings["arxiv:2001.00001"].path == "b.md"


def test_facts_go_to_other_processes() -> None:
    documents, context = read_project(ENTRY)
    assert pickle.loads(pickle.dumps(context.project.facts["list.md"])) == facts(documents["list.md"])


def test_a_listing_knows_what_it_is_nested_in() -> None:
    _, context = read_project(
        "## A\n\n- [One](https://one.org)\n  - [Two](https://two.org)\n- [Three](https://three.org)\n"
    )
    assert [listing.section for _, listing in context.project.facts["list.md"].identities] == [
        ("A",),
        ("A", "One"),
        ("A",),
    ]


def test_the_taxonomy_s_preset_comes_with_a_taxonomy() -> None:
    assert find_presets(read_project(ENTRY)[1])["list.md"] == ("core", "papers")
    named = find_presets(read_project(ENTRY, load("ml-systems"))[1])
    assert named["list.md"] == ("core", "papers", "taxonomy")


@pytest.mark.parametrize(
    ("name", "other", "same"),
    [
        ("xilem", "linebender xilem", True),
        ("xilem", "xilem", True),
        ("xilem gui", "xilem", False),
        ("xilem", "masonry", False),
    ],
)
def test_names_with_one_url(name: str, other: str, same: bool) -> None:
    assert is_same_name(name, other, "url:github.com/linebender/xilem") == same
    assert is_same_name(other, name, "url:github.com/linebender/xilem") == same


def test_similar_titles() -> None:
    assert are_similar_titles("blockllm", "blockllm multi tenant serving")
    assert are_similar_titles("a study of jobs in clusters", "the study of jobs in clusters")
    assert not are_similar_titles("a study of jobs in clusters", "graphs beyond memory")


@pytest.mark.parametrize(
    ("heading", "slug"),
    [
        ("Über “uns” & co.", "über-uns--co"),
        ("Ünï cödé — 100 %", "ünï-cödé--100-"),
        ("🚀 Rocket_ship", "-rocket_ship"),
        ("a\u0301 b‿c", "a\u0301-b‿c"),
        ("𝒜 Ⅷ Ⓐ ² ①", "𝒜-ⅷ-ⓐ--"),
    ],
)
def test_slugs(heading: str, slug: str) -> None:
    assert slug_of(heading) == slug
