"""Configs are found, read and, where they are wrong, said to be wrong where they are."""

from __future__ import annotations

from pathlib import Path

import pytest

from shelfread.config import EMPTY, Config, RuleSetting, find, load
from shelfread.diagnostic import Severity
from shelfread.errors import ConfigError


def config(tmp_path: Path, text: str, name: str = ".shelfread.yaml") -> Config:
    file = tmp_path / name
    file.write_text(text, "utf-8")
    return load(file)


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
FULL_TOML = """\
[project]
name = "x"
[tool.shelfread]
presets = ["papers"]
select = ["link", "paper/venue-alias", "entry/*"]
ignore = ["link/insecure"]
taxonomy = "lists/mine.yaml"
include = ["**/*.md"]
exclude = ["drafts/"]
slugs = "gitbook"
fail-on = "error"
[tool.shelfread.rules]
"paper/venue-alias" = "off"
"link/insecure" = "error"
"link/empty" = true
"entry/order" = false
"entry/glued" = {severity = "info", when = "always"}
"entry/brackets" = {enabled = true}
"""


@pytest.mark.parametrize(("text", "name"), [(FULL, ".shelfread.yaml"), (FULL_TOML, "pyproject.toml")])
def test_everything(tmp_path: Path, text: str, name: str) -> None:
    (tmp_path / "lists").mkdir()
    (tmp_path / "lists/mine.yaml").touch()
    read = config(tmp_path, text, name)
    assert read._replace(file=None) == Config(
        path=tmp_path / name,
        root=tmp_path,
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
    assert empty._replace(file=None) == Config(path=tmp_path / ".shelfread.yaml", root=tmp_path)
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
        ("rules:\n  insecure: off\n", "2:3: 'insecure' cannot be a key here: a rule is named family/name"),
        ("select: [a b]\n", "1:10: item 1 of 'select' is wrong: a rule is named family/name"),
        ("taxonomy:\n", "1:10: 'taxonomy' must be text, not empty"),
        ("taxonomy: a/b.yaml\n", "1:11: there is no file 'a/b.yaml' beside the configuration"),
        (
            "taxonomy: ml-system\n",
            "1:11: no taxonomy 'ml-system' is bundled (ml-systems), did you mean 'ml-systems'?",
        ),
        ("slugs: github\nslugs: gitbook\n", "2:1: the key 'slugs' stands here twice"),
        ("rules: {a/b: off\n", "2:1: not YAML"),
        ("exclude: [a]\nslugs: x\nfail-on: x\n", "2:8: 'slugs'"),  # the first one in the file
    ],
)
def test_what_is_refused(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(ConfigError) as error:
        config(tmp_path, text)
    assert str(error.value).removeprefix(f"{(tmp_path / '.shelfread.yaml').as_posix()}:").startswith(said)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[tool.shelfread]\nslug = "x"\n', "tool.shelfread.slug: unknown key 'slug', did you mean 'slugs'?"),
        ('[tool.shelfread.rules]\n"a/b" = "x"\n', "tool.shelfread.rules.a/b: 'a/b' must be one of off"),
        ("[tool.shelfread\n", "not TOML"),
    ],
)
def test_what_is_refused_in_toml(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(ConfigError) as error:
        config(tmp_path, text, "pyproject.toml")
    assert str(error.value).startswith(f"{(tmp_path / 'pyproject.toml').as_posix()}: {said}")


def test_a_callers_complaint_is_placed(tmp_path: Path) -> None:
    read = config(tmp_path, "rules:\n  a/b: {when: x}\n")
    assert str(read.fail("no rule 'a/b'", ["rules", "a/b"], key=True)).endswith(".yaml:2:3: no rule 'a/b'")
    assert str(read.fail("no such option", ["rules", "a/b", "when"])).endswith(".yaml:2:15: no such option")
    read = config(tmp_path, '[tool.shelfread.rules]\n"a/b" = true\n', "pyproject.toml")
    assert str(read.fail("no rule", ["rules", "a/b"])).endswith(
        "pyproject.toml: tool.shelfread.rules.a/b: no rule"
    )
    assert str(EMPTY.fail("no rule")) == "no rule"


def test_find(tmp_path: Path) -> None:
    (tmp_path / ".shelfread.yaml").write_text("", "utf-8")
    root = tmp_path / "repo"
    inner = root / "docs" / "lists"
    inner.mkdir(parents=True)
    (inner / "a.md").write_text("", "utf-8")
    assert find(inner / "a.md") == tmp_path / ".shelfread.yaml"
    (root / ".git").mkdir()
    assert find(inner) is None  # a repository is not configured from outside it
    (root / "pyproject.toml").write_text("[tool.shelfread]\n", "utf-8")
    assert find(inner) == root / "pyproject.toml"
    (root / ".shelfread.yaml").write_text("", "utf-8")
    assert find(inner) == root / ".shelfread.yaml"
    (root / "docs" / "pyproject.toml").write_text("[tool.other]\n", "utf-8")
    assert find(inner) == root / ".shelfread.yaml"
    (root / "docs" / "pyproject.toml").write_text("[tool.shelfread\n", "utf-8")
    with pytest.raises(ConfigError, match="not TOML"):
        find(inner)
