"""Configurations are found and read, and their errors are reported with their place."""

from __future__ import annotations

from pathlib import Path

import pytest

from shelfread.core.diagnostics import Severity
from shelfread.core.errors import ConfigError
from shelfread.project.config import EMPTY, Config, RuleSetting, find_config_file, load_config


def config(tmp_path: Path, text: str) -> Config:
    file = tmp_path / ".shelfread.yaml"
    file.write_text(text, "utf-8")
    return load_config(file)


FULL = """\
presets: [papers]
select: [link, paper/venue-alias, entry/*]
ignore: [link/insecure]
rules:
  paper/venue-alias: off
  link/insecure: error
  link/empty: on
  entry/order: false
  entry/glued: {severity: info, when: always}
  entry/brackets: {enabled: true}
taxonomy: lists/mine.yaml
include: ["**/*.md"]
exclude: [drafts/]
slugs: gitbook
fail-on: error
"""


def test_everything(tmp_path: Path) -> None:
    (tmp_path / "lists").mkdir()
    (tmp_path / "lists/mine.yaml").touch()
    read = config(tmp_path, FULL)
    assert read._replace(file=None) == Config(
        path=tmp_path / ".shelfread.yaml",
        presets=("papers",),
        select=("link", "paper/venue-alias", "entry/*"),
        ignore=("link/insecure",),
        rules={
            "paper/venue-alias": RuleSetting(False),
            "link/insecure": RuleSetting(True, Severity.ERROR),
            "link/empty": RuleSetting(True),
            "entry/order": RuleSetting(False),
            "entry/glued": RuleSetting(None, Severity.INFO, {"when": "always"}),
            "entry/brackets": RuleSetting(True),
        },
        taxonomy=(tmp_path / "lists/mine.yaml").as_posix(),
        include=("**/*.md",),
        exclude=("drafts/",),
        slugs="gitbook",
        fail_on=Severity.ERROR,
    )


def test_an_empty_config_says_nothing(tmp_path: Path) -> None:
    empty = config(tmp_path, "# nothing yet\n")
    path = tmp_path / ".shelfread.yaml"
    assert empty._replace(file=None) == Config(path=path)
    assert (empty.presets, empty.fail_on, EMPTY.path) == (None, None, None)
    assert config(tmp_path, "taxonomy: ml-systems\n").taxonomy == "ml-systems"
    assert config(tmp_path, "presets: []\n").presets == ()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("select: [link]\nruels:\n  a/b: off\n", "2:1: unknown key 'ruels', did you mean 'rules'?"),
        ("ignore: link\n", "1:9: 'ignore' must be a list of text, not text"),
        (
            "presets: [core, paper]\n",
            "1:17: item 2 of 'presets' must be one of core, papers, awesome, strict,",
        ),
        (
            "slugs: gitbok\n",
            "1:8: 'slugs' must be one of github, gitbook, not 'gitbok', did you mean 'gitbook'?",
        ),
        (
            "rules:\n  a/b: of\n",
            "2:8: 'a/b' must be one of off, on, info, warning, error, not 'of', did you mean",
        ),
        ("rules:\n  a/b: [x]\n", "2:8: 'a/b' must be text or true or false or a mapping, not a list"),
        (
            "rules:\n  a/b: {severity: fatal}\n",
            "2:19: 'severity' must be one of info, warning, error, not 'fatal'",
        ),
        ("rules:\n  insecure: off\n", "2:3: 'insecure' is not a valid key here: a rule is named family/name"),
        ("select: [a b]\n", "1:10: item 1 of 'select' is invalid: a rule is named family/name"),
        ("taxonomy:\n", "1:10: 'taxonomy' must be text, not empty"),
        ("taxonomy: a/b.yaml\n", "1:11: there is no file 'a/b.yaml' beside the configuration"),
        (
            "taxonomy: ml-system\n",
            "1:11: no taxonomy 'ml-system' is bundled (forms, machine-learning, ml-systems, software), did you mean 'ml-systems'?",
        ),
        ("slugs: github\nslugs: gitbook\n", "2:1: the key 'slugs' is repeated"),
        ("rules: {a/b: off\n", "2:1: not YAML"),
        ("exclude: [a]\nslugs: x\nfail-on: x\n", "2:8: 'slugs'"),  # the first one in the file
    ],
)
def test_what_is_refused(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(ConfigError) as error:
        config(tmp_path, text)
    assert str(error.value).removeprefix(f"{(tmp_path / '.shelfread.yaml').as_posix()}:").startswith(said)


def test_a_callers_complaint_is_placed(tmp_path: Path) -> None:
    read = config(tmp_path, "rules:\n  a/b: {when: x}\n")
    assert str(read.fail("no rule 'a/b'", ["rules", "a/b"], key=True)).endswith(".yaml:2:3: no rule 'a/b'")
    assert str(read.fail("no such option", ["rules", "a/b", "when"])).endswith(".yaml:2:15: no such option")
    assert str(EMPTY.fail("no rule")) == "no rule"


def test_find(tmp_path: Path) -> None:
    (tmp_path / ".shelfread.yaml").write_text("", "utf-8")
    root = tmp_path / "repo"
    inner = root / "docs" / "lists"
    inner.mkdir(parents=True)
    (inner / "a.md").write_text("", "utf-8")
    assert find_config_file(inner / "a.md") == tmp_path / ".shelfread.yaml"
    (root / ".git").mkdir()
    assert find_config_file(inner) is None  # a repository is not configured from outside it
    (root / ".shelfread.yaml").write_text("", "utf-8")
    assert find_config_file(inner) == root / ".shelfread.yaml"
