"""`shelfread taxonomy diff`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from support.command_line import shelfread
from support.gitrepo import commit
from support.gitrepo import repo as repo

OLD = """concepts:
  training: {prefLabel: Training, altLabel: [Learning], definition: How models learn.}
  quantisation: {prefLabel: Quantisation}
  compression: {prefLabel: Compression, broader: training, related: quantisation}
  serving: {prefLabel: {en: Serving, de: Betrieb}, hiddenLabel: {en: [Servin]}, exactMatch: [http://a.b/c]}
"""
NEW = """concepts:
  compression: {prefLabel: Model Compression, altLabel: [Quantisation, Compression], related: serving}
  training: {prefLabel: Training, definition: How models are made.}
  serving: {prefLabel: {en: Serving, de: Auslieferung}, altLabel: {en: [Learning]}}
  caching: {prefLabel: Caching, broader: serving}
"""


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("old.yaml").write_text(OLD)
    Path("new.yaml").write_text(NEW)
    return tmp_path


def test_text() -> None:
    done = shelfread("taxonomy", "diff", "old.yaml", "new.yaml")
    assert done.exit_code == 0
    assert done.stdout == (
        """Added
  + caching (Caching), below serving
Removed
  - quantisation (Quantisation): its label is one of compression now
Renamed
  ~ compression: 'Compression' is 'Model Compression' (en)
  ~ serving: 'Betrieb' is 'Auslieferung' (de)
Labels
  ~ 'Quantisation' (en) is an altLabel of compression, was a prefLabel of quantisation
  ~ 'Compression' (en) is an altLabel of compression, was a prefLabel of compression
  ~ 'Learning' (en) is an altLabel of serving, was an altLabel of training
  - serving: hiddenLabel 'Servin' (en)
Relations
  - compression: broader training
  - compression: related quantisation
  + compression: related serving
Other properties
  - training: definition How models learn. (en)
  + training: definition How models are made. (en)
  - serving: exactMatch http://a.b/c
Order
  ~ the concepts are in another order
1 concept added, 1 removed, 2 renamed, 4 labels changed, 4 properties changed.
"""
    )


def test_json() -> None:
    done = shelfread("taxonomy", "diff", "old.yaml", "new.yaml", "--output-format", "json")
    report = json.loads(done.stdout)
    assert (report["base"], report["head"]) == ("old.yaml", "new.yaml")
    assert report["added"] == [{"id": "caching", "prefLabel": "Caching"}]
    assert report["removed"] == [
        {"id": "quantisation", "prefLabel": "Quantisation", "replaced_by": ["compression"]}
    ]
    assert report["labels"][-1] == {
        "label": "Servin",
        "language": "en",
        "before": {"concept": "serving", "kind": "hiddenLabel"},
        "after": None,
    }
    assert report["relations"] == [
        {"id": "compression", "property": "broader", "added": [], "removed": ["training"]},
        {"id": "compression", "property": "related", "added": ["serving"], "removed": ["quantisation"]},
    ]
    assert report["reordered"] is True


def test_nothing() -> None:
    done = shelfread("taxonomy", "diff", "software", "software")
    assert (done.exit_code, done.stdout) == (0, "No differences.\n")


@pytest.mark.slow
def test_files_of_a_commit(repo: Path) -> None:
    own = "extends: base.yaml\nconcepts: {b: {prefLabel: B}}\n"
    commit({"sub/base.yaml": "concepts: {a: {prefLabel: A}}\n", "sub/own.yaml": own})
    Path("sub/base.yaml").write_text("concepts: {c: {prefLabel: C}}\n")
    expected = ["Added", "  + c (C)", "Removed", "  - a (A)", "1 concept added, 1 removed."]
    for name in ("HEAD:sub/own.yaml", "HEAD:./sub/own.yaml"):
        assert shelfread("taxonomy", "diff", name, "sub/own.yaml").stdout.splitlines() == expected
    commit({"sub/own.yaml": "extends: nowhere.yaml\n"})
    for name, message in (
        ("HEAD:sub/own.yaml", "HEAD:sub/own.yaml:1:10: no taxonomy 'nowhere.yaml': "),
        ("HEAD:sub/none.yaml", "no file 'sub/none.yaml' in the commit 'HEAD'"),
        ("HEAD:../up.yaml", "no file '../up.yaml' in the commit 'HEAD'"),
        ("nothing:sub/own.yaml", f"{repo}: no revision 'nothing'"),
        ("none.yaml", "no taxonomy 'none.yaml': neither a file nor one of "),
    ):
        done = shelfread("taxonomy", "diff", "software", name)
        assert done.exit_code == 2
        assert done.stderr.startswith(f"shelfread: {message}"), done.stderr
