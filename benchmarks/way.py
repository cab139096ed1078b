"""Follow one run through the package: which files and functions it goes through, and where it climbs back up.

    way.py [CHECKOUT] [WORD ...]     by default `check` of a small list, e.g. way.py . fix --diff list.md

A call of another package is a step down if the package lies below in the layers of pyproject.toml, else a climb back up. A
stay is a call of another file of the same package, a return a file that calls into a package that it was called from.
What modules do while they are imported is left out.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

LIST = """# A list

## Tools

- [One](http://one.org) - does it.
- [Two](https://two.org/?utm_source=x) - Does it .
"""

TRACE = """
import json, os, sys
package = sys.argv.pop(1)
functions, pairs = set(), {}

def note(frame, event, argument):
    if event != "call":
        return
    code = frame.f_code
    if not code.co_filename.startswith(package) or code.co_name == "<module>":
        return
    name = code.co_filename[len(package):]
    functions.add((name, code.co_firstlineno, code.co_name))
    caller = frame.f_back
    while caller is not None and not caller.f_code.co_filename.startswith(package):
        caller = caller.f_back
    if caller is not None and caller.f_code.co_name != "<module>":
        before = caller.f_code.co_filename[len(package):]
        if before != name:
            pairs.setdefault((before, name), None)

from shelfread.__main__ import main
sys.setprofile(note)
try:
    main()
except SystemExit:
    pass
sys.setprofile(None)
print(json.dumps([sorted(functions), list(pairs)]), file=sys.stderr)
"""


def main() -> None:
    words = sys.argv[1:]
    checkout = Path(words.pop(0) if words else ".").resolve()
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "list.md").write_text(LIST, encoding="utf-8")
        package = f"{checkout / 'linter/shelfread'}{os.sep}"
        done = subprocess.run(
            [sys.executable, "-c", TRACE, package, *(words or ["check", "--no-cache", "list.md"])],
            cwd=folder, env={**os.environ, "PYTHONPATH": str(checkout / "linter")}, capture_output=True, text=True,
        )  # fmt: skip
    functions, pairs = json.loads(done.stderr.splitlines()[-1])
    layers = read_layers(checkout / "pyproject.toml")
    steps = [(before, after, kind_of(before, after, layers)) for before, after in pairs]
    print(f"{len({name for name, *_ in functions})} files, {len(functions)} functions")
    for kind in ("down", "stay", "climb"):
        print(f"{sum(step[2] == kind for step in steps)} {kind}")
    for before, after, kind in steps:
        if kind == "climb":
            print(f"  {before} -> {after}")


def read_layers(path: Path) -> dict[str, int]:
    """Return the height of each package."""
    layers = re.search(r"layers = \[(.*?)\]", path.read_text(encoding="utf-8"), re.DOTALL)
    rows = re.findall(r'"([^"]+)"', layers[1]) if layers else []
    return {name: -number for number, row in enumerate(rows) for name in re.split(r" [:|] ", row)}


def kind_of(before: str, after: str, layers: dict[str, int]) -> str:
    """Return whether a call from a file to another one goes down, stays in its package, or climbs back up."""
    source, target = (name.partition(os.sep)[0].removesuffix(".py") for name in (before, after))
    if source == target:
        return "stay"
    return "down" if layers.get(target, 0) < layers.get(source, 0) else "climb"


if __name__ == "__main__":
    main()
