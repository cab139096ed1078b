"""Sections that a change invents, renames, misspells or doubles, in a repository."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from shelfread.cli import group
from support.gitrepo import commit
from support.gitrepo import repo as empty
from support.taxonomies import entries

__all__ = ["empty"]

OWN = """
title: Clusters
extends: software
closed: true
concepts:
  scheduling: {prefLabel: Job Scheduling, altLabel: [Placement of Jobs]}
  serving: {prefLabel: Model Serving}
  scanning: {prefLabel: Port Scanning}
  storage: {prefLabel: Storage}
"""
LIST = f"# Jobs\n\n- [Serving](#model-serving)\n\n## Job Scheduling\n\n{entries(1, 3)}\n## Model Serving\n\n{entries(2, 3)}"


@pytest.fixture(scope="module")
def places(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("sections")


@pytest.fixture
def tmp_path(places: Path, request: pytest.FixtureRequest) -> Path:
    """An empty folder, the same for all tests of one taxonomy: it is prepared once for its path."""
    folder = places / (request.node.callspec.id if hasattr(request.node, "callspec") else "own")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    return folder


@pytest.fixture(params=[OWN, "extends: software\n"], ids=["own", "bundled"])
def repository(empty: Path, request: pytest.FixtureRequest) -> Path:
    (empty / "taxonomy.yaml").write_text(request.param)
    (empty / ".shelfread.yaml").write_text("taxonomy: taxonomy.yaml\n")
    commit(
        {"list.md": LIST, "more.md": f"# More\n\n[x](list.md#model-serving)\n\n## Storage\n\n{entries(9)}"}
    )
    return empty


def found(text: str) -> dict[str, tuple[str, str]]:
    """Return the severities and messages of what a change of the list brings, by rule."""
    Path("list.md").write_text(text)
    rules = ("new-section", "renamed-section", "repeated-section", "section")
    selected = ",".join(f"taxonomy/{rule}" for rule in rules)
    words = ["check", "--output-format", "json", "--since", "HEAD", "--select", selected]
    data = json.loads(CliRunner().invoke(group, words).output)
    return {
        each["rule"].partition("/")[2]: (each["severity"], each["message"]) for each in data["diagnostics"]
    }


def test_a_section_that_only_a_bundled_taxonomy_knows(repository: Path) -> None:
    more = "".join(
        f"\n## {name}\n\n{entries(n, 3)}" for n, name in enumerate(("Storage", "Port Scanning"), 3)
    )
    commit({"list.md": LIST + more})
    compilers = (
        "\n## Compilers\n\n- A Study of Port Scanning Compilers [[Paper](https://example.com/a.pdf)]\n"
    )
    new = found(f"{LIST}{more}{compilers}")
    severity, message = new.pop("new-section")
    assert severity == "warning" and "'Compilers' is a new section" in message
    assert "near it (with their lines): 'Port Scanning' (" in message and not new


def test_a_section_of_another_file_is_not_new(repository: Path) -> None:
    assert "new-section" not in found(f"{LIST}\n## Storage\n\n{entries(4)}")


def test_a_renamed_section_names_what_has_the_old_name(repository: Path) -> None:
    new = found(LIST.replace("## Model Serving", "## Answering"))
    severity, message = new.pop("renamed-section")
    assert severity == "warning" and message.endswith("links to the old name remain in list.md, more.md")
    if "closed" in (repository / "taxonomy.yaml").read_text():
        assert "that has no 'Answering'" in message


def test_a_new_title_with_its_links_is_accepted(repository: Path) -> None:
    (repository / "more.md").write_text("# More\n\n[x](list.md#serving-of-models)\n")
    text = LIST.replace("## Model Serving", "## Serving of Models").replace(
        "#model-serving", "#serving-of-models"
    )
    assert "renamed-section" not in found(text)


def test_moved_lines_are_no_new_name(repository: Path) -> None:
    text = f"# Jobs\n\n## Model Serving\n\n{entries(2, 3)}\n## Job Scheduling\n\n{entries(1, 3)}"
    assert not found(text)


def test_a_misspelt_section_is_named_with_its_likely_word(empty: Path) -> None:
    (empty / "taxonomy.yaml").write_text(OWN)
    (empty / ".shelfread.yaml").write_text("taxonomy: taxonomy.yaml\n")
    commit({"list.md": LIST})
    for title, meant in (("Port Scaning", "Port Scanning"), ("Port Scannning", "Port Scanning")):
        new = found(f"{LIST}\n## {title}\n\n{entries(4)}")
        assert new["section"] == (
            "warning",
            f"the taxonomy has no subject named '{title}', did you mean '{meant}'?",
        )
        assert len(new) == 1


def test_two_sections_of_one_subject(empty: Path) -> None:
    (empty / "taxonomy.yaml").write_text(OWN)
    (empty / ".shelfread.yaml").write_text("taxonomy: taxonomy.yaml\n")
    commit({"list.md": LIST})
    new = found(f"{LIST}\n## Placement of Jobs\n\n{entries(4)}")
    assert new == {
        "repeated-section": (
            "warning",
            "'Placement of Jobs' is Job Scheduling in the taxonomy, as is 'Job Scheduling' in line 5",
        )
    }


def test_a_section_with_the_name_of_another_where_some_names_recur(empty: Path) -> None:
    """Each half has its own `Scanners` and `Parsers`; of the books none has the name of another section."""
    (empty / "taxonomy.yaml").write_text("extends: software\n")
    (empty / ".shelfread.yaml").write_text("taxonomy: taxonomy.yaml\n")
    names = iter(range(1, 99))

    def group_of(title: str, *below: str) -> str:
        return f"## {title}\n\n" + "".join(f"### {each}\n\n{entries(next(names))}\n" for each in below)

    halves = group_of("Attack", "Scanners", "Parsers", "Ciphers") + group_of("Defence", "Scanners", "Parsers")
    books = group_of("Books", "Networks", "Kernels", "Compilers", "Databases", "Robots")
    text = f"# Owls\n\n{halves}{books}"
    commit({"list.md": text})
    again = f"{text}### Ciphers\n\n{entries(90)}"
    message = "'Ciphers' is a new section, and also the name of the section in line 15"
    assert found(again)["repeated-section"] == ("warning", message)
    shared = text.replace("## Books", f"### Ciphers\n\n{entries(90)}\n## Books")
    assert "repeated-section" not in found(shared)
