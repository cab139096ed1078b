"""Lists to measure on: three dialects, the same every time, with a defect now and then."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

WORDS = (
    "adaptive asynchronous automatic cache cluster communication compilation cost data deadline deep "
    "distributed dynamic efficient elastic fair fast fault federated gradient graph heterogeneous inference "
    "kernel large latency learning memory model network operator optimal parallel pipeline placement "
    "preemption private quantized recomputation reliable resource robust scalable scheduling search secure "
    "serving sparse storage streaming tensor throughput tolerant training transformer tuning workload"
).split()
NAMES = "Ada Barbara Donald Edsger Frances Grace Ivan John Ken Leslie Margaret Niklaus Robin Sophie".split()
VENUES = "ASPLOS ATC EuroSys ICML MLSys NSDI NeurIPS OSDI PPoPP SC SOSP VLDB".split()
DIALECTS = ("papers", "awesome", "table")


def write_corpus(folder: Path, lists: int = 4, entries: int = 250) -> None:
    """A folder for each list, as a corpus of real ones has them."""
    for dialect in DIALECTS:
        for number in range(lists):
            home = folder / f"{dialect}-{number}"
            home.mkdir(parents=True)
            write_list(home / "README.md", dialect, entries, seed=number)


def write_list(path: Path, dialect: str, entries: int, seed: int = 0) -> None:
    """One list, written entry by entry: the measuring process is to stay small."""
    with path.open("w", encoding="utf-8") as file:
        file.writelines(f"{line}\n" for line in list_lines(dialect, entries, seed))


def list_lines(dialect: str, entries: int, seed: int = 0) -> Iterator[str]:
    """The lines of a list: a heading for every forty entries."""
    chance = random.Random(f"{dialect} {seed}")
    yield f"# Awesome {dialect.title()} {seed}"
    yield "\n> What is worth knowing, *curated* with care.\n"
    write = {"papers": paper, "awesome": project, "table": row}[dialect]
    for number in range(entries):
        if number % 40 == 0:
            yield f"\n## {title(chance, 2)} {number // 40}\n"
            if dialect == "table":
                yield "| Name | Description | Year | Link |\n|---|---|---|---|"
        yield write(chance, number)


def title(chance: random.Random, words: int) -> str:
    return " ".join(word.title() for word in chance.sample(WORDS, words))


def paper(chance: random.Random, number: int) -> str:
    arxiv = f"{chance.randint(15, 23)}{chance.randint(1, 12):02}.{number:05}"
    label = "paper" if chance.random() < 0.03 else "Paper"
    host = "http://arxiv.org" if chance.random() < 0.05 else "https://arxiv.org"
    code = f" [[Code](https://github.com/{chance.choice(NAMES)}/{number})]" if chance.random() < 0.4 else ""
    venue = f"{chance.choice(VENUES)} {chance.randint(2016, 2023)}"
    name = f"{title(chance, 1)}{number}: {title(chance, 7)}"
    lines = [f"* {name} ({venue}) [[{label}]({host}/abs/{arxiv})]{code}"]
    if chance.random() < 0.6:
        lines.append("    * " + ", ".join(f"{chance.choice(NAMES)} {title(chance, 1)}" for _ in range(4)))
    if chance.random() < 0.3:
        marked = f"*{title(chance, 3)}* and `{number}` of **{title(chance, 2)}**"
        lines.append(f"    * {marked}, {title(chance, 9)}.")
    return "\n".join(lines)


def project(chance: random.Random, number: int) -> str:
    name = title(chance, 1) + str(number)
    scheme = "http" if chance.random() < 0.05 else "https"
    return f"- [{name}]({scheme}://github.com/{chance.choice(NAMES)}/{name}) - {title(chance, 9)}."


def row(chance: random.Random, number: int) -> str:
    url = f"https://arxiv.org/abs/{chance.randint(15, 23)}{chance.randint(1, 12):02}.{number:05}"
    year = chance.randint(2016, 2023)
    return f"| {title(chance, 6)} {number} | {title(chance, 6)} | {year} | [Paper]({url}) |"
