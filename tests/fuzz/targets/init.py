"""`init`: what it writes can be used at once."""

from __future__ import annotations

from collections.abc import Iterator

import yaml

from fuzz import commands
from fuzz.faults import Fault
from fuzz.generators.documents import make_document as generate

__all__ = ["faults", "generate"]


def faults(data: bytes) -> Iterator[Fault]:
    """Write a configuration and a taxonomy for a list, and check the list by them."""
    with commands.folder({"list.md": data}) as here:
        yield from commands.for_people("init", "--taxonomy", "list.md", workflow=True)
        for file in sorted(here.glob("*.yaml")):
            yaml.safe_load(file.read_text(encoding="utf-8"))
        if (here / ".shelfread.yaml").exists():
            done = commands.run("check", "list.md")
            if done.exit_code == 2:
                yield Fault("init: the configuration is refused", done.stderr[:300])
            yield from commands.for_people("export", "--format", "skos")
