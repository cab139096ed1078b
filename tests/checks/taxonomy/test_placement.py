"""`taxonomy/placement`, and what `diff` says of it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from jsonschema import Draft202012Validator

from shelfread.cli import group
from support.gitrepo import commit, do
from support.gitrepo import repo as empty
from support.paths import ROOT

__all__ = ["empty"]

TAXONOMY = """
title: Compression
concepts:
  compression: {prefLabel: Compression}
  pruning: {prefLabel: Pruning, broader: compression}
  quantization: {prefLabel: Quantization, broader: compression}
  distillation: {prefLabel: Knowledge Distillation, altLabel: [Distillation], broader: compression}
"""
WORDS = "Filters Schedules Neurons Layers Heads Speech Graphs Rankers Trees".split()


def paper(title: str) -> str:
    return f"- {title} [[Paper](https://example.com/{title.lower().replace(' ', '-')}.pdf)]\n"


def papers(subject: str, count: int = 9) -> str:
    return "".join(paper(f"{subject} of {word}") for word in WORDS[:count])


def section(name: str, subject: str = "", more: str = "") -> str:
    return f"## {name}\n\n{papers(subject or name)}{more}\n"


STRAY = paper("Distillation with Two Teachers")
LIST = (
    section("Pruning", more=STRAY)
    + section("Quantization")
    + section("Knowledge Distillation", "Distillation")
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "taxonomy.yaml").write_text(TAXONOMY)
    return tmp_path


def check(text: str, *words: str) -> list[dict[str, object]]:
    Path("list.md").write_text(text, encoding="utf-8")
    given = ["check", "--isolated", "--output-format", "json", "--select", "taxonomy/placement"]
    done = CliRunner().invoke(group, [*given, "--taxonomy", "taxonomy.yaml", *words, "list.md"])
    found: list[dict[str, object]] = json.loads(done.output)["diagnostics"]
    return found


def fix(text: str) -> str:
    Path("list.md").write_bytes(text.encode())
    given = ["fix", "--isolated", "--select", "taxonomy/placement", "--unsafe-fixes", "--show-info"]
    done = CliRunner().invoke(group, [*given, "--taxonomy", "taxonomy.yaml", "list.md"])
    assert done.exit_code == 0, done.output
    return Path("list.md").read_bytes().decode()


def test_the_evidence_is_named(folder: Path) -> None:
    (found,) = check(LIST)
    assert found["severity"] == "info"
    assert found["message"] == (
        "seems to belong in 'Knowledge Distillation' (96 % sure, because of 'distillation')"
    )


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_an_entry_moves_to_the_end_of_its_section(newline: str, folder: Path) -> None:
    moved = LIST.replace(STRAY, "").rstrip("\n") + "\n" + STRAY
    fixed = fix(LIST.rstrip("\n").replace("\n", newline) + newline)
    assert fixed == moved.replace("\n", newline)
    assert not check(moved)


def test_a_row_of_a_table_is_reported_and_not_moved(folder: Path) -> None:
    table = "| title | link |\n|---|---|\n| Distillation with Two Teachers | [Paper](https://example.com/two.pdf) |\n"
    rows = "".join(f"| Pruning of {word} | [Paper](https://example.com/p{word}.pdf) |\n" for word in WORDS)
    text = f"## Pruning\n\n{table}{rows}\n" + section("Quantization") + section("Distillation")
    (found,) = check(text)
    assert found["fix"] is None
    assert fix(text) == text


@pytest.mark.parametrize(
    "text",
    [
        LIST.replace("Distillation with Two Teachers", "Distillation with Pruning"),
        section("Pruning", more=STRAY) + section("Quantization") + section("Compression", "Distillation"),
        section("Pruning", more=STRAY) + section("Quantization") + section("Distillation", more=STRAY),
        section("Pruning", more=STRAY + paper("Distillation in Tokyo")) + section("Distillation"),
        section("Pruning", more=STRAY) + f"## Distillation\n\n{papers('Distillation', 3)}",
        section("Pruning", more=STRAY),
    ],
    ids=["both", "broader", "listed-twice", "mixed", "few", "no-section"],
)
def test_doubt_is_silent(text: str, folder: Path) -> None:
    assert check(text) == []


def test_the_nearest_sections_are_named_where_none_is_likely(folder: Path) -> None:
    stray = paper("Distillation with Quantization for Sparsity")
    text = LIST.replace(STRAY, stray) + section("Sparsity")
    (found,) = check(text)
    assert "is unlike the entries of 'Pruning'; nearer: 'Quantization' (4" in str(found["message"])
    assert found["fix"] is None


def test_sections_of_one_name_are_told_apart_by_those_above(folder: Path) -> None:
    teachers = section("Teachers", "Distillation").replace("## Teachers", "## Teachers\n\n### Papers")
    text = LIST.split("## Knowledge")[0].replace("## Pruning", "## Pruning\n\n### Papers") + teachers
    (found,) = check(text)
    assert "seems to belong in 'Teachers > Papers'" in str(found["message"])


def test_without_a_taxonomy_nothing_is_reported(folder: Path) -> None:
    Path("list.md").write_text(LIST)
    given = ["check", "--isolated", "--output-format", "json", "--select", "taxonomy/placement", "list.md"]
    assert json.loads(CliRunner().invoke(group, given).output)["diagnostics"] == []


@pytest.fixture
def repository(empty: Path) -> Path:
    (empty / "taxonomy.yaml").write_text(TAXONOMY)
    (empty / ".shelfread.yaml").write_text("taxonomy: taxonomy.yaml\n")
    commit({"list.md": LIST.replace(STRAY, "")})
    do("branch", "before")
    return empty


def test_a_new_entry_is_a_warning_since_the_base(repository: Path) -> None:
    words = ["check", "--output-format", "json", "--select", "taxonomy/placement"]
    Path("list.md").write_text(LIST)
    done = CliRunner().invoke(group, [*words, "--since", "before"])
    (found,) = json.loads(done.output)["diagnostics"]
    assert (found["severity"], found["line"]) == ("warning", 12)
    assert done.exit_code == 1


def test_who_adds_a_section_knows_what_it_collects(repository: Path) -> None:
    commit({"list.md": section("Quantization") + section("Knowledge Distillation", "Distillation")})
    Path("list.md").write_text(LIST)
    words = ["check", "--output-format", "json", "--select", "taxonomy/placement", "--since", "HEAD"]
    (found,) = json.loads(CliRunner().invoke(group, words).output)["diagnostics"]
    assert found["severity"] == "info"


def test_an_entry_that_is_moved_is_a_warning_too(repository: Path) -> None:
    commit({"list.md": LIST.replace(STRAY, "").rstrip() + "\n" + STRAY})
    Path("list.md").write_text(LIST)
    words = ["check", "--output-format", "json", "--select", "taxonomy/placement", "--since", "HEAD"]
    (found,) = json.loads(CliRunner().invoke(group, words).output)["diagnostics"]
    assert (found["severity"], found["line"]) == ("warning", 12)


def test_a_section_that_no_taxonomy_knows_is_learned_too(folder: Path) -> None:
    text = section("Pruning", more=STRAY) + section("Quantization") + section("Teachers", "Distillation")
    (found,) = check(text)
    assert "'Teachers'" in str(found["message"])


def test_diff_needs_no_taxonomy(repository: Path) -> None:
    (repository / ".shelfread.yaml").unlink()
    Path("list.md").write_text(LIST)
    assert (
        "seems to belong in 'Knowledge Distillation'" in CliRunner().invoke(group, ["diff", "before"]).output
    )


def test_where_a_text_belongs(folder: Path) -> None:
    Path("list.md").write_text(LIST)
    given = ["taxonomy", "place", "list.md", "Distillation: a toolbox", "--isolated"]
    said = json.loads(CliRunner().invoke(group, [*given, "--format", "json"]).output)["sections"]
    assert said[0]["path"] == ["Knowledge Distillation"]
    assert (said[0]["line"], said[0]["words"]) == (26, ["distillation"])
    assert said[0]["share"] > 0.8 and len(said) == 3 and sum(place["share"] for place in said) <= 1.01
    assert "Knowledge Distillation (line 26): distillation" in CliRunner().invoke(group, given).output


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[Distilled](https://example.com/a) - A toolbox.", ["distilled", "example.com"]),
        ("Distillers, ICML 2024", ["distillers"]),
        ("Which of them could do with it", []),
    ],
    ids=["markdown", "citation", "common-words"],
)
def test_a_text_is_read_as_an_entry(text: str, words: list[str], folder: Path) -> None:
    Path("list.md").write_text(LIST)
    given = ["taxonomy", "place", "list.md", text, "--isolated", "--format", "json"]
    best = json.loads(CliRunner().invoke(group, given).output)["sections"][0]
    assert best["words"] == words[:1]
    assert best["path"] == ["Knowledge Distillation"] if words else ["Pruning"]


@pytest.mark.parametrize("word", ["logger", "logs", "logged"])
def test_the_forms_of_a_short_word_are_one(word: str, folder: Path) -> None:
    Path("list.md").write_text(LIST + section("Logging", "Files"))
    given = ["taxonomy", "place", "list.md", f"A {word} for owls", "--isolated", "--format", "json"]
    best = json.loads(CliRunner().invoke(group, given).output)["sections"][0]
    assert (best["path"], best["words"]) == (["Logging"], [word])


def test_a_text_of_no_known_word_and_a_list_without_sections(folder: Path) -> None:
    Path("list.md").write_text(LIST)
    given = ["taxonomy", "place", "list.md", "\u68ee\u6797 zzz", "--isolated", "--format", "json"]
    said = json.loads(CliRunner().invoke(group, given).output)["sections"]
    assert len(said) == 3 and all(place["words"] == [] for place in said)
    Path("list.md").write_text("Nothing here.\n")
    assert json.loads(CliRunner().invoke(group, given).output) == {"sections": []}


def test_an_old_entry_stays_an_info_when_its_line_changes(repository: Path) -> None:
    commit({"list.md": LIST})
    Path("list.md").write_text(LIST.replace("Two Teachers [", "Two Wise Teachers ["))
    words = ["check", "--output-format", "json", "--select", "taxonomy/placement"]
    (found,) = json.loads(CliRunner().invoke(group, [*words, "--since", "HEAD"]).output)["diagnostics"]
    assert found["severity"] == "info"


def test_diff_says_where_an_added_entry_belongs(repository: Path) -> None:
    Path("list.md").write_text(LIST)
    report = json.loads(CliRunner().invoke(group, ["diff", "before", "--output-format", "json"]).output)
    schema = json.loads((ROOT / "schema/diff.schema.json").read_text("utf-8"))
    Draft202012Validator(schema).validate(report)
    (added,) = report["added"]
    assert added["placement"] == {
        "path": "list.md",
        "section": ["Knowledge Distillation"],
        "share": 0.96,
        "words": ["distillation"],
    }
    assert "taxonomy/placement" not in {finding["rule"] for finding in added["findings"]}
    text = CliRunner().invoke(group, ["diff", "before"]).output
    place = "(96 % sure, because of 'distillation')"
    assert f"seems to belong in 'Knowledge Distillation' {place}" in text
    comment = CliRunner().invoke(group, ["diff", "before", "--output-format", "markdown"]).output
    assert f"  - **seems to belong in** *Knowledge Distillation* {place}" in comment


def test_what_is_less_sure_is_an_info_about_one_entry_and_a_line_of_diff(repository: Path) -> None:
    """It is less sure than a warning, so a reviewer is told, and no check fails."""
    odd = paper("A Distillation Survey of Owls, Herons and Storks with Teachers in Forests")
    odd += paper("Teachers of Cats, Lions, Bears, Mice, Frogs after Distillation")
    commit({"list.md": LIST})
    Path("list.md").write_text(LIST.replace("## Pruning\n\n", f"## Pruning\n\n{odd}", 1))
    words = ["check", "--output-format", "json", "--select", "taxonomy/placement", "--since", "HEAD"]
    (found,) = json.loads(CliRunner().invoke(group, words).output)["diagnostics"]
    assert found["severity"] == "info" and "is unlike the entries of 'Pruning'" in found["message"]
    both = json.loads(CliRunner().invoke(group, ["diff", "HEAD", "--format", "json"]).output)["added"]
    assert len(both) == 2
    for added in both:
        assert "placement" not in added and added["findings"] == []
        assert added["nearest"][0]["section"] == ["Knowledge Distillation"]
    said = "unlike the others here, nearer are"
    assert f"    {said} 'Knowledge Distillation' (" in CliRunner().invoke(group, ["diff", "HEAD"]).output
    comment = CliRunner().invoke(group, ["diff", "HEAD", "--format", "markdown"]).output
    assert f"  - **{said}** *Knowledge Distillation* (" in comment


def test_diff_follows_the_configuration(repository: Path) -> None:
    (repository / ".shelfread.yaml").write_text("taxonomy: taxonomy.yaml\nignore: [taxonomy/placement]\n")
    Path("list.md").write_text(LIST)
    said = CliRunner().invoke(group, ["diff", "before"]).output
    assert "seems to belong" not in said and "nearer" not in said


def test_a_text_of_any_length_has_a_place(folder: Path) -> None:
    Path("list.md").write_text(LIST + "".join(f"- {number:05}\n" for number in range(3000)))
    text = " ".join(f"{number:05}" for number in range(3000)) + " pruning of filters"
    done = CliRunner().invoke(group, ["taxonomy", "place", "list.md", text, "--isolated", "--format", "json"])
    shares = [each["share"] for each in json.loads(done.stdout)["sections"]]
    assert len(shares) == 3 and sum(shares) <= 1.01
