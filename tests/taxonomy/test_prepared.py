"""Taxonomies are kept as they were prepared, and read again when a file changes."""

from __future__ import annotations

from pathlib import Path

import pytest

from shelfread.taxonomy import load as loading
from shelfread.taxonomy.load import load
from support.taxonomies import load_text
from support.work import executed_lines


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loading, "PACKAGE", tmp_path / "package")
    (tmp_path / "package").mkdir()


def kept(folder: Path) -> list[Path]:
    return sorted((folder / "package/__pycache__").glob("taxonomy-*"))


def test_a_changed_file_is_read_again(tmp_path: Path) -> None:
    (tmp_path / "below.yaml").write_text("concepts: {a: {prefLabel: Aa}}\n")
    text = "extends: below.yaml\nconcepts: {b: {prefLabel: Bb}}\n"
    assert list(load_text(tmp_path, text).concepts) == ["b", "a"]
    again = load_text(tmp_path, text)
    assert again.find("Bb") and again.places["b"][1:] == (2, 12)
    (tmp_path / "below.yaml").write_text("concepts: {c: {prefLabel: Cc}}\n")
    changed = load(str(tmp_path / "own.yaml"))
    assert list(changed.concepts) == ["b", "c"] and changed.find("Cc") and not changed.find("Aa")
    assert len(kept(tmp_path)) == 1


@pytest.mark.parametrize("content", [b"", b"\x00", b"not what was written", b"\xe9\x03\x00\x00\x00i"])
def test_a_spoilt_file_is_ignored(content: bytes, tmp_path: Path) -> None:
    text = "concepts: {b: {prefLabel: Bb}}\n"
    load_text(tmp_path, text)
    (file,) = kept(tmp_path)
    file.write_bytes(content)
    assert list(load_text(tmp_path, text).concepts) == ["b"]


def test_only_the_latest_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loading, "_MOST", 2)
    for name in "abc":
        (tmp_path / name).mkdir()
        load_text(tmp_path / name, "concepts: {b: {prefLabel: Bb}}\n")
    assert len(kept(tmp_path)) == 2


def test_a_large_taxonomy_costs_little_when_it_is_loaded_again(tmp_path: Path) -> None:
    def lines_of_loading(concepts: int) -> int:
        labels = (f"{{prefLabel: Name {number}, altLabel: [Other {number}]}}" for number in range(concepts))
        text = "\n".join(["concepts:", *(f"  c{number}: {label}" for number, label in enumerate(labels)), ""])
        load_text(tmp_path, text)
        return executed_lines(lambda: load(str(tmp_path / "own.yaml")))

    assert lines_of_loading(400) < lines_of_loading(1) + 400


def test_the_user_has_a_folder_if_that_of_the_package_is_not_writable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loading.os, "access", lambda *_: False)  # root may write anywhere
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr("platformdirs.user_cache_path", lambda name, appauthor: tmp_path / "cache" / name)
    text = "concepts: {b: {prefLabel: Bb}}\n"
    load_text(tmp_path, text)
    folder = tmp_path / "cache/shelfread/taxonomies"
    (file,) = folder.iterdir()
    assert not kept(tmp_path)
    monkeypatch.setattr(loading, "_keep", lambda *_: pytest.fail("prepared again"))
    assert list(load_text(tmp_path, text).concepts) == ["b"]
    if loading.os.name == "posix":  # what others may have written is not decoded
        folder.chmod(0o777)
        monkeypatch.setattr(loading.marshal, "loads", lambda *_: pytest.fail("decoded"))
        monkeypatch.setattr(loading, "_keep", lambda *_: None)
        load_text(tmp_path, text)
    assert file.exists()


def test_a_damaged_part_is_ignored(tmp_path: Path) -> None:
    text = "concepts: {b: {prefLabel: Bb}}\n"
    load_text(tmp_path, text)
    (file,) = kept(tmp_path)
    content = file.read_bytes()
    place = content.index(b"Bb")  # in the terms, which are decoded when they are used
    file.write_bytes(content[: place - 6] + b"\xff" * 6 + content[place:])
    assert load_text(tmp_path, text).concepts["b"].label == "Bb"
