"""`shelfread init` infers a configuration and a taxonomy with which the lists have no findings."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner, Result

from shelfread.cli import group
from shelfread.engine.infer.config import patterns

HEADINGS = ["Cluster Scheduling", "🚀 Storage: caches, files", "on", "[Papers] of 2020"]


def shelfread(*words: str) -> Result:
    return CliRunner().invoke(group, words)


def findings(*words: str) -> list[dict[str, object]]:
    done = shelfread("check", "--output-format", "json", *words)
    assert done.exit_code in (0, 1), done.output
    found: list[dict[str, object]] = json.loads(done.output)["diagnostics"]
    return found


def papers(number: int, label: str = "Paper") -> str:
    return "".join(
        f"- A Study of {number} and {index} Jobs (OSDI 2020) [[{label}](https://arxiv.org/abs/20{number:02}.{index:05})]"
        f" [[Zoo](https://example.org/{number}/{index})]\n"
        for index in range(1, 7)
    )


@pytest.fixture(autouse=True)
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    sections = "\n".join(f"## {heading}\n\n{papers(index + 1)}" for index, heading in enumerate(HEADINGS))
    (tmp_path / "README.md").write_text(f"# Systems\n\n{sections}")
    (tmp_path / "more").mkdir()
    (tmp_path / "more/infra.md").write_text(
        f"# Infrastructure\n\n{papers(9)}\n### Cluster Scheduling\n\n{papers(10)}"
    )
    return tmp_path


def test_the_files_are_valid_and_the_lists_have_no_findings(root: Path) -> None:
    done = shelfread("init", "--taxonomy")
    assert done.exit_code == 0, done.output
    assert done.output == (
        ".shelfread.yaml: written from 2 lists with 36 entries\ntaxonomy.yaml: written from 2 lists with 36 entries\n"
    )
    config = yaml.safe_load((root / ".shelfread.yaml").read_text())
    assert config["presets"] == ["core", "papers"]
    assert config["include"] == ["*.md"]
    assert config["taxonomy"] == "taxonomy.yaml"
    assert config["rules"]["entry/label-case"] == {"when": "always"}
    assert config["rules"]["paper/venue-alias"] == {"when": "always"}
    assert findings("--select", "taxonomy") == []
    assert findings("--select", ",".join(config["rules"])) == []


def test_the_taxonomy_has_the_subjects_and_their_parents(root: Path) -> None:
    assert shelfread("init", "--taxonomy").exit_code == 0
    taxonomy = yaml.safe_load((root / "taxonomy.yaml").read_text())
    assert taxonomy["concepts"] == {
        "cluster-scheduling": {"prefLabel": "Cluster Scheduling", "broader": "infrastructure"},
        "storage-caches-files": {"prefLabel": "Storage: caches, files"},
        "on": {"prefLabel": "on"},
        "infrastructure": {"prefLabel": "Infrastructure"},
    }
    assert taxonomy["links"] == {"zoo": {"prefLabel": "Zoo"}}
    (root / "more/infra.md").write_text(
        (root / "more/infra.md").read_text().replace("### Cluster", "### Clustr")
    )
    (found,) = findings("--select", "taxonomy/section")
    assert "did you mean 'Cluster Scheduling'?" in str(found["message"])


def test_conventions_with_exceptions_are_listed_and_not_set(root: Path) -> None:
    text = (root / "README.md").read_text()
    (root / "README.md").write_text(text.replace("[[Paper]", "[[paper]", 1))
    assert shelfread("init").exit_code == 0
    written = (root / ".shelfread.yaml").read_text()
    assert "#   entry/label-case" in written and "`Paper` in 35 of 36" in written
    assert "entry/label-case" not in yaml.safe_load(written)["rules"]
    assert [finding["rule"] for finding in findings()] == ["entry/label-case"]


def test_lists_that_differ_keep_their_own_presets(root: Path) -> None:
    tools = "".join(f"- [tool {n}](https://example.org/tool{n}) - Does {n}.\n" for n in range(20))
    (root / "tools.md").write_text(f"# Tools\n\n{tools}")
    assert shelfread("init").exit_code == 0
    written = (root / ".shelfread.yaml").read_text()
    assert "# presets: not set, as the lists differ (2 core and papers, 1 core)." in written
    assert "presets" not in yaml.safe_load(written)


@pytest.mark.parametrize("name", [".shelfread.yaml", "taxonomy.yaml"])
def test_files_are_overwritten_only_with_force(root: Path, name: str) -> None:
    (root / name).write_text("title: mine\n")
    done = shelfread("init", "--taxonomy")
    assert done.exit_code == 2
    assert done.stderr.endswith(f"{name}: exists already: use --force to overwrite it\n")
    assert (root / name).read_text() == "title: mine\n"
    assert sorted(path.name for path in root.iterdir()) == sorted(["README.md", "more", name])
    assert shelfread("init", "--taxonomy", "--force").exit_code == 0
    assert (root / name).read_text() != "title: mine\n"


def test_a_symbolic_link_is_not_followed(root: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    other = tmp_path_factory.mktemp("other") / "other.yaml"
    other.write_text("theirs")
    (root / ".shelfread.yaml").symlink_to(other)
    assert shelfread("init").exit_code == 2
    assert shelfread("init", "--force").exit_code == 0
    assert other.read_text() == "theirs" and not (root / ".shelfread.yaml").is_symlink()


@pytest.mark.parametrize(
    ("text", "message"),
    [("# Nothing\n", "no list found: there are no entries to learn from"), (None, "no such file")],
)
def test_without_a_list_nothing_is_written(root: Path, text: str | None, message: str) -> None:
    (root / "empty").mkdir()
    if text is not None:
        (root / "empty/a.md").write_text(text)
    done = shelfread("init", "empty/a.md")
    assert (done.exit_code, done.stderr.count("\n")) == (2, 1) and message in done.stderr
    assert not (root / "empty/.shelfread.yaml").exists()


def test_a_folder_gets_its_own(root: Path) -> None:
    assert shelfread("init", "more").output.startswith(
        "more/.shelfread.yaml: written from 1 list with 12 entries"
    )
    assert (root / "more/.shelfread.yaml").exists() and not (root / ".shelfread.yaml").exists()


@pytest.mark.parametrize(
    ("lists", "others", "found"),
    [
        (["README.md", "a/b.md"], [], ["*.md"]),
        (["README.md"], ["CONTRIBUTING.md"], ["/README.md"]),
        (["README.md", "a/b.md", "a/c/d.md"], ["CONTRIBUTING.md"], ["/README.md", "/a/**/*.md"]),
        (["a/b.md", "a/c/d.md"], ["a/x.md"], ["/a/b.md", "/a/c/**/*.md"]),
        ([f"{number}.md" for number in range(20)], ["CONTRIBUTING.md"], ["*.md"]),
    ],
)
def test_patterns_match_the_lists(lists: list[str], others: list[str], found: list[str]) -> None:
    assert patterns(lists, others) == found
