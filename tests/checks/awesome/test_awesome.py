"""The checks of awesome lists, in what their pages are too short to show."""

from __future__ import annotations

from pathlib import Path

import pytest

from shelfread.checks.awesome.community_files import code_of_conduct, contributing, license_section
from shelfread.checks.awesome.title_and_badges import badge, ci_badge, title
from shelfread.checks.entry.description import description_end, description_start, entry_separator
from shelfread.checks.entry.item import description_repeats, link_first
from shelfread.index.presets import find_presets
from shelfread.index.repository import find_repository
from support.project import read_project, run

LINE = "- [{0}](https://example.org/{0}) - {1}\n"
WORDS = "Measures Traces Scans Captures Searches Relays Asks Sends Serves Counts Draws Mirrors".split()
TEN = "".join(LINE.format(word.lower() + "r", f"{word} packets.") for word in WORDS)


def texts(check: object, text: str, **options: object) -> list[str]:
    return [one.text for one in run(check, text, **options)]  # type: ignore[arg-type]


# --------------------------------------------------------------------------------------- separator


@pytest.mark.parametrize("mark", [" – ", " — ", ": ", " -- ", " -\u00a0", " &mdash; ", "- ", " -", " -  "])
def test_a_separator_of_another_form(mark: str) -> None:
    one = f"- [dig](https://example.org/dig){mark}Asks name servers.\n"
    (found,) = run(entry_separator, TEN + one)
    assert found.text.strip() == mark.strip() or mark == " -"
    assert found.fixed == TEN + LINE.format("dig", "Asks name servers.")


@pytest.mark.parametrize(
    "rest",
    [
        " is what asks name servers.",
        ", by Ada Lovelace.",
        " and [host](https://example.org/host) - Ask name servers.",
        " (v9) - Asks name servers.",
        " [[code](https://example.org/code)] - Asks name servers.",
        " ![new](https://example.org/new.svg) - Asks name servers.",
        " -\n  Asks name servers.",
        " - **Asks** name servers.",
        " - `dig` asks name servers.",
        " - [DNS](https://example.org/dns) questions.",
        "",
    ],
)
def test_a_separator_that_is_as_it_should_be(rest: str) -> None:
    assert texts(entry_separator, f"{TEN}- [dig](https://example.org/dig){rest}\n") == []


def test_a_list_keeps_its_own_separator() -> None:
    dashes = TEN.replace(" - ", " – ")
    assert texts(entry_separator, dashes) == []
    (found,) = run(entry_separator, dashes + LINE.format("dig", "Asks name servers."))
    assert found.fixed.endswith("(https://example.org/dig) – Asks name servers.\n")


def test_a_hyphen_at_a_line_s_beginning_goes_to_the_end_of_the_one_above() -> None:
    (found,) = run(entry_separator, TEN + "- [dig](https://example.org/dig)\n  –\u00a0Asks name servers.\n")
    assert found.fixed.endswith("(https://example.org/dig) -\n  Asks name servers.\n")


def test_a_file_of_the_project_may_have_a_form_of_its_own() -> None:
    own = "".join(f"- [{n}](https://example.org/{n}): A number.\n" for n in ("one", "two", "three"))
    assert run(entry_separator, {"a.md": TEN, "b.md": own}) == []


# -------------------------------------------------------------------------------------- start, end


@pytest.mark.parametrize(
    "said",
    [
        "iOS apps.",
        "npm without npm.",
        "dig asks.",
        "x86 code.",
        "node.js servers.",
        "e.g. this.",
        "by Ada.",
        "http://a.b",
    ],
)
def test_a_text_that_begins_with_a_name(said: str) -> None:
    assert texts(description_start, TEN + LINE.format("dig", said)) == []


def test_a_text_in_another_script() -> None:
    assert (
        texts(description_start, TEN + LINE.format("dig", "域名查询工具。") + LINE.format("host", "ホスト"))
        == []
    )


def test_a_text_that_goes_on_in_another_script() -> None:
    assert texts(description_start, TEN + LINE.format("dig", "open source の辞書です。")) == []


def test_a_small_word_that_nothing_says_is_no_name_is_for_information() -> None:
    (found,) = run(description_start, TEN + LINE.format("dig", "blorp in packets."))
    assert found.place.severity.label == "info"


@pytest.mark.parametrize(
    ("said", "fixed"),
    [
        ("Asks name servers", "Asks name servers."),
        ("Asks *name servers*", "Asks *name servers*."),
        ("Asks `named`", "Asks `named`."),
        ("Asks name servers,", "Asks name servers."),
        ("Asks a [server](https://example.org/s)", "Asks a [server](https://example.org/s)."),
    ],
)
def test_a_text_without_its_stop(said: str, fixed: str) -> None:
    (found,) = run(description_end, TEN + LINE.format("dig", said))
    assert found.fixed == TEN + LINE.format("dig", fixed)


@pytest.mark.parametrize(
    "said",
    [
        "Asks!",
        "Asks (all)",
        "Asks 🚀",
        'Asks "all."',
        "Asks:",
        "Asks. `C`",
        "Asks https://a.b/c",
        "Asks… “why?”",
        "询问。",
    ],
)
def test_a_text_that_ends_well(said: str) -> None:
    assert texts(description_end, TEN + LINE.format("dig", said)) == []


def test_chinese_texts_have_a_measure_of_their_own() -> None:
    chinese = "".join(LINE.format(f"c{n}", "一个工具。") for n in range(12))
    (found,) = run(description_end, TEN + chinese + LINE.format("dig", "查询域名"))
    assert found.fixed.endswith(" - 查询域名。\n")
    assert texts(description_end, TEN + LINE.format("dig", "查询域名")) == []


def test_a_list_of_two_minds_is_told_for_information() -> None:
    half = TEN.replace("packets.", "packets", 4)
    assert {one.place.severity.label for one in run(description_end, half)} == {"info"}
    assert texts(description_end, TEN.replace("packets.", "packets", 8)) == []


@pytest.mark.parametrize(
    ("said", "fixed"),
    [
        ("Dig is a tool.", "A tool."),
        ("dig: asks.", "Asks."),
        ("Dig - Asks.", "Asks."),
        ("dig provides answers.", "Provides answers."),
        ("Dig, a tool.", "A tool."),
    ],
)
def test_a_repeated_name(said: str, fixed: str) -> None:
    (found,) = run(description_repeats, LINE.format("dig", said))
    assert found.fixed == LINE.format("dig", fixed)


@pytest.mark.parametrize("said", ["Digs holes.", "dig's aim is to ask.", "Dig client.", "Dig a hole."])
def test_a_name_that_is_part_of_what_is_said(said: str) -> None:
    assert texts(description_repeats, LINE.format("dig", said)) == []


def test_a_link_behind_words_among_ten() -> None:
    (found,) = run(link_first, TEN + "- MySQL - [lists](https://example.org/mysql)\n")
    assert found.text == "[lists](https://example.org/mysql)"


# -------------------------------------------------------------------------------------------- head


@pytest.mark.parametrize(
    "head",
    [
        "# Awesome X",
        "Awesome X\n=========",
        '<h1 align="center">Awesome X</h1>',
        '<div align="center"><img src="x.png"><h1>Awesome X</h1></div>',
        "![Awesome X](logo.png)",
        '<!-- x -->\n\n<p align="center">\n<img src="logo.svg">\n</p>',
    ],
)
def test_what_is_a_title(head: str) -> None:
    assert texts(title, f"{head}\n\n## A\n\n{TEN}\n## B\n") == []


def test_a_page_beside_the_readme_has_no_head_of_its_own() -> None:
    page = f"## Topics\n\n{TEN}"
    assert [one.path for one in run(title, {"README.md": page, "docs/topics.md": page})] == ["README.md"]
    assert [one.path for one in run(badge, {"README.md": f"# A\n\n{TEN}", "b.md": f"# B\n\n{TEN}"})] == [
        "README.md"
    ]


def test_a_badge_in_an_entry_is_of_what_is_listed() -> None:
    assert texts(ci_badge, f"# A\n\n{TEN}- [a](https://a.b) ![](https://travis-ci.org/a/b.svg)\n") == []
    assert len(texts(ci_badge, f"# A ![](https://travis-ci.org/a/b.svg)\n\n{TEN}")) == 1


# -------------------------------------------------------------------------------------- repository


def test_a_list_of_a_repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    text = {"README.md": f"# Awesome X\n\n{TEN}\n## License\n\nCC0\n"}
    assert run(contributing, text) == []  # there is no such file
    Path("README.md").write_text(text["README.md"], encoding="utf-8")
    assert run(contributing, text) == []  # in no repository
    Path(".git").mkdir()
    assert len(run(contributing, text)) == 1
    (found,) = run(license_section, text)
    assert not found.place.edits
    Path("LICENSE").write_text("CC0", encoding="utf-8")
    (found,) = run(license_section, text)
    assert found.fixed == f"# Awesome X\n\n{TEN}"
    outside = tmp_path.parent / "outside.md"
    outside.write_text("[INSERT EMAIL ADDRESS]", encoding="utf-8")
    Path("code_of_conduct.md").symlink_to(outside)
    assert run(code_of_conduct, text) == []  # a link that leads out of the project
    Path("code_of_conduct.md").unlink()
    Path("code_of_conduct.md").mkdir()
    assert run(code_of_conduct, text) == []


@pytest.mark.parametrize(
    ("url", "owner", "name"),
    [
        ("https://github.com/ada/awesome-engines.git", "ada", "awesome-engines"),
        ("git@github.com:ada/awesome-engines.git", "ada", "awesome-engines"),
        ("ssh://git@example.org:22/ada/awesome-engines/", "ada", "awesome-engines"),
    ],
)
def test_the_name_of_a_repository(tmp_path: Path, url: str, owner: str, name: str) -> None:
    git = tmp_path / "some-folder" / ".git"
    git.mkdir(parents=True)
    found = find_repository(str(git.parent))
    assert found is not None and found[1:] == ("", "some-folder") and not found.is_awesome
    (git / "config").write_text(f'[core]\n\tbare = false\n[remote "origin"]\n\turl = {url}\n\tfetch = x\n')
    found = find_repository(str(git.parent / "docs"))
    assert found is not None and found[1:] == (owner, name) and found.is_awesome


def test_a_readme_is_awesome_by_its_repository_s_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "awesome-engines" / ".git").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "awesome-engines")
    _, context = read_project({"README.md": f"# Engines\n\n{TEN}", "docs/more.md": f"# More\n\n{TEN}"})
    assert find_presets(context) == {"README.md": ("core", "awesome"), "docs/more.md": ("core",)}


# ----------------------------------------------------------------------------------------- hostile


@pytest.mark.parametrize("filling", ["- ", "*", "`", "[", "(", "&mdash;", "a ", " \u3000", "](", '"-'])
def test_hostile_texts(filling: str) -> None:
    rest = filling * 5000
    text = f"{TEN}- [a](https://a.b) - x{rest}\n- [a](https://a.b){rest} - x\n"
    documents, context = read_project(text)
    for document in documents.values():
        for check in (entry_separator, description_start, description_end, link_first):
            list(check(document, context, when="always"))
        for other in (description_repeats, title, badge, ci_badge, license_section):
            list(other(document, context))
