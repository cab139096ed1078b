"""Concepts of a taxonomy: headings, hierarchy and order."""

from __future__ import annotations

import json

import pytest

from shelfread.taxonomy.chain import bundled_names
from shelfread.taxonomy.load import load
from support.paths import SHARED

ML = load("ml-systems")

HEADINGS = """
# Deep Learning Training
## 1. Elastic Training
## 🚀 Optimizing Network Communication
### Tensor Swapping / Recomputation
# Training System
## Training(Multi-jobs on cluster)
## Training(Parallelism)
1. **Cluster Scheduling**:
2. Memory/Cache Storage:
3. AI Compilation
4. Pipeline
5. Training Hyperparameters
6. Performance Modeling
7. Mixture-of-Experts
8. GPU memory management and optimization
"""


@pytest.mark.parametrize("line", HEADINGS.split("\n")[1:-1])
def test_headings_of_real_lists(line: str) -> None:
    assert ML.resolve(line.lstrip("# ")).is_known


@pytest.mark.parametrize(
    ("heading", "id", "kind"),
    [
        ("Cluster Scheduling", "cluster-scheduling", "prefLabel"),
        ("Job Scheduling", "cluster-scheduling", "altLabel"),
        ("GPU Cluster Scheduling", "cluster-scheduling", "includes"),
        ("Cluster Schduling", "cluster-scheduling", "hiddenLabel"),
    ],
)
def test_find(heading: str, id: str, kind: str) -> None:
    match = ML.find(heading)
    assert match is not None
    assert (match.concept.id, match.kind) == (id, kind)


def test_suggest() -> None:
    assert ML.find("Paralelism") is None
    near = ML.suggest("Paralelism")
    assert near is not None and near.concept.id == "parallelism"
    assert ML.suggest("My holidays in Rome") is None


def test_hierarchy_and_position() -> None:
    assert ML.ancestors("tensor-parallelism") == (
        "model-parallelism",
        "parallelism",
        "distributed-training",
        "training",
    )
    assert ML.ancestors("training") == ()
    assert ML.position("training") < ML.position("inference") < ML.position("llm-serving")


def test_vocabulary_without_taxonomy() -> None:
    alone = load()
    assert not alone.concepts and alone.find("Training") is None
    assert alone.vocabulary is ML.vocabulary
    assert "venues" not in bundled_names() and "ml-systems" in bundled_names()


SEEDS = SHARED / "gold"


@pytest.mark.skipif(not SEEDS.is_dir(), reason="the seed documents are not here")
def test_every_section_of_the_seed_documents() -> None:
    headings = {
        heading
        for file in SEEDS.glob("*.json")
        for entry in json.loads(file.read_text("utf-8"))
        for heading in entry.get("section", ())
    }
    assert len(headings) > 20
    assert not {heading for heading in headings if not ML.resolve(heading).is_known}
