"""Entries in the forms of lists: all lines of them, and no fact of another entry."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.command_line import shelfread

BIBTEX = """\
@inproceedings{a, title={Sharing Pages of Attention between Models}, author={Ada Lovelace}, booktitle={SOSP}, year={2023},
  doi={10.1145/3600006.3613165}}
@misc{b, title={Taming Tails with Chunks of Prefills}, author={Grace Hopper}, year={2024}, eprint={2401.00001},
  archivePrefix={arXiv}}
"""
TITLES = [
    f"Scheduling {word} of Various Lengths"
    for word in "Jobs Tasks Threads Requests Queries Batches Flows".split()
]


def inserted(folder: Path, monkeypatch: pytest.MonkeyPatch, lines: list[str]) -> list[str]:
    """The lines that importing adds below those of a list."""
    monkeypatch.chdir(folder)
    text = "# Papers\n\n" + "".join(f"{line}\n" for line in lines)
    (folder / "list.md").write_text(text)
    (folder / "new.bib").write_text(BIBTEX)
    done = shelfread("import", "new.bib", "--into", "list.md", "--isolated")
    assert done.exit_code == 0, done.stderr
    after = (folder / "list.md").read_text().splitlines()
    return [line for line in after if line not in text.splitlines()]


def test_a_link_is_written_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the venue stands between two links, and there is only one."""
    lines = [
        f"- {title} [[Paper](https://example.org/{number}.pdf)] [OSDI2{number}] [[Code](https://github.com/x/{number})]"
        for number, title in enumerate(TITLES)
    ]
    assert inserted(tmp_path, monkeypatch, lines) == [
        "- Sharing Pages of Attention between Models [[Paper](https://doi.org/10.1145/3600006.3613165)] [SOSP23]",
        "- Taming Tails with Chunks of Prefills [[Paper](https://arxiv.org/abs/2401.00001)] [arXiv24]",
    ]


def test_a_list_that_states_no_venue(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [f"- [{title}](https://arxiv.org/abs/2302.0000{number})" for number, title in enumerate(TITLES)]
    assert inserted(tmp_path, monkeypatch, lines) == [
        "- [Sharing Pages of Attention between Models](https://doi.org/10.1145/3600006.3613165)",
        "- [Taming Tails with Chunks of Prefills](https://arxiv.org/abs/2401.00001)",
    ]


def test_full_names_of_venues_with_their_acronyms(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A preprint has no other name; brackets around the year are kept."""
    venues = [
        "ArXiv (2021)",
        *(f"European Conference on Computer Vision (ECCV) ({year})" for year in (2018, 2020, 2022)),
    ]
    lines = [f"- [{title}](https://example.org/{n}) {venues[n % 4]}" for n, title in enumerate(TITLES)]
    assert inserted(tmp_path, monkeypatch, lines) == [
        "- [Sharing Pages of Attention between Models](https://doi.org/10.1145/3600006.3613165)"
        " ACM Symposium on Operating Systems Principles (SOSP) (2023)",
        "- [Taming Tails with Chunks of Prefills](https://arxiv.org/abs/2401.00001) ArXiv (2024)",
    ]


# Lists of one form each, with `{title}` and `{number}`, and the lines that become of the two papers.
FORMS = {
    "paragraphs and badges": (
        "{number}. **{title}** OSDI 2020 ![](https://img.shields.io/badge/Training-red)\n\n   *Ada Stone, Ben Field*\n",
        [
            "8. **Sharing Pages of Attention between Models** SOSP 2023",
            "   *Ada Lovelace*",
            "9. **Taming Tails with Chunks of Prefills** arXiv 2024",
            "   *Grace Hopper*",
        ],
    ),
    "a hard break, months and badges": (
        "- **{title}**  \n  *Ada Stone, Ben Field*. [[pdf](https://arxiv.org/abs/2305.0000{number})], 2023.05. ![](https://img.shields.io/badge/Chat-red)",
        [
            "- **Sharing Pages of Attention between Models**  ",
            "  *Ada Lovelace*. [[pdf](https://doi.org/10.1145/3600006.3613165)], 2023.",
            "- **Taming Tails with Chunks of Prefills**  ",
            "  *Grace Hopper*. [[pdf](https://arxiv.org/abs/2401.00001)], 2024.01.",
        ],
    ),
    "links on lines of their own": (
        "- {title}\n  [[pdf]](https://arxiv.org/abs/2305.0000{number})\n  [[code]](https://github.com/x/y{number})\n  - Ada Stone, Ben Field. *CVPR 2021*",
        [
            "- Sharing Pages of Attention between Models",
            "  [[pdf]](https://doi.org/10.1145/3600006.3613165)",
            "  - Ada Lovelace. *SOSP 2023*",
            "- Taming Tails with Chunks of Prefills",
            "  [[pdf]](https://arxiv.org/abs/2401.00001)",
            "  - Grace Hopper. *arXiv 2024*",
        ],
    ),
    "sub-bullets": (
        "- [{title}](https://arxiv.org/abs/2305.0000{number})\n  - Ada Stone, Ben Field\n  - Keyword: shelves, racks {number}\n  - Code: [official](https://github.com/x/y{number})",
        [
            "- [Sharing Pages of Attention between Models](https://doi.org/10.1145/3600006.3613165)",
            "  - Ada Lovelace",
            "- [Taming Tails with Chunks of Prefills](https://arxiv.org/abs/2401.00001)",
            "  - Grace Hopper",
        ],
    ),
    "tasks with bare addresses": (
        "- [x] {title} https://arxiv.org/abs/2305.0000{number}",
        [
            "- [ ] Sharing Pages of Attention between Models https://doi.org/10.1145/3600006.3613165",
            "- [ ] Taming Tails with Chunks of Prefills https://arxiv.org/abs/2401.00001",
        ],
    ),
    "the venue is the label": (
        "- {title} [[CVPR2021]](https://arxiv.org/abs/2305.0000{number}) [[Pytorch]](https://github.com/x/y{number})",
        [
            "- Sharing Pages of Attention between Models [[SOSP2023]](https://doi.org/10.1145/3600006.3613165)",
            "- Taming Tails with Chunks of Prefills [[arXiv2024]](https://arxiv.org/abs/2401.00001)",
        ],
    ),
    "the venue before the title": (
        "- [[CVPR](https://arxiv.org/abs/2305.0000{number})] {title} [[code](https://github.com/x/y{number})]",
        [
            "- [[SOSP 2023](https://doi.org/10.1145/3600006.3613165)] Sharing Pages of Attention between Models",
            "- [[arXiv 2024](https://arxiv.org/abs/2401.00001)] Taming Tails with Chunks of Prefills",
        ],
    ),
    "notes on the meeting": (
        "* {title} ([OSDI 2020](/notes/osdi-2020.md)) \\[[Paper](https://arxiv.org/abs/2305.0000{number})]\n  * Oxford",
        [
            "* Sharing Pages of Attention between Models (SOSP 2023) \\[[Paper](https://doi.org/10.1145/3600006.3613165)]",
            "* Taming Tails with Chunks of Prefills (arXiv 2024) \\[[Paper](https://arxiv.org/abs/2401.00001)]",
        ],
    ),
    "the author is the label": (
        "1. {title}. [Stone et al (2020)](https://example.org/{number}.pdf).",
        [
            "1. Sharing Pages of Attention between Models. [Lovelace (2023)](https://doi.org/10.1145/3600006.3613165).",
            "1. Taming Tails with Chunks of Prefills. [Hopper (2024)](https://arxiv.org/abs/2401.00001).",
        ],
    ),
    "labels of hosts": (
        "- {title}. OSDI 202{number}. [[PUB](https://doi.org/10.1145/33024{number}.3303953)] [[PDF](https://arxiv.org/abs/2305.0000{number})]",
        [
            "- Sharing Pages of Attention between Models. SOSP 2023. [[PUB](https://doi.org/10.1145/3600006.3613165)]",
            "- Taming Tails with Chunks of Prefills. arXiv 2024. [[PDF](https://arxiv.org/abs/2401.00001)]",
        ],
    ),
    "volumes and DOIs that are written out": (
        '- A. Stone and B. Field, "{title}," in TPAMI, vol. 3{number}, no. {number}, pp. 11-2{number}, Oct. 2015, doi: 10.1109/TPAMI.2015.2{number}.',
        [
            '- A. Lovelace, "Sharing Pages of Attention between Models," in SOSP, 2023, doi: 10.1145/3600006.3613165.',
            '- G. Hopper, "Taming Tails with Chunks of Prefills," in arXiv, 2024.',
        ],
    ),
    "tags around the venue": (
        "- {title}, <ins>OSDI, 2020</ins> [[Paper](https://arxiv.org/abs/2305.0000{number})]",
        [
            "- Sharing Pages of Attention between Models, <ins>SOSP, 2023</ins> [[Paper](https://doi.org/10.1145/3600006.3613165)]",
            "- Taming Tails with Chunks of Prefills, <ins>arXiv, 2024</ins> [[Paper](https://arxiv.org/abs/2401.00001)]",
        ],
    ),
}  # fmt: skip


@pytest.mark.parametrize("form", FORMS)
def test_all_lines_of_an_entry(form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    listed, expected = FORMS[form]
    lines = [listed.format(title=title, number=number) for number, title in enumerate(TITLES, start=1)]
    assert [line for line in inserted(tmp_path, monkeypatch, lines) if line] == expected


# Lists of one form each, and the line that becomes of a paper of which only the title, and perhaps an author, is known.
LACKING = {
    "quotes": (
        'A. Stone, B. Wood. "{title}". ICML 202{number}. [pdf](https://example.org/{number}.pdf)',
        ['"Deep Belief". [pdf](https://example.org/deep.pdf)', 'A. Reed. "Deep Belief". [pdf](https://example.org/deep.pdf)'],
    ),
    "marks that open behind the authors": (
        "[{title}](https://example.org/{number}.pdf) by Ada Stone and Ben Wood. *ICML*, 202{number}.",
        ["[Deep Belief](https://example.org/deep.pdf)", "[Deep Belief](https://example.org/deep.pdf) by Ada Reed."],
    ),
    "one pair of marks around two fields": (
        "**{title}.** *Ada Stone et al. ICML 202{number}.* [[pdf](https://example.org/{number}.pdf)]",
        ["**Deep Belief.** [[pdf](https://example.org/deep.pdf)]", "**Deep Belief.** *Ada Reed.* [[pdf](https://example.org/deep.pdf)]"],
    ),
    "a bold title behind the authors": (
        "Ada Stone, Ben Wood, **{title}**, ICML 202{number}. [pdf](https://example.org/{number}.pdf)",
        ["**Deep Belief**. [pdf](https://example.org/deep.pdf)", "Ada Reed, **Deep Belief**. [pdf](https://example.org/deep.pdf)"],
    ),
    "tags around the venue": (
        "{title}, <ins>ICML, 202{number}</ins> [[pdf](https://example.org/{number}.pdf)]",
        ["Deep Belief [[pdf](https://example.org/deep.pdf)]"] * 2,
    ),
}  # fmt: skip


@pytest.mark.parametrize("form", LACKING)
@pytest.mark.parametrize("author", ["", " author={Ada Reed},"])
def test_what_is_not_known_leaves_no_marks_behind(
    form: str, author: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bibtex = f"@inproceedings{{a, title={{Deep Belief}},{author} url={{https://example.org/deep.pdf}}}}\n"
    monkeypatch.setattr(__name__ + ".BIBTEX", bibtex)
    listed, expected = LACKING[form]
    lines = [f"- {listed.format(title=title, number=number)}" for number, title in enumerate(TITLES)]
    assert inserted(tmp_path, monkeypatch, lines) == [f"- {expected[bool(author)]}"]


def test_a_link_that_the_form_has_no_place_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It follows the first line; a second link to the paper is no loss."""
    monkeypatch.setattr(
        __name__ + ".BIBTEX",
        "@misc{a, title={Sharing Pages of Attention}, year={2024}, eprint={2401.00001}, archivePrefix={arXiv},"
        " doi={10.48550/arXiv.2401.00001}, url={https://github.com/x/pages}}",
    )
    lines = [f"- [{title}](https://arxiv.org/abs/2302.0000{number})" for number, title in enumerate(TITLES)]
    assert inserted(tmp_path, monkeypatch, lines) == [
        "- [Sharing Pages of Attention](https://arxiv.org/abs/2401.00001) [[Code](https://github.com/x/pages)]"
    ]


def test_authors_as_the_list_names_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first one, in initials, and who else is known to be left out."""
    people = "Ada Stone and Ben Field and others"
    monkeypatch.setattr(
        __name__ + ".BIBTEX",
        BIBTEX.replace("Ada Lovelace", people).replace("Grace Hopper", "Hopper, Anne-Grace"),
    )
    lines = [
        f"- {title} (201{number}), {'A. Stone et al.' if number else 'C. Moor'} [[pdf]](https://arxiv.org/abs/1302.0000{number})"
        for number, title in enumerate(TITLES)
    ]
    assert inserted(tmp_path, monkeypatch, lines) == [
        "- Sharing Pages of Attention between Models (2023), A. Stone et al. [[pdf]](https://doi.org/10.1145/3600006.3613165)",
        "- Taming Tails with Chunks of Prefills (2024), A.-G. Hopper [[pdf]](https://arxiv.org/abs/2401.00001)",
    ]


@pytest.mark.parametrize(
    ("listed", "written"),
    [
        ("*({name}) {title}*", "*Pages: Sharing Attention*"),
        ("**[{name}]** {name}: {title}", "**[Pages]** Pages: Sharing Attention"),
    ],
)
def test_a_name_is_written_twice_only_where_the_list_does(
    listed: str, written: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        __name__ + ".BIBTEX",
        "@inproceedings{a, title={Pages: Sharing Attention}, booktitle={SOSP}, year={2023}}",
    )
    names = "Rack Crate Plank Ledge Shelf Trunk Chest Stack Drawer Cabin".split()
    lines = [
        f"- {listed.format(name=name, title=title)} (OSDI20)"
        for name, title in zip(names, TITLES, strict=False)
    ]
    assert inserted(tmp_path, monkeypatch, lines) == [f"- {written} (SOSP23)"]


def test_a_venue_that_nobody_knows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It stands where the others stand, although it is not read back as a venue."""
    monkeypatch.setattr(
        __name__ + ".BIBTEX",
        "@techreport{a, title={Notes on Tables}, institution={Harbor University}, year={2019}}",
    )
    lines = [
        f"- [2020/0{number}] **{title}.** *Ada Stone et al. OSDI.* [[paper](https://arxiv.org/abs/200{number}.00001)]"
        for number, title in enumerate(TITLES, start=1)
    ]
    assert inserted(tmp_path, monkeypatch, lines) == ["- [2019] **Notes on Tables.** *Harbor University.*"]


def test_code_is_not_said_to_be_of_a_framework(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        __name__ + ".BIBTEX",
        "@misc{a, title={Sharing Pages of Attention}, year={2024}, eprint={2401.00001}, archivePrefix={arXiv}, url={https://github.com/x/pages}}",
    )
    rows = [
        f"| [{title}](https://arxiv.org/abs/2302.0000{number}) | [PyTorch(Author)](https://github.com/x/y{number}) |"
        for number, title in enumerate(TITLES)
    ]
    lines = ["| Title | Code |", "|---|---|", *rows]
    assert inserted(tmp_path, monkeypatch, lines) == [
        "| [Sharing Pages of Attention](https://arxiv.org/abs/2401.00001) | [Code](https://github.com/x/pages) |"
    ]


def test_others_of_the_source_where_all_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(__name__ + ".BIBTEX", BIBTEX.replace("Ada Lovelace", "Ada Lovelace and others"))
    lines = [
        f"- {title} (OSDI 2020) [[pdf](https://arxiv.org/abs/2002.0000{number})]\n  - Ada Stone, Ben Field"
        for number, title in enumerate(TITLES)
    ]
    assert "  - Ada Lovelace, et al." in inserted(tmp_path, monkeypatch, lines)


# ------------------------------------------------------------------------------------------------------------ tools
CSV = "name,url,description\nQuill,https://github.com/ada/quill,Writes notes\nRack,https://rack.example.org,Stores books\n"
TOOLS = "fzf bat zoxide lf rg eza".split()


def added(folder: Path, monkeypatch: pytest.MonkeyPatch, text: str) -> list[str]:
    monkeypatch.chdir(folder)
    (folder / "list.md").write_text(text)
    (folder / "new.csv").write_text(CSV)
    done = shelfread("import", "new.csv", "--into", "list.md", "--isolated")
    assert done.exit_code == 0, done.stderr
    return [line for line in (folder / "list.md").read_text().splitlines() if line not in text.splitlines()]


def test_a_table_with_badges(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The badge of a repository is that of the new one; the pipes stay below each other."""
    rows = "".join(
        f"| {f'[{name}](https://github.com/x/{name})':<36} | {f'Does {name}.':<16} | ![stars](https://img.shields.io/github/stars/x/{name}) |\n"
        for name in ("bat", "eza", "fzf")
    )
    text = f"# Tools\n\n| {'Name':<36} | {'Description':<16} | Stars |\n|---|---|---|\n{rows}"
    assert added(tmp_path, monkeypatch, text) == [
        f"| {'[Quill](https://github.com/ada/quill)':<36} | {'Writes notes.':<16} | ![stars](https://img.shields.io/github/stars/ada/quill) |",
        f"| {'[Rack](https://rack.example.org)':<36} | {'Stores books.':<16} | {'':<51} |",
    ]


def test_what_only_another_tool_has_is_not_copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Licences, demos, pictures; a description ends as others do before these."""
    lines = "".join(
        f"- [{name}](https://{name}.example.org) - Does {name}. ([Demo](https://{name}.example.org/demo)) `MIT` `Go`\n"
        f"  <img src='https://raw.githubusercontent.com/x/{name}/main/a.png'>\n"
        for name in TOOLS
    )
    assert added(tmp_path, monkeypatch, f"# Tools\n\n{lines}") == [
        "- [Quill](https://github.com/ada/quill) - Writes notes.",
        "- [Rack](https://rack.example.org) - Stores books.",
    ]


@pytest.mark.parametrize("marks", [(":tada:", ":moneybag:"), ("🎉", "💰"), ("", ":moneybag:")])
@pytest.mark.parametrize(
    "line",
    [
        "- {mark} [{name}](https://{name}.example.org) - Does it.",
        "- [{name}](https://{name}.example.org) {mark} - Does it.",
    ],
)
@pytest.mark.parametrize("first", [1, 2, 3])
def test_a_mark_that_others_have_is_not_copied(
    first: int, line: str, marks: tuple[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It tells that a tool is free, or costs money."""
    lines = [
        line.format(mark=marks[number >= first], name=name).replace("  ", " ")
        for number, name in enumerate(TOOLS)
    ]
    assert added(tmp_path, monkeypatch, "\n".join(["# Tools", "", *lines, ""])) == [
        "- [Quill](https://github.com/ada/quill) - Writes notes.",
        "- [Rack](https://rack.example.org) - Stores books.",
    ]


def test_a_mark_that_all_have_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = "".join(f"- :book: [{name}](https://{name}.example.org) - Does it.\n" for name in TOOLS)
    assert (
        added(tmp_path, monkeypatch, f"# Tools\n\n{lines}")[1]
        == "- :book: [Rack](https://rack.example.org) - Stores books."
    )


def test_addresses_below_their_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A star before a nested line is no mark of emphasis."""
    lines = "".join(
        f"* {name}\n  * Address: https://github.com/x/{name}\n  * About: Does what {name} does and more.\n"
        for name in TOOLS
    )
    assert added(tmp_path, monkeypatch, f"# Tools\n\n{lines}")[:3] == [
        "* Quill",
        "  * Address: https://github.com/ada/quill",
        "  * About: Writes notes.",
    ]


PAPER = "- Some Paper (SOSP 2019) [[Paper](https://doi.org/10.1145/1099554.1099689)]\n"


@pytest.mark.parametrize("rest", ["", PAPER], ids=["tools", "beside a paper"])
def test_names_whose_addresses_are_defined_below(
    rest: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = "".join(f"- [{name}] - Does {name}.\n" for name in TOOLS)
    defined = "".join(f"[{name}]: https://{name}.example.org\n" for name in TOOLS)
    assert added(tmp_path, monkeypatch, f"# Tools\n\n{lines}{rest}\n{defined}") == [
        "- [Quill] - Writes notes.",
        "- [Rack] - Stores books.",
        "[Quill]: https://github.com/ada/quill",
        "[Rack]: https://rack.example.org",
    ]
    added(tmp_path, monkeypatch, f"# Tools\n\n{lines}{rest}\n{defined}".rstrip())
    assert (
        (tmp_path / "list.md")
        .read_text()
        .endswith(
            "[eza]: https://eza.example.org\n[Quill]: https://github.com/ada/quill\n[Rack]: https://rack.example.org\n"
        )
    )
    taken = f"\n[Rack]: https://other.example.org\n{defined}"
    assert added(tmp_path, monkeypatch, f"# Tools\n\nBuilt with [Rack].\n\n{lines}{rest}{taken}") == [
        "- [Quill] - Writes notes.",
        "- [Rack](https://rack.example.org) - Stores books.",
        "[Quill]: https://github.com/ada/quill",
    ]


def test_a_row_without_edges_and_what_the_list_writes_where_there_is_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [
        f"[{name}](https://{name}.example.org) | Does {name}. | {language}"
        for name, language in (("bat", "Go"), ("eza", ""), ("fzf", "Go"))
    ]
    text = "# Tools\n\n" + "\n".join(["Name | Description | Language", "--- | --- | ---", *rows]) + "\n"
    assert added(tmp_path, monkeypatch, text)[1] == "[Rack](https://rack.example.org) | Stores books. |"
    said = text.replace("Does eza. | ", "Does eza. | N/A")
    assert added(tmp_path, monkeypatch, said)[1] == "[Rack](https://rack.example.org) | Stores books. | N/A"
