"""`check` and `fix` of several lists in one run, whose fixes reach into each other. The input has all texts."""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random

from fuzz import commands
from fuzz.faults import Fault
from fuzz.generators.documents import make_text
from fuzz.generators.noise import to_bytes
from fuzz.material import Material
from fuzz.properties.printed import fit_to_print
from fuzz.targets.diff import BORDER
from fuzz.targets.since import fixed_twice

_NAMES = ("README.md", "papers.md", "more/tools.md")
_LINKS = (
    "- [Papers](papers.md#papers) - See [tools](more/tools.md#tool-kits) and [these](#papers).\n",
    "- [Home](README.md) and [back](../README.md#contents), [lost](papers.md#no-such), [gone](gone.md).\n",
    "## 2 Papers\n\n- [There](../papers.md#2-papers)\n",
    "## Papers:\n\n",
    "[x]: papers.md#papers\n",
)


def generate(random: Random, material: Material) -> bytes:
    """Return three lists that share lines and link to each other."""
    texts = [make_text(random, material) for _ in _NAMES]
    texts.append(texts[0])
    found = []
    for text in texts[: len(_NAMES)]:
        lines = text.splitlines(keepends=True)
        for _ in range(random.randint(1, 5)):
            shared = random.choice(texts).splitlines(keepends=True) or ["\n"]
            at = random.randrange(len(shared))
            some = (
                [random.choice(_LINKS)] if random.random() < 0.5 else shared[at : at + random.randint(1, 4)]
            )
            place = random.randint(0, len(lines))
            lines[place:place] = some
        found.append(to_bytes(random, "".join(lines)))
    return BORDER.join(found)


def faults(data: bytes) -> Iterator[Fault]:
    """Check all lists, look at the fixes as people see them, and fix them twice."""
    files = dict(zip(_NAMES, data.split(BORDER), strict=False))
    rules = ("--isolated", *commands.ALL_RULES)
    with commands.folder(files) as folder:
        yield from commands.for_people("check", *rules, "--show-info", workflow=True)
        done = commands.run("check", *rules, "--show-info", "--output-format", "json")
        if done.stdout_bytes:
            json.loads(done.stdout_bytes)
        shown = commands.run("fix", *rules, "--unsafe-fixes", "--diff", env={"FORCE_COLOR": "1"})
        yield from commands.badly_ended("fix --diff", shown)
        printed = (shown.stdout_bytes + shown.stderr_bytes).decode("utf-8", "surrogateescape")
        yield from fit_to_print("fix --diff", printed, colours=True)
        yield from fixed_twice("fix of several lists", folder, "fix", *rules)
        yield from fixed_twice("unsafe fix of several lists", folder, "fix", *rules, "--unsafe-fixes")
        yield from fixed_twice("format of several lists", folder, "format", "--isolated", ".")
