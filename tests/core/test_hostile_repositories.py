"""Repositories that bring code: what plain git runs of their configuration, and that nothing of it runs here.

Each way has a program that writes a mark. A repository with all of them is read by every command that asks git, and
then by plain git, which shows that the way works.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from shelfread.changes.additions import walk_commits
from shelfread.core import git
from shelfread.core.errors import InputError
from support.command_line import shelfread
from support.gitrepo import commit, do, put, repo

__all__ = ["repo"]

SETTINGS = {
    "core.fsmonitor": "core.fsmonitor",
    "the pager": "core.pager",
    "the pager of a command": "pager.log",
    "the editor": "core.editor",
    "an external diff": "diff.external",
    "the diff of an attribute": "diff.command.command",
    "textconv": "diff.text.textconv",
    "the clean filter": "filter.clean.clean",
    "the smudge filter": "filter.smudge.smudge",
    "the process of a filter": "filter.process.process",
    "the program of OpenPGP": "gpg.program",
    "core.sshCommand": "core.sshCommand",
    "core.gitProxy": "core.gitProxy",
    "uploadpack of a remote": "remote.local.uploadpack",
    "a credential helper": "credential.helper",
    "core.askPass": "core.askPass",
    "alternates": "core.alternateRefsCommand",
    "the driver of a merge": "merge.driver.driver",
    "an alias": "alias.anything",
}
"""Ways to name a program by one setting, which plain git runs."""
OTHERS = ("core.hooksPath", "a remote helper", "include", "includeIf", "the configuration of a work tree")
"""Ways that need more than one setting."""
LIST = "# List\n\n- [One](https://one.example.org) - Does it.\n"
ATTRIBUTES = """\
*.md diff=command
b.md diff=text
*.a filter=clean
*.b filter=smudge
*.c filter=process
*.d merge=driver
"""
MARKS = Path("../marks")
READ_BY = (
    ("check",),
    ("check", "--since", "HEAD~", "--config-from", "HEAD~"),
    ("check", "--since", "auto"),
    ("fix", "--since", "HEAD~"),
    ("format", "--since", "HEAD~"),
    ("diff", "HEAD~"),
    ("diff", "HEAD~", "HEAD"),
    ("feed",),
    ("page", "--output-file", "../page.html"),
    ("links", "--offline"),
    ("taxonomy", "diff", "tree.yaml", "--since", "HEAD~"),
    ("audit", ".", "--output", "../audit", "--format", "jsonl"),
)


def program(name: str) -> str:
    """The path of a program that leaves a mark."""
    MARKS.mkdir(exist_ok=True)
    path = Path("..", f"program-{name.replace(' ', '-')}").resolve()
    path.write_text(f"#!/bin/sh\ntouch '{MARKS.resolve()}/{name}'\n")
    path.chmod(0o755)
    return str(path)


def marks() -> set[str]:
    """The ways that were gone; they are forgotten."""
    found = {path.name for path in MARKS.iterdir()}
    shutil.rmtree(MARKS)
    MARKS.mkdir()
    return found


def make_hostile(root: Path) -> None:
    """Write the settings of all ways to a repository."""
    for name, key in SETTINGS.items():
        do("config", key, f"!{program(name)}" if name == "an alias" else program(name))
    hooks = root.parent / "hooks"
    hooks.mkdir()
    for hook in ("pre-commit", "post-checkout", "reference-transaction", "post-index-change", "pre-auto-gc"):
        shutil.copy(program("core.hooksPath"), hooks / hook)
    do("config", "core.hooksPath", str(hooks))
    do("config", "log.showSignature", "true")
    do("config", "diff.ignoreSubmodules", "none")
    do("config", "remote.local.url", str(root))
    do("config", "remote.ssh.url", "ssh://example.org/x")
    do("config", "remote.helper.url", f"ext::{program('a remote helper')}")
    do("config", "protocol.ext.allow", "always")
    do("config", "remote.git.url", "git://127.0.0.1:1/x")
    included = {"include": "include.path", "includeIf": f"includeIf.gitdir:{root}/.path"}
    for name, key in included.items():
        Path("..", name).write_text(f'[alias]\n\t{name.lower()} = "!{program(name)}"\n')
        do("config", key, str(root.parent / name))
    do("config", "core.repositoryFormatVersion", "1")
    do("config", "extensions.worktreeConfig", "true")
    name = "the configuration of a work tree"
    Path(".git/config.worktree").write_text(
        f'[remote "tree"]\n\turl = {root}\n\tuploadpack = {program(name)}\n'
    )


def sign(text: str) -> None:
    """Make HEAD a commit with something in the place of a signature."""
    head, _, message = do("cat-file", "commit", "HEAD").partition("\n\n")
    signature = f"gpgsig -----BEGIN PGP SIGNATURE-----\n {text}\n -----END PGP SIGNATURE-----"
    made = subprocess.run(
        ["git", "hash-object", "-t", "commit", "-w", "--stdin"], check=True, capture_output=True, text=True,
        input=f"{head}\n{signature}\n\n{message}\n",
    )  # fmt: skip
    do("update-ref", "HEAD", made.stdout.strip())


def plainly(*words: str, data: str = "") -> None:
    """What a user who trusts the repository does: it may fail, but not before the program has run."""
    subprocess.run(["git", *words], input=data, capture_output=True, text=True, timeout=20)


def at_a_terminal(*words: str) -> None:
    from pty import openpty  # Windows has none

    ours, theirs = openpty()
    process = subprocess.Popen(["git", *words], stdin=theirs, stdout=theirs, stderr=theirs)
    os.close(theirs)
    with os.fdopen(ours, "rb") as output:
        try:
            while output.read1(4096):
                pass
        except OSError:  # the end of a terminal
            pass
    process.wait(20)


def trust() -> None:
    """Use plain git, so that all ways are gone."""
    for remote in ("local", "ssh", "helper", "git", "tree"):
        plainly("fetch", remote)
    plainly("rev-list", "--all", "--alternate-refs")
    plainly("credential", "fill", data="protocol=https\nhost=example.org\n\n")
    at_a_terminal("show", "HEAD")
    at_a_terminal("log", "--patch")
    plainly("status")
    plainly("config", "--unset", "filter.process.process")  # without it, nothing else gets on
    plainly("config", "--unset", "core.fsmonitor")
    for setting in ("diff.external", "diff.command.command"):
        plainly("diff", "HEAD~")
        plainly("config", "--unset", setting)
    for name in ("anything", "include", "includeif"):
        plainly(name)
    put({name: f"{name} again" for name in ("x.a", "y.b", "z.c")})
    plainly("add", "--all")
    plainly("checkout", "--force", "--", "y.b", "z.c")
    plainly("stash")
    plainly("checkout", "-b", "other", "HEAD")
    put({"w.d": "ours\n"})
    plainly("commit", "--all")
    plainly("commit", "--all", "-m", "Ours")
    plainly("checkout", "main")
    put({"w.d": "theirs\n"})
    plainly("commit", "--all", "-m", "Theirs")
    plainly("merge", "other")


@pytest.fixture(scope="module")
def ways(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[set[str], set[str]]]:
    """The ways that the commands have gone in a hostile repository, and those that plain git goes there."""
    patch = pytest.MonkeyPatch()
    root = repo.__wrapped__(tmp_path_factory.mktemp("hostile"), patch)  # type: ignore[attr-defined]
    put({"x.a": "1", "y.b": "1", "z.c": "1", "w.d": "1\n"})
    commit(
        {"a.md": LIST, "b.md": LIST, ".shelfread.yaml": "include: ['*.md']\n", "tree.yaml": "concepts: []\n"}
    )
    commit(
        {
            "a.md": LIST + "- [Two](https://two.example.org)\n",
            "b.md": "",
            "c.md": LIST,
            ".gitattributes": ATTRIBUTES,
        }
    )
    do("clone", "--quiet", "--bare", str(root), "../alternate")
    Path(".git/objects/info/alternates").write_text(str(root.parent / "alternate/objects"))
    sign("evil")
    make_hostile(root)
    put({"a.md": LIST.replace("Does it.", "Does this."), "x.a": "2", "z.c": "2"})
    marks()
    for words in READ_BY:
        done = shelfread(*words)
        assert done.exception is None or isinstance(done.exception, SystemExit), (words, done.exception)
        assert "git failed" not in done.output, (words, done.output)
    ours = marks()
    trust()
    yield ours, marks()
    patch.undo()


@pytest.mark.slow
@pytest.mark.parametrize("way", [*SETTINGS, *OTHERS])
def test_a_way_to_run_code(ways: tuple[set[str], set[str]], way: str) -> None:
    ours, plain = ways
    assert way in plain, "plain git runs the program, or this test shows nothing"
    assert way not in ours


def hostile(folder: Path, config: str = "config") -> None:
    """Let the configuration of a repository name a program for what a mere listing of files runs."""
    with (folder / config).open("a") as stream:
        stream.write(f"[core]\n\tfsmonitor = {program('planted')}\n")


def submodule() -> Path:
    do("init", "--quiet", "../inner")
    do("commit", "--quiet", "--allow-empty", "-m", "Inner", cwd=Path("../inner"))
    do("submodule", "--quiet", "add", "../inner", "sub")
    hostile(Path(".git/modules/sub"))
    return Path("sub")


def work_tree() -> Path:
    commit({})
    do("worktree", "add", "--quiet", "../tree")
    hostile(Path(".git"))
    return Path("../tree")


def bare_repository() -> Path:
    """One that was committed as plain files: git finds it, as it finds `.git`."""
    do("init", "--quiet", "--bare", "planted")
    do("config", "--file", "planted/config", "core.bare", "false")
    do("config", "--file", "planted/config", "core.worktree", ".")
    hostile(Path("planted"))
    return Path("planted")


def pointer() -> Path:
    """A `.git` that is a file, and leads to a folder of plain files."""
    bare_repository()
    put({"list/.git": f"gitdir: {Path('planted').resolve()}\n"})
    return Path("list")


def folder_of_another() -> Path:
    if os.name == "nt" or os.geteuid() != 0:
        pytest.skip("only root can give a folder away")
    for path in (*Path().rglob("*"), Path()):
        os.chown(path, 12345, 12345)
    hostile(Path(".git"))
    return Path()


PLACES: dict[str, Callable[[], Path]] = {
    "a submodule": submodule,
    "a linked work tree": work_tree,
    "a bare repository among the files": bare_repository,
    "a pointer to a folder among the files": pointer,
    "a folder that belongs to another": folder_of_another,
}


@pytest.mark.slow
@pytest.mark.parametrize("place", PLACES)
def test_a_place_to_hide_a_configuration(repo: Path, monkeypatch: pytest.MonkeyPatch, place: str) -> None:
    folder = PLACES[place]()
    program("planted")
    put({f"{folder}/list.md": LIST})
    marks()
    for cwd, path in ((repo, str(folder)), (folder, ".")):
        monkeypatch.chdir(cwd)
        for words in (
            ("check",),
            ("check", "--since", "HEAD"),
            ("check", "--config-from", "HEAD"),
            ("feed",),
        ):
            done = shelfread(*words, path) if words != ("feed",) else shelfread(*words)
            assert done.exception is None or isinstance(done.exception, SystemExit), (words, done.exception)
        monkeypatch.chdir(repo)
        assert marks() == set()
    if place != "a folder that belongs to another":
        plainly("-C", str(folder), "ls-files")
        assert marks() == {"planted"}


def test_git_in_the_folder_of_a_list_is_not_run(repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    commit({"a.md": "1"})
    shutil.copy(program("planted"), "git")
    folders = os.environ["PATH"]
    for path in (f".:{folders}", f":{folders}", f"{'../' + repo.name}:{folders}"):
        monkeypatch.setenv("PATH", path)
        assert git.run(".", "ls-files") == b"a.md\n"
    assert marks() == set()
    plainly("ls-files")
    assert marks() == {"planted"}


def test_variables_of_git_that_name_programs_and_files(repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    at = commit({"a.md": "1"})
    other = repo.parent / "other"
    do("init", "--quiet", str(other))
    monkeypatch.setenv("GIT_TRACE", str(MARKS.resolve() / "trace"))
    for name in (
        "GIT_EXTERNAL_DIFF",
        "GIT_SSH",
        "GIT_SSH_COMMAND",
        "GIT_PAGER",
        "GIT_ASKPASS",
        "GIT_PROXY_COMMAND",
    ):
        monkeypatch.setenv(name, program(name))
    for name, value in {
        "GIT_DIR": ".git", "GIT_COMMON_DIR": ".git", "GIT_OBJECT_DIRECTORY": ".git/objects", "GIT_INDEX_FILE": "index",
        "GIT_ALTERNATE_OBJECT_DIRECTORIES": ".git/objects", "GIT_NAMESPACE": "x", "GIT_SHALLOW_FILE": "shallow",
        "GIT_GRAFT_FILE": "grafts", "GIT_LITERAL_PATHSPECS": "0", "GIT_ATTR_SOURCE": "x", "GIT_REPLACE_REF_BASE": "x",
    }.items():  # fmt: skip
        monkeypatch.setenv(name, value if value in ("0", "x") else str(other / value))
    assert git.resolve(str(repo), "HEAD") == at
    assert contents_of_log(repo) == ["1"]
    assert git.run(str(repo), "ls-files", ":(icase)*.MD") == b"a.md\n"
    assert marks() == set()


def contents_of_log(root: Path) -> list[str]:
    return [line for commit in walk_commits(str(root)) for hunk in commit.hunks for line in hunk.added]


def test_a_remote_is_not_asked_for_what_a_clone_lacks(repo: Path) -> None:
    """Of a partial clone, plain git fetches what it is asked for, by the program that its configuration names."""
    do("config", "uploadpack.allowFilter", "true")
    commit({"a.md": "1"})
    partial = repo.parent / "partial"
    do("clone", "--quiet", "--no-checkout", "--filter=blob:none", repo.as_uri(), str(partial))
    do("config", "remote.origin.uploadpack", program("planted"), cwd=partial)
    root = str(partial)
    oid = git.list_tree(root, git.resolve(root, "HEAD"))["a.md"].oid
    with pytest.raises(InputError, match="lacks contents of older commits"):
        git.read_blobs(root, [oid])
    with pytest.raises(InputError, match="lacks contents of older commits"):
        contents_of_log(partial)
    assert marks() == set()
    plainly("-C", root, "cat-file", "-p", oid)
    assert marks() == {"planted"}


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs a pipe with a name")
@pytest.mark.parametrize("setting", ["include.path", "core.attributesFile", "diff.orderFile"])
def test_a_pipe_that_nobody_writes_to(repo: Path, monkeypatch: pytest.MonkeyPatch, setting: str) -> None:
    at = commit({"a.md": "1"})
    os.mkfifo("../pipe")
    with Path(".git/config").open("a") as stream:
        section, key = setting.split(".")
        stream.write(f"[{section}]\n\t{key} = {repo.parent / 'pipe'}\n")
    monkeypatch.setattr(git, "_STREAM_SECONDS", 0.3)
    with pytest.raises(InputError, match=r"git took more than 0\.3 seconds"):
        list(git.stream(str(repo), "log", "--patch", "-1", "HEAD"))
    if setting == "include.path":
        assert git.run(str(repo), "rev-parse", "HEAD", seconds=0.3) is None
    else:
        assert git.resolve(str(repo), "HEAD") == at


@pytest.mark.slow
def test_a_work_tree_that_is_said_to_lie_elsewhere(repo: Path) -> None:
    """`core.worktree` moves what git lists, and nothing of it is read or changed."""
    put({"../elsewhere/secret.md": LIST.replace("https", "htps"), "list.md": LIST})
    do("config", "core.worktree", str(repo.parent / "elsewhere"))
    done = shelfread("fix", "--unsafe-fixes", ".")
    assert "secret" not in done.output
    assert Path("../elsewhere/secret.md").read_text() == LIST.replace("https", "htps")
