"""The executor `dask` on a real cluster of several processes: the same tables, whatever happens to its workers."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from support.command_line import shelfread
from support.many_lists import LISTS, audit, errors, start, tables, wait_for, write_faults, write_lists
from support.many_lists import faults as faults

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")]
SLOW_LISTS = {f"late{number}": text for number, text in enumerate((*LISTS.values(), *LISTS.values()))}


class Cluster(NamedTuple):
    address: str
    workers: tuple[int, ...]
    process: subprocess.Popen[str]


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    folder = tmp_path_factory.mktemp("cluster")
    env = {**os.environ, "PYTHONPATH": write_faults(folder / "faults"), "TMPDIR": str(folder)}
    command = [sys.executable, str(Path(__file__).with_name("dask_cluster.py"))]
    with open(folder / "log", "wb") as log:
        process = subprocess.Popen(
            command, env=env, cwd=folder, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log
        )
    assert process.stdout is not None
    line = next((line for line in process.stdout if "tcp://" in line), "")  # behind what the faults print
    assert line, (folder / "log").read_text()
    address, *workers = line[line.index("tcp://") :].split()
    yield Cluster(address, tuple(map(int, workers)), process)
    process.communicate("")


@pytest.fixture(autouse=True)
def lists(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return write_lists(tmp_path / "lists", {**LISTS, **SLOW_LISTS})


@pytest.mark.usefixtures("faults")
def test_a_worker_is_killed(cluster: Cluster) -> None:
    """The rows are those of a local run, and what fails there fails here."""
    write_lists(Path("lists"), dict.fromkeys(("dying", "bug", "slow"), "# List\n"))
    audit("lists", "--deadline", "4s")
    os.rename("out", "local")
    running = start("lists", "--deadline", "4s", "--executor", "dask", "--scheduler", cluster.address)
    wait_for(lambda: list(Path("out/parts").glob("*.gz")))
    os.kill(cluster.workers[0], signal.SIGKILL)
    said = running.communicate(timeout=60)[1].decode()
    assert running.returncode == 0, said
    assert said == "shelfread: 12 lists, 3 with an error, 18 entries, 3 findings: out/index.html\n"
    assert tables() == tables("local")


def test_what_is_done_is_not_done_again(cluster: Cluster) -> None:
    audit("lists", "--executor", "dask", "--scheduler", cluster.address)
    said = audit("lists", "--executor", "dask", "--scheduler", cluster.address)
    assert "9 lists, 9 unchanged" in said
    assert "9 lists, 9 unchanged" in audit("lists")
    assert errors() == dict.fromkeys({**LISTS, **SLOW_LISTS})


def test_no_scheduler_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shelfread.audit.executors._SCHEDULER_SECONDS", 1)
    done = shelfread(
        "audit", "lists", "--output", "out", "--executor", "dask", "--scheduler", "tcp://127.0.0.1:9"
    )
    assert done.exit_code == 2 and "no Dask scheduler answers at tcp://127.0.0.1:9" in done.stderr
    assert done.stderr.count("\n") == 1
