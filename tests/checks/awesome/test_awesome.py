"""The checks of awesome lists, in what their pages are too short to show."""

from __future__ import annotations

from pathlib import Path

import pytest

from shelfread.checks.awesome.community_files import code_of_conduct, contributing, license_section
from shelfread.checks.awesome.title_and_badges import badge, ci_badge, title
from shelfread.index.presets import find_presets
from shelfread.index.repository import find_repository
from support.classic_list import TEN, texts
from support.project import read_project, run

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
        for check in (title, badge, ci_badge, license_section):
            list(check(document, context))
