"""Kills runs that write files, at random moments, and looks at what they leave: `make kills KILLS=300 SEED=7`.

Half of the kills come before any call of a function, the other half before one that opens, renames or changes a file. After each, every file has to be wholly the old or wholly the new one, and the same command, run again, has to end as if
nothing had happened: with the new files, and with nothing else in the folder.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from random import Random
from secrets import randbelow
from tempfile import TemporaryDirectory
from typing import NamedTuple

from support.paths import LINTER
from support.web import Web, page, redirect, serve

FILES = 4
_COUNTED = f"""
import os, runpy, signal, sys
every, left = sys.argv.pop(1) == "every", int(sys.argv.pop(1))
EVENTS = {{"os.rename", "os.remove", "os.chmod", "os.chown", "os.mkdir", "fcntl.flock", "sqlite3.connect"}}
def count():
    global left
    left -= 1
    if left == 0:
        os.kill(os.getpid(), signal.{signal.SIGKILL.name})
def hook(event, args):
    if event in EVENTS or event == "open" and isinstance(args[2], int) and args[2] & (os.O_WRONLY | os.O_RDWR):
        count()
def profile(frame, event, arg):
    if event == "call" or event == "c_call":
        count()
sys.setprofile(profile) if every else sys.addaudithook(hook)
sys.argv[0] = "shelfread"
try:
    runpy.run_module("shelfread", run_name="__main__")
finally:
    sys.setprofile(None)
    if path := os.environ.get("COUNT"):
        with open(path, "w") as stream:
            stream.write(str(-left))
"""
"""Runs the program, and kills it before a counted call (`every` or `writing`); COUNT names a file for the number of all."""

_KINDS = ("every", "writing")


class Command(NamedTuple):
    """A run that writes files, in a folder of lists."""

    words: tuple[str, ...]
    files: Mapping[str, str]


class Reference(NamedTuple):
    """What a run does that nobody kills."""

    files: Mapping[str, bytes]
    calls: int
    """How often it calls any function, or one that writes."""


def commands(web: Web) -> dict[str, Command]:
    """Return the runs by name; links lead to a web on loopback, where all pages have moved."""
    entries = "".join(
        f"- [Tool {n}](https://example.org/{n}?utm_source=x) - Does  teh  thing{n}\n" for n in range(5)
    )
    lists = {
        f"part{n % 3}/list{n}.md": f"# List {n}\n\n## Tools\n\n{entries}\n\n\n* Other\n" for n in range(FILES)
    }
    papers = "".join(
        f"@article{{k{n}, title={{A Study of Shelf {n}}}, author={{Ada Stone}}, year={{2020}}, journal={{Shelves}}, url={{https://example.org/p{n}}}}}\n"
        for n in range(5)
    )
    moved = {
        f"list{n}.md": f"# List {n}\n\n## Tools\n\n" + "".join(f"- [Page](http://{place}/old/page{n}-{k}) - Does it.\n" for k, place in enumerate(map(web.place, web.sites)))
        for n in range(4)
    }  # fmt: skip
    private = ",".join(map(web.place, web.sites))
    return {
        "fix": Command(("fix", "--unsafe-fixes", "-j", "1"), lists),
        "fix -j 2": Command(("fix", "--unsafe-fixes", "-j", "2"), lists),
        "format": Command(("format", "."), lists),
        "import --into": Command(
            ("import", "papers.bib", "--into", "list.md", "--section", "Papers"),
            {
                "list.md": f"# List\n\n## Tools\n\n{entries}\n## Papers\n\n- A Study of Jobs (OSDI 2020)\n",
                "papers.bib": papers,
            },
        ),
        "links --fix": Command(
            ("links", "--fix", "--cache-file", "../cache", "--allow-private", private), moved
        ),
    }


@contextmanager
def small_web() -> Iterator[Web]:
    """Serve hosts on which all pages have moved."""
    pages = {
        f"/{folder}/page{n}-{k}": page() if folder == "new" else redirect(f"/new/page{n}-{k}")
        for folder in ("old", "new")
        for n in range(4)
        for k in range(4)
    }
    with serve({f"s{k}.test": pages for k in range(4)}) as web:
        yield web


class Campaign:
    """Kills of several commands, with what they showed to be wrong."""

    def __init__(self, chosen: Mapping[str, Command], folder: Path, seed: int) -> None:
        self.chosen, self.folder, self.random = chosen, folder, Random(seed)
        self.references: dict[tuple[str, str], Reference] = {}
        self.outcomes: Counter[str] = Counter()
        self.faults: list[str] = []

    def run(self, kills: int) -> None:
        """Kill runs of the commands in turn."""
        names = list(self.chosen)
        for number in range(kills):
            self.kill(names[number % len(names)])

    def kill(self, name: str) -> None:
        """Kill one run, look at what it leaves, and run the command again."""
        command = self.chosen[name]
        kind = self.random.choice(_KINDS)
        if (name, kind) not in self.references:
            self.references[name, kind] = self._reference(command, kind)
        reference = self.references[name, kind]
        self._lay_out(command)
        calls = reference.calls
        at = self.random.randint(1 if kind == "writing" else calls // 2, calls)  # first, it only reads
        moment, process = f"before {kind} call {at:,}", self._start(command, kind, at)
        try:
            process.communicate(timeout=30)
        except subprocess.TimeoutExpired:
            self.faults.append(f"{name}, {moment}: a process stays")
            return
        self.outcomes["killed" if process.returncode == -signal.SIGKILL else "ended before"] += 1
        old, new = self._encoded(command), reference.files
        left = self._files()
        for path, data in left.items():
            if path in old and data not in (old[path], new[path]):
                self.faults.append(f"{name}, {moment}: {path} is torn")
            if path not in old and not re.fullmatch(r"(?:.*/)?\.shelfread-\w+\.tmp", path):
                self.faults.append(f"{name}, {moment}: {path} is left")
        self.faults += [f"{name}, {moment}: {path} is lost" for path in old if path not in left]
        self.outcomes["some files written"] += any(left.get(path) != data for path, data in old.items())
        self.outcomes["temporary files left"] += any(path not in old for path in left)
        again = self._start(command)
        said = again.communicate()[1].decode(errors="replace")
        if again.returncode not in (0, 1) or "Traceback" in said or "damaged" in said:
            self.faults.append(f"{name}, {moment}: run again it ends with {again.returncode}: {said[-300:]}")
        if (after := self._files()) != new:
            differ = sorted(path for path in {*after, *new} if after.get(path) != new.get(path))
            self.faults.append(f"{name}, {moment}: run again it leaves other files: {', '.join(differ)}")

    def _reference(self, command: Command, kind: str) -> Reference:
        count = self.folder / "count"
        self._lay_out(command)
        process = self._start(command, kind, COUNT=str(count))
        said = process.communicate()[1]
        if process.returncode not in (0, 1):
            raise RuntimeError(f"{' '.join(command.words)}: {said.decode(errors='replace')}")
        return Reference(self._files(), int(count.read_text()))

    def _lay_out(self, command: Command) -> None:
        for entry in self.folder.iterdir():
            shutil.rmtree(entry) if entry.is_dir() else entry.unlink()
        for path, data in self._encoded(command).items():
            file = self.folder / "lists" / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(data)

    def _start(
        self, command: Command, kind: str = "writing", at: int = 0, **more: str
    ) -> subprocess.Popen[bytes]:
        home = str(self.folder / "home")
        environment = {**os.environ, "PYTHONPATH": str(LINTER), "HOME": home, "XDG_CACHE_HOME": home, **more}
        environment["PYTHONDONTWRITEBYTECODE"] = "1"  # else the first run writes more than those after it
        return subprocess.Popen(
            [sys.executable, "-c", _COUNTED, kind, str(at), *command.words],
            cwd=self.folder / "lists", env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip

    def _files(self) -> dict[str, bytes]:
        root = self.folder / "lists"
        return {
            path.relative_to(root).as_posix(): path.read_bytes() for path in root.rglob("*") if path.is_file()
        }

    def _encoded(self, command: Command) -> dict[str, bytes]:
        return {path: text.encode() for path, text in command.files.items()}


def main() -> int:
    """Return 1 if anything is wrong."""
    parser = argparse.ArgumentParser(prog="make kills", description=__doc__)
    parser.add_argument("--seed", type=int, default=randbelow(10**6), help="default: a random one")
    parser.add_argument("--kills", type=int, default=300)
    options = parser.parse_args()
    with small_web() as web, TemporaryDirectory() as folder:
        campaign = Campaign(commands(web), Path(folder), options.seed)
        campaign.run(options.kills)
    counts = ", ".join(f"{what} {number}" for what, number in campaign.outcomes.items())
    print(f"{options.kills} kills with seed {options.seed}: {counts}; {len(campaign.faults)} faults")
    for fault in campaign.faults:
        print(fault)
    return int(bool(campaign.faults))


if __name__ == "__main__":
    sys.exit(main())
