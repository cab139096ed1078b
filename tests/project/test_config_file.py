"""`--config-from`: a pull request is judged by the configuration of the branch that it is to change."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from shelfread.cli import group

LIST = "# Tools\n\n- [Fd](htps://fd.example.org) - Finds files.\n- [Rg](http://github.com/x/rg) - Searches.\n"


def git(*words: str) -> None:
    identity = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "init.defaultBranch=main"]
    subprocess.run(["git", *identity, *words], check=True, capture_output=True)


def check(*words: str) -> Result:
    return CliRunner().invoke(group, ["check", *words])


def commit(texts: dict[str, str | bytes]) -> None:
    for name, text in texts.items():
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_bytes(text if isinstance(text, bytes) else text.encode())
    git("add", "--all", "--force")
    git("commit", "--quiet", "-m", "x")


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository whose first commit is tagged `base`."""
    for name in [name for name in os.environ if name.startswith(("GIT_", "GITHUB_", "CI"))]:
        monkeypatch.delenv(name)
    folder = tmp_path / "here"
    folder.mkdir()
    monkeypatch.chdir(folder)
    git("init", "--quiet")
    return folder


def found(done: Result) -> set[str]:
    return set(re.findall(r"(?:error|warning)\[([^]]+)\]", done.stdout))


def test_what_a_change_says_for_itself_does_not_count() -> None:
    commit({"list.md": LIST, ".shelfread.yaml": "rules: {link/insecure: error}\n"})
    git("tag", "base")
    commit({".shelfread.yaml": "ignore: [link]\n"})
    assert check().exit_code == 0
    done = check("--config-from", "base")
    assert done.exit_code == 1
    assert "error[link/insecure]" in done.stdout and "link/malformed" in done.stdout


def test_a_base_without_configuration_has_none() -> None:
    commit({"list.md": LIST})
    git("tag", "base")
    commit({".shelfread.yaml": "ignore: [link]\n"})
    assert check("--config-from", "base").exit_code == 1


def test_its_pages_and_its_taxonomy_are_of_the_commit_too() -> None:
    page = """\
---
summary: No Fd.
severity: error
presets: [core]
check: own.forbidden
options: {pattern: Fd, field: name}
message: "no {match}"
---
# own/fd

Not here.
"""
    commit(
        {
            "docs/.shelfread/rules/own/fd.md": page,
            "docs/.shelfread.yaml": "rules: {link/malformed: off}\nexclude: [old.md]\ntaxonomy: subjects.yaml\n",
            "docs/subjects.yaml": "concepts:\n  tools: {prefLabel: Gadgets, hiddenLabel: [Tools]}\n",
            "docs/list.md": LIST,
            "docs/old.md": LIST,
        }
    )
    git("tag", "base")
    git("rm", "-rq", "docs/.shelfread", "docs/subjects.yaml")
    commit({"docs/.shelfread.yaml": "ignore: [link, own]\n"})
    done = check("--config-from", "base", "docs")
    assert not done.stderr
    assert "docs/list.md" in done.stdout and "old.md" not in done.stdout
    assert {"own/fd", "taxonomy/section-alias", "link/insecure"} <= found(done)
    assert "link/malformed" not in found(done)


def test_errors_name_the_commit() -> None:
    commit({"list.md": LIST, ".shelfread.yaml": "ruels: {}\n"})
    git("tag", "base")
    commit({".shelfread.yaml": ""})
    done = check("--config-from", "base")
    assert done.exit_code == 2
    assert done.stderr.startswith(
        "shelfread: base:.shelfread.yaml:1:1: unknown key 'ruels', did you mean 'rules'?"
    )


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--config-from", "nowhere"), "no revision 'nowhere'"),
        (("--config-from", "--output=x"), "is not a revision"),
        (
            ("--config-from", "base", "--isolated"),
            "--config-from cannot be combined with --config or --isolated",
        ),
        (
            ("--config-from", "base", "--config", "x.yaml"),
            "--config-from cannot be combined with --config or --isolated",
        ),
    ],
)
def test_what_does_not_work_is_one_line(words: tuple[str, ...], said: str) -> None:
    commit({"list.md": LIST})
    git("tag", "base")
    done = check(*words)
    assert done.exit_code == 2 and said in done.stderr
    assert "Traceback" not in done.stderr


def test_auto_is_where_the_branch_began() -> None:
    commit({"list.md": LIST, ".shelfread.yaml": "select: [link/malformed]\n"})
    git("switch", "--quiet", "-c", "change")
    commit({".shelfread.yaml": "ignore: [link]\n"})
    assert check().exit_code == 0
    assert found(check("--config-from", "auto")) == {"link/malformed"}


def test_outside_git_there_is_no_commit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("list.md").write_text(LIST)
    done = check("--config-from", "main")
    assert done.exit_code == 2 and "no git repository" in done.stderr


def test_names_that_lead_out_of_a_tree_do_not(here: Path) -> None:
    """A tree may hold links and odd names: a link is no file of a configuration."""
    commit({"list.md": LIST})
    Path(".shelfread.yaml").symlink_to("/etc/hostname")
    git("add", "--all")
    git("commit", "--quiet", "-m", "link")
    git("tag", "base")
    assert check("--config-from", "base").exit_code == 1


def test_what_a_change_calls_generated_is_judged_all_the_same() -> None:
    commit({"list.md": LIST, "made.md": LIST, ".gitattributes": "made.md linguist-generated\n"})
    git("tag", "base")
    commit({".gitattributes": "*.md linguist-generated\n"})
    assert check("list.md", "--since", "base").stdout == ""
    done = check("--config-from", "base")
    assert done.exit_code == 1 and "list.md:3" in done.stdout and "made.md:" not in done.stdout
    assert "made.md: skipped" in done.stderr and "list.md: skipped" not in done.stderr
