"""What the pages of docs/ show is what happens, and what they name exists."""

from __future__ import annotations

import re
from pathlib import Path

import click
import pytest
import yaml
from click.testing import CliRunner, Result

from shelfread.cli import COMMANDS, group, load_command
from shelfread.cli.taxonomy import taxonomy_command as taxonomy
from support.docs import PAGES, assert_shown, fences, runs
from support.gitrepo import commit, do, repo
from support.paths import PACKAGE, ROOT

__all__ = ["repo"]


def shelfread(*words: str) -> Result:
    return CliRunner().invoke(group, words, prog_name="shelfread")


# ------------------------------------------------------------------------------------------- examples
def test_every_console_example_is_run() -> None:
    """Those of docs/audit.md by tests/audit/test_audit.py, of docs/growing.md by tests/cli/test_import.py, of docs/pull-requests.md by tests/cli/test_diff.py and tests/engine/test_new_findings.py."""
    shown = {page: len(found) for page, text in PAGES.items() if (found := fences(text, "console"))}
    assert shown == {
        "docs/audit.md": 2,
        "docs/export.md": 5,
        "docs/growing.md": 3,
        "docs/publishing.md": 1,
        "docs/pull-requests.md": 3,
        "docs/tutorial.md": 8,
    }


@pytest.mark.parametrize("example", fences(PAGES["docs/export.md"], "console"))
def test_export(example: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    ((arguments, shown),) = runs(example)
    done = shelfread(*arguments)
    assert done.exit_code == 0
    assert_shown(shown, done.output)


def test_feed(repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The list is that of tests/cli/test_feed.py."""
    monkeypatch.setenv("GIT_COMMITTER_DATE", "2024-05-02T12:00:00Z")
    paper = (
        "- Rinas: Training with Dataset Shuffling (OSDI 2023) [[Paper](https://arxiv.org/abs/2312.02368)]\n"
    )
    commit({"README.md": f"# Papers\n\n{paper}"})
    do("tag", "v1.0")
    ((arguments, shown),) = runs(fences(PAGES["docs/publishing.md"], "console")[0])
    done = shelfread(*arguments)
    assert done.exit_code == 0, done.output
    assert_shown(shown, done.output)


def test_the_tutorial(repo: Path) -> None:
    """Its commands are run one after another on its list."""
    page = PAGES["docs/tutorial.md"]
    (written,), (cited,) = fences(page, "markdown"), fences(page, "bibtex")
    commit({"README.md": written})
    Path("sia.bib").write_text(cited)
    for example in fences(page, "console"):
        for arguments, shown in runs(example):
            done = shelfread(*arguments)
            assert done.exit_code in (0, 1), done.output
            assert_shown(shown, done.output)
    Path("README.md").write_text(Path("README.md").read_text().replace("## Inference", "## Serving"))
    assert shelfread("check").exit_code == 0


@pytest.mark.parametrize(
    "line", [line for text in fences(PAGES["docs/export.md"], "sh") for line in text.splitlines()]
)
def test_skos(line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("README.md").write_text(
        "# Papers\n\n## Parallelism\n\n- [Fd](https://fd.example.org) - Finds files.\n"
    )
    done = shelfread(*line.partition("#")[0].split()[1:])
    assert done.exit_code == 0, done.output
    assert "https://fd.example.org" in (done.output or Path("list.jsonld").read_text("utf-8"))


# ------------------------------------------------------------------------------------- configurations
def yamls(page: str) -> list[str]:
    """The YAML of a page that is no workflow."""
    return [text for text in fences(PAGES[page], "yaml") if "jobs" not in yaml.safe_load(text)]


def test_the_configuration_is_valid(tmp_path: Path) -> None:
    (config,) = yamls("docs/configuration.md")
    (tmp_path / ".shelfread.yaml").write_text(config)
    (tmp_path / "list.md").write_text("# Training\n")
    done = shelfread("check", str(tmp_path))
    assert done.exit_code == 0, done.output


def test_the_taxonomy_is_valid(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    config, taxonomy, languages, roles = yamls("docs/taxonomy.md")
    Path(".shelfread.yaml").write_text(config)
    Path("taxonomy.yaml").write_text(taxonomy)
    entry = "\n\n- [Fd](https://fd.example.org) - Finds files.\n\n"
    headings = ("# Tools", "## Training", "### Parallel Training", "### Paralelism", "### Cooking")
    Path("list.md").write_text(entry.join(headings) + entry)
    done = shelfread("check", "--select", "taxonomy", "--show-info")
    assert "list.md:9:5: info[taxonomy/section-alias]" in done.output
    assert "list.md:13:5: warning[taxonomy/section-alias]" in done.output
    assert "list.md:17:5: warning[taxonomy/section]" in done.output
    Path("languages.yaml").write_text(languages, "utf-8")
    assert not shelfread("export", "--format", "skos", "--taxonomy", "languages.yaml").exit_code
    Path("roles.yaml").write_text(roles, "utf-8")
    Path("list.md").write_text("- [Fd](https://git.example.org/a/fd) - Finds files.\n")
    assert '"role": "code"' in shelfread("export", "--taxonomy", "roles.yaml").output


def test_the_rule_of_ones_own_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (page,) = fences(PAGES["docs/writing-rules.md"], "markdown")
    Path(".shelfread/rules/entry").mkdir(parents=True)
    Path(".shelfread/rules/entry/hype.md").write_text(page)
    Path(".shelfread.yaml").touch()
    Path("list.md").write_text("# Tools\n\n- [Fd](https://fd.example.org) - Finds files blazing fast.\n")
    done = shelfread("check")
    assert "warning[entry/hype] 'blazing fast' is praise: say what 'Fd' does" in done.output
    assert "what a tool does" in shelfread("rule", "entry/hype").output


def test_comments_do_what_they_say(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (line,) = fences(PAGES["docs/configuration.md"], "markdown")
    Path("list.md").write_text(f"# Tools\n\n{line}")
    assert shelfread("check", "list.md").exit_code == 0
    Path("list.md").write_text(f"# Tools\n\n{line.partition(' <!--')[0]}\n")
    assert "link/empty" in shelfread("check", "list.md").output
    (off,) = fences(PAGES["docs/formatting.md"], "markdown")
    Path("list.md").write_text(off)
    assert "left as it is" in off
    assert shelfread("format", "--check", "list.md").exit_code == 0
    Path("list.md").write_text("- a\n- b\n- c\n\n" + off.replace("shelfread-format", "nothing"))
    assert shelfread("format", "--check", "list.md").exit_code == 1


# ---------------------------------------------------------------------------------------------- names
def test_the_hooks_are_listed() -> None:
    hooks = {hook["id"]: hook for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())}
    page = PAGES["docs/pre-commit.md"]
    assert set(re.findall(r"- id: ([\w-]+)", page)) == set(hooks)
    table = dict(re.findall(r"^\| `([\w-]+)` \| `(shelfread \w+)`", page, re.MULTILINE))
    assert table == {id: hook["entry"] for id, hook in hooks.items()}


def test_the_commands_are_listed() -> None:
    table = PAGES["docs/commands.md"].partition("Every command exits")[0]
    assert set(re.findall(r"\[`(\w+)`\]\(", table)) == set(COMMANDS)


def test_the_commands_of_taxonomy_are_listed() -> None:
    table = re.findall(r"^\| `shelfread taxonomy (\w+)", PAGES["docs/taxonomy.md"], re.MULTILINE)
    assert set(table) == set(taxonomy.list_commands(click.Context(taxonomy)))


def test_the_inputs_of_the_action_are_listed() -> None:
    inputs = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))["inputs"]
    table = re.findall(r"^\| `([\w-]+)` \| ?`?([^|`]*)`? \|", PAGES["docs/pull-requests.md"], re.MULTILINE)
    assert {name: default.strip() for name, default in table} == {
        name: re.sub(r"\$\{\{ (.*) \}\}", r"\1", given["default"]) for name, given in inputs.items()
    }


@pytest.mark.parametrize("page", PAGES)
def test_options_exist(page: str) -> None:
    text = PAGES[page].replace("\\\n", " ")
    for name, words in re.findall(r"\bshelfread (\w+)([^`#\n]*)", text):
        if name in COMMANDS:
            command = load_command(name)
            if isinstance(command, click.Group) and (subcommand := words.split()[:1]):
                command = command.get_command(click.Context(command), *subcommand) or command
            known = {word for option in command.params for word in option.opts}
            assert set(re.findall(r"(?<!\S)--?[a-z][a-z-]*", words)) <= known | {"-h"}, (
                f"shelfread {name}{words}"
            )


def test_every_package_is_described() -> None:
    table = re.findall(
        r"^\| `(\w+)/` \|", PAGES["docs/architecture.md"].partition("Outside the package")[0], re.MULTILINE
    )
    assert sorted(table) == sorted(path.parent.name for path in PACKAGE.glob("*/__init__.py"))


def test_links_between_pages_lead_somewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    pages = [*PAGES, "linter/README.md", "rules/README.md", "benchmarks/README.md", "tests/data/README.md"]
    done = shelfread("check", "--select", "link/missing-file,link/missing-anchor", *pages)
    assert done.exit_code == 0, done.output
