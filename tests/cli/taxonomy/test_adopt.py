"""`shelfread taxonomy adopt` adds what a taxonomy lacks, and changes nothing else of its file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner, Result

from shelfread.cli import group
from support.taxonomies import entries, write_headings

pytestmark = pytest.mark.slow

TAXONOMY = """\
# Ours.
title: Clusters
concepts:
  training:   # the first
    prefLabel: Training
    altLabel:
      - Teaching   # old

  # how jobs are placed
  scheduling: {prefLabel: Cluster Scheduling, altLabel: [Placement]}
  storage: {prefLabel: Storage}

# ---- links
links: {zoo: {prefLabel: Zoo}}
"""
HEADINGS = [
    "## Training",
    "### Pipelines of Ovens",
    "#### Bread",
    "## Methods for Training",
    "## Papers on Cluster Scheduling",
    "## Cluster Scheduling for Storage",
    "## Zebrafish",
    "## Storagee",
    "## 2024",
]


def shelfread(*words: str) -> Result:
    return CliRunner().invoke(group, words)


@pytest.fixture(autouse=True)
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write_headings(HEADINGS, TAXONOMY, "# mine\ntaxonomy: taxonomy.yaml\n")
    return tmp_path


def without_additions(before: str, after: str) -> bool:
    """Whether all characters of a text are in another one, in this order."""
    rest = iter(after)
    return all(character in rest for character in before)


def test_headings_become_concepts_and_labels_and_nothing_else_changes(root: Path) -> None:
    done = shelfread("taxonomy", "adopt", "--yes")
    assert done.exit_code == 0, done.output
    assert done.output.splitlines()[0] == "3 concepts and 3 labels added to taxonomy.yaml"
    assert (
        "left alone: README.md:38 'Storagee': it is nearly 'Storage': rename it, or add it by hand"
        in done.output
    )
    after = (root / "taxonomy.yaml").read_text()
    assert (
        after
        == """\
# Ours.
title: Clusters
concepts:
  training:   # the first
    prefLabel: Training
    altLabel:
      - Teaching   # old
      - Methods for Training
  pipelines-of-ovens: {prefLabel: Pipelines of Ovens, broader: training}
  bread: {prefLabel: Bread, broader: pipelines-of-ovens}

  # how jobs are placed
  scheduling: {prefLabel: Cluster Scheduling, altLabel: [Placement, Papers on Cluster Scheduling], includes: [Cluster Scheduling for Storage]}
  zebrafish: {prefLabel: Zebrafish}
  storage: {prefLabel: Storage}

# ---- links
links: {zoo: {prefLabel: Zoo}}
"""
    )
    assert without_additions(TAXONOMY, after)


def test_check_has_no_finding_about_what_was_adopted(root: Path) -> None:
    before = shelfread("check", "--select", "taxonomy", "--output-format", "concise").output
    assert "Zebrafish" in before and "Bread" in before
    assert shelfread("taxonomy", "adopt", "--yes").exit_code == 0
    found = json.loads(shelfread("check", "--select", "taxonomy", "--output-format", "json").output)[
        "diagnostics"
    ]
    assert [each["message"] for each in found if each["severity"] != "info"] == [
        "the taxonomy has no subject named 'Storagee', did you mean 'Storage'?"
    ]
    again = shelfread("taxonomy", "adopt", "--yes")
    assert again.output.startswith("Nothing to add.\nleft alone: README.md:38 'Storagee'")


def test_a_heading_without_entries_is_named(root: Path) -> None:
    """But not prose, contents and contributors."""
    others = "## Zebras\n\n- Zoo without a link\n\n## Ways of Baking\n\nBread is baked.\n\n## Contributing\n\n- Write.\n"
    (root / "README.md").write_text(f"# Jobs\n\n## Training\n\n{entries(1)}\n## Storage\n\n{others}")
    done = shelfread("taxonomy", "adopt", "--diff")
    assert done.stderr.splitlines() == [
        "Nothing to add.",
        "left alone: README.md:10 'Zebras': it has no entries yet",
    ]


def test_a_closed_taxonomy_gets_what_only_the_extended_one_has(root: Path) -> None:
    """As `check` warns of it, `adopt` adds it: under the same id, so that its other labels stay."""
    own = f"extends: software\nclosed: true\n{TAXONOMY}"
    write_headings(["## Training", "## Compilers"], own, "taxonomy: taxonomy.yaml\n")
    assert "has no subject named 'Compilers'" in shelfread("check", "--select", "taxonomy").output
    assert shelfread("taxonomy", "adopt", "--yes").output.startswith("1 concept added")
    assert "compilers: {prefLabel: Compilers}" in (root / "taxonomy.yaml").read_text()
    assert "Compilers" not in shelfread("check", "--select", "taxonomy/section").output
    write_headings(["## Lifestyle"], own, "taxonomy: taxonomy.yaml\n")  # another name of a concept stays
    assert "personal-life: {prefLabel: Lifestyle}" in shelfread("taxonomy", "adopt", "--diff").output


def test_a_concept_that_the_extended_taxonomy_lacks_gets_labels(root: Path) -> None:
    write_headings(["## Modern Storage"], f"extends: software\n{TAXONOMY}", "taxonomy: taxonomy.yaml\n")
    assert shelfread("taxonomy", "adopt", "--yes").output.startswith("1 label added")
    assert (
        "storage: {prefLabel: Storage, altLabel: [Modern Storage]}\n" in (root / "taxonomy.yaml").read_text()
    )


def test_a_diff_changes_nothing(root: Path) -> None:
    done = shelfread("taxonomy", "adopt", "--diff")
    assert done.exit_code == 0
    assert "+  zebrafish: {prefLabel: Zebrafish}\n" in done.stdout
    assert "3 concepts and 3 labels would be added to taxonomy.yaml" in done.stderr
    assert (root / "taxonomy.yaml").read_text() == TAXONOMY


def test_nothing_is_written_unasked(root: Path) -> None:
    done = shelfread("taxonomy", "adopt")
    assert done.exit_code == 2 and "there is no terminal to ask on" in done.stderr
    assert (root / "taxonomy.yaml").read_text() == TAXONOMY


@pytest.mark.parametrize(
    "text",
    [
        "{concepts: {training: {prefLabel: Training}}}\n",
        "concepts: {training: {prefLabel: Training}}",
        "concepts:\n    training:\n        prefLabel: Training\n    storage:\n        prefLabel: Storage\n",
        "concepts:\r\n  training: {prefLabel: Training}\r\n",
        "concepts:\n  training: {prefLabel: {en: Training, zh: 训练}, altLabel: {en: [Teaching], zh: [教]}}\n",
        "concepts:\n  training:\n    prefLabel: Training\n    definition: |\n      Long.\n\n      Text.\nforms:\n",
        "concepts:\n  training:\n    prefLabel: Training # so\n    altLabel: [\n      Teaching, # a\n      Learning\n      ]\n",
        "title: None yet\n",
        "concepts:\n",
        "# nothing\n",
        "\ufeffconcepts:\n  training: {prefLabel: Training}\n",
    ],
)
def test_any_way_to_write_it_is_kept(root: Path, text: str) -> None:
    (root / "taxonomy.yaml").write_bytes(text.encode())
    done = shelfread("taxonomy", "adopt", "--yes", "--taxonomy", "taxonomy.yaml")
    assert done.exit_code == 0, done.output
    after = (root / "taxonomy.yaml").read_bytes().decode()
    assert without_additions(text, after)
    assert ("\r\n" in text) == ("\r\n" in after) and not ("\r" in text and "\n" in after.replace("\r\n", ""))
    data = yaml.safe_load(after.removeprefix("\ufeff"))
    assert data["concepts"]["zebrafish"] == {"prefLabel": "Zebrafish"}
    if "training" in text:
        labels = data["concepts"]["training"]["altLabel"]
        assert "Methods for Training" in (labels["en"] if isinstance(labels, dict) else labels)


def test_what_nothing_can_be_added_to_is_told(root: Path) -> None:
    text = "concepts: &all\n  training: {prefLabel: Training}\naffiliations: *all\n"
    (root / "taxonomy.yaml").write_text(text)
    done = shelfread("taxonomy", "adopt", "--yes")
    assert done.exit_code == 2 and done.stderr.count("\n") == 1 and "by hand" in done.stderr
    assert (root / "taxonomy.yaml").read_text() == text


@pytest.mark.parametrize(
    ("config", "changed"),
    [
        (None, "taxonomy: taxonomy.yaml\n"),
        ("# mine\ntaxonomy: ml-systems  # bundled\n", "# mine\ntaxonomy: taxonomy.yaml  # bundled\n"),
        ("presets: [core]\n", "presets: [core]\ntaxonomy: taxonomy.yaml\n"),
        ("# nothing", "# nothing\ntaxonomy: taxonomy.yaml\n"),
    ],
)
def test_a_list_without_a_taxonomy_of_its_own_gets_one(root: Path, config: str | None, changed: str) -> None:
    (root / "taxonomy.yaml").unlink()
    (root / ".shelfread.yaml").unlink()
    if config is not None:
        (root / ".shelfread.yaml").write_text(config)
    (root / "README.md").write_text(
        f"# Jobs\n\n## Quantization\n\n{entries(1)}\n## Zebrafish\n\n{entries(2)}"
    )
    done = shelfread("taxonomy", "adopt", "--yes")
    assert done.exit_code == 0, done.output
    data = yaml.safe_load((root / "taxonomy.yaml").read_text())
    assert data["title"] == "Jobs" and data["concepts"] == {"zebrafish": {"prefLabel": "Zebrafish"}}
    assert data["extends"] in ("ml-systems", "machine-learning")
    assert (root / ".shelfread.yaml").read_text() == changed
    assert shelfread("check", "--select", "taxonomy").exit_code == 0


def test_a_file_that_no_configuration_names_is_not_overwritten(root: Path) -> None:
    (root / ".shelfread.yaml").unlink()
    done = shelfread("taxonomy", "adopt", "--yes")
    assert done.exit_code == 2 and "exists already" in done.stderr
    assert (root / "taxonomy.yaml").read_text() == TAXONOMY


def test_labels_of_an_extended_taxonomy_are_not_replaced(root: Path) -> None:
    (root / "taxonomy.yaml").write_text(
        "extends: ml-systems\nconcepts:\n  quantization: {prefLabel: Quantization}\n"
    )
    (root / "README.md").write_text(
        f"# Jobs\n\n## Quantization\n\n{entries(1)}\n## Papers on Quantization\n\n{entries(2)}\n## Zebrafish\n\n{entries(3)}"
    )
    assert shelfread("taxonomy", "adopt", "--yes").exit_code == 0
    data = yaml.safe_load((root / "taxonomy.yaml").read_text())
    assert data["concepts"] == {
        "quantization": {"prefLabel": "Quantization"},
        "zebrafish": {"prefLabel": "Zebrafish"},
    }


def test_what_stands_below_a_new_subject_becomes_part_of_it() -> None:
    terms = "concepts:\n  rye: {prefLabel: Rye}\n  ovens: {prefLabel: Ovens}\n  deck: {prefLabel: Decks, broader: ovens}\n"
    headings = ["## Doughs", "### Rye", "## Heat", "### Ovens", "#### Decks"]
    write_headings(headings, terms, "taxonomy: taxonomy.yaml\n")
    done = shelfread("taxonomy", "adopt", "--yes")
    assert "2 concepts and 2 relations added" in done.output
    data = yaml.safe_load(Path("taxonomy.yaml").read_text("utf-8"))["concepts"]
    assert (data["rye"]["broader"], data["ovens"]["broader"]) == (["doughs"], ["heat"])
    assert data["deck"]["broader"] == "ovens"
    found = shelfread("check", "--select", "taxonomy", "--output-format", "json").output
    assert json.loads(found)["diagnostics"] == []
