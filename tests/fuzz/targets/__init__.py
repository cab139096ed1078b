"""What is fuzzed: each module makes inputs (`generate`) and tells what is wrong with one (`faults`)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from random import Random
from typing import NamedTuple

from fuzz.faults import Fault
from fuzz.material import Material


class Target(NamedTuple):
    """A part of the program."""

    name: str
    generate: Callable[[Random, Material], bytes]
    faults: Callable[[bytes], Iterator[Fault]]


def load_targets() -> dict[str, Target]:
    """Return the targets by name: the modules of this folder."""
    names = sorted(path.stem for path in Path(__file__).parent.glob("[a-z]*.py"))
    return {name: _load(name) for name in names}


def _load(name: str) -> Target:
    module = import_module(f"fuzz.targets.{name}")
    return Target(name, module.generate, module.faults)
