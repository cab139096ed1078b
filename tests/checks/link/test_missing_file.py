"""Links to files: names on disk, renames in git, and similar names."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from shelfread.core.diagnostics import Applicability
from shelfread.core.source import Source
from shelfread.engine.lint import lint
from shelfread.engine.load_save import read_document
from shelfread.index.context import build_context
from shelfread.index.facts import facts
from shelfread.rulebook.metadata import bind
from shelfread.taxonomy.load import load as load_taxonomy
from support.local_links import CARDS, commit, diagnose, find, fixed, git, messages, write

pytestmark = pytest.mark.usefixtures("folder")
FILE = "link/missing-file"


def test_a_renamed_file_is_found_in_gits_memory() -> None:
    git("init", "--quiet")
    write(
        {
            "notes/old.md": "A long enough note to be known again.\n" * 5,
            "list.md": "[Note](notes/old.md#a?b)\n",
        }
    )
    commit()
    Path("pages").mkdir()
    git("mv", "notes/old.md", "notes/newer.md")
    commit()
    git("mv", "notes/newer.md", "pages/newest.md")
    commit()
    (found,) = find(FILE, "list.md")
    assert found.message == "'notes/old.md' does not exist; use 'pages/newest.md'"
    assert found.fix is not None
    assert found.fix.applicability is Applicability.SAFE
    assert fixed(FILE, "list.md") == "[Note](pages/newest.md#a?b)\n"


def test_a_rename_whose_end_is_gone_is_no_fix() -> None:
    git("init", "--quiet")
    write({"old.md": "A long enough note to be known again.\n" * 5, "list.md": "[Note](old.md)\n"})
    commit()
    git("mv", "old.md", "fresh.md")
    commit()
    Path("fresh.md").unlink()
    (found,) = find(FILE, "list.md")
    assert found.message == "'old.md' does not exist"
    assert found.fix is None


def test_git_is_asked_once_and_only_when_something_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    git("init", "--quiet")
    write({"a.md": "[A](a.md)\n", "b.md": "[X](gone.md) [Y](lost.md)\n", "c.md": "[Z](away.md)\n"})
    commit()
    calls: list[object] = []
    run = subprocess.run

    def count(*words: object, **settings: object) -> object:
        calls.append(words)
        return run(*words, **settings)  # type: ignore[call-overload]

    monkeypatch.setattr(subprocess, "run", count)
    assert find(FILE, "a.md") == []
    assert calls == []
    documents = {path: read_document(path, load_taxonomy().vocabulary) for path in ("b.md", "c.md")}
    context = build_context({path: facts(document) for path, document in documents.items()}, load_taxonomy())
    found = [lint(document, context, [bind(CARDS[FILE])], CARDS) for document in documents.values()]
    assert [len(diagnostics) for diagnostics in found] == [2, 1]
    assert len(calls) == 2  # which commit it is, and what was renamed


def test_without_git_there_is_no_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    git("init", "--quiet")
    write({"list.md": "[X](gone.md)\n"})
    monkeypatch.setenv("PATH", "")
    assert messages(find(FILE, "list.md")) == ["'gone.md' does not exist"]


def test_a_hostile_work_tree_runs_nothing(folder: Path) -> None:
    git("init", "--quiet")
    write({"list.md": "[X](gone.md)\n", "trap.sh": f"#!/bin/sh\ntouch {folder}/sprung\n"})
    Path("trap.sh").chmod(0o755)
    commit()
    for key in ("core.fsmonitor", "core.pager", "diff.external", "gpg.program", "core.sshCommand"):
        git("config", key, f"{folder}/trap.sh")
    git("config", "log.showSignature", "true")
    assert len(find(FILE, "list.md")) == 1
    assert not Path("sprung").exists()


def test_case_is_told_apart_on_every_system() -> None:
    write(
        {"Notes/CLUSTER-2014/x.md": "x", "list.md": "[N](notes/cluster-2014/) [X](Notes/CLUSTER-2014/x.md)\n"}
    )
    (found,) = find(FILE, "list.md")
    assert found.message == "'notes/cluster-2014/' does not exist; use 'Notes/CLUSTER-2014/'"
    assert fixed(FILE, "list.md") == "[N](Notes/CLUSTER-2014/) [X](Notes/CLUSTER-2014/x.md)\n"


def test_two_spellings_are_no_fix() -> None:
    write({"Note.md": "x", "NOTE.md": "x", "list.md": "[N](note.md)\n"})
    if len(list(Path().glob("*ote.md"))) + len(list(Path().glob("NOTE.md"))) < 2:
        pytest.skip("this disk does not tell case apart")
    (found,) = find(FILE, "list.md")
    assert found.fix is None


def test_percent_and_angle_brackets_name_files_with_blanks() -> None:
    write(
        {
            "a b/c (d).md": "x",
            "list.md": "[A](a%20b/c%20(d).md) [B](<a b/c (d).md>) [C](A%20b/c%20%28d%29.md)\n",
        }
    )
    (found,) = find(FILE, "list.md")
    assert found.message.startswith("'A%20b/c%20%28d%29.md' does not exist")
    assert "[C](a%20b/c%20%28d%29.md)" in fixed(FILE, "list.md")


def test_nothing_outside_of_the_project_is_looked_at() -> None:
    git("init", "--quiet", "inner")
    write(
        {
            "outer.md": "x",
            "inner/list.md": "[A](../outer.md) [B](../gone.md) [C](../../../etc/passwd) [D](/etc/x)\n",
        }
    )
    assert messages(find(FILE, "inner/list.md")) == ["'/etc/x' does not exist"]


def test_a_link_out_of_the_project_is_not_followed(folder: Path) -> None:
    git("init", "--quiet", "inner")
    write(
        {"outside/secret.md": "x", "inner/list.md": "[A](out/secret.md) [B](out/guess.md) [C](in/list.md)\n"}
    )
    Path("inner/out").symlink_to(folder / "outside")
    Path("inner/in").symlink_to(folder / "inner")
    assert find(FILE, "inner/list.md") == []


def test_the_root_is_known_only_where_git_says_it() -> None:
    write({"sub/list.md": "[A](/gone.md) [B](../../gone.md) [C](gone.md)\n"})
    assert messages(find(FILE, "sub/list.md")) == ["'gone.md' does not exist"]


def test_a_submodule_that_was_not_fetched_is_not_judged() -> None:
    Path("module").mkdir()
    write({".gitmodules": "", "list.md": "[A](module/any/file.md) [B](module/)\n"})
    assert find(FILE, "list.md") == []


@pytest.mark.parametrize("marker", ["mkdocs.yml", "_config.yml", "docs/_sidebar.md"])
def test_what_a_site_is_built_from_is_not_all_there(marker: str) -> None:
    git("init", "--quiet")
    write({marker: "", "docs/a.md": "[A](guide) [B](/guide/) [C](b.html) [D](gone.md)\n"})
    assert messages(find(FILE, "docs/a.md")) == ["'gone.md' does not exist"]


def test_a_list_without_a_path_has_no_files() -> None:
    assert diagnose(bind(CARDS[FILE]), Source("[A](gone.md)\n"))[1] == []
    assert diagnose(bind(CARDS[FILE]), Source("[A](gone.md)\n", "nowhere/list.md"))[1] == []


def test_an_escaped_destination_is_reported_and_left_alone() -> None:
    write({"a_b.md": "x", "list.md": "[A](a\\_b.md) [B](A\\_b.md)\n"})
    (found,) = find(FILE, "list.md")
    assert found.fix is None


def test_two_pages_of_one_title_are_no_fix() -> None:
    title = "# A unified architecture for accelerating DNN training\n"
    link = "[A](a-unified-architecture-for-accelerating-dnn-training.md)\n"
    write({"a.md": title, "b.md": title, "list.md": link})
    (found,) = find(FILE, "list.md", others=("a.md", "b.md"))
    assert found.fix is None


@pytest.mark.parametrize(
    "path", [".github/PULL_REQUEST_TEMPLATE.md", ".github/ISSUE_TEMPLATE/bug.md", "docs/issue_template.md"]
)
def test_in_a_template_no_path_is_proposed(path: str) -> None:
    write({"contributing.md": "x", path: "[A](CONTRIBUTING.md) [B](contributng.md) [name](link)\n"})
    found = find(FILE, path)
    assert len(found) == 2
    assert all(one.fix is None and "need a full URL" in one.message for one in found)


@pytest.mark.parametrize(("linked", "other", "near"), [
    ("list-de.md", "list-fr.md", False), ("papers_2019.md", "papers_2020.md", False), ("editors-en.md", "editors-en-2.md", True),
    ("programming-book.md", "programming-books.md", True),
])  # fmt: skip
def test_a_file_in_another_language_is_not_meant(linked: str, other: str, near: bool) -> None:
    write({"list.md": f"[A](notes/{linked})\n", f"notes/{other}": ""})
    (found,) = find(FILE, "list.md")
    assert (found.fix is not None) is near


def test_a_section_is_not_linked_from_itself() -> None:
    write({"list.md": "## License\n\n[A](LICENSE)\n"})
    assert [finding.fix for finding in find(FILE, "list.md")] == [None]


def test_paths_as_people_write_them() -> None:
    git("init", "--quiet")
    names = [
        "notes/über.md",
        "notes/a b/x.md",
        "notes/a&b.md",
        "notes/a+b.md",
        "notes/100%.md",
        "notes/pic.png",
        "run.py",
    ]
    links = (
        "notes/%C3%BCber.md notes/über.md notes%2Füber.md notes/a%20b/x.md <notes/a b/x.md> notes/a&amp;b.md "
        "notes/a+b.md notes/100%25.md notes/100%.md notes/pic.png?raw=true notes/über.md?plain=1#L3 run.py#L10-L20 "
        "notes notes/ ./notes/ /notes/über.md ./././notes/../notes/über.md . ./ .."
    )
    links = links.replace("<notes/a b/x.md>", "<notes/a%20b/x.md>").removesuffix(" ..")
    write({**dict.fromkeys(names, "x"), "list.md": "".join(f"- [A]({link})\n" for link in links.split(" "))})
    write(
        {
            "html.md": '<a href="notes/über.md">A</a> <img src="notes/pic.png"> <a id="x" href=\'notes/nope.md\'>B</a>\n'
        }
    )
    assert messages(find(FILE, "list.md")) == []
    assert messages(find(FILE, "html.md")) == ["'notes/nope.md' does not exist"]


def test_what_is_nearest_needs_a_yes() -> None:
    write({"contributing.md": "x", "list.md": "[A](contributng.md)\n"})
    (found,) = find(FILE, "list.md")
    assert found.fix is not None
    assert found.fix.applicability is Applicability.UNSAFE


@pytest.mark.parametrize(
    ("written", "files", "meant"),
    [
        ("PEOPLE.md", ["PEOPLE"], "PEOPLE"),
        ("people.md", ["PEOPLE.rst"], "PEOPLE.rst"),
        ("LICENSE", ["LICENSE.txt"], "LICENSE.txt"),
        ("people.md", ["PEOPLE", "people.txt"], ""),
        ("oak.md", ["oak.png"], ""),
        (".notes/oak.txt", ["notes/oak.txt"], "notes/oak.txt"),
        (".notes/oak.txt", ["notes/elm.txt"], ""),
        ("notes/.oak.txt", ["notes/oak.txt"], "notes/oak.txt"),
    ],
)
def test_one_defect_is_as_unsafe_in_every_file(written: str, files: list[str], meant: str) -> None:
    git("init", "--quiet")
    write(
        {"a.md": f"[A]({written})\n", "deep/b.md": f"[B](../{written})\n", **dict.fromkeys(files, "Words.\n")}
    )
    for name, up in (("a.md", ""), ("deep/b.md", "../")):
        (found,) = find(FILE, name)
        hint = f"; did you mean '{up}{meant}'?" if meant else ""
        assert found.message == f"'{up}{written}' does not exist{hint}"
        assert (found.fix and found.fix.applicability) == (Applicability.UNSAFE if meant else None)


def test_the_page_itself_is_no_similar_name() -> None:
    write({"README.md": "[One](tools/one/README.md)\n"})
    assert messages(find(FILE, "README.md")) == ["'tools/one/README.md' does not exist"]


def test_a_piece_of_a_generated_page_links_from_where_that_page_is() -> None:
    guide = "# Contributing\n\nThe README file is generated from the `data/` directory.\n"
    piece = "[Guide](CONTRIBUTING.md) and [licence](LICENCE.md)\n"
    write({"CONTRIBUTING.md": guide, "README.md": piece, "data/header.md": piece})
    found = find(FILE, "data/header.md", others=("CONTRIBUTING.md", "README.md"))
    assert [message.partition(" ")[0] for message in messages(found)] == ["'LICENCE.md'"]


@pytest.mark.parametrize(
    ("linked", "other"), [("list.fr.md", "list.md"), ("docs/fr/guide.md", "docs/de/guide.md")]
)
def test_a_translation_is_not_meant(linked: str, other: str) -> None:
    write({"list.md": f"[A]({linked})\n", other: ""}) if other != "list.md" else write(
        {"list.md": f"[A]({linked})\n"}
    )
    (found,) = find(FILE, "list.md")
    assert found.fix is None
