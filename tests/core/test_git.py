"""Git, asked safely, in real repositories: what is found, what is refused, and that nothing is run."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from shelfread.core import git
from shelfread.core.errors import InputError
from shelfread.project.history import find_base_commit
from support.gitrepo import commit, do, repo

__all__ = ["repo"]


def refused(rev: str, root: Path) -> str:
    with pytest.raises(InputError) as error:
        git.resolve(str(root), rev)
    return error.value.message


def contents(root: str, rev: str, path: str) -> bytes:
    oid = git.list_tree(root, rev)[path].oid
    return git.read_blobs(root, [oid])[oid]


def test_a_revision_by_all_its_names(repo: Path) -> None:
    first = commit({"a.md": "1"})
    do("tag", "-a", "v1", "-m", "First")
    second = commit({"a.md": "2"})
    root = git.need_root(str(repo))
    assert [git.resolve(root, rev) for rev in ("v1", "HEAD~", first[:8], "main~1")] == [first] * 4
    do("checkout", "--quiet", "--detach")
    assert git.resolve(root, "HEAD") == second


def test_lines_come_as_git_writes_them(repo: Path) -> None:
    commit({"a.md": "1\n2"})
    assert list(git.stream(str(repo), "show", "HEAD:a.md")) == [b"1\n", b"2"]
    lines = git.stream(str(repo), "show", "HEAD:a.md")
    assert next(lines) == b"1\n"
    lines.close()  # type: ignore[attr-defined]
    with pytest.raises(InputError, match=r"git failed: fatal: path 'b\.md' does not exist"):
        list(git.stream(str(repo), "show", "HEAD:b.md"))


@pytest.mark.parametrize("rev", ["--output=x", "-h", "", "a\nb", "--"])
def test_an_option_is_no_revision(repo: Path, rev: str) -> None:
    commit({"a.md": "1"})
    assert refused(rev, repo) == f"'{rev}' is not a revision: name a commit, a branch or a tag"
    assert not Path("x").exists()


def test_revisions_that_are_not_there(repo: Path) -> None:
    assert "has no commits yet" in refused("main", repo)
    assert git.list_tree(str(repo), git.resolve(str(repo), "HEAD")) == {}
    commit({"a.md": "1"})
    assert refused("nowhere", repo) == "no revision 'nowhere': did you fetch it? (`git fetch origin`)"
    assert "no revision 'HEAD..main'" in refused("HEAD..main", repo)
    assert "no revision ':a.md'" in refused(":a.md", repo), "what is no commit"
    do("update-ref", "refs/remotes/origin/topic", "HEAD")
    assert refused("topic", repo) == "no revision 'topic': did you mean 'origin/topic'?"


def test_a_shallow_clone_says_how_to_deepen_it(repo: Path, tmp_path: Path) -> None:
    first = commit({"a.md": "1"})
    do("checkout", "--quiet", "-b", "topic")
    commit({"a.md": "2"})
    do("checkout", "--quiet", "main")
    commit({"b.md": "2"})
    do("clone", "--quiet", "--depth=1", "--no-single-branch", repo.as_uri(), str(tmp_path / "shallow"))
    shallow = tmp_path / "shallow"
    for said in (refused(first, shallow), refused("HEAD~1", shallow)):
        assert "`fetch-depth: 0`" in said and "`git fetch --unshallow`" in said
    with pytest.raises(
        InputError, match="'origin/topic' and 'HEAD' have no common ancestor here: this clone is shallow"
    ):
        git.merge_base(str(shallow), "origin/topic", "HEAD")


def test_no_repository_and_no_git(repo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match="no git repository"):
        git.need_root(str(tmp_path))
    (tmp_path / "broken" / ".git").mkdir(parents=True)
    assert "git failed: fatal: not a git repository" in refused("HEAD", tmp_path / "broken")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert "is it installed?" in refused("HEAD", repo)
    assert git.run(str(repo), "ls-files") is None


NAMES = ["a b.md", "new\nline.md", "über.md", 'quo"te.md', "tab\t.md", "-x.md", "deep/列表.md"]


def test_files_of_a_commit_by_any_name(repo: Path) -> None:
    commit({name: name for name in NAMES} | {"x.txt": "x", "crlf.md": b"a\r\n\xff\0"})
    at = git.resolve(".", "HEAD")
    do("rm", "-rq", ".")
    tree = git.list_tree(str(repo), at)
    assert set(tree) == {*NAMES, "x.txt", "crlf.md"}
    texts = git.read_blobs(str(repo), [blob.oid for blob in tree.values()])
    assert {name: texts[tree[name].oid].decode() for name in NAMES} == {name: name for name in NAMES}
    assert contents(str(repo), at, "crlf.md") == b"a\r\n\xff\0"
    assert tree["x.txt"].holds(b"x") and not tree["x.txt"].holds(b"y")


def test_what_is_no_file(repo: Path, tmp_path: Path) -> None:
    inner = tmp_path / "inner"
    inner.mkdir()
    do("init", "--quiet", cwd=inner)
    do("commit", "--quiet", "--allow-empty", "-m", "Inner", cwd=inner)
    do("submodule", "--quiet", "add", inner.as_uri(), "sub")
    Path("link.md").symlink_to("/etc/passwd")
    at = commit({"a.md": "1"})
    tree = git.list_tree(str(repo), at)
    assert {name for name, blob in tree.items() if blob.is_file} == {"a.md", ".gitmodules"}
    assert {"sub", "link.md"} < set(tree)
    assert git.find_root("sub") == str(repo / "sub"), "a submodule is a repository of its own"
    assert git.resolve(str(repo / "sub"), "HEAD") != at


def test_a_tree_that_leads_out(repo: Path) -> None:
    """git checks out none of these names, and neither does what reads a configuration at a commit."""
    commit({"inner/.shelfread.yaml": "rules: {}\n", ".shelfread.yaml": ""})
    inner = do("rev-parse", "HEAD:inner")
    names = ("..", ".", ".git", ".GIT", "a\\..\\b", "fine", "...")
    lines = "".join(f"040000 tree {inner}\t{name}\0" for name in names)
    made = subprocess.run(["git", "mktree", "-z"], input=lines, capture_output=True, check=True, text=True)
    head = do("commit-tree", made.stdout.strip(), "-m", "Hostile")
    assert set(git.list_tree(str(repo), head)) == {"fine/.shelfread.yaml", ".../.shelfread.yaml"}


def test_a_commit_without_files_and_a_bare_repository(repo: Path, tmp_path: Path) -> None:
    at = commit({})
    assert git.list_tree(str(repo), at) == {} and git.read_blobs(str(repo), []) == {}
    do("clone", "--quiet", "--bare", repo.as_uri(), str(tmp_path / "bare"))
    assert git.find_root(str(tmp_path / "bare")) is None


def test_a_file_beyond_the_limit_is_not_read(repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(git, "MAX_BYTES", 10)
    at = commit({"a.md": "1" * 11, "b.md": "1" * 10})
    tree = git.list_tree(str(repo), at)
    assert list(git.read_blobs(str(repo), [blob.oid for blob in tree.values()])) == [tree["b.md"].oid]


def test_a_clone_without_blobs_asks_nobody_for_them(repo: Path, tmp_path: Path) -> None:
    do("config", "uploadpack.allowFilter", "true")
    commit({"a.md": "1"})
    partial = tmp_path / "partial"
    do("clone", "--quiet", "--no-checkout", "--filter=blob:none", repo.as_uri(), str(partial))
    with pytest.raises(InputError, match="lacks contents of older commits"):
        contents(str(partial), git.resolve(str(partial), "HEAD"), "a.md")


def test_no_program_that_a_repository_names_is_run(repo: Path) -> None:
    program = repo / "evil"
    program.write_text("#!/bin/sh\ntouch ran\ncat\n")
    program.chmod(0o755)
    at = commit({"a.md": "1", ".gitattributes": "*.md filter=evil diff=evil\n"})
    Path("a.md").write_text("2")
    for key in (
        "core.fsmonitor",
        "core.pager",
        "diff.external",
        "core.sshCommand",
        "core.askPass",
        "gpg.program",
    ):
        do("config", key, str(program))
    for key in ("filter.evil.clean", "filter.evil.smudge", "diff.evil.textconv", "diff.evil.command"):
        do("config", key, str(program))
    do("config", "log.showSignature", "true")
    Path("ran").unlink(missing_ok=True)
    root = str(repo)
    assert git.merge_base(root, "HEAD", "HEAD") == at
    assert contents(root, at, "a.md") == b"1"
    assert git.run(root, "ls-files", "-z", "--cached", "--others") is not None
    assert not Path("ran").exists()


def test_a_hook_of_another_repository(repo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    at = commit({"a.md": "1"})
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "other"))
    monkeypatch.setenv("GIT_INDEX_FILE", str(tmp_path / "index"))
    assert git.resolve(str(repo), "HEAD") == at


def base(**environ: str) -> str:
    return find_base_commit(".", environ)


def test_auto_is_where_the_branch_left_the_default_one(repo: Path) -> None:
    assert base() in git.EMPTY_TREES
    parted = commit({"a.md": "1"})
    do("checkout", "--quiet", "-b", "topic")
    commit({"a.md": "2"})
    assert base() == parted, "by the local branch of that name"
    do("branch", "-m", "main", "trunk")
    with pytest.raises(InputError, match="no base branch found: name a revision instead of 'auto'"):
        base()
    do("update-ref", "refs/remotes/origin/trunk", parted)
    do("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/trunk")
    assert base() == parted


def test_auto_takes_the_ci_at_its_word(repo: Path) -> None:
    parted = commit({"a.md": "1"})
    do("checkout", "--quiet", "-b", "topic")
    first = commit({"a.md": "2"})
    commit({"a.md": "3"})
    do("update-ref", "refs/remotes/origin/release", first)
    for key in ("GITHUB_BASE_REF", "CI_MERGE_REQUEST_TARGET_BRANCH_NAME"):
        assert base(**{key: "release"}) == first
    assert base(SHELFREAD_BASE="origin/release") == first
    for key in (
        "SHELFREAD_BASE",
        "CI_MERGE_REQUEST_DIFF_BASE_SHA",
        "PRE_COMMIT_FROM_REF",
        "CI_COMMIT_BEFORE_SHA",
    ):
        assert base(**{key: first}) == first
    assert base(CI_COMMIT_BEFORE_SHA="0" * 40) == parted, "a new branch"
    with pytest.raises(InputError, match="no revision 'origin/gone'"):
        base(GITHUB_BASE_REF="gone")
    with pytest.raises(InputError, match="is not a revision"):
        base(PRE_COMMIT_FROM_REF="--output=x")


def test_auto_reads_the_event_of_github(repo: Path, tmp_path: Path) -> None:
    parted = commit({"a.md": "1"})
    do("checkout", "--quiet", "-b", "topic")
    first = commit({"a.md": "2"})
    event = tmp_path / "event.json"
    for content in (
        {"pull_request": {"base": {"sha": first}}},
        {"merge_group": {"base_sha": first}},
        {"before": first},
        {"before": "0" * 40, "pull_request": {"base": {"sha": first}}},
    ):
        event.write_text(json.dumps(content))
        assert base(GITHUB_EVENT_PATH=str(event), GITHUB_BASE_REF="main") == first
    for text in ("{", "[" * 100_000, "[]", '{"pull_request": {"base": ["x"]}, "before": "--output=x"}'):
        event.write_text(text)
        assert base(GITHUB_EVENT_PATH=str(event)) == parted


def test_auto_on_githubs_merge_of_a_pull_request(repo: Path, tmp_path: Path) -> None:
    old = commit({"a.md": "1"})
    do("checkout", "--quiet", "-b", "topic")
    commit({"b.md": "2"})
    do("checkout", "--quiet", "main")
    newest = commit({"c.md": "3"})
    do("checkout", "--quiet", "--detach")
    do("merge", "--quiet", "--no-ff", "topic", "-m", "Merge")
    event = tmp_path / "event.json"
    event.write_text(json.dumps({"pull_request": {"base": {"sha": old}}}))
    assert base(GITHUB_EVENT_PATH=str(event), GITHUB_REF="refs/pull/7/merge") == newest
    assert base(GITHUB_EVENT_PATH=str(event), GITHUB_REF="refs/heads/x") == old


def test_a_forced_push(repo: Path, tmp_path: Path) -> None:
    event = tmp_path / "event.json"
    event.write_text(json.dumps({"before": "1" * 40, "forced": True}))
    first = commit({"a.md": "1"})
    with pytest.raises(
        InputError, match="this push replaced 1111111, which no longer exists: name a revision"
    ):
        base(GITHUB_EVENT_PATH=str(event))
    event.write_text(json.dumps({"before": first, "forced": True}))
    assert base(GITHUB_EVENT_PATH=str(event)) == first
