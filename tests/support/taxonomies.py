"""Taxonomies for tests of checks, and an entry to put below headings."""

from __future__ import annotations

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
