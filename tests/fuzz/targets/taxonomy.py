"""A list's own taxonomy, right or wrong."""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random

from fuzz import commands
from fuzz.faults import Fault
from fuzz.generators.settings import make_settings
from fuzz.material import Material
from fuzz.targets.configuration import LIST


def generate(random: Random, material: Material) -> bytes:
    """Return a taxonomy, seldom a right one."""
    return make_settings(random, material.taxonomies)


def faults(data: bytes) -> Iterator[Fault]:
    """Check a list by the taxonomy, and export it as SKOS."""
    with commands.folder({"terms.yaml": data, "list.md": LIST}) as here:
        words = ("--isolated", "--taxonomy", "terms.yaml")
        yield from commands.for_people("check", *words, *commands.ALL_RULES, "list.md", workflow=True)
        yield from commands.for_people("export", *words, "--format", "skos")
        yield from commands.for_people("export", *words, "list.md")
        done = commands.run("export", *words, "--format", "skos", "--output-file", "terms.jsonld")
        yield from commands.badly_ended("export", done)
        if not done.exit_code:
            json.loads((here / "terms.jsonld").read_text(encoding="utf-8"))
