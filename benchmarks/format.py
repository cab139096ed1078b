#!/usr/bin/env python3
"""What formatters make of real lists: format.py CORPUS prints a table of those that are installed.

CORPUS is a folder with a folder of Markdown for each list. Each formatter gets a copy of its own, all files of a list
in one call, and a second run over what it wrote. Pages are compared as GitHub's tables have them, blanks apart.
"""

from __future__ import annotations

import difflib
import html
import re
import resource
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

from markdown_it import MarkdownIt

BIN = Path(sys.executable).parent
TOOLS = {
    "shelfread format": [BIN / "shelfread", "format", "--isolated"],
    "mdformat, gfm": [BIN / "mdformat", "--extensions", "gfm", "--extensions", "frontmatter"],
    "rumdl fmt": [BIN / "rumdl", "fmt", "--no-config", "--no-cache"],
}
PAGE = MarkdownIt("commonmark").enable(["table", "strikethrough"])


def page(text: str) -> str:
    """What a text shows, blanks apart."""
    return re.sub(r"\s+", " ", re.sub(r">\s+<", "><", PAGE.render(text))).strip()


def targets(text: str) -> Counter[str]:
    """Where a text's links and pictures lead."""
    return Counter(map(html.unescape, re.findall(r'(?:href|src)="([^"]*)"', PAGE.render(text))))


def rewritten(before: str, after: str) -> int:
    """How many lines that are not blank are changed, removed or added."""
    old, new = before.splitlines(), after.splitlines()
    count = 0
    for tag, a, b, c, d in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag != "equal":
            count += max(
                sum(1 for line in old[a:b] if line.strip()), sum(1 for line in new[c:d] if line.strip())
            )
    return count


def run(command: list[str | Path], folder: Path) -> tuple[float, int]:
    """CPU seconds and exit status."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    status = subprocess.run(list(map(str, command)), cwd=folder, capture_output=True).returncode
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, status


def texts(folder: Path, names: list[str]) -> dict[str, str]:
    return {name: (folder / name).read_bytes().decode("utf-8", "replace") for name in names}


def main() -> None:
    lists = sorted(path for path in Path(sys.argv[1]).iterdir() if path.is_dir())
    print("| formatter | files changed | pages altered | targets lost | unstable | lines rewritten | CPU |")
    print("|---|---:|---:|---:|---:|---:|---:|")
    base = 0.0
    for name, command in TOOLS.items():
        if not Path(command[0]).exists():
            continue
        total: Counter[str] = Counter()
        spent = 0.0
        with tempfile.TemporaryDirectory() as scratch:
            for source in lists:
                folder = Path(scratch) / source.name
                shutil.copytree(source, folder, copy_function=shutil.copyfile)
                names = sorted(str(path.relative_to(folder)) for path in folder.rglob("*.md"))
                before = texts(folder, names)
                spent += run([*command, *names], folder)[0]
                after = texts(folder, names)
                run([*command, *names], folder)
                again = texts(folder, names)
                for file in names:
                    total["lines"] += sum(1 for line in before[file].splitlines() if line.strip())
                    total["unstable"] += after[file] != again[file]
                    if after[file] != before[file]:
                        total["changed"] += 1
                        total["rewritten"] += rewritten(before[file], after[file])
                        total["altered"] += page(before[file]) != page(after[file])
                        total["lost"] += (targets(before[file]) - targets(after[file])).total()
        base = base or spent
        share = f"{100 * total['rewritten'] / max(total['lines'], 1):.1f} %"
        cells = [
            total["changed"],
            total["altered"],
            total["lost"],
            total["unstable"],
            share,
            f"{spent / base:.2f}",
        ]
        print(f"| {name} | {' | '.join(map(str, cells))} |", flush=True)


if __name__ == "__main__":
    main()
