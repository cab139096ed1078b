"""Configurations are found and read, and their errors are reported with their place."""

from __future__ import annotations

from pathlib import Path

import pytest

from shelfread.core.diagnostics import Severity
from shelfread.core.errors import ConfigError
from shelfread.project.config import EMPTY, Config, RuleSetting, load_config
from shelfread.project.config_file import find_config_file


def config(tmp_path: Path, text: str, name: str = ".shelfread.yaml") -> Config:
    file = tmp_path / name
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
        folders=(tmp_path,),
        files=(tmp_path / name,),
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
    assert empty._replace(file=None) == Config(path=path, folders=(tmp_path,), files=(path,))
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
        (
            "rules:\n  insecure: off\n",
            "2:3: 'insecure' is not a valid key here: a rule is named family/name",
        ),
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
    assert find_config_file(inner / "a.md") == tmp_path / ".shelfread.yaml"
    (root / ".git").mkdir()
    assert find_config_file(inner) is None  # a repository is not configured from outside it
    (root / "pyproject.toml").write_text("[tool.shelfread]\n", "utf-8")
    assert find_config_file(inner) == root / "pyproject.toml"
    (root / ".shelfread.yaml").write_text("", "utf-8")
    assert find_config_file(inner) == root / ".shelfread.yaml"
    (root / "docs" / "pyproject.toml").write_text("[tool.other]\n", "utf-8")
    assert find_config_file(inner) == root / ".shelfread.yaml"
    (root / "docs" / "pyproject.toml").write_text("[tool.shelfread\n", "utf-8")
    with pytest.raises(ConfigError, match="not TOML"):
        find_config_file(inner)


def put(root: Path, texts: dict[str, str]) -> None:
    for name, text in texts.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, "utf-8")


UPPER = """\
presets: [papers]
taxonomy: lists/mine.yaml
exclude: [drafts/]
fail-on: error
rules:
  link/insecure: error
  entry/order: off
"""


@pytest.mark.parametrize("upper", ["../../.shelfread.yaml", "../..", "../../"])
def test_what_a_config_does_not_say_holds_as_the_one_it_extends_says(tmp_path: Path, upper: str) -> None:
    inner = f"extends: {upper}\npresets: [awesome]\nrules:\n  entry/order: warning\n"
    put(
        tmp_path,
        {".shelfread.yaml": UPPER, "lists/mine.yaml": "", "docs/rust/.shelfread.yaml": inner, ".git/x": ""},
    )
    read = load_config(tmp_path / "docs/rust/.shelfread.yaml")
    assert read.presets == ("awesome",) and read.fail_on is Severity.ERROR
    assert read.rules == {
        "link/insecure": RuleSetting(True, Severity.ERROR),
        "entry/order": RuleSetting(True, Severity.WARNING),
    }
    assert read.exclude == (), "patterns hold for their own folder"
    assert Path(read.taxonomy or "").resolve() == tmp_path / "lists/mine.yaml"
    assert [folder.resolve() for folder in read.folders] == [tmp_path, tmp_path / "docs/rust"]


def test_an_error_names_the_file_with_the_key(tmp_path: Path) -> None:
    put(
        tmp_path,
        {".shelfread.yaml": "rules:\n  link/insecure: {hosts: 3}\n", "sub/.shelfread.yaml": "extends: ..\n"},
    )
    read = load_config(tmp_path / "sub/.shelfread.yaml")
    error = read.fail("no", ["rules", "link/insecure", "hosts"])
    assert (Path(error.path or "").resolve(), error.line) == (tmp_path / ".shelfread.yaml", 2)


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        ({"a/.shelfread.yaml": "extends: ..\n"}, "a/.shelfread.yaml:1:10: there is no configuration '..'"),
        ({"a/.shelfread.yaml": "extends: .\n"}, "extends in a circle"),
        (
            {"a/.shelfread.yaml": "extends: ../b\n", "b/.shelfread.yaml": "extends: ../a\n"},
            "'../a' extends in a circle",
        ),
        ({"a/.shelfread.yaml": "extends: ../..\n"}, "'../..' is not in this repository"),
        ({"a/.shelfread.yaml": "extends: {top}/.shelfread.yaml\n"}, "is not in this repository"),
        (
            {"a/.shelfread.yaml": "extends: b.yaml\n", "a/b.yaml": "ruels: {}\n"},
            "a/b.yaml:1:1: unknown key 'ruels'",
        ),
        ({"a/.shelfread.yaml": "extends: [x]\n"}, "a/.shelfread.yaml:1:10: "),
    ],
)
def test_what_cannot_be_extended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, texts: dict[str, str], message: str
) -> None:
    repository = tmp_path / "repository"
    (tmp_path / ".shelfread.yaml").write_text("slugs: gitbook\n")
    put(repository, {name: text.replace("{top}", str(tmp_path)) for name, text in texts.items()})
    (repository / ".git").mkdir()
    monkeypatch.chdir(repository)
    with pytest.raises(ConfigError) as caught:
        load_config(Path("a/.shelfread.yaml"))
    assert message in str(caught.value)


def test_a_long_row_of_configs_ends(tmp_path: Path) -> None:
    put(tmp_path, {f"{at}.yaml": f"extends: {at + 1}.yaml\n" for at in range(30)})
    with pytest.raises(ConfigError, match=r"extends in a circle"):
        load_config(tmp_path / "0.yaml")
