"""Lists that do harm, runs that are stopped, and disks that are full: one bad list never ends a run."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from support.command_line import process, shelfread
from support.many_lists import LISTS, audit, errors, start, table, tables, wait_for, write_faults, write_lists
from support.many_lists import faults as faults
from support.many_lists import kept_processes as kept_processes
from support.paths import LINTER

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="Windows has none of these signals and limits"),
    pytest.mark.usefixtures("kept_processes"),
]


@pytest.fixture(autouse=True)
def lists(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return write_lists(tmp_path / "lists")


def add(name: str, text: str = "# Other\n\n- [Fd](https://github.com/sharkdp/fd) - Finds files.\n") -> None:
    write_lists(Path("lists"), {name: text})


@pytest.mark.usefixtures("faults")
@pytest.mark.parametrize("jobs", ["1", "3"])
def test_lists_that_harm_their_process(jobs: str) -> None:
    for name in ("slow", "dying", "bug", "noisy"):
        add(name)
    said = audit("lists", "--deadline", "4s", "-j", jobs)
    assert said == "shelfread: 7 lists, 3 with an error, 7 entries, 1 finding: out/index.html"
    assert errors() == {
        **dict.fromkeys((*LISTS, "noisy")),
        "slow": "not read within 4 seconds: allow more (--deadline), or leave it out",
        "dying": "the process that read it died (SIGKILL): allow more memory (--memory), or leave it out",
        "bug": "a bug of shelfread: KeyError('oops') in sitecustomize.py, line 18",
    }
    assert [row["status"] for row in table("lists")] == [
        "failed" if name in ("slow", "dying", "bug") else "complete" for name in sorted(errors())
    ]


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits the memory of a process")
@pytest.mark.usefixtures("faults")
def test_a_list_that_needs_too_much_memory() -> None:
    add("big")
    audit("lists", "--memory", "300M")
    error = "needs more than 300 MiB of memory: allow more (--memory), or leave it out"
    assert errors() == {**dict.fromkeys(LISTS), "big": error}


@pytest.mark.usefixtures("faults")
def test_what_failed_is_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    add("dying")
    assert "1 with an error" in audit("lists")
    monkeypatch.delenv("PYTHONPATH")
    assert audit("lists") == "shelfread: 4 lists, 3 unchanged, 7 entries, 1 finding: out/index.html"


def test_files_that_cannot_be_read() -> None:
    add("bytes")
    Path("lists/bytes/more.md").write_bytes(b"\xff\xfe\x00 no text")
    add("large", "x" * (50 << 20))
    audit("lists")
    found = {row["list"]: (row["status"], row["entries"], row["error"]) for row in table("lists")}
    assert found["bytes"] == ("partial", 1, "more.md:1: not UTF-8 at byte 0 (0xff): save the file as UTF-8")
    large = "README.md: larger than 16 MiB: split the list or exclude the file"
    assert found["large"] == ("partial", 0, large)
    assert ": 5 lists, 3 unchanged, " in audit("lists"), "what was not complete is read again"


def test_a_configuration_that_is_wrong() -> None:
    Path("lists/tools/.shelfread.yaml").write_text("ruels: {}\n")
    audit("lists")
    assert errors()["tools"] == ".shelfread.yaml:1:1: unknown key 'ruels', did you mean 'rules'?"
    assert errors()["speed"] is None


def stop(number: int) -> subprocess.CompletedProcess[bytes]:
    """Stop an audit of slow lists when it has written a part or two."""
    running = start("lists", "-j", "1")
    parts = Path("out/parts")
    wait_for(lambda: list(parts.glob("*.gz")))
    running.send_signal(number)
    stdout, stderr = running.communicate(timeout=60)
    assert 1 <= len(list(parts.glob("*.gz"))) < 6 and not Path("out/lists.jsonl").exists()
    return subprocess.CompletedProcess([], running.returncode, stdout, stderr)


def test_a_run_that_is_stopped_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    faults = write_faults(tmp_path / "faults")
    for number in range(3):
        add(f"late{number}", LISTS["tools"])
    audit("lists")
    expected = tables()
    for name, status in (("SIGINT", 130), ("SIGTERM", 143), ("SIGKILL", -9)):
        shutil.rmtree("out")
        with monkeypatch.context() as patch:
            patch.setenv("PYTHONPATH", faults)
            done = stop(getattr(signal, name))
        assert done.returncode == status
        if status > 0:
            assert done.stderr == b"shelfread: Interrupted. No file was left partly written.\n"
        said = audit("lists")
        assert "6 lists, " in said and " unchanged, " in said
        assert tables() == expected


LIMITED = (
    "import resource, sys; sys.argv[0] = 'shelfread'; resource.setrlimit(resource.RLIMIT_FSIZE, (%d, -1)); "
    "from shelfread.__main__ import main; main()"
)


@pytest.mark.parametrize(("size", "file"), [(300, r"parts/\w+\.jsonl\.gz"), (1500, r"entries\.jsonl")])
def test_a_full_disk(size: int, file: str) -> None:
    """While a part is written, or a table: what is written stays, and the next run goes on."""
    words = ["audit", "lists", "--output", "out", "--format", "jsonl", "-j", "1"]
    done = subprocess.run(
        [sys.executable, "-c", LIMITED % size, *words],
        env={**os.environ, "PYTHONPATH": str(LINTER)}, capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert done.returncode == 2 and done.stdout == ""
    pattern = rf"shelfread: out/{file}: cannot be written \(file too large\): check the folder\n"
    assert re.fullmatch(pattern, done.stderr), done.stderr
    assert not list(Path("out").rglob(".shelfread-*"))
    audit("lists")
    again = tables()
    os.rename("out", "before")
    audit("lists")
    assert tables() == again


def test_two_runs_at_once() -> None:
    audit("lists")
    fcntl = pytest.importorskip("fcntl")
    with open("out/parts/CACHEDIR.TAG") as tag:
        fcntl.flock(tag, fcntl.LOCK_EX)
        done = shelfread("audit", "lists", "--output", "out", "--format", "jsonl")
    assert (done.exit_code, done.stderr) == (
        2, "shelfread: out: another audit writes to this folder: wait for it\n"
    )  # fmt: skip


def test_a_damaged_part_is_made_again() -> None:
    audit("lists")
    expected = tables()
    for part, data in zip(
        sorted(Path("out/parts").glob("*.gz")), (b"", b"no gzip", b"\x1f\x8b\x08"), strict=True
    ):
        part.write_bytes(data)
    assert "unchanged" not in audit("lists")
    assert tables() == expected


def test_a_folder_that_is_no_audit() -> None:
    Path("mine").mkdir()
    Path("mine/notes.txt").write_text("Mine.\n")
    done = shelfread("audit", "lists", "--output", "mine", "--format", "jsonl")
    assert done.exit_code == 2 and os.listdir("mine") == ["notes.txt"]
    said = "shelfread: mine: has other files than those of an audit: name a new or empty folder\n"
    assert done.stderr == said
    done = shelfread("audit", "lists", "--output", "mine/notes.txt", "--format", "jsonl")
    assert (done.exit_code, done.stderr) == (
        2,
        "shelfread: mine/notes.txt: not a folder: --output names a folder\n",
    )


def test_code_beside_a_list_is_not_run() -> None:
    """The process works in the folder of the list, but imports nothing from it."""
    for module in ("json", "unicodedata", "shelfread", "gzip", "bisect"):
        Path(f"lists/tools/{module}.py").write_text("import os; os._exit(9)\n")
    done = process("audit", "lists", "--output", "out", "--format", "jsonl", "-j", "1")
    assert done.returncode == 0 and errors() == dict.fromkeys(LISTS), done.stderr
