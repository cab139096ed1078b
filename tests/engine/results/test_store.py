"""Rows are there as they were written, or not at all, whatever happens to their file."""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

from shelfread.engine.results import store as module
from shelfread.engine.results.store import MAX_AGE, Store, default_path
from support.paths import LINTER

ROWS = {f"key {number}": {"text": "x" * number, "list": [number, None, "é\ud800"]} for number in range(50)}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "cache" / "shelfread" / "results.sqlite3"


def write(path: Path, rows: dict[str, object] | None = None) -> dict[str, str]:
    store = Store(path)
    try:
        return store.put(dict(ROWS) if rows is None else rows)
    finally:
        store.close()


def read(path: Path, *keys: str) -> dict[str, object]:
    store = Store(path)
    try:
        return {key: row.data for key, row in store.get(keys or ROWS).items()}
    finally:
        store.close()


def test_rows_are_kept_with_their_checksums(path: Path) -> None:
    written = write(path)
    store = Store(path)
    rows = store.get(["key 3", "key 4", "nothing"])
    store.close()
    assert {key: row.data for key, row in rows.items()} == {key: ROWS[key] for key in ("key 3", "key 4")}
    assert {key: row.checksum for key, row in rows.items()} == {key: written[key] for key in rows}
    assert written["key 3"] != written["key 4"]


@pytest.mark.skipif(os.name != "posix", reason="modes are those of POSIX")
def test_only_the_user_can_read_the_file(path: Path) -> None:
    write(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


@pytest.mark.skipif(os.name != "posix", reason="modes are those of POSIX")
def test_a_file_that_others_can_write_to_is_not_used(path: Path) -> None:
    write(path)
    path.chmod(0o620)
    assert read(path) == {} == write(path)
    path.chmod(0o600)
    path.parent.chmod(0o777)
    assert read(path) == {} == write(path)
    path.parent.chmod(0o700)
    assert read(path) == ROWS


def test_damage_is_no_answer_and_is_cleared_away(path: Path) -> None:
    """Each of many damages: bytes that differ, a file that ends early, another file in its place."""
    chance = random.Random(1)
    for number in range(60):
        path.unlink(missing_ok=True)
        write(path)
        data = bytearray(path.read_bytes())
        kind = number % 4
        if kind == 0:
            for _ in range(chance.choice((1, 20, 400))):
                data[chance.randrange(len(data))] = chance.randrange(256)
        elif kind == 1:
            del data[chance.randrange(len(data)) :]
        elif kind == 2:
            data = bytearray(chance.randbytes(chance.randrange(1, 3000)))
        else:
            first, second = sorted(chance.sample(range(len(data)), 2))
            data[first:second] = bytes(second - first)
        path.write_bytes(data)
        found = read(path)
        assert all(ROWS[key] == row for key, row in found.items())
        write(path)
        assert all(ROWS[key] == row for key, row in read(path).items())
    assert sorted(file.name for file in path.parent.iterdir()) in ([path.name], [])


def test_a_row_under_another_key_is_none(path: Path) -> None:
    write(path)
    database = sqlite3.connect(path)
    database.execute("UPDATE results SET key = 'key 2' || key WHERE key != 'key 3'")
    database.execute("UPDATE results SET key = 'key 5' WHERE key = 'key 3'")
    database.execute("INSERT INTO results VALUES ('key 6', 9e9, 'text')")
    database.commit()
    database.close()
    assert read(path) == {}


def test_the_database_of_another_program_is_left_alone(path: Path) -> None:
    path.parent.mkdir(parents=True, mode=0o700)
    path.parent.chmod(0o700)
    database = sqlite3.connect(path)
    database.execute("CREATE TABLE mine (text)")
    database.commit()
    database.close()
    path.chmod(0o600)
    before = path.read_bytes()
    assert write(path) == {} == read(path)
    assert path.read_bytes() == before


def test_the_cache_of_a_newer_version_is_left_alone(path: Path) -> None:
    write(path)
    database = sqlite3.connect(path)
    database.execute("PRAGMA user_version = 99")
    database.close()
    before = path.read_bytes()
    assert write(path) == {} == read(path)
    assert path.read_bytes() == before


@pytest.mark.parametrize("kind", ["link", "folder", "pipe", "file above", "read-only"])
def test_a_path_that_cannot_be_used_is_no_cache(path: Path, kind: str, tmp_path: Path) -> None:
    above = path.parent
    if kind == "file above":
        above.parent.mkdir()
        above.write_text("")
    elif kind == "read-only":
        if os.geteuid() == 0:
            pytest.skip("root can write everywhere")
        above.parent.mkdir(mode=0o500)
    else:
        above.mkdir(parents=True, mode=0o700)
        if kind == "link":
            path.symlink_to(tmp_path / "elsewhere")
        elif kind == "folder":
            path.mkdir()
        else:
            os.mkfifo(path)
    assert write(path) == {} == read(path)
    assert not (tmp_path / "elsewhere").exists()


def test_a_folder_may_be_a_link(path: Path, tmp_path: Path) -> None:
    (tmp_path / "big").mkdir(mode=0o700)
    path.parent.parent.mkdir()
    path.parent.symlink_to(tmp_path / "big")
    write(path)
    assert read(path) == ROWS


def test_the_file_is_bounded(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_BYTES", 400_000)
    chance = random.Random(2)
    clock = time.time() - 1000
    monkeypatch.setattr(module.time, "time", lambda: clock)
    for number in range(60):
        clock += 1
        write(path, {f"row {number}": chance.randbytes(20_000).hex()})
        assert path.stat().st_size < 600_000
    kept = read(path, *(f"row {number}" for number in range(60)))
    assert 5 <= len(kept) < 30
    assert min(int(key.split()[1]) for key in kept) == 60 - len(kept), "the oldest leave"


def test_a_row_that_is_too_large_is_not_kept(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_MAX_ROW", 1000)
    assert list(write(path, {"small": 1, "large": random.Random(3).randbytes(2000).hex()})) == ["small"]
    monkeypatch.setattr(module, "_MAX_DATA", 100)
    assert list(write(path, {"plain": "x" * 200})) == []
    monkeypatch.undo()
    write(path, {"large": "x" * 5000})
    monkeypatch.setattr(module, "_MAX_DATA", 1000)
    assert read(path, "large") == {}, "not even if it is there"


def test_rows_leave_when_they_are_not_used(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now = time.time()
    monkeypatch.setattr(module.time, "time", lambda: now)
    write(path)
    now += MAX_AGE * 0.6
    assert read(path, "key 1")
    now += MAX_AGE * 0.6
    write(path, {"new": 1})
    assert read(path) == {"key 1": ROWS["key 1"]}


def test_a_clock_that_was_wrong_does_no_harm(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now = time.time()
    monkeypatch.setattr(module.time, "time", lambda: now)
    now += 1000 * MAX_AGE
    write(path)
    now -= 1000 * MAX_AGE
    assert read(path, "key 1"), "the time tells nothing of the contents"
    write(path, {"new": 1})
    assert read(path, *ROWS, "new") == {"key 1": ROWS["key 1"], "new": 1}


def test_a_full_disk_is_no_error(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_PRAGMAS", ("max_page_count = 8",))
    assert write(path, {"small": 1}) != {}
    assert write(path, {"large": random.Random(5).randbytes(100_000).hex()}) == {}
    assert read(path, "small", "large") == {"small": 1}


_WRITER = """
import sys
from pathlib import Path
from shelfread.engine.results.store import Store

number = int(sys.argv[2])
for round in range(int(sys.argv[3])):
    store = Store(Path(sys.argv[1]))
    store.put({f"{number} {round} {row}": [number, round, row, "x" * 3000] for row in range(20)})
    store.close()
    print(round, flush=True)
"""


def writer(path: Path, number: int, rounds: int) -> subprocess.Popen[bytes]:
    env = {**os.environ, "PYTHONPATH": str(LINTER)}
    words = [sys.executable, "-c", _WRITER, str(path), str(number), str(rounds)]
    return subprocess.Popen(words, env=env, stdout=subprocess.PIPE)


def test_processes_may_write_at_once(path: Path) -> None:
    processes = [writer(path, number, 8) for number in range(3)]
    for process in processes:
        process.communicate(timeout=120)
        assert process.returncode == 0
    keys = [f"{number} {round} {row}" for number in range(3) for round in range(8) for row in range(20)]
    found = read(path, *keys)
    assert len(found) >= len(keys) / 2, "one that has waited for too long goes on without"
    for key, row in found.items():
        assert row == [*map(int, key.split()), "x" * 3000]


def test_a_process_may_be_killed(path: Path) -> None:
    chance = random.Random(4)
    for number in range(6):
        process = writer(path, number, 1000)
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(chance.random() * 0.03)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        keys = [f"{number} {round} {row}" for round in range(2) for row in range(20)]
        found = read(path, *keys)
        assert len(found) >= 20
        assert all(row == [*map(int, key.split()), "x" * 3000] for key, row in found.items())
        assert list(write(path, {"next": number})) == ["next"]


def test_the_path_is_that_of_the_platform(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert default_path().name == "results.sqlite3"
    if sys.platform.startswith("linux"):
        assert default_path() == tmp_path / "shelfread/results.sqlite3"
