"""Inputs that once showed a fault show none, and a short campaign with a fixed seed finds nothing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from fuzz.campaign import Campaign
from fuzz.cases import CASES, Case, read_cases
from fuzz.commands import folder
from fuzz.faults import Fault, examine
from fuzz.material import Material, load_material
from fuzz.targets import Target, load_targets

TARGETS = load_targets()
KEPT = list(read_cases())
SEED = 23
INPUTS = 2
"""Enough to see that a target works: `make fuzz` looks for faults."""


@pytest.mark.parametrize("case", KEPT, ids=[f"{case.target}/{case.name}" for case in KEPT])
def test_kept_cases(case: Case) -> None:
    with folder():
        assert examine(TARGETS[case.target].faults, case.data) == []


def test_each_case_has_a_target() -> None:
    assert {path.name for path in CASES.iterdir() if path.is_dir()} <= set(TARGETS)


@pytest.fixture(scope="module")
def material() -> Material:
    return load_material()


@pytest.mark.slow
@pytest.mark.parametrize("name", TARGETS)
def test_a_short_campaign(name: str, material: Material, tmp_path: Path) -> None:
    campaign = Campaign(TARGETS, material, SEED, tmp_path)
    with folder():
        for _ in range(INPUTS):
            campaign.next_input(TARGETS[name])
    found = "".join(f"{find.fault}\n    {find.case.read_bytes()!r}\n" for find in campaign.finds)
    assert not found, found


def test_a_find_is_made_small_and_kept(tmp_path: Path, material: Material) -> None:
    def faults(data: bytes) -> Iterator[Fault]:
        if b"x" in data and b"y" in data:
            raise LookupError("x and y")
        yield from ()

    def generate(random: Random, material: Material) -> bytes:
        return b"some\nlines with x\nand\nmore, and a y\xff\n"

    campaign = Campaign({}, material, 1, tmp_path)
    for _ in range(3):
        campaign.next_input(Target("check", generate, faults))
    (find,) = campaign.finds
    assert sorted(find.case.read_bytes()) == [ord("x"), ord("y")]
    assert find.fault == Fault("LookupError in tests/fuzz/test_fuzz.py faults", "x and y")
    assert find.case.name.startswith("lookuperror-in-tests-fuzz-test-fuzz-py-faults-")
    assert [(case.target, case.data) for case in read_cases(tmp_path)] == [("check", find.case.read_bytes())]


def test_the_same_seed_makes_the_same_inputs(material: Material) -> None:
    for target in TARGETS.values():
        made = [target.generate(Random(f"1 {target.name} 5"), material) for _ in range(2)]
        assert made[0] == made[1]
