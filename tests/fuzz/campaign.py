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
from fuzz.generators.documents import repeated_fragments
from fuzz.material import Material
from fuzz.minimise import minimise
from fuzz.properties.growth import too_steep
from fuzz.targets import Target

_GROWTH_SHARE = 0.15
"""Of the time: a measure takes as long as many inputs."""
_LONGEST = 90
"""Seconds of CPU for one measure."""
_WAYS = ("lines", "one line", "nested")


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
        self.minimising = 0.0
        """Seconds spent on making finds small, which no target has to make up for."""
        self.measures = 0
        """How often the growth was measured."""

    def run(self, seconds: float, told: Callable[[Campaign], None]) -> None:
        """Give each target the same time, until the time is over; `told` is called each minute."""
        spent = dict.fromkeys(self.targets, 0.0)
        growing = [name for name, target in self.targets.items() if target.grow]
        first = monotonic()
        measured, next_minute = 0.0, first + 60
        with folder():
            while (start := monotonic()) < first + seconds:
                if start >= next_minute:
                    told(self)
                    next_minute += 60
                name = min(spent, key=lambda name: spent[name])
                aside = self.minimising
                data = self.next_input(self.targets[name])
                spent[name] += monotonic() - start - (self.minimising - aside)
                if growing and measured < _GROWTH_SHARE * (monotonic() - first):
                    start = monotonic()
                    self._measure(self.targets[growing[self.measures % len(growing)]], data)
                    measured += monotonic() - start

    def next_input(self, target: Target) -> bytes:
        """Make one input, the same for the same seed and number, look for faults, and return it."""
        number = self.inputs[target.name]
        self.inputs[target.name] += 1
        random = Random(f"{self.seed} {target.name} {number}")
        data = target.generate(random, self.material)
        for fault in examine(target.faults, data):
            self._found(target, fault, data)
        return data

    def _found(self, target: Target, fault: Fault, data: bytes) -> None:
        self.again[target.name, fault.kind] += 1
        if self.again[target.name, fault.kind] > 1:
            return

        def shows(smaller: bytes) -> bool:
            return any(other.kind == fault.kind for other in examine(target.faults, smaller))

        start = monotonic()
        small = minimise(data, shows)
        self.minimising += monotonic() - start
        told = next((other for other in examine(target.faults, small) if other.kind == fault.kind), fault)
        self.finds.append(Find(target.name, told, keep(target.name, fault.kind, small, self.cases)))

    def _measure(self, target: Target, data: bytes) -> None:
        """Note a growth that is too steep; a time cannot be a case, so the input is kept elsewhere."""
        do, name = target.grow, target.name
        assert do is not None
        self.measures += 1
        random = Random(f"{self.seed} growth {self.measures}")
        way = random.choice(_WAYS)
        text = data.decode("utf-8", "replace").replace("\0", "")
        if random.random() < 0.5:
            text = repeated_fragments(random)
        for fault in examine(lambda data: too_steep(name, do, data.decode(), way), text.encode(), _LONGEST):
            self.again[name, fault.kind] += 1
            if self.again[name, fault.kind] == 1:
                case = keep(name, fault.kind, text.encode(), self.cases.parent / "slow")
                self.finds.append(Find(name, fault, case))
