"""Writing a list back leaves the whole new file or the whole old one."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from shelfread.core.errors import InputError
from shelfread.core.file_writing import write_atomically

OLD, NEW = b"old\r\n", b"\xef\xbb\xbfnew\rtext without an end"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "list.md"
    path.write_bytes(OLD)
    return path


def files(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_writes_the_bytes_as_they_are(file: Path) -> None:
    write_atomically(file, NEW, expected=OLD)
    assert file.read_bytes() == NEW
    assert files(file.parent) == ["list.md"]


@pytest.mark.parametrize("mode", [0o600, 0o644, 0o664, 0o755])
def test_keeps_the_mode(file: Path, mode: int) -> None:
    file.chmod(mode)
    write_atomically(file, NEW, expected=OLD)
    assert stat.S_IMODE(file.stat().st_mode) == mode


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root gives files away")
def test_keeps_the_owner(file: Path) -> None:
    os.chown(file, 12345, 54321)
    write_atomically(file, NEW, expected=OLD)
    status = file.stat()
    assert (status.st_uid, status.st_gid) == (12345, 54321)


def test_refuses_a_file_that_changed(file: Path) -> None:
    file.write_bytes(b"someone else was here")
    with pytest.raises(InputError, match="changed since it was read: run again"):
        write_atomically(file, NEW, expected=OLD)
    assert file.read_bytes() == b"someone else was here"
    assert files(file.parent) == ["list.md"]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may write to what is read-only")
def test_a_tree_read_only_as_a_whole_locks_no_single_file(file: Path) -> None:
    file.chmod(0o444)
    file.parent.chmod(0o555)
    write_atomically(file, b"new\n", expected=file.read_bytes())
    assert file.read_bytes() == b"new\n"
    assert stat.S_IMODE(file.stat().st_mode) == 0o444


@pytest.mark.parametrize("mode", [0o444, 0o400, 0o555])
def test_refuses_a_read_only_file(file: Path, mode: int) -> None:
    file.chmod(mode)
    with pytest.raises(InputError, match="read-only"):
        write_atomically(file, NEW, expected=OLD)
    assert file.read_bytes() == OLD


def test_refuses_a_file_that_is_gone(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be written"):
        write_atomically(tmp_path / "gone.md", NEW, expected=OLD)
    assert files(tmp_path) == []


def test_refuses_a_folder(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="not a regular file"):
        write_atomically(tmp_path, NEW, expected=OLD)


def test_says_the_path_first(tmp_path: Path) -> None:
    path = tmp_path / "gone.md"
    with pytest.raises(InputError) as caught:
        write_atomically(path, NEW, expected=OLD)
    assert str(caught.value).startswith(f"{path}: ")
    assert "\n" not in str(caught.value)


def test_writes_through_a_link_within_the_tree(file: Path) -> None:
    link = file.with_name("link.md")
    link.symlink_to("list.md")
    write_atomically(link, NEW, expected=OLD)
    assert link.is_symlink()
    assert file.read_bytes() == NEW


def test_refuses_a_link_that_leads_out(file: Path) -> None:
    tree = file.parent / "tree"
    tree.mkdir()
    link = tree / "link.md"
    link.symlink_to(file)
    with pytest.raises(InputError, match="outside"):
        write_atomically(link, NEW, expected=OLD)
    assert file.read_bytes() == OLD


def test_refuses_links_in_a_circle(tmp_path: Path) -> None:
    (tmp_path / "a.md").symlink_to("b.md")
    (tmp_path / "b.md").symlink_to("a.md")
    with pytest.raises(InputError):
        write_atomically(tmp_path / "a.md", NEW, expected=OLD)


@pytest.mark.parametrize("deed", ["open", "fsync", "chmod", "replace"])
@pytest.mark.parametrize("error", [KeyboardInterrupt(), OSError(28, "No space left on device")])
def test_leaves_the_file_whole_when_it_is_interrupted(
    file: Path, monkeypatch: pytest.MonkeyPatch, deed: str, error: BaseException
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise error

    with monkeypatch.context() as patch:
        patch.setattr(os, deed, fail)
        with pytest.raises(KeyboardInterrupt if isinstance(error, KeyboardInterrupt) else InputError):
            write_atomically(file, NEW, expected=OLD)
    assert file.read_bytes() == OLD
    assert files(file.parent) == ["list.md"]


def test_is_whole_when_it_is_interrupted_after_the_replacement(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    replace = os.replace

    def interrupted(source: Path, target: Path) -> None:
        replace(source, target)
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_atomically(file, NEW, expected=OLD)
    assert file.read_bytes() == NEW
    assert files(file.parent) == ["list.md"]
