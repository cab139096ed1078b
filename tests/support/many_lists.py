"""Folders with several lists, some of which do harm to the process that reads them."""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from shelfread.audit import executors
from support.command_line import shelfread
from support.paths import LINTER

TOFU = "Tofu: Partitioning Graphs ([EuroSys 2019](https://doi.org/10.1145/3302424.3303953))"
FLASH = "Flash: Attention Without Waiting for Memory ([NeurIPS 2022](https://arxiv.org/abs/2205.14135))"
LISTS = {
    "graphs": f"# Graphs\n\n## Training\n\n- {TOFU} [[Paper](https://arxiv.org/abs/1807.08887)]\n- {FLASH}\n",
    "tools": "# Awesome Tools\n\n## Search\n\n- [Fd](https://github.com/sharkdp/fd) - Finds files.\n"
    "- [Ripgrep](htps://github.com/BurntSushi/ripgrep) - Searches fast.\n",
    "speed": f"# Speed\n\n## Attention\n\n- {FLASH}\n- [Fd](https://github.com/sharkdp/fd) - Finds files.\n",
}
FAULTS = """
import os, signal, time
import shelfread.exports.shown_lists as page
read = page.read_lists
def faulty(*words, **options):
    name = os.path.basename(os.getcwd())
    if name.startswith("slow"):
        time.sleep(60)
    if name.startswith("late"):
        time.sleep(1)
    if name.startswith("big"):
        held = []
        while True:
            held.append(b"x" * (1 << 24))
    if name.startswith("dying"):
        os.kill(os.getpid(), signal.SIGKILL)
    if name.startswith("bug"):
        raise KeyError("oops")
    if name.startswith("noisy"):
        print("x" * 100_000, flush=True)
        os.system("echo of a program")
    return read(*words, **options)
page.read_lists = faulty
os.write(1, b"printed\\nwhile Python starts")
"""
"""What every process that starts from now on does with lists of certain names: an own sitecustomize.py."""


def write_lists(folder: Path, lists: Mapping[str, str] = LISTS) -> Path:
    """Write each list to a README of a folder of its name."""
    for name, text in lists.items():
        (folder / name).mkdir(parents=True)
        (folder / name / "README.md").write_text(text, "utf-8")
    return folder


_end_all = executors.end_all


@pytest.fixture(scope="module")
def kept_processes() -> Iterator[None]:
    """Lets audits go on with the processes of the one before: to start one takes longer than to read a list."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(executors, "end_all", lambda: None)
        yield
    _end_all()


def wait_for(is_so: Callable[[], object]) -> None:
    """Wait until something is so, at most for a minute."""
    for _ in range(1200):
        if is_so():
            break
        time.sleep(0.05)


@pytest.fixture
def faults(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets the names of lists decide what happens to the processes that read them, which are kept for no other test."""
    monkeypatch.setenv("PYTHONPATH", write_faults(tmp_path / "faults"))
    monkeypatch.setattr(executors, "_idle", [])
    monkeypatch.setattr(executors, "end_all", _end_all)


def write_faults(folder: Path) -> str:
    """Return the PYTHONPATH of processes that lists can harm."""
    folder.mkdir()
    (folder / "sitecustomize.py").write_text(FAULTS)
    return os.pathsep.join((str(folder), str(LINTER)))


def audit(*words: str, form: str = "jsonl") -> str:
    """Run an audit that ends well, in one process but for what the words say, and return its last line."""
    jobs = () if "--executor" in words else ("-j", "1")
    done = shelfread("audit", "--output", "out", "--format", form, *jobs, *words)
    assert (done.exit_code, done.stdout) == (0, ""), done.output
    return done.stderr.splitlines()[-1]


def start(*words: str, **options: Any) -> subprocess.Popen[bytes]:
    """Start an audit in a process of its own."""
    command = [sys.executable, "-m", "shelfread", "audit", "--output", "out", "--format", "jsonl", *words]
    env = {"PYTHONPATH": str(LINTER), **os.environ}
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env, **options)


def table(name: str, output: str = "out") -> list[dict[str, Any]]:
    """Return the rows of a table in JSON Lines."""
    return [json.loads(line) for line in Path(output, f"{name}.jsonl").read_text("utf-8").splitlines()]


def csv_table(name: str, output: str = "out") -> list[dict[str, str]]:
    """Return the rows of a table in CSV."""
    with open(Path(output, f"{name}.csv"), encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def tables(output: str = "out") -> dict[str, bytes]:
    """Return the bytes of all that an audit shows: its tables and its page."""
    return {path.name: path.read_bytes() for path in Path(output).iterdir() if path.is_file()}


def errors(output: str = "out") -> dict[str, str | None]:
    """Return the error of each list."""
    return {row["list"]: row["error"] for row in table("lists", output)}
