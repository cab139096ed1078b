"""A real git repository as the working directory, for tests of what git knows."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

_SETTINGS = (
    *("protocol.file.allow=always", "user.name=Nobody", "user.email=nobody@example.org"),
    "maintenance.auto=false",
)
"""What a machine without any configuration of git lacks, and that no commit starts another process."""


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty repository that is the working directory, with nobody's configuration."""
    ci = ("GIT_", "GITHUB_", "CI_", "PRE_COMMIT", "SHELFREAD_BASE")
    for name in [name for name in os.environ if name.startswith((*ci, "NO_COLOR", "FORCE_COLOR"))]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    for who in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{who}_NAME", "Nobody")
        monkeypatch.setenv(f"GIT_{who}_EMAIL", "nobody@example.org")
    folder = tmp_path / "repo"
    folder.mkdir()
    monkeypatch.chdir(folder)
    init(folder)
    return folder


def init(folder: Path) -> None:
    """Make an empty repository of a folder: a copy of one, because a process for each of hundreds takes long."""
    shutil.copytree(Path(_empty().name) / ".git", folder / ".git")


@cache
def _empty() -> TemporaryDirectory[str]:
    folder = TemporaryDirectory(prefix="shelfread-empty-")
    do("init", "--quiet", "--template=", "--initial-branch=main", cwd=Path(folder.name))
    return folder


def do(*words: str, cwd: Path | None = None) -> str:
    """What a git command says."""
    done = subprocess.run(
        ["git", *(word for setting in _SETTINGS for word in ("-c", setting)), *words],
        check=True, capture_output=True, text=True, cwd=cwd,
    )  # fmt: skip
    return done.stdout.strip()


def put(texts: Mapping[str, str | bytes]) -> None:
    """Write files, byte for byte."""
    for name, text in texts.items():
        path = Path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())


def commit(texts: Mapping[str, str | bytes]) -> str:
    """The hash of a commit of all that is there, these files included."""
    put(texts)
    do("add", "--all")
    do("commit", "--quiet", "--allow-empty", "-m", "More")
    return _head()


def _head() -> str:
    """The hash of HEAD, without a process where it is a file."""
    git = Path(".git")
    branch = (git / "HEAD").read_text().removeprefix("ref: ").strip() if git.is_dir() else ""
    loose = git / branch
    return (
        loose.read_text().strip()
        if branch.startswith("refs/") and loose.is_file()
        else do("rev-parse", "HEAD")
    )


Run = Callable[..., subprocess.CompletedProcess[str]]


def commit_all(run: Run, folder: Path) -> None:
    """Make a git repository of a folder."""
    run(["git", "init", "--quiet", "."], folder)
    run(["git", "add", "--all"], folder)
    run(["git", "commit", "--quiet", "--message", "Everything"], folder)


def configure_origin(folder: Path, url: str) -> None:
    (folder / ".git").mkdir(exist_ok=True)
    config = f'[core]\n\tbare = false\n[remote "fork"]\n\turl = https://github.com/x/y\n[remote "origin"]\n\turl = {url}\n'
    (folder / ".git" / "config").write_text(config + "[branch]\n\turl = https://github.com/z/z\n")
    (folder / ".git" / "HEAD").write_text("ref: refs/heads/dev/next\n")
