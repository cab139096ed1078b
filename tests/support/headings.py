"""A list with headings, its taxonomy and its configuration, in files of the working directory."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path


def entries(number: int, times: int = 2) -> str:
    """Return papers that no other section has."""
    return "".join(
        f"- A Study of {number} and {index} Jobs [[Paper](https://arxiv.org/abs/20{number:02}.{index:05})]\n"
        for index in range(1, times + 1)
    )


def write_headings(headings: Iterable[str], taxonomy: str, config: str) -> None:
    """Write `README.md` with entries below each heading, `taxonomy.yaml` and `.shelfread.yaml`."""
    text = "\n".join(f"{heading}\n\n{entries(number)}" for number, heading in enumerate(headings, 1))
    Path("README.md").write_text(f"# Jobs\n\n{text}")
    Path("taxonomy.yaml").write_text(taxonomy)
    Path(".shelfread.yaml").write_text(config)
