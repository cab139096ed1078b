"""Taxonomies in files, lists with their headings, and an entry to put below headings."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from shelfread.taxonomy.load import load
from shelfread.taxonomy.taxonomy import Taxonomy

ENTRY = "- A Study of Jobs [[Paper](https://arxiv.org/abs/2001.00001)]\n"
CONCEPTS = """
title: Clusters
concepts:
  scheduling:
    prefLabel: Cluster Scheduling
    altLabel: [Resource Scheduling]
    hiddenLabel: [Allocation]
    links: [paper, code]
  inference: {prefLabel: Inference, altLabel: [Serving]}
"""


def write_taxonomy(folder: Path, text: str) -> Taxonomy:
    path = folder / "taxonomy.yaml"
    path.write_text(text, encoding="utf-8")
    return load(str(path))


def load_text(folder: Path, text: str) -> Taxonomy:
    """Return the taxonomy of a text, written to `own.yaml` in a folder."""
    file = folder / "own.yaml"
    file.write_text(text, "utf-8")
    return load(str(file))


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
