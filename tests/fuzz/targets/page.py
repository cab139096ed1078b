"""The page of a rule in `.shelfread/rules`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random

from fuzz import commands
from fuzz.faults import Fault
from fuzz.generators.mutation import mutate
from fuzz.generators.noise import to_bytes
from fuzz.generators.settings import make_settings
from fuzz.material import Material
from fuzz.targets.configuration import LIST

_OWN = (
    "summary: Checks for praise.\nseverity: warning\npresets: [core]\ncheck: own.forbidden\nfix: safe\n"
    "options: {field: description, pattern: '(?i)\\b(teh|fast)\\b', replacement: the}\n"
    "message: \"'{match}' in {field} of '{title}'\"\n",
    "summary: Wants a stop.\nseverity: error\npresets: [core]\ncheck: own.required\n"
    "options: {field: line, pattern: '[.]$'}\nmessage: \"'{value}' has none\"\n",
)


def generate(random: Random, material: Material) -> bytes:
    """Return a page of the family `own`, seldom a right one."""
    if random.random() < 0.6:
        front = make_settings(random, _OWN)
        return b"---\n" + front.rstrip(b"\n") + b"\n---\n# own/rule\n\nWhy.\n"
    page = random.choice(material.pages)
    id = page.partition("\n# ")[2].partition("\n")[0]
    return to_bytes(random, mutate(random, page.replace(f"# {id}", "# own/rule"), material.pages))


def faults(data: bytes) -> Iterator[Fault]:
    """Show the page, and run its rule."""
    files = {
        ".shelfread.yaml": b"exclude: [.shelfread/]\n",
        ".shelfread/rules/own/rule.md": data,
        "list.md": LIST,
    }
    with commands.folder(files):
        yield from commands.for_people("rule", "own/rule", workflow=True)
        yield from commands.for_people("check", "--select", "own/rule", "list.md", workflow=True)
        done = commands.run("rule", "own/rule", "--format", "json")
        yield from commands.badly_ended("rule", done)
        if not done.exit_code:
            json.loads(done.stdout_bytes)
        yield from commands.badly_ended("fix", commands.run("fix", "--unsafe-fixes", "-", input=LIST))
