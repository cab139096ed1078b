"""What is kept from run to run, whatever happens to the run or to the file."""

from __future__ import annotations

import math
import os
import random
import signal
import sqlite3
import stat
import struct
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from shelfread.core import database as sqlite_file
from shelfread.index.answers import Hop, LinkRecord, Verdict
from shelfread.links import record_cache as module
from shelfread.links.record_cache import MAX_AGE, MAX_ROW, MAX_URL, RecordCache, decode, encode
from support.links import FULL, TODAY
from support.paths import ROOT


def record(number: int, when: float = TODAY) -> LinkRecord:
    url = f"https://a.example/{number}"
    return LinkRecord(url, Verdict.ALIVE, "200 OK", (Hop(url, 200),), checked_at=when)


@pytest.fixture
def warnings() -> list[str]:
    return []


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "cache" / "links.sqlite3"


@pytest.fixture
def kept(path: Path, warnings: list[str]) -> Iterator[RecordCache]:
    with RecordCache(path, warnings.append) as cache:
        yield cache


def fill(path: Path, *records: LinkRecord) -> None:
    """Write a cache with these records."""
    warnings: list[str] = []
    with RecordCache(path, warnings.append) as cache:
        cache.put(records)
    assert not warnings


def read(path: Path, *urls: str) -> dict[str, LinkRecord]:
    warnings: list[str] = []
    with RecordCache(path, warnings.append) as cache:
        found = cache.get(urls)
    assert not warnings
    return found


def test_every_field_is_kept(path: Path) -> None:
    fill(path, FULL, record(1))
    assert read(path, FULL.url, record(1).url, "https://a.example/none") == {
        FULL.url: FULL,
        record(1).url: record(1),
    }
    bare = LinkRecord("https://a.example/bare", Verdict.DEAD, "", checked_at=1.0)
    fill(path, bare)
    assert read(path, bare.url) == {}  # too old
    assert decode(bare.url, encode(bare)) == bare


def test_pending_records_are_returned(kept: RecordCache, path: Path) -> None:
    kept.put([record(1)])
    assert kept.get([record(1).url]) == {record(1).url: record(1)}
    later = record(1, TODAY + 5)
    kept.put([later])
    assert kept.get([record(1).url]) == {record(1).url: later}


def test_a_later_record_replaces_an_earlier_one(path: Path) -> None:
    fill(path, record(1))
    fill(path, record(1, TODAY + 5))
    assert read(path, record(1).url)[record(1).url].checked_at == TODAY + 5


def test_a_full_batch_is_written_during_the_run(kept: RecordCache, path: Path) -> None:
    for number in range(module.BATCH):
        kept.put([record(number)])
    assert len(read(path, *(record(number).url for number in range(module.BATCH)))) == module.BATCH


def test_a_small_batch_is_written_after_some_seconds(
    kept: RecordCache, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module.time, "monotonic", lambda: math.inf)
    kept.put([record(1)])
    assert read(path, record(1).url)


def test_an_unchecked_record_does_not_replace_a_checked_one(path: Path) -> None:
    fill(path, record(1))
    fill(path, LinkRecord(record(1).url, Verdict.UNKNOWN, "not checked"))
    assert read(path, record(1).url)[record(1).url].verdict is Verdict.ALIVE


def test_old_records_are_deleted(path: Path) -> None:
    fill(path, record(1, TODAY - MAX_AGE - 60), record(2, TODAY - MAX_AGE + 3600))
    assert list(read(path, record(1).url, record(2).url)) == [record(2).url]


def test_only_the_owner_can_read_the_file(path: Path) -> None:
    fill(path, record(1))
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert os.listdir(path.parent) == [path.name]


def test_a_copy_of_the_file_is_complete_after_each_batch(
    kept: RecordCache, path: Path, tmp_path: Path
) -> None:
    kept.put(record(number) for number in range(module.BATCH))
    copy = tmp_path / "copy.sqlite3"
    copy.write_bytes(path.read_bytes())
    assert len(read(copy, *(record(number).url for number in range(module.BATCH)))) == module.BATCH


def test_odd_urls_are_accepted(kept: RecordCache, path: Path, warnings: list[str]) -> None:
    odd = ["https://a.example/\ud800", "https://a.example/" + "x" * MAX_URL, "https://a.example/'\"\0?", ""]
    kept.put(FULL._replace(url=url) for url in odd)
    kept.flush()
    kept._pending.clear()
    assert set(kept.get(odd)) == {odd[2], odd[3]}
    assert not warnings


def test_odd_reasons_are_truncated(path: Path) -> None:
    fill(path, FULL._replace(reason="\ud800" + "x" * 2000))
    found = read(path, FULL.url)[FULL.url]
    assert found == FULL._replace(reason="?" + "x" * 999)


def test_too_many_anchors_are_not_kept(path: Path) -> None:
    many = FULL._replace(anchors=frozenset(f"anchor-{number}" for number in range(MAX_ROW // 8)))
    fill(path, many)
    assert read(path, FULL.url)[FULL.url] == FULL._replace(anchors=None)


def garbage(path: Path) -> None:
    path.write_bytes(b"no database at all " * 300)


def truncated(path: Path) -> None:
    fill(path, *map(record, range(1000)))
    os.truncate(path, path.stat().st_size // 2 // 4096 * 4096)


def half_a_page(path: Path) -> None:
    fill(path, *map(record, range(1000)))
    os.truncate(path, 6000)


def short_header(path: Path) -> None:
    path.write_bytes(b"SQLite format 3\0" + b"\x10")


def scribbled(path: Path) -> None:
    fill(path, *map(record, range(1000)))
    data = bytearray(path.read_bytes())
    data[4096:] = random.Random(5).randbytes(len(data) - 4096)
    path.write_bytes(data)


def of_another_format(path: Path) -> None:
    fill(path, *map(record, range(10)))
    data = bytearray(path.read_bytes())
    data[44:48] = b"\0\0\0\7"  # the schema's format, of which SQLite knows four
    path.write_bytes(data)


def newer(path: Path) -> None:
    fill(path, *map(record, range(10)))
    change(path, "PRAGMA user_version = 99")


def with_a_view(path: Path) -> None:
    fill(path, *map(record, range(10)))
    endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i, i, i FROM n"
    change(path, "DROP TABLE link_records", f"CREATE VIEW link_records(key, at, record) AS {endless}")


def with_a_trigger(path: Path) -> None:
    fill(path, *map(record, range(10)))
    change(path, "CREATE TRIGGER t AFTER INSERT ON link_records BEGIN DELETE FROM link_records; END")


def with_another_table(path: Path) -> None:
    fill(path, *map(record, range(10)))
    change(path, "DROP TABLE link_records", "CREATE TABLE link_records (key TEXT)")


def change(path: Path, *statements: str) -> None:
    database = sqlite3.connect(path, isolation_level=None)
    for statement in statements:
        database.execute(statement)
    database.close()


@pytest.mark.parametrize(
    "damage",
    [
        garbage,
        truncated,
        half_a_page,
        short_header,
        scribbled,
        of_another_format,
        newer,
        with_a_view,
        with_a_trigger,
        with_another_table,
    ],
)
def test_a_damaged_file_is_renamed(path: Path, warnings: list[str], damage: object) -> None:
    path.parent.mkdir()
    damage(path)  # type: ignore[operator]
    before = path.read_bytes()
    urls = [record(number).url for number in range(1000)]
    with RecordCache(path, warnings.append) as cache:
        cache.get(urls)
        cache.put(map(record, range(10)))
    (aside,) = path.parent.glob("links.sqlite3.damaged-*")
    assert aside.read_bytes() == before
    assert len(warnings) == 1 and aside.name in warnings[0] and "\n" not in warnings[0]
    assert len(read(path, *urls[:10])) == 10


def test_a_file_damaged_during_the_run_is_renamed_and_the_batch_is_kept(
    path: Path, warnings: list[str]
) -> None:
    with RecordCache(path, warnings.append) as cache:
        cache.put(map(record, range(1000)))
        cache.flush()
        path.write_bytes(b"x" * 9000)
        cache.put([FULL])
    assert "renamed to" in warnings[0] and len(warnings) == 1
    assert read(path, FULL.url) == {FULL.url: FULL}


def test_an_empty_file_becomes_a_cache(path: Path) -> None:
    path.parent.mkdir()
    path.touch()
    fill(path, record(1))
    assert read(path, record(1).url)


def check_unusable(path: Path, warnings: list[str], message: str) -> None:
    """The run continues without a cache, and a warning gives the reason."""
    with RecordCache(path, warnings.append) as cache:
        cache.put([record(1)])
        assert cache.get(["https://a.example/else"]) == {}
    assert len(warnings) == 1
    assert message in warnings[0] and str(path) in warnings[0]


def test_a_folder_is_not_a_cache(path: Path, warnings: list[str]) -> None:
    path.mkdir(parents=True)
    check_unusable(path, warnings, "not a regular file")


def test_a_pipe_is_not_a_cache(path: Path, warnings: list[str]) -> None:
    path.parent.mkdir()
    os.mkfifo(path)
    check_unusable(path, warnings, "not a regular file")


@pytest.mark.parametrize("target", ["victim", "missing", "links.sqlite3"])
def test_a_link_is_not_followed(path: Path, warnings: list[str], target: str) -> None:
    path.parent.mkdir()
    victim = path.parent / "victim"
    victim.write_bytes(b"")
    path.symlink_to(path.parent / target)
    check_unusable(path, warnings, "a symbolic link")
    assert victim.read_bytes() == b"" and path.is_symlink()
    assert sorted(os.listdir(path.parent)) == ["links.sqlite3", "victim"]


def test_another_programs_database_is_left_alone(path: Path, warnings: list[str]) -> None:
    path.parent.mkdir()
    change(path, "CREATE TABLE bookmarks (url TEXT)")
    before = path.read_bytes()
    check_unusable(path, warnings, "another program")
    assert path.read_bytes() == before


def test_a_folder_that_cannot_be_created(tmp_path: Path, warnings: list[str]) -> None:
    (tmp_path / "file").touch()
    check_unusable(tmp_path / "file" / "links.sqlite3", warnings, "its folder is a file")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_read_only_folder(path: Path, warnings: list[str]) -> None:
    path.parent.mkdir(mode=0o500)
    check_unusable(path, warnings, "ermission")


def test_a_read_only_file_is_read(path: Path, warnings: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    fill(path, record(1))
    connect = sqlite_file.connect

    def read_only(where: Path, table: str) -> sqlite3.Connection:
        database = connect(where, table)
        database.execute("PRAGMA query_only = ON")  # root may write whatever the mode says
        return database

    monkeypatch.setattr(sqlite_file, "connect", read_only)
    with RecordCache(path, warnings.append) as cache:
        assert cache.get([record(1).url])
        cache.put([record(2)])
    assert len(warnings) == 1 and "readonly" in warnings[0]
    assert list(path.parent.iterdir()) == [path]


def test_a_full_disk_ends_only_writing(path: Path, warnings: list[str]) -> None:
    with RecordCache(path, warnings.append) as cache:
        assert cache._rows._database is not None
        cache._rows._database.execute("PRAGMA max_page_count = 5")
        for number in range(100):
            cache.put([FULL._replace(url=f"https://a.example/{number}", anchors=frozenset(["x" * 5000]))])
        cache.flush()
        cache.put([record(1)])
    assert len(warnings) == 1 and "full" in warnings[0]


def test_invalid_rows_do_not_hide_valid_ones(path: Path) -> None:
    fill(path, record(1), record(2), record(3), record(4))
    change(
        path,
        f"UPDATE link_records SET record = 'x' WHERE key = '{record(1).url}'",
        f"UPDATE link_records SET record = CAST(x'fffe' AS TEXT) WHERE key = '{record(2).url}'",
        f"UPDATE link_records SET record = printf('%.*c', {MAX_ROW + 1}, ' ') WHERE key = '{record(3).url}'",
    )
    assert list(read(path, *(record(number).url for number in range(1, 5)))) == [record(4).url]


# Several processes, and what kills them.
WRITER = """
import sys
from pathlib import Path
from shelfread.links.record_cache import BATCH, RecordCache
from shelfread.index.answers import Hop, LinkRecord, Verdict

path, name, count = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
with RecordCache(path, lambda message: print(message, file=sys.stderr)) as cache:
    for number in range(count):
        # Scattered, so that a batch changes many pages.
        url = f"https://{name}.example/{number * 2654435761 % 2**32}"
        cache.put([LinkRecord(url, Verdict.ALIVE, "200 OK", (Hop(url, 200),), checked_at=2e9)])
        if (number + 1) % BATCH == 0:
            print(number + 1, flush=True)
"""


def written_by(name: str, count: int) -> list[str]:
    return [f"https://{name}.example/{number * 2654435761 % 2**32}" for number in range(count)]


def writer(path: Path, name: str, count: int) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", WRITER, str(path), name, str(count)],
        env={**os.environ, "PYTHONPATH": str(ROOT / "linter")},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_two_processes_write_at_the_same_time(path: Path) -> None:
    running = [writer(path, name, 1000) for name in ("a", "b")]
    for process in running:
        _, errors = process.communicate(timeout=120)
        assert (process.returncode, errors) == (0, "")
    found = read(path, *written_by("a", 1000), *written_by("b", 1000))
    assert len(found) == 2000


def test_processes_that_find_the_same_damage(path: Path) -> None:
    path.parent.mkdir()
    garbage(path)
    running = [writer(path, name, 500) for name in "abc"]
    errors = [process.communicate(timeout=120)[1] for process in running]
    assert all(process.returncode == 0 for process in running), errors
    assert any(path.parent.glob("*.damaged-*"))
    # Two processes may rename at the same moment: the cache is usable all the same.
    fill(path, record(1))
    assert read(path, record(1).url)


@pytest.mark.slow
def test_a_killed_run_loses_its_last_batch_at_most(path: Path) -> None:
    chance = random.Random(1)
    for turn in range(5):
        process = writer(path, f"run{turn}", 10**9)
        assert process.stdout is not None
        lines = [process.stdout.readline() for _ in range(chance.randint(1, 9))]
        process.send_signal(signal.SIGKILL)
        output, _ = process.communicate(timeout=60)
        assert process.returncode == -signal.SIGKILL
        written = int([*lines, *output.split()][-1])
        urls = written_by(f"run{turn}", written)
        found = read(path, *urls)
        # A batch that was written because of the time may be smaller than the number that was printed.
        assert len(found) >= written - module.BATCH
        assert set(found) == set(urls[: len(found)])
        database = sqlite3.connect(path)
        assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        database.close()
    fill(path, record(1))
    assert os.listdir(path.parent) == [path.name]  # the next writer removes the journal


KILLED_WITHIN = """
import os, signal, sys
from pathlib import Path
from shelfread.core.database import RowFile, transaction

def rows():
    for number in range(1500):
        yield f"https://b.example/{number * 2654435761 % 2**32}", 2e9, "x" * 200
    os.kill(os.getpid(), signal.SIGKILL)

kept = RowFile(Path(sys.argv[1]), "link_records", print)
kept._database.execute("PRAGMA cache_size = 5")  # incomplete changes reach the file
with transaction(kept._database):
    kept._database.executemany("INSERT OR REPLACE INTO link_records VALUES (?, ?, ?)", rows())
"""


def test_a_killed_transaction_is_rolled_back(path: Path) -> None:
    fill(path, *map(record, range(1000)))
    process = subprocess.run(
        [sys.executable, "-c", KILLED_WITHIN, str(path)],
        env={**os.environ, "PYTHONPATH": str(ROOT / "linter")},
        timeout=120,
    )
    assert process.returncode == -signal.SIGKILL
    assert path.with_name(path.name + "-journal").stat().st_size > 0
    assert len(read(path, *(record(number).url for number in range(1000)))) == 1000
    database = sqlite3.connect(path)
    assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    assert database.execute("SELECT count(*) FROM link_records").fetchall() == [(1000,)]
    database.close()


def test_a_locked_cache_does_not_block_the_run(
    path: Path, warnings: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(path, record(1))
    other = sqlite3.connect(path, isolation_level=None)
    with RecordCache(path, warnings.append) as cache:
        assert cache._rows._database is not None
        cache._rows._database.execute("PRAGMA busy_timeout = 1")
        other.execute("BEGIN IMMEDIATE")
        for number in range(1000):
            cache.put([record(number)])
        assert len(cache.get(record(number).url for number in range(1000))) == 1000
        other.execute("ROLLBACK")
    other.close()
    assert not warnings
    assert len(read(path, *(record(number).url for number in range(1000)))) == 1000


def test_a_cache_locked_to_the_end_warns(path: Path, warnings: list[str]) -> None:
    fill(path, record(1))
    other = sqlite3.connect(path, isolation_level=None)
    with RecordCache(path, warnings.append) as cache:
        assert cache._rows._database is not None
        cache._rows._database.execute("PRAGMA busy_timeout = 1")
        other.execute("BEGIN IMMEDIATE")
        cache.put([record(2)])
    other.close()
    assert len(warnings) == 1 and "the last 1 links" in warnings[0]


def test_many_records(path: Path) -> None:
    fill(path, *map(record, range(5_000)))
    found = read(path, *(record(number).url for number in range(5_000)))
    assert len(found) == 5_000
    assert found[record(3777).url] == record(3777)


def test_a_cache_of_an_older_version_is_emptied_in_silence(path: Path) -> None:
    with RecordCache(path, pytest.fail) as cache:
        cache.put([FULL])
    change(path, "PRAGMA user_version = 2")
    with RecordCache(path, pytest.fail) as cache:
        assert cache.get([FULL.url]) == {}
        cache.put([FULL])
    with RecordCache(path, pytest.fail) as cache:
        assert cache.get([FULL.url]) == {FULL.url: FULL}
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def crafted_journal(path: Path, victim: Path) -> bytes:
    """A journal that names a file, which SQLite deletes after it has rolled back."""
    name = os.fsencode(victim)
    header = struct.pack(">8sIIIII", JOURNAL, 0, 0, path.stat().st_size // 4096, 512, 4096).ljust(512, b"\0")
    return header + struct.pack(">I", 1) + name + struct.pack(">II8s", len(name), sum(name), JOURNAL)


JOURNAL = bytes.fromhex("d9d505f920a163d7")


def test_a_journal_that_names_another_file_is_refused(
    path: Path, tmp_path: Path, warnings: list[str]
) -> None:
    victim = tmp_path / "victim"
    for opens in (lambda: sqlite3.connect(path).execute("SELECT * FROM link_records").fetchall(), None):
        fill(path, FULL)
        victim.write_text("precious")
        Path(f"{path}-journal").write_bytes(crafted_journal(path, victim))
        if opens is not None:
            opens()
            assert not victim.exists()  # the attack works
            continue
        with RecordCache(path, warnings.append) as cache:
            assert cache.get([FULL.url]) == {}
            cache.put([FULL])
    assert victim.read_text() == "precious"
    (warning,) = warnings
    assert warning.endswith(
        "its journal names another file: remove it: the results of this run are not saved"
    )


@pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege")
def test_a_journal_that_is_a_link_is_refused(path: Path, tmp_path: Path, warnings: list[str]) -> None:
    fill(path, FULL)
    (tmp_path / "other").write_text("precious")
    Path(f"{path}-journal").symlink_to(tmp_path / "other")
    with RecordCache(path, warnings.append) as cache:
        assert cache.get([FULL.url]) == {}
    assert len(warnings) == 1 and (tmp_path / "other").read_text() == "precious"


# Rows from elsewhere.
ROW = encode(FULL) or ""


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"moved"', '"dangerous"'),
        ('"moved"', "[]"),
        ('"verdict"', '"v"'),
        ('"reason":"moved permanently"', '"reason":5'),
        ('"reason":"moved permanently"', '"reason":"' + "x" * 1001 + '"'),
        ('"https://a.example/x"', '"file:///etc/passwd"'),
        ('"https://a.example/x"', '"javascript:alert(1)"'),
        ('"https://a.example/x"', '"https://a.example/\\u001b[31m"'),
        ('"https://a.example/x"', "null"),
        (",301]", ",3010]"),
        (",301]", ",-1]"),
        (",301]", ",true]"),
        (",301]", ",301,5]"),
        ('"certificate"', '"else"'),
        ('[["link/moved"', '[["link/evil"'),
        ('[["link/moved","https:', '[["link/moved","javascript:'),
        ('"it moved",1]', '"it moved",2]'),
        ('"it moved",1]', '"it moved",true]'),
        ('"it moved",1]', '"it moved"]'),
        ('"repairs_checked_at":', '"repairs_checked_at":-'),
        ('"hops":[', '"hops":[5,'),
        ('"failures":2', '"failures":-2'),
        ('"failures":2', '"failures":' + "9" * 5000),
        ('"failures":2', '"failures":true'),
        ('"checked_at":TODAY', '"checked_at":NaN'),
        ('"checked_at":TODAY', '"checked_at":1e999'),
        ('"checked_at":TODAY', '"checked_at":Infinity'),
        ('"checked_at":TODAY', '"checked_at":-5'),
        ('"checked_at":TODAY', '"checked_at":"now"'),
        ('"checked_at":TODAY', '"checked_at":999999999999'),
        ('"anchors":[', '"anchors":[5,'),
        ('"anchors":[', '"anchors":["\\ud800",'),
        ('"anchors":[', '"anchors":{},"x":['),
        ('"source":"doi.org"', '"source":null'),
    ],
)
def test_an_invalid_row_is_ignored(old: str, new: str) -> None:
    old = old.replace(
        "TODAY", str(TODAY)
    )  # not in the parameters: their ids must be the same in every process
    assert decode(FULL.url, ROW) == FULL
    assert old in ROW
    assert decode(FULL.url, ROW.replace(old, new)) is None


@pytest.mark.parametrize(
    "text", ["", "null", "[]", "5", "{", "[" * 100_000, '{"a":' * 50_000, None, 5, b"{}"]
)
def test_other_json_is_ignored(text: object) -> None:
    assert decode(FULL.url, text) is None
