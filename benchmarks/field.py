#!/usr/bin/env python3
"""Measure shelfread beside the tools that people also run on Markdown lists, on the same lists in one run.

    field.py CORPUS [--tools FOLDER] [--runs N] [--lists N] [--seed N] [--plot FILE]

CORPUS is a folder with a folder of Markdown for each list. The tools are installed into FOLDER if they are not there yet:
rumdl and mdformat with pip; markdownlint-cli2, prettier and awesome-lint with npm where node is present. The tables are
Markdown; the plot is an SVG.

A check is run on a list as it is (cold, without a cache), again (unchanged), and with one line edited; on one small list, on
one big one, and on all lists, each in a process of its own. All tools run with their defaults. CPU time is a ratio to a
process that only parses the same file with markdown-it-py, start-up included; tools that use several cores are charged for
all of them.
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

import peers
import planted
from field_plot import Bar, draw
from peers import Peer

STATES = ("cold", "unchanged", "one line edited")
PARSE = (
    "import sys\nfrom markdown_it import MarkdownIt\n"
    "MarkdownIt('commonmark').enable(['table', 'strikethrough']).parse(open(sys.argv[1], encoding='utf-8').read())\n"
)
SMALL = 10_000
"""Characters: the small list is that whose size is nearest to it."""


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("corpus", type=Path, help="a folder with a folder of Markdown for each list")
    parser.add_argument("--tools", type=Path, default=Path("tools"), help="where the tools are installed")
    parser.add_argument(
        "--runs", type=int, default=5, help="the median of so many runs of one list (default: 5)"
    )
    parser.add_argument("--lists", type=int, help="stand for all lists by so many of them, of all sizes")
    parser.add_argument("--seed", type=int, default=1, help="which mistakes are made (default: 1)")
    parser.add_argument("--plot", type=Path, help="write the plot to this file")
    args = parser.parse_args()
    args.tools.mkdir(parents=True, exist_ok=True)
    peers.install(args.tools)
    found = peers.find_peers(args.tools.absolute())
    files = find_lists(args.corpus)
    sizes = {name: file.stat().st_size for name, file in files.items()}
    names = sorted(files, key=lambda name: sizes[name])
    small = min(names, key=lambda name: abs(sizes[name] - SMALL))
    sample = names[:: max(len(names) // args.lists, 1)] if args.lists else names
    with tempfile.TemporaryDirectory() as temporary:
        scratch = Path(temporary)
        costs = [
            ("small", measure(found, {small: files[small]}, scratch, args.runs)),
            ("big", measure(found, {names[-1]: files[names[-1]]}, scratch, args.runs)),
            ("all", measure(found, {name: files[name] for name in sample}, scratch, 1)),
        ]
        print("Tools: " + ", ".join(f"{peer.name} {peer.version}" for peer in found) + ".\n")
        for title, lists in (("small", [small]), ("big", [names[-1]]), ("all", sample)):
            size = sum(sizes[name] for name in lists)
            print(f"* {title}: {len(lists)} list{'s' * (len(lists) != 1)}, {size / 1000:,.0f} kB")
        print(f"\n{cost_table(found, costs)}\n")
        print(mistake_table(found, {name: read(files[name]) for name in sample}, scratch, args.seed))
    if args.plot:
        args.plot.write_text(draw(bars(found, costs)), encoding="utf-8")
    return 0


def find_lists(corpus: Path) -> dict[str, Path]:
    """Return the main file of each list, by the list's name: the readme, else the largest."""
    found = {}
    for folder in sorted(path for path in corpus.iterdir() if path.is_dir()):
        files = [path for path in folder.glob("*") if path.suffix.lower() == ".md" and path.is_file()]
        if files:
            found[folder.name] = max(
                files, key=lambda path: (path.name.lower() == "readme.md", path.stat().st_size)
            )
    return found


def read(file: Path) -> str:
    """Return the text of a list."""
    return file.read_text(encoding="utf-8", errors="replace")


# ------------------------------------------------------------------------------------- cost
Costs = Mapping[tuple[str, str], tuple[float, float]]
"""By tool and state: the CPU time as a ratio to a parse, and the peak memory in MB."""


def measure(found: Sequence[Peer], files: Mapping[str, Path], scratch: Path, runs: int) -> Costs:
    """Return what checks of lists took: the sum over the lists, of each the median of some runs."""
    spent: dict[tuple[str, str], float] = defaultdict(float)
    peak: dict[tuple[str, str], float] = defaultdict(float)
    parsed = 0.0
    for number, file in enumerate(files.values(), start=1):
        show_progress(f"list {number} of {len(files)}")
        text = read(file)
        folder, cache = scratch / "list", scratch / "cache"
        rounds: dict[tuple[str, str], list[peers.Cost]] = defaultdict(list)
        for _ in range(runs):
            shutil.rmtree(cache, ignore_errors=True)
            cache.mkdir()
            write(folder, text)
            rounds["parse", ""].append(
                peers.run([sys.executable, "-c", PARSE, "README.md"], folder, cache)[1]
            )
            for peer in found:
                write(folder, text)
                command = [*peer.check, *peer.cold, "README.md"]
                rounds[peer.name, "cold"].append(peers.run(command, folder, cache)[1])
                if peer.cached is None:
                    continue
                command = [*peer.check, *peer.cached, "README.md"]
                peers.run(command, folder, cache)
                rounds[peer.name, "unchanged"].append(peers.run(command, folder, cache)[1])
                (folder / "README.md").write_text(edited(text), encoding="utf-8", newline="")
                rounds[peer.name, "one line edited"].append(peers.run(command, folder, cache)[1])
        parsed += statistics.median(cost.cpu for cost in rounds.pop(("parse", "")))
        for key, costs in rounds.items():
            spent[key] += statistics.median(cost.cpu for cost in costs)
            peak[key] = max(peak[key], statistics.median(cost.peak for cost in costs) / 1024)
    return {key: (cpu / parsed, peak[key]) for key, cpu in spent.items()}


def show_progress(text: str) -> None:
    """Show on a terminal what is being measured."""
    if sys.stderr.isatty():
        print(f"\r{text:40}", file=sys.stderr, end="", flush=True)


def write(folder: Path, text: str) -> None:
    """Write a list as the only file of a folder."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    (folder / "README.md").write_text(text, encoding="utf-8", newline="")


def edited(text: str) -> str:
    """Return a list with a word more in the first long line after its middle."""
    lines = text.split("\n")
    for number in range(len(lines) // 2, len(lines)):
        if len(lines[number]) > 40 and lines[number].endswith("."):
            lines[number] = lines[number][:-1] + " indeed."
            return "\n".join(lines)
    return text + "\nThe end.\n"


def cost_table(found: Sequence[Peer], costs: Sequence[tuple[str, Costs]]) -> str:
    """Return the table of CPU time and memory."""
    rows = [
        "| tool | lists | " + " | ".join(f"{state}, CPU" for state in STATES) + " | cold, peak MB |",
        "|---|---|---:|---:|---:|---:|",
    ]
    for title, costs_of in costs:
        for peer in found:
            cells = []
            for state in STATES:
                # A tool without a cache takes the same time again.
                cpu = costs_of.get((peer.name, state), costs_of[peer.name, "cold"])[0]
                cells.append(f"{cpu:.2f}")
            memory = f"{costs_of[peer.name, 'cold'][1]:.0f}" if title != "all" else ""
            rows.append(f"| {peer.name} | {title} | {' | '.join(cells)} | {memory} |")
    return "\n".join(rows)


def bars(found: Sequence[Peer], costs: Sequence[tuple[str, Costs]]) -> list[Bar]:
    """Return the bars of the plot."""
    return [
        Bar(f"{title}, {state}", peer.name, costs_of.get((peer.name, state), costs_of[peer.name, "cold"])[0])
        for title, costs_of in costs
        for state in STATES
        for peer in found
    ]


# --------------------------------------------------------------------------------- mistakes
def mistake_table(found: Sequence[Peer], texts: Mapping[str, str], scratch: Path, seed: int) -> str:
    """Return how many mistakes of each kind each tool catches, and puts right."""
    caught: Counter[tuple[str, str]] = Counter()
    restored: Counter[tuple[str, str]] = Counter()
    made: Counter[str] = Counter()
    before: Counter[tuple[str, str]] = Counter()
    lists = {name for name, text in texts.items() if planted.plant(text, seed) is not None}
    if not lists:
        return "No list has the 30 entries, one a line, that mistakes are put into."
    plans = [
        (name, plan)
        for name in sorted(lists)
        for kinds in planted.planted_together(planted.KINDS)
        if (plan := planted.plant(texts[name], seed, kinds)) is not None
    ]
    for number, (name, plan) in enumerate(plans, start=1):
        show_progress(f"mistakes in text {number} of {len(plans)}")
        made.update(plan.lines.keys())
        for peer in found:
            if peer.names_lines:
                clean = findings(peer, texts[name], scratch)
                before[peer.name, name] = clean.total()
                new = {line for line, _ in findings(peer, plan.text, scratch) - clean}
                for kind, at in plan.lines.items():
                    beside = {near for line in at for near in (line - 1, line, line + 1)}
                    caught[peer.name, kind] += not new.isdisjoint(beside)
            if peer.fix:
                wanted, got = fixed(peer, texts[name], scratch), fixed(peer, plan.text, scratch)
                for kind, line in plan.before.items():
                    restored[peer.name, kind] += is_restored(line, wanted, got)
    header = ["mistake", "made", *(peer.name for peer in found)]
    rows = ["| " + " | ".join(header) + " |", "|---|" + "---:|" * (len(header) - 1)]
    for kind in planted.KINDS:
        cells = [kind, str(made[kind]), *(cell(peer, caught[peer.name, kind], restored[peer.name, kind]) for peer in found)]  # fmt: skip
        rows.append("| " + " | ".join(cells) + " |")
    sums = [
        cell(
            peer,
            sum(caught[peer.name, kind] for kind in made),
            sum(restored[peer.name, kind] for kind in made),
        )
        for peer in found
    ]
    rows.append("| " + " | ".join(["**all**", str(made.total()), *sums]) + " |")
    counts = [sum(before[peer.name, name] for name in lists) / len(lists) for peer in found]
    per_list = [f"{said:.0f}" if peer.names_lines else "" for peer, said in zip(found, counts, strict=True)]
    rows.append("| " + " | ".join(["findings on a list before", str(len(lists)), *per_list]) + " |")
    return "\n".join(rows)


def cell(peer: Peer, caught: int, restored: int) -> str:
    """Return `caught / restored`; a dash for what a tool does not do."""
    return f"{caught if peer.names_lines else '–'} / {restored if peer.fix else '–'}"


def findings(peer: Peer, text: str, scratch: Path) -> Counter[tuple[int, str]]:
    """Return what a tool reports of a text."""
    write(scratch / "list", text)
    printed, _ = peers.run([*peer.check, *peer.cold, "README.md"], scratch / "list", scratch / "cache")
    return peers.read_findings(peer, printed)


def fixed(peer: Peer, text: str, scratch: Path) -> list[str]:
    """Return the lines of a text after a tool's safe fixes."""
    write(scratch / "list", text)
    peers.run([*peer.fix, "README.md"], scratch / "list", scratch / "cache")
    return (scratch / "list" / "README.md").read_text(encoding="utf-8").split("\n")


def is_restored(line: str, wanted: Sequence[str], got: Sequence[str]) -> bool:
    """Return whether the fixed text with the mistake has the line as the fixed text without it has."""
    if line not in wanted:  # the tool rewrites it: it is known by its words
        words = line.split()[1:]
        line = next((other for other in wanted if other.split()[1:] == words), "")
    return bool(line) and got.count(line) == wanted.count(line)


if __name__ == "__main__":
    sys.exit(main())
