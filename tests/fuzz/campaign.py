"""A campaign: inputs for the targets in turn, from one seed, for some time or some number of inputs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random
from time import monotonic
from typing import NamedTuple

from fuzz.cases import CASES, keep
from fuzz.commands import folder
from fuzz.faults import Fault, examine
from fuzz.material import Material
from fuzz.minimise import minimise
from fuzz.targets import Target


class Find(NamedTuple):
    """A fault that an input showed for the first time, and the file of the smallest input that shows it."""

    target: str
    fault: Fault
    case: Path


class Campaign:
    """Counts the inputs of each target and keeps the finds, one for each kind of fault."""

    def __init__(
        self, targets: Mapping[str, Target], material: Material, seed: int, cases: Path = CASES
    ) -> None:
        self.targets = targets
        self.material = material
        self.seed = seed
        self.cases = cases
        self.inputs: Counter[str] = Counter()
        self.again: Counter[tuple[str, str]] = Counter()
        """How often a kind of fault was seen."""
        self.finds: list[Find] = []

    def run(self, seconds: float, told: Callable[[Campaign], None]) -> None:
        """Give each target the same time, until the time is over; `told` is called each minute."""
        spent = dict.fromkeys(self.targets, 0.0)
        first = monotonic()
        next_minute = first + 60
        with folder():
            while (start := monotonic()) < first + seconds:
                if start >= next_minute:
                    told(self)
                    next_minute += 60
                name = min(spent, key=lambda name: spent[name])
                self.next_input(self.targets[name])
                spent[name] += monotonic() - start

    def next_input(self, target: Target) -> None:
        """Make one input, the same for the same seed and number, and look for faults."""
        number = self.inputs[target.name]
        self.inputs[target.name] += 1
        random = Random(f"{self.seed} {target.name} {number}")
        data = target.generate(random, self.material)
        for fault in examine(target.faults, data):
            self._found(target, fault, data)

    def _found(self, target: Target, fault: Fault, data: bytes) -> None:
        self.again[target.name, fault.kind] += 1
        if self.again[target.name, fault.kind] > 1:
            return

        def shows(smaller: bytes) -> bool:
            return any(other.kind == fault.kind for other in examine(target.faults, smaller))

        small = minimise(data, shows)
        told = next((other for other in examine(target.faults, small) if other.kind == fault.kind), fault)
        self.finds.append(Find(target.name, told, keep(target.name, fault.kind, small, self.cases)))
