"""The checks of papers, in what their pages are too short to show."""

from __future__ import annotations

import pytest
from project import run

from shelfread.checks.identifiers import arxiv_agrees, doi_form
from shelfread.checks.labels import label_role
from shelfread.checks.near import is_slip
from shelfread.checks.titles import title_residue
from shelfread.checks.venues import venue_agrees, venue_alias, venue_year
from shelfread.diagnostic import Applicability

DOI = "10.1145/3342195.3387517"
PAPER = "* A Study of Jobs \\[[Paper]({})]\n"


# ------------------------------------------------------------------------------------------- arXiv
@pytest.mark.parametrize(
    ("one", "other", "slip"),
    [
        ("1404.599", "1404.5997", True),
        ("1404.5979", "1404.5997", True),
        ("1404.5998", "1404.5997", True),
        ("1404.5997", "1404.5997", False),
        ("1404.5879", "1404.5997", False),
        ("", "ab", False),
    ],
)
def test_a_slip_is_one_letter_or_one_swap(one: str, other: str, slip: bool) -> None:
    assert is_slip(one, other) == slip
    assert is_slip(other, one) == slip


@pytest.mark.parametrize(
    ("printed", "linked", "applicability"),
    [
        ("1404.599", "1404.5997", Applicability.SAFE),
        ("1404.5979", "1404.5997", Applicability.SAFE),
        ("1404.59", "1404.5997", Applicability.SAFE),
        ("2104.08663", "1404.5997", Applicability.UNSAFE),
        ("1404.5997v3", "1404.5997", None),
    ],
)
def test_a_printed_arxiv_id_is_held_against_the_link(
    printed: str, linked: str, applicability: Applicability | None
) -> None:
    found = run(
        arxiv_agrees, f"* A Study of Jobs (arXiv {printed}) \\[[Paper](https://arxiv.org/abs/{linked})]\n"
    )
    assert [one.place.applicability for one in found] == ([] if applicability is None else [applicability])
    assert all(f"(arXiv {linked})" in one.fixed for one in found)


def test_an_id_as_a_link_s_text_is_held_against_that_link() -> None:
    text = "Some prose with [1404.5979](https://arxiv.org/abs/1404.5997) and [2204.1](https://arxiv.org/abs/2204.12013).\n"
    assert [one.text for one in run(arxiv_agrees, text)] == ["1404.5979"]


def test_no_fix_writes_an_impossible_id() -> None:
    (found,) = run(
        arxiv_agrees, "* A Study of Jobs (arXiv 2310.18547) [[Paper](https://arxiv.org/abs/2310.1854)]\n"
    )
    assert not found.place.edits


# --------------------------------------------------------------------------------------------- DOI
@pytest.mark.parametrize(
    ("url", "right"),
    [
        (f"http://dx.doi.org/{DOI}", f"https://doi.org/{DOI}"),
        (f"https://dx.doi.org/{DOI}", f"https://doi.org/{DOI}"),
        (f"http://doi.acm.org/{DOI}", f"https://doi.org/{DOI}"),
        (f"http://doi.org/{DOI}", f"https://doi.org/{DOI}"),
        (f"http://www.doi.org/{DOI}", f"https://doi.org/{DOI}"),
        (f"https://doi.org/https://doi.org/{DOI}", f"https://doi.org/{DOI}"),
        (f"https://doi.org/doi:{DOI}", f"https://doi.org/{DOI}"),
        (f"https://doi.org//{DOI}", f"https://doi.org/{DOI}"),
        (f"https://doi.org/{DOI}.", f"https://doi.org/{DOI}"),
        ("https://doi.org/10.1145/3342195.%203387517", f"https://doi.org/{DOI}"),
        ("https://doi.org/10.1145/", None),
        ("https://doi.org/1145/3342195", None),
        ("https://doi.org/10.5555/3026877", None),
    ],
)
def test_a_doi_is_composed_anew(url: str, right: str | None) -> None:
    (found,) = run(doi_form, PAPER.format(url))
    assert found.text == url
    assert found.fixed == PAPER.format(right or url)
    assert bool(found.place.edits) == (right is not None)


@pytest.mark.parametrize(
    "url",
    [
        f"https://doi.org/{DOI}",
        f"https://doi.org/{DOI}?download=true",
        "https://doi.org/10.1145%2F3342195.3387517",
        "https://doi.org/10/gg7f",
        "https://doi.org/",
        "https://www.doi.org/the-identifier/what-is-a-doi/",
        f"https://dl.acm.org/doi/pdf/{DOI}",
        "https://dl.acm.org/doi/10.5555/3026877.3026899",
    ],
)
def test_a_right_doi_is_left_alone(url: str) -> None:
    assert run(doi_form, PAPER.format(url)) == []


@pytest.mark.parametrize("when", ["learned", "always", "never"])
def test_the_list_decides_how_papers_of_acm_are_linked(when: str) -> None:
    text = "".join(PAPER.format(f"https://dl.acm.org/doi/10.1145/3342195.{n}") for n in range(18))
    text += PAPER.format(f"https://dl.acm.org/doi/abs/{DOI}") + PAPER.format(f"https://doi.org/{DOI}")
    found = run(doi_form, text, when=when)
    assert len(found) == {"learned": 1, "always": 19, "never": 0}[when]
    if when == "learned":
        assert found[0].line == 19
        assert f"https://dl.acm.org/doi/{DOI}" in found[0].fixed


def test_a_pdf_is_left_alone_among_pages() -> None:
    text = "".join(PAPER.format(f"https://dl.acm.org/doi/abs/10.1145/3342195.{n}") for n in range(18))
    assert run(doi_form, text + PAPER.format(f"https://dl.acm.org/doi/pdf/{DOI}")) == []


def test_a_definition_s_address_counts_too() -> None:
    (found,) = run(doi_form, f"* A Study of Jobs [[Paper][p]]\n\n[p]: http://dx.doi.org/{DOI}\n")
    assert found.fixed.endswith(f"[p]: https://doi.org/{DOI}\n")


# ------------------------------------------------------------------------------------------ venues
EUROSYS_2020 = f"https://dl.acm.org/doi/{DOI}"


@pytest.mark.parametrize(
    ("stated", "fixed"),
    [
        ("EuroSys 2019", "EuroSys 2020"),
        ("EuroSys'19", "EuroSys'20"),
        ("OSDI 2020", "EuroSys 2020"),
        ("OSDI 2018", "EuroSys 2020"),
        ("OSDI", "EuroSys"),
    ],
)
def test_the_differing_part_of_a_citation_is_named(stated: str, fixed: str) -> None:
    (found,) = run(venue_agrees, f"* A Study of Jobs ({stated}) \\[[Paper]({EUROSYS_2020})]\n")
    assert f"({fixed})" in found.fixed
    assert found.place.applicability is Applicability.UNSAFE
    assert found.text in stated


@pytest.mark.parametrize(
    ("stated", "url"),
    [
        ("EuroSys 2020", EUROSYS_2020),
        ("EuroSys", EUROSYS_2020),
        ("arXiv 2019", EUROSYS_2020),
        ("HPCS 2019", EUROSYS_2020),
        ("EuroSys 2019", "https://arxiv.org/abs/1907.01484"),
        ("EuroMLSys Workshop @ EuroSys 2019", EUROSYS_2020),
        ("ASPLOS 2024", "https://dl.acm.org/doi/10.1145/3623278.3624765"),
        ("VLDB 2022", "https://www.vldb.org/pvldb/vol15/p2811-he.pdf"),
        ("ICML 2017", "https://proceedings.mlr.press/v70/mirhoseini17a.html"),
    ],
)
def test_what_agrees_or_proves_nothing_is_left_alone(stated: str, url: str) -> None:
    assert run(venue_agrees, f"* A Study of Jobs ({stated}) \\[[Paper]({url})]\n") == []


def test_code_proves_nothing_of_its_paper() -> None:
    text = f"* A Study of Jobs (OSDI 2018) \\[[Paper](https://arxiv.org/abs/1907.01484)] \\[[Slides]({EUROSYS_2020})]\n"
    assert run(venue_agrees, text) == []


def test_editions_are_judged_in_headings_too() -> None:
    text = "## OSDI 2019\n\n* A Study of Jobs \\[[Paper](https://arxiv.org/abs/1907.01484)]\n"
    (found,) = run(venue_year, text, today="2026-01-01")
    assert found.place.values["fault"] == "was never held (2018 and 2020 were)"


def test_a_year_beyond_the_next_has_four_digits() -> None:
    text = "* A Study of Jobs ({}) \\[[Paper](https://arxiv.org/abs/1907.01484)]\n"
    assert len(run(venue_year, text.format("EuroSys 2035"), today="2026-01-01")) == 1
    assert run(venue_year, text.format("EuroSys 2035"), today="2034-12-31") == []
    assert run(venue_year, text.format("arXiv 28 May 2019"), today="2026-01-01") == []
    assert run(venue_year, text.format("EuroSys'35"), today="2026-01-01") == []


def entries(*venues: str) -> str:
    return "".join(
        f"* A Study of {n} Jobs ({venue}) \\[[Paper](https://arxiv.org/abs/1907.{n:05})]\n"
        for n, venue in enumerate(venues)
    )


@pytest.mark.parametrize(
    ("venues", "when", "texts"),
    [
        (("NIPS 2018",), "learned", ["NIPS"]),
        (("NIPS'17", "NeurIPS 2012", "SysML 2019"), "learned", []),
        (("arXiv 2020", "Arxiv 2020"), "learned", []),
        (("arXiv 2020", "arXiv 2021", "Arxiv 2020"), "learned", ["Arxiv"]),
        (("Arxiv 2020", "Arxiv 2021", "arXiv 2020"), "learned", []),
        (("arXiv 2020", "arXiv 2021", "Arxiv 2020"), "never", []),
        (("OSDI 2020",) * 9 + ("USENIX OSDI 2020",), "learned", ["USENIX OSDI"]),
        (("OSDI 2020",) * 8 + ("USENIX OSDI 2020",), "learned", []),
        (("EMNLP 2020",) * 19 + ("Findings of EMNLP 2020",), "learned", []),
    ],
)
def test_a_venue_s_name(venues: tuple[str, ...], when: str, texts: list[str]) -> None:
    assert [one.text for one in run(venue_alias, entries(*venues), when=when)] == texts


def test_a_heading_keeps_its_anchor() -> None:
    text = "## NIPS 2018\n\n" + entries("NeurIPS 2018")
    (found,) = run(venue_alias, text)
    assert found.text == "NIPS"
    assert not found.place.edits


# ------------------------------------------------------------------------------- labels and titles
@pytest.mark.parametrize(
    ("label", "url", "wrong"),
    [
        ("Code", "https://arxiv.org/abs/1907.01484", True),
        ("Code", "https://github.com/a/b", False),
        ("Code", "https://openreview.net/attachment?id=x&name=supplementary_material", False),
        ("PDF", "https://github.com/a/b", True),
        ("Paper", "https://github.com/a/b/", True),
        ("Paper", "https://github.com/a/b/blob/main/paper.pdf", False),
        ("Paper", "https://github.com/a/b/raw/main/paper.pdf", False),
        ("TensorFlow", "https://arxiv.org/abs/1603.04467", False),
        ("Slides", "https://www.usenix.org/conference/osdi20/presentation/x", False),
    ],
)
def test_a_label_and_its_target(label: str, url: str, wrong: bool) -> None:
    found = run(
        label_role, f"* A Study of Jobs \\[[Video](https://youtu.be/abcdefghijk)] \\[[{label}]({url})]\n"
    )
    assert [one.text for one in found] == [label] * wrong


@pytest.mark.parametrize(
    ("title", "fixed"),
    [
        ("A {GPU} Scheduler", "A GPU Scheduler"),
        ("{PyTorch}: A Library", "PyTorch: A Library"),
        ("On Erd\\H{o}s Graphs and Jobs", "On Erdős Graphs and Jobs"),
        ("On \\'{E}tale Things and Jobs", "On Étale Things and Jobs"),
        ("A ${GPU}$ Scheduler", None),
        ("A `{GPU}` Scheduler", None),
        ("Sets {a, b} of Jobs", None),
        ("Low- and High-Rank Jobs", None),
        ("Search \\& Rescue of Jobs", None),
    ],
)
def test_what_a_copied_title_brings_along(title: str, fixed: str | None) -> None:
    found = run(title_residue, f"* {title} \\[[Paper](https://arxiv.org/abs/1907.01484)]\n")
    assert [one.fixed.partition(" \\[")[0] for one in found] == ([f"* {fixed}"] if fixed else [])


HEADING = "### A Study of Jobs  ({})\n\n- [Paper](https://dl.acm.org/doi/10.1145/3342195.3387517)\n- [Code](https://github.com/a/b)\n\n"


def test_a_title_that_is_a_heading_keeps_its_anchor() -> None:
    (found,) = run(venue_agrees, HEADING.format("EuroSys 2019"))
    assert not found.place.edits
    (found,) = run(venue_alias, HEADING.format("NIPS 2019"))
    assert not found.place.edits
    (found,) = run(venue_alias, HEADING.format("EuroSys 2020") * 2 + HEADING.format("Eurosys 2020"))
    assert "(EuroSys 2020)" in found.fixed[-140:]
