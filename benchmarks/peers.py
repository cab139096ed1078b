"""The tools that `field.py` measures: how each is installed, called and read.

Python's come from the package index into a virtual environment, node's from the npm registry, all in one folder.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

PYTHON_PACKAGES = ("rumdl", "mdformat", "mdformat-gfm", "mdformat-frontmatter")
NODE_PACKAGES = ("markdownlint-cli2", "prettier", "awesome-lint")
_QUOTED = re.compile(r"\[Context: .*|\"[^\"]*\"|'[^']*'|\d+")
_PLACE = re.compile(r"^\s*(?:\S+?:|\S\s+)(\d+)(?::\d+)?:?\s+(.+)$")


class Peer(NamedTuple):
    """A tool: its commands, to which the files are added."""

    name: str
    version: str
    check: tuple[str, ...]
    cold: tuple[str, ...] = ()
    """What `check` needs to use no cache."""
    cached: tuple[str, ...] | None = None
    """What `check` needs to use a cache; None if the tool has none."""
    fix: tuple[str, ...] = ()
    names_lines: bool = True
    """Whether the tool says which lines are wrong: a formatter only says which files it would change."""
    reads_json: bool = False
    """Whether the lines are read from the JSON of `check`."""


class Cost(NamedTuple):
    """What one process took."""

    cpu: float
    """User and system seconds, those of child processes too."""
    peak: int
    """Peak memory, kB."""


def install(folder: Path) -> None:
    """Install what is missing in a folder; node's tools only where npm is."""
    python = folder / "python"
    if not (python / "bin" / "rumdl").exists():
        subprocess.run([sys.executable, "-m", "venv", python], check=True)
        subprocess.run([python / "bin" / "pip", "install", "--quiet", *PYTHON_PACKAGES], check=True)
    if shutil.which("npm") and not (folder / "node_modules").exists():
        (folder / "package.json").write_text("{}")
        command = ["npm", "install", "--silent", "--no-audit", "--no-fund", *NODE_PACKAGES]
        subprocess.run(command, cwd=folder, check=True)


def find_peers(folder: Path) -> list[Peer]:
    """Return shelfread and the tools that are installed in a folder."""
    python, node = folder / "python" / "bin", folder / "node_modules" / ".bin"
    shelfread = str(Path(sys.executable).with_name("shelfread"))
    rumdl, mdformat = str(python / "rumdl"), str(python / "mdformat")
    markdownlint, prettier = str(node / "markdownlint-cli2"), str(node / "prettier")
    found = [
        Peer(
            "shelfread",
            _version(shelfread),
            (shelfread, "check", "--isolated", "--output-format", "json"),
            cold=("--no-cache",),
            cached=(),
            fix=(shelfread, "fix", "--isolated"),
            reads_json=True,
        ),
        Peer(
            "rumdl",
            _version(rumdl),
            (rumdl, "check", "--isolated", "--color", "never"),
            cold=("--no-cache",),
            cached=(),
            fix=(rumdl, "check", "--fix", "--isolated", "--no-cache"),
        ),
        Peer(
            "mdformat", _version(mdformat), (mdformat, "--check"), fix=(mdformat,), names_lines=False
        ),
    ]  # fmt: skip
    if (folder / "node_modules").exists():
        found += [
            Peer(
                "markdownlint-cli2",
                _npm_version(folder, "markdownlint-cli2"),
                (markdownlint,),
                fix=(markdownlint, "--fix"),
            ),
            Peer(
                "prettier",
                _version(prettier),
                (prettier, "--check"),
                cached=("--cache", "--cache-strategy", "content", "--cache-location", ".prettier-cache"),
                fix=(prettier, "--write"),
                names_lines=False,
            ),
            Peer(
                "awesome-lint",
                _npm_version(folder, "awesome-lint"),
                (str(node / "awesome-lint"),),
            ),
        ]  # fmt: skip
    return found


def run(command: Sequence[str], folder: Path, cache: Path) -> tuple[str, Cost]:
    """Run a command in a folder; return what it printed and what it took."""
    environ = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    environ |= {"XDG_CACHE_HOME": str(cache), "RUMDL_CACHE_DIR": str(cache / "rumdl"), "NO_COLOR": "1"}
    output = cache.parent / f"{cache.name}.output"
    with output.open("wb") as printed:
        process = subprocess.Popen(
            command,
            cwd=folder,
            env=environ,
            stdout=printed,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
        )
        _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    cost = Cost(usage.ru_utime + usage.ru_stime, usage.ru_maxrss)
    return output.read_text(encoding="utf-8", errors="replace"), cost


def read_findings(peer: Peer, printed: str) -> Counter[tuple[int, str]]:
    """Return the findings that a tool printed: the line, and the message without what it quotes and counts.

    A line that is too long before and after a mistake is reported with another length, which is nothing new.
    """
    if peer.reads_json:
        found = json.loads(printed[printed.index("{") : printed.rindex("}") + 1])["diagnostics"]
        return Counter((each["line"], f"{each['rule']} {_QUOTED.sub('', each['message'])}") for each in found)
    places = (_PLACE.match(line) for line in printed.splitlines())
    return Counter((int(place[1]), _QUOTED.sub("", place[2])) for place in places if place)


def _version(program: str) -> str:
    if not Path(program).exists():
        return ""
    printed = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
    match = re.search(r"\d+\.\d+\S*", printed)
    return match[0] if match else printed.strip()


def _npm_version(folder: Path, package: str) -> str:
    text = (folder / "node_modules" / package / "package.json").read_text(encoding="utf-8")
    return str(json.loads(text)["version"])
