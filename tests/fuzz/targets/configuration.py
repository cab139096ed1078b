"""`.shelfread.yaml`, as a stranger's pull request may have it."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from fuzz import commands
from fuzz.faults import Fault
from fuzz.generators.settings import make_settings
from fuzz.material import Material

LIST = (
    b"# Awesome Tools [![Awesome](https://awesome.re/badge.svg)](https://awesome.re)\n\n## Tools\n\n"
    b"- [One](https://one.example) - Does teh thing.\n* [Two](http://github.com/a/b): Does it\n\n## Papers\n\n"
    b"- A Study of Jobs: Ages and Places (OSDI 2020) [[paper](https://arxiv.org/abs/2001.01234v1)]\n"
)


def generate(random: Random, material: Material) -> bytes:
    """Return a configuration, seldom a right one."""
    return make_settings(random, material.configurations)


def faults(data: bytes) -> Iterator[Fault]:
    """Run each command that reads the configuration."""
    taxonomy = b"concepts:\n  tools: {prefLabel: Tools}\n"
    with commands.folder({".shelfread.yaml": data, "list.md": LIST, "taxonomy.yaml": taxonomy}):
        yield from commands.for_people("check", "--show-info", workflow=True)
        yield from commands.for_people("format", "--check")
        yield from commands.for_people("rule")
        yield from commands.for_people("links", "--offline", "--no-cache")
        yield from commands.badly_ended("fix", commands.run("fix", "--unsafe-fixes", "-", input=LIST))
