#!/usr/bin/env python3
"""Measure what `shelfread audit` costs for more and more lists, in processes of this machine and on a Dask cluster.

    audit.py CORPUS [COUNT ...] [--executor local|dask] [--largest KB]

CORPUS is a folder of lists. They are copied until there are as many as COUNT (by default 1, 10, 100 and 1,000); of each
copy other entries are left out, a tenth of them, so that no two lists are the same. The cluster is a `LocalCluster` of two
processes. --largest leaves out lists with more Markdown. The table is Markdown.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread
from typing import NamedTuple
from zlib import crc32

SUFFIXES = (".md", ".markdown")
COUNTS = (1, 10, 100, 1000)
PROCESSES = 2
AUDIT = [sys.executable, "-m", "shelfread", "audit"]
CLUSTER = f"""
import sys
from distributed import Client, LocalCluster
from shelfread.audit.executors import end_all
if __name__ == "__main__":
    with (
        LocalCluster(n_workers={PROCESSES}, threads_per_worker=1, host="127.0.0.1", dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        print(cluster.scheduler_address, flush=True)
        sys.stdin.read()
        client.run(end_all)  # their time counts only when a worker has waited for them
"""


class Cost(NamedTuple):
    """What a run took: seconds, CPU seconds of all its processes, and the most memory of the first one in MB."""

    seconds: float
    cpu: float
    memory: int


def find_lists(corpus: Path, largest: int) -> list[Path]:
    """Return the lists with at most so many bytes of Markdown."""
    sizes = {
        folder: sum(path.stat().st_size for path in folder.rglob("*") if path.suffix.lower() in SUFFIXES)
        for folder in corpus.iterdir()
        if folder.is_dir()
    }
    return sorted(folder for folder, size in sizes.items() if size <= largest)


def copy_lists(lists: Sequence[Path], target: Path, count: int) -> None:
    """Write `count` lists to a folder."""
    for number in range(count):
        copy, source = divmod(number, len(lists))
        folder = target / f"{lists[source].name}-{copy}"
        shutil.copytree(lists[source], folder, copy_function=shutil.copyfile, ignore_dangling_symlinks=True)
        for path in folder.rglob("*"):
            path.chmod(0o755 if path.is_dir() else 0o644)
            if copy and path.is_file() and path.suffix.lower() in SUFFIXES:
                path.write_bytes(b"".join(kept(path.read_bytes().splitlines(keepends=True), copy)))


def kept(lines: Sequence[bytes], copy: int) -> Iterator[bytes]:
    """Yield the lines of a copy: nine of ten items, and all others."""
    for line in lines:
        if not line.lstrip().startswith((b"- ", b"* ", b"+ ")) or crc32(line, copy) % 10:
            yield line


def spend(command: Sequence[str | Path]) -> Cost:
    """Run a command. The CPU time is that of the process and all that it has waited for."""
    started = time.monotonic()
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    peak, ended = [0], Event()
    Thread(target=watch, args=(process.pid, peak, ended), daemon=True).start()
    _, status, usage = os.wait4(process.pid, 0)
    ended.set()
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"failed: {command}")
    return Cost(time.monotonic() - started, usage.ru_utime + usage.ru_stime, peak[0] >> 10)


def watch(pid: int, peak: list[int], ended: Event) -> None:
    """Keep the peak of a process's memory, in kB, as long as it lives."""
    while not ended.wait(0.2):
        try:
            status = Path(f"/proc/{pid}/status").read_text()
        except OSError:
            return
        peak[0] = max(
            [peak[0], *(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM"))]
        )


@contextmanager
def cluster(cpu: list[float]) -> Iterator[str]:
    """Give the address of a new cluster, and add the CPU time of its processes to `cpu`."""
    process = subprocess.Popen(
        [sys.executable, "-c", CLUSTER],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    assert process.stdin is not None and process.stdout is not None
    try:
        yield process.stdout.readline().decode().strip()
    finally:
        process.stdin.close()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        cpu.append(usage.ru_utime + usage.ru_stime)


def measure(lists: Path, output: Path, executor: str) -> tuple[Cost, Cost]:
    """Return the costs of a run, and of another one for which nothing has changed."""
    command = [*AUDIT, lists, "--output", output, "--isolated"]
    if executor == "local":
        command += ["-j", str(PROCESSES)]
        return spend(command), spend(command)
    costs = []
    for _ in range(2):
        cpu: list[float] = []
        with cluster(cpu) as address:
            cost = spend([*command, "--executor", "dask", "--scheduler", address])
        costs.append(cost._replace(cpu=cost.cpu + sum(cpu)))
    return costs[0], costs[1]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("corpus", type=Path)
    parser.add_argument("counts", type=int, nargs="*", default=COUNTS, metavar="COUNT")
    parser.add_argument("--executor", choices=("local", "dask"))
    parser.add_argument("--largest", type=int, default=1 << 20, metavar="KB")
    given = parser.parse_args()
    lists = find_lists(given.corpus, given.largest << 10)
    print(
        "| lists | entries | executor | s | CPU s | CPU s of a list | memory, MB | again, s | again, CPU s |"
    )
    print("|---:|---:|---|---:|---:|---:|---:|---:|---:|")
    for count in given.counts:
        with tempfile.TemporaryDirectory() as scratch:
            copy_lists(lists, Path(scratch) / "lists", count)
            for executor in [given.executor] if given.executor else ["local", "dask"]:
                output = Path(scratch) / executor
                first, again = measure(Path(scratch) / "lists", output, executor)
                spend(
                    [*AUDIT, Path(scratch) / "lists", "--output", output, "--isolated", "--format", "jsonl"]
                )
                with open(output / "lists.jsonl", encoding="utf-8") as stream:
                    entries = sum(json.loads(line)["entries"] for line in stream)
                print(
                    f"| {count:,} | {entries:,} | {executor} | {first.seconds:.1f} | {first.cpu:.1f} "
                    f"| {first.cpu / count:.2f} | {first.memory} | {again.seconds:.1f} | {again.cpu:.1f} |",
                    flush=True,
                )


if __name__ == "__main__":
    main()
