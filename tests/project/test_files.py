"""Which files make the project, in real git repositories and outside."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from shelfread.core.errors import InputError
from shelfread.project.files import Project, SkippedFile, find_projects, list_markdown, relative_path


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working directory that no repository is around."""
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    folder = tmp_path / "here"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


def put(*names: str) -> None:
    for name in names:
        path = Path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("- [x](https://x.org)\n")


def git(*words: str) -> None:
    subprocess.run(
        ["git", "-c", "user.name=a", "-c", "user.email=a@b", *words], check=True, capture_output=True
    )


def only(*paths: str, **options: object) -> Project:
    projects, errors = find_projects(paths or (".",), **options)  # type: ignore[arg-type]
    assert not errors
    (project,) = projects
    return project


def refused(*paths: str) -> str:
    _, (error,) = find_projects(paths)
    assert isinstance(error, InputError)
    return str(error)


def test_outside_git_the_paths_are_the_project(here: Path) -> None:
    put(
        "a.md",
        "b.md",
        "sub/c.markdown",
        "sub/D.MD",
        "notes.txt",
        "node_modules/x.md",
        ".venv/x.md",
        ".github/y.md",
    )
    assert only().reported == (".github/y.md", "a.md", "b.md", "sub/D.MD", "sub/c.markdown")
    project = only("a.md")
    assert (project.reported, project.others) == (("a.md",), ())


def test_in_git_the_project_is_all_that_git_does_not_ignore(here: Path) -> None:
    git("init")
    Path(".gitignore").write_text("ignored/\n*.tmp.md\n")
    put("a.md", "b.md", "sub/c.md", "ignored/x.md", "y.tmp.md")
    git("add", "a.md")
    assert only().reported == ("a.md", "b.md", "sub/c.md")
    project = only("sub")
    assert (project.reported, project.others) == (("sub/c.md",), ("a.md", "b.md"))
    assert only("ignored/x.md").reported == ("ignored/x.md",), "who names a file means it"


def test_from_a_folder_below_the_root(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    git("init")
    put("a.md", "sub/c.md")
    monkeypatch.chdir("sub")
    project = only()
    assert (project.reported, project.others) == (("c.md",), ("../a.md",))


def test_a_tracked_file_that_was_deleted(here: Path) -> None:
    git("init")
    put("a.md", "b.md")
    git("add", ".")
    Path("b.md").unlink()
    assert only().reported == ("a.md",)


def test_unusual_names(here: Path) -> None:
    git("init")
    names = ["a b.md", "über.md", "列表.md", "new\nline.md", "-x.md", 'quo"te.md', "tab\t.md"]
    put(*names)
    assert set(only().reported) == set(names)
    assert only("new\nline.md").reported == ("new\nline.md",)


def test_a_name_that_is_no_utf_8(here: Path) -> None:
    git("init")
    name = os.fsdecode(b"caf\xe9.md")
    try:
        put(name)
    except OSError:
        pytest.skip("this file system takes UTF-8 only")
    assert only().reported == (name,)
    Path(".shelfread.yaml").write_text("exclude: [drafts/]\n")
    assert only().reported == (name,)


def test_a_list_named_twice_is_one(here: Path) -> None:
    put("a.md")
    assert only("a.md", "./a.md", str(here / "a.md"), ".").reported == ("a.md",)


def test_links_are_followed_within_the_tree_only(here: Path, tmp_path: Path) -> None:
    git("init")
    put("a.md")
    (tmp_path / "secret.md").write_text("secret")
    Path("within.md").symlink_to("a.md")
    Path("without.md").symlink_to(tmp_path / "secret.md")
    Path("broken.md").symlink_to("nowhere.md")
    Path("loop").symlink_to(".")
    Path("parent").symlink_to(tmp_path)
    assert only().reported == ("a.md",)
    assert only("within.md").reported == ("a.md",)
    secret = tmp_path / "secret.md"
    assert refused("without.md") == f"without.md: a symbolic link out of the work tree: name {secret} itself"
    assert "parent: a symbolic link out of the work tree" in refused("parent/secret.md")
    assert "parent: a symbolic link out of the work tree" in refused("parent")
    assert refused("broken.md") == "broken.md: a broken symbolic link"


def test_links_outside_git(here: Path, tmp_path: Path) -> None:
    put("lists/a.md", "shared/b.md")
    (tmp_path / "secret.md").write_text("secret")
    Path("lists/b.md").symlink_to("../shared/b.md")
    Path("without.md").symlink_to(tmp_path / "secret.md")
    Path("folder").symlink_to(tmp_path)
    assert only("lists/b.md").reported == ("shared/b.md",)
    for path, link in (("without.md", "without.md"), ("folder/secret.md", "folder"), ("folder", "folder")):
        assert refused(path).startswith(f"{link}: a symbolic link out of the folder: name {tmp_path}")
    assert only(str(tmp_path / "secret.md")).reported


def test_two_names_of_one_file_that_differ_in_case(here: Path) -> None:
    """As where file systems have no case; here with two names, which a hard link gives it."""
    put("README.md")
    Path("readme.md").hardlink_to("README.md")
    assert only("README.md", "readme.md").reported == ("README.md",)


def test_link_loops_outside_git(here: Path) -> None:
    put("sub/a.md")
    Path("sub/loop").symlink_to("..")
    Path("one.md").symlink_to("two.md")
    Path("two.md").symlink_to("one.md")
    assert only().reported == ("sub/a.md",)
    assert "a broken symbolic link" in refused("one.md")


def test_what_is_not_there(here: Path) -> None:
    Path("empty").mkdir()
    put("a.md")
    assert refused("nothing.md") == "nothing.md: no such file or folder"
    assert refused("empty") == "empty: no Markdown files that git does not ignore: name the files themselves"
    projects, errors = find_projects(["nothing.md", "a.md"])
    assert projects[0].reported == ("a.md",) and len(errors) == 1


def test_a_config_includes_and_excludes(here: Path) -> None:
    Path(".shelfread.yaml").write_text("include: [/lists/, README.md]\nexclude: [archive/]\n")
    put("README.md", "lists/a.md", "lists/archive/b.md", "notes/README.md", "notes/c.md")
    assert only().reported == ("README.md", "lists/a.md", "notes/README.md")
    project = only("notes/c.md", "lists/archive/b.md")
    assert project.reported == ("notes/c.md",)
    assert project.others == ("README.md", "lists/a.md", "notes/README.md")
    assert project.skipped == (SkippedFile("lists/archive/b.md", "excluded by the configuration"),)


def test_vendored_lists_are_left_alone(here: Path) -> None:
    git("init")
    put("a.md", "web/node_modules/x/README.md", "third_party/y.md", "vendor/z.md", "docs/vendors.md")
    assert only().reported == ("a.md", "docs/vendors.md")
    project = only("a.md", "vendor/z.md")
    assert project.skipped == (SkippedFile("vendor/z.md", "skipped: vendored"),)
    assert project.others == ("docs/vendors.md",)
    Path(".shelfread.yaml").write_text('exclude: ["!vendor/"]\n')
    assert only().reported == ("a.md", "docs/vendors.md", "vendor/z.md")


def test_a_repository_within_a_vendor_folder_is_none(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put("vendor/mine/a.md")
    monkeypatch.chdir("vendor/mine")
    git("init")
    assert only().reported == ("a.md",)


def test_what_gitattributes_says_goes_before_what_a_file_looks_like(here: Path) -> None:
    git("init")
    put("a.md", "dist/ü b.md", "vendor/mine.md", "vendor/theirs.md")
    Path("generated.md").write_text("<!-- generated, do not edit -->\n- [x](https://x.org)\n")
    Path(".gitattributes").write_text(
        "dist/** linguist-generated\nvendor/mine.md -linguist-vendored\ngenerated.md linguist-generated=false\n"
    )
    project = only()
    assert project.reported == ("a.md", "generated.md", "vendor/mine.md")
    assert [one.path for one in project.skipped] == ["dist/ü b.md", "vendor/theirs.md"]


def test_the_nearest_config_rules(here: Path) -> None:
    put("a.md", "inner/b.md", "inner/deep/c.md")
    Path(".shelfread.yaml").write_text("exclude: [c.md]\n")
    Path("inner/.shelfread.yaml").write_text("slugs: gitbook\n")
    outer, inner = find_projects(["."])[0]
    assert (outer.reported, outer.others) == (("a.md",), ())
    assert (inner.reported, inner.config.slugs) == (("inner/b.md", "inner/deep/c.md"), "gitbook")
    assert find_projects(["a.md"])[0][0].others == ()


def test_one_config_for_all_or_none(here: Path) -> None:
    put("a.md", "inner/b.md")
    Path("inner/.shelfread.yaml").write_text("slugs: gitbook\n")
    Path("other.yaml").write_text("fail-on: error\n")
    project = only("a.md", "inner/b.md", config=Path("other.yaml"))
    assert project.reported == ("a.md", "inner/b.md") and project.config.slugs == "github"
    assert only("inner/b.md", isolated=True).config.path is None


def test_unsaved_text_belongs_where_its_name_says(here: Path) -> None:
    git("init")
    put("a.md", "sub/b.md")
    (project,), _ = find_projects([], unsaved="sub/new.md")
    assert (project.reported, project.others) == (("sub/new.md",), ("a.md", "sub/b.md"))


def test_a_repository_cannot_have_git_run_a_program(here: Path) -> None:
    git("init")
    put("a.md")
    Path("monitor.sh").write_text("#!/bin/sh\ntouch ran\n")
    Path("monitor.sh").chmod(0o755)
    git("config", "core.fsmonitor", "./monitor.sh")
    assert only().reported == ("a.md",)
    assert not Path("ran").exists()


def test_without_git_installed(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    git("init")
    put("a.md", "sub/b.md")
    monkeypatch.setenv("PATH", "")
    assert only().reported == ("a.md", "sub/b.md")


def test_submodules_are_projects_of_their_own(here: Path) -> None:
    git("init")
    put("a.md", "module/b.md")
    subprocess.run(["git", "init", "module"], check=True, capture_output=True)
    assert only("a.md").others == ()
    assert only("module").reported == ("module/b.md",)


def test_list_markdown_of_an_ignored_folder(here: Path) -> None:
    git("init")
    Path(".gitignore").write_text("ignored/\n")
    put("ignored/x.md")
    assert list_markdown("ignored") == []


def test_list_markdown_of_a_folder_that_git_does_not_track(here: Path) -> None:
    git("init")
    Path(".gitignore").write_text("*.draft.md\n")
    put("new/Sub/deep/a.MD", "new/Sub/deep/b.draft.md", "new/Sub/deep/c.txt", "new/Sub/d.markdown")
    assert list_markdown("new/Sub/deep") == ["new/Sub/deep/a.MD"]
    assert list_markdown("new/Sub") == ["new/Sub/d.markdown", "new/Sub/deep/a.MD"]


def test_names_are_relative_to_the_working_directory(here: Path) -> None:
    assert relative_path(str(here / "sub/a.md")) == "sub/a.md"
    assert relative_path("./a.md") == "a.md"
    assert relative_path(str(here.parent / "b.md")) == "../b.md"


def test_attributes_of_the_repository_hold_below_a_nested_config(here: Path) -> None:
    git("init", "--quiet")
    put("sub/a.md", "sub/made.md")
    Path("sub/.shelfread.yaml").write_text("ignore: [link]\n")
    Path(".gitattributes").write_text("sub/made.md linguist-generated\n")
    (project,), _ = find_projects(["sub"])
    assert project.reported == ("sub/a.md",)
