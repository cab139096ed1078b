"""Where an entry belongs if nothing names its section: where the entries with its words stand."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from support.command_line import shelfread

WORDS = "Tails Heads Jobs Tasks Hosts Racks Queues Slots Shards Pools Trees Rings".split()


@pytest.fixture(autouse=True)
def papers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    subjects = {
        "Quantization": "Quantizing",
        "Pruning": "Pruning",
        "Scheduling": "Scheduling",
        "Knowledge Distillation": "Distilling",
    }
    sections = (
        f"## {title}\n\n"
        + "".join(
            f"- {verb} {word} with Care [[Paper](https://example.org/{verb}{word}.pdf)]\n" for word in WORDS
        )
        for title, verb in subjects.items()
    )
    (tmp_path / "list.md").write_text("# Papers\n\n" + "\n".join(sections))
    (tmp_path / ".shelfread.yaml").write_text("taxonomy: ml-systems\n")
    return tmp_path


def import_into(title: str) -> tuple[int, str]:
    item = {"type": "article", "id": "x", "title": title, "URL": "https://example.org/new.pdf"}
    Path("new.json").write_text(json.dumps([item]))
    done = shelfread("import", "new.json", "--into", "list.md")
    return done.exit_code, done.stderr


def test_a_telling_word(papers: Path) -> None:
    status, said = import_into("Pruning Everything at Once")
    assert status == 0, said
    assert "in 'Pruning', because 'pruning' says so" in said
    text = (papers / "list.md").read_text()
    assert "Pruning Everything at Once" in text.partition("## Pruning")[2] and "# New" not in text


@pytest.mark.parametrize("title", ["Baking Bread in Cold Ovens", "Pruning and Quantizing Shards"])
def test_no_telling_word(papers: Path, title: str) -> None:
    """None, or words of two sections: the user has to say where."""
    before = (papers / "list.md").read_text()
    status, said = import_into(title)
    assert status == 1 and "--section" in said and said.count(" %)") == 3
    assert (papers / "list.md").read_text() == before


def test_without_a_taxonomy(papers: Path) -> None:
    (papers / ".shelfread.yaml").write_text("")
    assert import_into("Pruning Everything at Once")[0] == 0
