"""`shelfread taxonomy show` and `map`: lists beside a taxonomy."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from shelfread.cli import group
from shelfread.report.rendering import TerminalStyle, width
from shelfread.taxonomy.load import load
from support.taxonomies import entries, write_headings

TAXONOMY = """
title: Clusters
extends: forms
concepts:
  training: {prefLabel: Training}
  parallelism: {prefLabel: Parallelism, altLabel: [Parallel Training], broader: training}
  scheduling: {prefLabel: Cluster Scheduling}
  storage: {prefLabel: Storage}
"""
HEADINGS = [
    "## Training",
    "### Parallelism",
    "## Papers on Scheduling of Clusters",
    "## Cluster Schedules",
    "## Clusters Scheduled",
    "## Zebrafish",
    "## Survey",
    "## 2024",
    "## Others",
]


def shelfread(*words: str) -> Result:
    return CliRunner().invoke(group, ("taxonomy", *words))


@pytest.fixture(autouse=True)
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write_headings(HEADINGS, TAXONOMY, "taxonomy: taxonomy.yaml\n")
    return tmp_path


def mapped(*words: str) -> dict[str, Any]:
    done = shelfread("map", "--format", "json", *words)
    assert done.exit_code == 0, done.output
    data: dict[str, Any] = json.loads(done.output)
    return data


def test_each_heading_has_its_concepts_and_how_sure_that_is() -> None:
    data = mapped()
    found = {each["heading"]: (each["certainty"], each["concepts"]) for each in data["headings"]}
    assert found["Training"] == ("label", ["training"])
    assert found["Parallelism"] == ("label", ["parallelism"])
    assert found["Papers on Scheduling of Clusters"] == ("words", ["scheduling"])
    assert found["Zebrafish"] == ("none", [])
    assert data["taxonomy"] == {"name": "taxonomy", "title": "Clusters"} and data["compared"] is None
    assert {each["heading"] for each in data["no_subject"]} == {"Jobs", "2024"}
    summary = data["summary"]
    assert summary["headings"] == len(data["headings"]) == 8
    assert summary["label"] + summary["words"] + summary["near"] + summary["none"] == 8


def test_the_tree_counts_what_the_map_names(root: Path) -> None:
    """A section of a subject and a form, and of two subjects, is counted for each; once for what is above both."""
    headings = ["## Papers on Training", "## Parallelism and Storage"]
    write_headings(headings, TAXONOMY, "taxonomy: taxonomy.yaml\n")
    named = {id for each in mapped()["headings"] for id in (*each["concepts"], *each["forms"])}
    data = json.loads(shelfread("show", "--format", "json").output)
    rows = {row["id"]: (row["sections"], row["entries"]) for row in (*data["concepts"], *data["forms"])}
    assert named == {id for id, (sections, count) in rows.items() if sections and count}
    assert len(named) == 4 and data["summary"]["placed"] == data["summary"]["entries"]


def test_kinds_that_the_tree_counts_are_mapped_and_the_title_is_no_kind(root: Path) -> None:
    headings = "".join(
        f"## {name}\n\n{entries(n)}\n" for n, name in enumerate(("Websites", "Zebrafish", "2024"))
    )
    (root / "README.md").write_text(f"# Awesome Kettles\n\n{headings}")
    assert {each["heading"]: each["forms"] for each in mapped()["headings"]} == {
        "Websites": ["website"],
        "Zebrafish": [],
    }
    data = json.loads(shelfread("show", "--format", "json").output)
    assert [(row["id"], row["sections"]) for row in data["forms"]] == [("website", 1)]
    assert data["summary"] == {"concepts": 4, "headings": 2, "known": 1, "entries": 6, "placed": 2}


def test_what_is_below_a_kind_counts_for_the_subject_above_it_as_in_exports(root: Path) -> None:
    below = f"**Surveys**\n\n{entries(1, 3)}\n**Tools**\n\n{entries(2)}"
    (root / "README.md").write_text(f"# Jobs\n\n## Training\n\n{below}\n## Storage\n\n{entries(3, 1)}")
    data = json.loads(shelfread("show", "--format", "json").output)
    assert {each["id"]: each["entries"] for each in data["concepts"]} == {"training": 5, "storage": 1}
    assert {each["id"]: each["entries"] for each in data["forms"]} == {"survey": 3, "tool": 2}
    exported = CliRunner().invoke(group, ("export", "--format", "json"))
    ids = [entry["concept"] for entry in json.loads(exported.output)]
    assert [ids.count("training"), ids.count("storage")] == [5, 1]


def test_a_guess_is_shown_and_not_counted_as_known(root: Path) -> None:
    (root / "README.md").write_text(f"# Jobs\n\n## Platforms\n\n{entries(1)}")
    (root / ".shelfread.yaml").unlink()
    data = mapped("--taxonomy", "software")
    (heading,) = data["headings"]
    assert (heading["certainty"], heading["concepts"]) == ("guess", [])
    assert heading["nearest"] and data["summary"]["guess"] == 1
    text = shelfread("map", "--taxonomy", "software").stdout
    assert "perhaps: " in text and "0 of 1 heading known" in text


def test_an_unknown_heading_has_up_to_three_concepts_that_are_near(root: Path) -> None:
    text = (root / "taxonomy.yaml").read_text()
    more = "".join(
        f"  store-{n}: {{prefLabel: Storage {name}}}\n" for n, name in enumerate(("ab", "ac", "ad", "ae"))
    )
    (root / "taxonomy.yaml").write_text(text + more)
    (root / "README.md").write_text(f"# Jobs\n\n## Storaje ab\n\n{entries(1)}\n## Traning\n\n{entries(2)}")
    first, second = mapped()["headings"]
    assert first["certainty"] == "near" and len(first["nearest"]) == 3
    assert all(each["concept"].startswith("stor") for each in first["nearest"])
    assert second["nearest"][0] == {"concept": "training", "label": "Training"}
    assert second["concepts"] == []


def test_what_is_near_is_in_a_language_of_the_list(root: Path) -> None:
    (root / "README.md").write_text(f"# Jobs\n\n## Pricing Gamez\n\n{entries(1)}")
    (root / ".shelfread.yaml").unlink()
    (english,) = mapped("--taxonomy", "software")["headings"]
    assert "Privacidade" not in {each["label"] for each in english["nearest"]}
    (root / "README.md").write_text(
        f"# Jobs\n\n## Segurança\n\n{entries(1)}\n## Privacidades Gamez\n\n{entries(2)}"
    )
    _, portuguese = mapped("--taxonomy", "software")["headings"]
    assert "Privacidade" in {each["label"] for each in portuguese["nearest"]}


def test_the_table_groups_the_headings_of_one_name() -> None:
    lines = shelfread("map").output.splitlines()
    assert lines[0].split() == ["heading", "how", "sure", "entries", "concepts"]
    assert any(line.split() == ["Parallelism", "label", "2", "Parallelism"] for line in lines)
    summary = " ".join(lines[lines.index("") :])
    assert "headings known in Clusters (taxonomy)" in summary
    assert "2 headings name no subject (years, venues, contents)" in summary


def test_a_form_that_is_named_twice_is_told_once(root: Path) -> None:
    write_headings(["## Reviews, overviews and surveys"], TAXONOMY, "taxonomy: taxonomy.yaml\n")
    assert "  form Survey\n" in shelfread("map").output


def test_the_tree_counts_sections_and_entries_with_those_of_narrower_concepts() -> None:
    data = json.loads(shelfread("show", "--format", "json").output)
    counts = {
        each["id"]: (each["sections"], each["entries"], each["all_sections"], each["all_entries"])
        for each in data["concepts"]
    }
    assert counts["training"] == (1, 2, 2, 4)
    assert counts["parallelism"] == (1, 2, 1, 2)
    assert "storage" not in counts
    assert [each["id"] for each in data["forms"] if each["sections"]] == ["survey", "other"] or data["forms"]
    (zebrafish,) = (each for each in data["unknown"] if each["heading"] == "Zebrafish")
    assert (zebrafish["entries"], zebrafish["path"]) == (2, "README.md")
    assert data["summary"]["entries"] == 18


def test_the_tree_leaves_out_concepts_without_sections_unless_all_are_wanted() -> None:
    shown, whole = shelfread("show").output, shelfread("show", "--all").output
    assert "Storage" not in shown and "Storage" in whole
    lines = shown.splitlines()
    assert lines[0] == (
        "Clusters (taxonomy): 7 of 8 headings known, 18 of 18 entries below one; 3 of 4 concepts in use"
    )
    assert shelfread("map").output.splitlines()[-2].startswith("7 of 8 headings known in Clusters (taxonomy)")
    assert any(line.startswith("Training ") for line in lines)
    assert any(line.startswith("  Parallelism ") for line in lines)
    assert any(line.startswith("Not in the taxonomy: ") for line in lines)
    assert any(line.split()[:2] == ["Zebrafish", "2"] and "README.md:" in line for line in lines)


def test_a_concept_with_two_broader_ones_stands_once(root: Path) -> None:
    (root / "taxonomy.yaml").write_text(
        "concepts: {a: {prefLabel: Aa}, b: {prefLabel: Bb}, c: {prefLabel: Cc, broader: [a, b]}}\n"
    )
    (root / "README.md").write_text(
        f"# Jobs\n\n## Aa\n\n{entries(1)}\n## Bb\n\n{entries(2)}\n## Cc\n\n{entries(3)}"
    )
    data = json.loads(shelfread("show", "--format", "json").output)
    assert [(each["id"], each["all_entries"]) for each in data["concepts"]] == [("a", 4), ("c", 2), ("b", 4)]


@pytest.mark.parametrize("command", ["show", "map"])
def test_without_a_taxonomy_the_bundled_ones_are_compared(root: Path, command: str) -> None:
    (root / ".shelfread.yaml").unlink()
    (root / "README.md").write_text(
        f"# Jobs\n\n## Quantization\n\n{entries(1)}\n## KV Cache\n\n{entries(2)}\n## LLM Serving\n\n{entries(3)}"
    )
    first = " ".join(shelfread(command).output.partition("\n\n")[0].split())
    assert first.startswith("No taxonomy is configured. Of 3 headings, the bundled ones know: ml-systems 3, ")
    assert first.endswith("Using ml-systems.")


@pytest.mark.parametrize(("systems", "used"), [(1, "machine-learning"), (2, "ml-systems")])
def test_a_taxonomy_that_another_extends_is_used_if_it_knows_nearly_as_much(
    root: Path, systems: int, used: str
) -> None:
    (root / ".shelfread.yaml").unlink()
    common = [concept.label for concept in load("machine-learning").concepts.values()][:20]
    titles = [*common, *("KV Cache", "Storage")[:systems]]
    sections = (f"## {title}\n\n{entries(number, 1)}" for number, title in enumerate(titles, 1))
    (root / "README.md").write_text("# Models\n\n" + "\n".join(sections))
    first = " ".join(shelfread("map").output.partition("\n\n")[0].split())
    assert f"ml-systems {20 + systems}, " in first and first.endswith(f"Using {used}.")


@pytest.mark.parametrize("command", ["show", "map"])
@pytest.mark.parametrize("columns", [60, 80])
def test_no_line_is_wider_than_the_terminal(
    root: Path, monkeypatch: pytest.MonkeyPatch, command: str, columns: int
) -> None:
    monkeypatch.setattr("shelfread.cli.output.terminal_style", lambda: TerminalStyle(width=columns))
    (root / ".shelfread.yaml").unlink()
    (root / "README.md").write_text(
        f"# Jobs\n\n## Quantization and Pruning, Compression and Distillation of Models\n\n{entries(1)}\n## {'Zebra ' * 20}\n\n"
        f"{entries(2)}\n## KV Cache, LLM Serving, Scheduling, Batching and Parallelism\n\n{entries(3)}\n## 分布式训练{'系统' * 20}\n\n{entries(4)}"
    )
    for line in shelfread(command).output.splitlines():
        assert width(line) <= columns, line


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("taxonomy.yaml", "not a list: name a taxonomy with --taxonomy taxonomy.yaml"),
        ("ml-systems", "not a list: name a taxonomy with --taxonomy ml-systems"),
        ("subjects.ttl", "not a list: 'shelfread taxonomy import' makes a taxonomy of it"),
    ],
)
@pytest.mark.parametrize("command", ["show", "map", "adopt"])
def test_a_taxonomy_is_no_list(command: str, path: str, message: str) -> None:
    done = shelfread(command, path, *(["--diff"] if command == "adopt" else []))
    assert (done.exit_code, done.stderr) == (2, f"shelfread: {path}: {message}\n")


def test_a_named_taxonomy_is_used() -> None:
    assert mapped("--taxonomy", "software")["taxonomy"]["name"] == "software"


@pytest.mark.parametrize("command", ["show", "map"])
def test_errors_are_told_in_a_line(root: Path, command: str) -> None:
    done = shelfread(command, "nothing-here")
    assert (done.exit_code, done.stderr) == (2, "shelfread: nothing-here: no such file or folder\n")
    (root / "other.md").write_bytes(b"\xff\xfe\x00 \xd8")
    done = shelfread(command)
    assert done.exit_code == 2 and done.stderr.startswith("shelfread: other.md")
    (root / "taxonomy.yaml").write_text("concepts: {a: {prefLabel: A, broader: b}}\n")
    done = shelfread(command)
    assert (done.exit_code, done.stderr.count("\n")) == (2, 1) and "taxonomy.yaml:1" in done.stderr


def test_lists_of_several_projects_need_a_taxonomy(root: Path) -> None:
    (root / "more").mkdir()
    (root / "more/.shelfread.yaml").write_text("taxonomy: software\n")
    (root / "more/list.md").write_text(f"# More\n\n## Databases\n\n{entries(20)}")
    done = shelfread("map")
    assert done.exit_code == 2 and "lists of 2 projects" in done.stderr
    assert "Databases" in shelfread("map", "--taxonomy", "software").output


def test_control_characters_reach_no_terminal(root: Path) -> None:
    (root / "README.md").write_text(f"# Jobs\n\n## Evil \u202e\x9b heading\n\n{entries(1)}")
    for command in ("show", "map"):
        output = shelfread(command).output
        assert "\u202e" not in output and "\x9b" not in output and "<U+202E>" in output


def test_a_text_without_a_word_of_the_list_is_said_to_have_none(root: Path) -> None:
    assert "no word of the text speaks for a section" in shelfread("place", "README.md", "Quokka").stderr
    assert not shelfread("place", "README.md", "Zebrafish").stderr
    assert "only one word" in shelfread("place", "README.md", "Zebrafish and quokkas of the moon").stderr
