#!/usr/bin/env python3
"""Whether `init --taxonomy` writes what one keeps: init_taxonomy.py CORPUS [--lists FILE] [--every N]

Each folder in CORPUS is a list. Of each, a copy gets a configuration and a taxonomy by `init --taxonomy`. Printed are the lists where
that fails, what `taxonomy check` says against the taxonomy, and what the rules of the preset `taxonomy` say, by rule: a taxonomy
that was written for a list should have no finding there.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--lists", type=Path, help="a file with the names of the only folders to read")
    parser.add_argument("--every", type=int, default=1)
    options = parser.parse_args()
    names = options.lists.read_text().split() if options.lists else None
    folders = sorted(each for each in options.corpus.iterdir() if names is None or each.name in names)
    counts = Counter[str]()
    for folder in folders[:: options.every]:
        with tempfile.TemporaryDirectory() as home:
            copy = Path(home) / "list"
            shutil.copytree(folder, copy, ignore=shutil.ignore_patterns(".git", ".shelfread.yaml"))
            for kind, what in problems_of(copy):
                counts[kind] += 1
                print(f"{folder.name}: {kind}: {what}", flush=True)
        counts["lists"] += 1
    for kind, count in sorted(counts.items()):
        print(f"{kind:30} {count:5,}")


def problems_of(folder: Path) -> list[tuple[str, str]]:
    """Return what goes wrong with the taxonomy of a list: the kind and a line of each."""
    made = shelfread(folder, "init", "--taxonomy", "--force")
    if made.returncode != 0:
        return [("init fails", made.stderr.strip().splitlines()[-1] if made.stderr.strip() else "silent")]
    if not (folder / "taxonomy.yaml").exists():
        return [("no taxonomy", made.stdout.strip().splitlines()[-1] if made.stdout.strip() else "silent")]
    problems = []
    for words in (("taxonomy", "check"), ("check", "--select", "taxonomy")):
        done = shelfread(folder, *words, "--output-format", "json")
        try:
            found = json.loads(done.stdout)["diagnostics"]
        except ValueError:
            return [*problems, (f"{words[0]} fails", done.stderr.strip()[-300:])]
        problems += [
            (f"{words[0]}: {each['rule']}", f"{each['path']}:{each['line']} {each['message']}")
            for each in found
            if each["severity"] != "info"
        ]
    return problems


def shelfread(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "shelfread", *words]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, stdin=subprocess.DEVNULL)


if __name__ == "__main__":
    main()
