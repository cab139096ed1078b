"""Compare what two builds of shelfread say of the same lists.

    compare_builds.py record CHECKOUT LISTS OUTPUT [--only TEXT]   run every command over every list
    compare_builds.py compare OUTPUT OUTPUT [--messages]           print what differs; exit 1 if anything does

CHECKOUT is a checkout of shelfread (its `linter/` is run), LISTS a folder with one folder for each list.
Findings are compared by rule, place, severity and fix; with --messages by their words too. The output of
`export`, `fix`, `format`, `links --offline` and `diff` is compared as it is printed.
"""

from __future__ import annotations

import argparse
import difflib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

PRESETS = "core,papers,awesome,strict"
COMMANDS: dict[str, list[str]] = {
    "check": ["check", "--output-format", "json"],
    "strict": ["check", "--preset", PRESETS, "--output-format", "json"],
    "taxonomy": ["check", "--taxonomy", "ml-systems", "--select", "taxonomy", "--output-format", "json"],
    "since": ["check", "--since", "HEAD~1", "--output-format", "json"],
    "links": ["links", "--offline", "--output-format", "json"],
    "diff": ["diff", "HEAD~1", "--output-format", "json"],
    "export": ["export"],
    "fix": ["fix", "--diff"],
    "unsafe": ["fix", "--diff", "--unsafe-fixes", "--show-info"],
    "format": ["format", "--diff"],
    "style": ["format", "--diff", "--entry-style", "bracket-links"],
}
SUFFIXES = (".md", ".markdown", ".txt")


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    actions = parser.add_subparsers(required=True, dest="action")
    record_parser = actions.add_parser("record")
    for name in ("checkout", "lists", "output"):
        record_parser.add_argument(name, type=Path)
    record_parser.add_argument("--only", default="")
    compare_parser = actions.add_parser("compare")
    for name in ("before", "after"):
        compare_parser.add_argument(name, type=Path)
    compare_parser.add_argument("--messages", action="store_true")
    options = parser.parse_args()
    if options.action == "record":
        record(options.checkout.resolve(), options.lists.resolve(), options.output, options.only)
        return 0
    differences = list(compare(options.before, options.after, options.messages))
    print("\n".join(differences) or "no difference")
    return int(bool(differences))


def record(checkout: Path, lists: Path, output: Path, only: str) -> None:
    """Write what each command prints for each list to OUTPUT/LIST.json."""
    output.mkdir(parents=True, exist_ok=True)
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GITHUB_")}
    environment |= {"PYTHONPATH": str(checkout / "linter"), "NO_COLOR": "1", "COLUMNS": "100"}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    folders = [folder for folder in sorted(lists.iterdir()) if folder.is_dir() and only in folder.name]

    def record_list(folder: Path) -> None:
        with tempfile.TemporaryDirectory() as scratch:
            work = Path(scratch) / folder.name
            make_repository(folder, work)
            printed = {name: run(command, work, environment) for name, command in COMMANDS.items()}
        (output / f"{folder.name}.json").write_text(json.dumps(printed, ensure_ascii=False), encoding="utf-8")

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(record_list, folders))


def make_repository(folder: Path, work: Path) -> None:
    """A git repository whose last commit adds every tenth line of its lists, and changes some."""
    shutil.copytree(folder, work)
    files = [path for path in sorted(work.rglob("*")) if path.is_file()]
    for path in files:
        path.chmod(0o644)
    now = {path: path.read_bytes() for path in files if path.suffix.lower() in SUFFIXES}
    for path, data in now.items():
        lines = data.splitlines(keepends=True)
        path.write_bytes(b"".join(line for number, line in enumerate(lines) if number % 10 != 7))
    git(work, "init", "--quiet", "--initial-branch=main")
    git(work, "add", "--all", "--force")
    git(work, "commit", "--quiet", "--message", "before")
    for path, data in now.items():
        path.write_bytes(data)
    git(work, "add", "--all", "--force")
    git(work, "commit", "--quiet", "--allow-empty", "--message", "after")


def git(folder: Path, *words: str) -> None:
    who = ["-c", "user.name=nobody", "-c", "user.email=nobody@example.org", "-c", "core.autocrlf=false"]
    dates = {"GIT_AUTHOR_DATE": "2026-01-01T00:00:00Z", "GIT_COMMITTER_DATE": "2026-01-01T00:00:00Z"}
    subprocess.run(["git", *who, *words], cwd=folder, check=True, env={**os.environ, **dates})


def run(command: list[str], folder: Path, environment: dict[str, str]) -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, "-m", "shelfread", *command],
        cwd=folder, env=environment, capture_output=True, text=True, errors="replace",
    )  # fmt: skip
    return {"status": done.returncode, "printed": done.stdout, "errors": done.stderr}


def compare(before: Path, after: Path, messages: bool) -> Iterator[str]:
    names = sorted({path.name for folder in (before, after) for path in folder.glob("*.json")})
    for name in names:
        if not (before / name).exists() or not (after / name).exists():
            yield f"{name}: recorded by one build alone"
            continue
        first, second = (
            json.loads((folder / name).read_text(encoding="utf-8")) for folder in (before, after)
        )
        for command in first:
            for line in compare_output(first[command], second.get(command, {}), messages):
                yield f"{name.removesuffix('.json')}: {command}: {line}"


def compare_output(first: dict[str, Any], second: dict[str, Any], messages: bool) -> Iterator[str]:
    if first["status"] != second.get("status"):
        yield f"exit status {first['status']} -> {second.get('status')}: {second.get('errors', '')[-300:]}"
        return
    if "Traceback" in second["errors"]:
        yield second["errors"][-500:]
    one, other = (lines_of(output["printed"], messages) for output in (first, second))
    yield from list(difflib.unified_diff(one, other, "before", "after", lineterm="", n=0))[:20]


def lines_of(printed: str, messages: bool) -> list[str]:
    """The output line by line; of JSON one line for each finding or value, without its words unless asked."""
    try:
        data = json.loads(printed)
    except ValueError:
        return printed.splitlines()
    return list(flatten(data, messages))


def flatten(data: Any, messages: bool, path: str = "") -> Iterator[str]:
    if isinstance(data, dict):
        if not messages:
            data = {key: value for key, value in data.items() if key not in ("message", "why", "remark")}
        if "rule" in data:
            yield f"{path} {json.dumps(data, ensure_ascii=False, sort_keys=True)}"
            return
        for key, value in data.items():
            yield from flatten(value, messages, f"{path}.{key}")
    elif isinstance(data, list):
        for value in data:
            yield from flatten(value, messages, f"{path}[]")
    else:
        yield f"{path} {json.dumps(data, ensure_ascii=False)}"


if __name__ == "__main__":
    sys.exit(main())
