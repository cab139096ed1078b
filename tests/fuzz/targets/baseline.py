"""`check` with a baseline: of the same list, of a changed one, and of any bytes. The input has all three."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random

from fuzz import commands
from fuzz.faults import Fault
from fuzz.generators.documents import make_text
from fuzz.generators.mutation import mutate
from fuzz.generators.noise import to_bytes
from fuzz.material import Material
from fuzz.targets.diff import BORDER
from fuzz.targets.diff import generate as two_texts

_RULES = ("--isolated", *commands.ALL_RULES, "--show-info")
_BASELINE = (
    '{"version": 1, "findings": [\n'
    '{"rule": "entry/duplicate", "entry": "url:a.b", "text": "", "message": "already listed at list.md:#", "count": 1},\n'
    '{"rule": "text/typo", "entry": "", "text": "teh", "message": "", "count": 2}\n]}\n'
)


def generate(random: Random, material: Material) -> bytes:
    """Return a list, what a contributor made of it, and a file that is hardly a baseline."""
    other = mutate(random, _BASELINE, [_BASELINE]) if random.random() < 0.8 else make_text(random, material)
    return two_texts(random, material) + BORDER + to_bytes(random, other)


def faults(data: bytes) -> Iterator[Fault]:
    """Accept all findings of a list, then check it again, and what it became."""
    before, after, other = (*data.split(BORDER), b"", b"")[:3]
    with commands.folder({"list.md": before, "other.json": other}):
        done = commands.run("check", *_RULES, "--write-baseline", "accepted.json", "list.md")
        yield from commands.badly_ended("check --write-baseline", done)
        if done.exit_code != 2:
            yield from _accepted(after)
        yield from commands.for_people("check", *_RULES, "--baseline", "other.json", "list.md", workflow=True)


def _accepted(after: bytes) -> Iterator[Fault]:
    words = ("check", *_RULES, "--baseline", "accepted.json", "--output-format", "json", "list.md")
    json.loads(Path("accepted.json").read_bytes())
    if found := json.loads(commands.run(*words).stdout_bytes)["diagnostics"]:
        yield Fault("check --baseline: a finding that was accepted", found[0]["rule"])
    Path("list.md").write_bytes(after)
    done = commands.run(*words)
    yield from commands.badly_ended("check --baseline", done)
    if done.exit_code != 2:
        json.loads(done.stdout_bytes)
    written = []
    for _ in range(2):
        commands.run("check", *_RULES, "--write-baseline", "accepted.json", "list.md")
        written.append(Path("accepted.json").read_bytes())
    if written[0] != written[1]:
        yield Fault("check --write-baseline: a second run changes more")
