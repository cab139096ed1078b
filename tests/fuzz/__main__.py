"""`make fuzz`: inputs for the time that is given, a line each minute, and a summary."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterable
from pathlib import Path
from secrets import randbelow

from fuzz.campaign import Campaign
from fuzz.cases import CASES
from fuzz.material import load_material
from fuzz.properties.steps import count_patterns
from fuzz.targets import load_targets
from support.paths import ROOT, SHARED


def main() -> int:
    """Return 1 if anything was found."""
    targets = load_targets()
    parser = argparse.ArgumentParser(prog="make fuzz", description=__doc__)
    parser.add_argument("--seed", type=int, default=randbelow(10**6), help="default: a random one")
    parser.add_argument("--seconds", type=float, default=300)
    parser.add_argument("--target", action="append", choices=targets, help="default: all")
    parser.add_argument("--lists", type=Path, default=SHARED / "corpus", help="a folder of further lists")
    parser.add_argument("--cases", type=Path, default=CASES, help="where finds are kept")
    options = parser.parse_args()
    chosen = {name: target for name, target in targets.items() if name in (options.target or targets)}
    if "growth" in chosen:
        count_patterns()
    material = load_material([options.lists] if options.lists.is_dir() else [])
    print(
        f"seed {options.seed}, {options.seconds:.0f} s, {len(material.lists):,} texts to mutate", flush=True
    )
    campaign = Campaign(chosen, material, options.seed, options.cases.absolute())
    try:
        campaign.run(options.seconds, _tell)
    except KeyboardInterrupt:
        print("interrupted")
    for line in summary(campaign):
        print(line)
    return int(bool(campaign.finds))


def summary(campaign: Campaign) -> Iterable[str]:
    """Yield the inputs of each target, and each find with its case."""
    yield _counts(campaign)
    for find in campaign.finds:
        times = campaign.again[find.target, find.fault.kind]
        case = find.case.relative_to(ROOT) if find.case.is_relative_to(ROOT) else find.case
        yield f"{find.target}: {find.fault.kind} ({times}x): {ascii(find.fault.detail)[:200]}\n    {case}"
    yield f"{len(campaign.finds)} finds with seed {campaign.seed}"


def _tell(campaign: Campaign) -> None:
    print(f"{time.strftime('%H:%M:%S')} {_counts(campaign)}; {len(campaign.finds)} finds", flush=True)


def _counts(campaign: Campaign) -> str:
    each = ", ".join(f"{name} {count:,}" for name, count in sorted(campaign.inputs.items()))
    return f"{campaign.inputs.total():,} inputs: {each}"


if __name__ == "__main__":
    sys.exit(main())
