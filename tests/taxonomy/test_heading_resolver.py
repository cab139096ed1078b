"""What headings name: several subjects, qualifiers, forms, the heading above, and what stays unknown."""

from __future__ import annotations

from pathlib import Path

import pytest

from shelfread.taxonomy.concept import Surroundings
from shelfread.taxonomy.load import load
from shelfread.taxonomy.taxonomy import Taxonomy
from support.taxonomies import load_text
from support.work import ends

TEXT = """
extends: forms
concepts:
  training: {prefLabel: Training, altLabel: [Deep Learning Training]}
  parallelism: {prefLabel: Parallelism, broader: training}
  data-parallelism: {prefLabel: Data Parallelism, broader: parallelism}
  tensor-parallelism: {prefLabel: Tensor Parallelism, altLabel: [Operator Parallelism], broader: parallelism}
  pipeline-parallelism: {prefLabel: Pipeline Parallelism, broader: parallelism}
  scheduling: {prefLabel: Cluster Scheduling, altLabel: [Scheduling, Resource Scheduling], hiddenLabel: [Cluster Schduling]}
  energy: {prefLabel: Energy Efficiency, altLabel: [Energy-Efficient Training]}
  inference: {prefLabel: Inference, altLabel: [Model Serving]}
  llm: {prefLabel: Large Language Models, altLabel: [LLM]}
  llm-inference: {prefLabel: LLM Inference, broader: inference}
  kv-cache: {prefLabel: KV Cache Management, includes: [KV Cache Scheduling], broader: llm-inference}
  kv-quantization: {prefLabel: KV Cache Quantization, broader: kv-cache}
  kv-eviction: {prefLabel: KV Cache Eviction, altLabel: [KV Cache Dropping], broader: kv-cache}
  moe: {prefLabel: Mixture of Experts, altLabel: [MoE]}
  dl: {prefLabel: Deep Learning, altLabel: [DL]}
  quantization: {prefLabel: Quantization, altLabel: [Low-Bit Models]}
  communication: {prefLabel: Communication}
  compression: {prefLabel: Model Compression, altLabel: [Compression]}
  gradient-compression: {prefLabel: Communication Compression, broader: communication}
  finetuning: {prefLabel: Fine-Tuning}
  security: {prefLabel: Security and Privacy, altLabel: [Security]}
  graphs: {prefLabel: Graph Learning, altLabel: [Graphs]}
  trains: {prefLabel: Railways, altLabel: [Trains]}
  companies: {prefLabel: Organizations, altLabel: [Storers]}
  colorization: {prefLabel: Colorization}
  decentralization: {prefLabel: Decentralization}
  c: {prefLabel: C}
  cpp: {prefLabel: C++}
  dotnet: {prefLabel: .NET}
  audio: {prefLabel: Audio}
  evaluation: {prefLabel: Evaluation}
  profiling: {prefLabel: Profiling}
  localization: {prefLabel: Localization}
"""


@pytest.fixture(scope="module")
def taxonomy(tmp_path_factory: pytest.TempPathFactory) -> Taxonomy:
    return load_text(Path(tmp_path_factory.mktemp("taxonomy")), TEXT)


def subjects(taxonomy: Taxonomy, heading: str, above: str = "") -> str:
    found = taxonomy.resolve(heading, tuple(above.split()))
    return " ".join(label.concept for label in found.subjects)


@pytest.mark.parametrize(
    ("heading", "concepts"),
    [
        # as written
        ("3. 🚀 **Cluster scheduling**:", "scheduling"),
        ("Audio (39)", "audio"),
        ("🎵 Audio [12 papers]", "audio"),
        ("Audio (2019 - 2024)", "audio"),
        ("Audio [⬆ back to top]", "audio"),
        ("[Audio](#contents)", "audio"),
        ("C++", "cpp"),
        ("C", "c"),
        (".NET", "dotnet"),
        # number, hyphens, inflection, order, abbreviations
        ("Cluster Schedulers", "scheduling"),
        ("Finetuning", "finetuning"),
        ("Decentralized", "decentralization"),
        ("Fine Tuning", "finetuning"),
        ("Scheduling of Clusters", "scheduling"),
        ("Large Language Models (LLMs)", "llm"),
        ("Large Language Model Inference", "llm-inference"),
        ("Mixture-of-Experts (MoE)", "moe"),
        ("DL Training", "training"),
        # forms and words that change nothing
        ("Papers on Cluster Scheduling", "scheduling"),
        ("Awesome Quantization Papers", "quantization"),
        ("Quantization-related work", "quantization"),
        ("Survey of Quantization Methods", "quantization"),
        ("Other Efficient Inference Systems", "inference"),
        # qualifiers
        ("Quantization of LLMs", "quantization"),
        ("Schedulers for DL Training", "scheduling"),
        ("Evaluation of Quantization", "quantization"),
        ("Deep Learning for Audio", "audio"),
        ("Quantization for Foobarity", "quantization"),
        ("MoE Quantization", "quantization"),
        ("Mixture-of-Experts (MoE) LLM Inference", "llm-inference"),
        # several subjects
        ("Data Parallelism + Pipeline Parallelism", "data-parallelism pipeline-parallelism"),
        ("Data, Tensor and Pipeline Parallelism", "data-parallelism tensor-parallelism pipeline-parallelism"),
        ("KV Cache Scheduling/Quantize/Dropping", "kv-cache kv-quantization kv-eviction"),
        ("Training & Inference", "training inference"),
        ("Security & Privacy", "security"),
        # brackets and colons
        ("Training(Parallelism)", "parallelism"),
        ("Training (Energy-efficient)", "energy"),
        ("Quantization (Foobar)", "quantization"),
        ("Inference: Quantization", "quantization"),
        ("Training - Parallelism", "parallelism"),
        # a kind that has no concept
        ("Heterogeneous Cluster Scheduling", "scheduling"),
    ],
)
def test_headings(taxonomy: Taxonomy, heading: str, concepts: str) -> None:
    assert subjects(taxonomy, heading) == concepts


@pytest.mark.parametrize(
    "heading",
    [
        "Gardening",
        "Foobar Scheduling",  # a single word need not be the cluster's
        "Graph Tables",
        "Training Wheels",  # no subject with more words to its right
        "Profiles",  # a noun, not the verb's Profiling
        "Be-Organized",  # a state, and no organisation
        "Stored",
        "Colors",  # no form of a verb
        "Local",
        "Foundations of Gardening",
        "Hardware for Quantization",  # the subject is before the preposition
        "2024",
        "and / or",
        "()",
        "",
    ],
)
def test_no_subject(taxonomy: Taxonomy, heading: str) -> None:
    assert subjects(taxonomy, heading) == ""


def test_the_heading_above_makes_nothing_else_of_a_concept_of_the_list(tmp_path: Path) -> None:
    below = load_text(tmp_path, "extends: machine-learning\nconcepts: {some: {prefLabel: Some}}")
    assert subjects(below, "Optimization", "federated-learning") == "federated-optimization"
    own = load_text(
        tmp_path, "extends: machine-learning\nconcepts: {optimization: {prefLabel: Optimization}}"
    )
    assert subjects(own, "Optimization", "federated-learning") == "optimization"


@pytest.mark.parametrize(
    ("heading", "above", "concepts"),
    [
        ("Pipeline", "parallelism", "pipeline-parallelism"),
        ("Compression", "communication", "gradient-compression"),
        ("Compression", "", "compression"),
        ("Quantize", "kv-cache", "quantization"),
        ("Pipeline", "inference", ""),
    ],
)
def test_the_heading_above_completes_one(taxonomy: Taxonomy, heading: str, above: str, concepts: str) -> None:
    assert subjects(taxonomy, heading, above) == concepts


@pytest.mark.parametrize(
    ("heading", "certainty"),
    [
        ("Resource Scheduling", "label"),
        ("2 Resource Scheduling", "label"),
        ("Cluster Schduling", "label"),
        ("Resource Schedulers", "variant"),
        ("Papers on Scheduling", "named"),
        ("Quantization and Foobarity", "partly"),
        ("Heterogeneous Cluster Scheduling", "broader"),
        ("Surveys", "variant"),
        ("Foobarity", ""),
    ],
)
def test_certainty(taxonomy: Taxonomy, heading: str, certainty: str) -> None:
    assert taxonomy.resolve(heading).certainty == certainty


def test_only_a_whole_label_is_found(taxonomy: Taxonomy) -> None:
    """What is merely derived is no other name of a concept."""
    assert taxonomy.find("Resource Schedulers") is None
    assert taxonomy.find("Papers on Scheduling") is None
    match = taxonomy.find("Resource Scheduling (12)")
    assert match is not None and (match.concept.id, match.kind) == ("scheduling", "altLabel")
    included = taxonomy.find("KV Cache Scheduling")
    assert included is not None and included.kind == "includes"


def test_forms_are_no_subjects(taxonomy: Taxonomy) -> None:
    found = taxonomy.resolve("Survey Papers")
    assert not found.subjects and [form.concept for form in found.forms] == ["survey"]
    both = taxonomy.resolve("Quantization: Benchmarks")
    assert [label.concept for label in both.subjects] == ["quantization"]
    assert [form.concept for form in both.forms] == ["benchmark"]


@pytest.mark.parametrize("heading", ["Data Reconstruction", "Code Graphs"])
def test_a_form_before_a_subject_that_tells_little_says_not_all(heading: str) -> None:
    found = load("machine-learning").resolve(heading)
    assert found.forms and not found.subjects and not found.is_known


@pytest.mark.parametrize(
    ("heading", "certainty"),
    [
        ("Basic Models", "guess"),  # basics are tutorials, and models are no tutorials
        ("Useful Guides", "named"),
        ("Basics", "word"),
        ("Survey Methods", "named"),
        ("Other Tasks", "named"),
    ],
)
def test_a_form_that_only_qualifies_is_a_guess(heading: str, certainty: str) -> None:
    bundled = load("machine-learning")
    found = bundled.resolve(heading)
    assert bundled.weighed(found, heading, Surroundings()).certainty == certainty


def test_qualifiers(taxonomy: Taxonomy) -> None:
    found = taxonomy.resolve("Quantization of LLMs")
    assert [label.concept for label in found.qualifiers] == ["llm"]


def test_the_nearest_common_concept(taxonomy: Taxonomy) -> None:
    assert taxonomy.common(("data-parallelism", "pipeline-parallelism")) == "parallelism"
    assert taxonomy.common(("kv-cache", "kv-eviction")) == "kv-cache"
    assert taxonomy.common(("training", "inference")) is None


@pytest.mark.parametrize(
    ("heading", "label"),
    [
        ("Quantisaton", "Quantization"),
        ("Paralelism", "Parallelism"),
        ("Cluster Schedulin", "Cluster Scheduling"),
        ("KV Cache Evicton", "KV Cache Eviction"),
        ("Gardening", None),
    ],
)
def test_suggestions(taxonomy: Taxonomy, heading: str, label: str | None) -> None:
    near = taxonomy.suggest(heading)
    assert (near and near.label) == label


@pytest.mark.parametrize(
    "heading",
    [
        "Scheduling " * 5_000,
        "a / " * 20_000,
        "(" * 100_000,
        "of " * 50_000,
        "Data Parallelism of " * 5_000,
        "Schedulin" * 20_000,
        "并" * 50_000,
        "-" * 200_000 + "x",
        "[a](" * 10_000,
    ],
)
def test_a_hostile_heading_takes_little_time(taxonomy: Taxonomy, heading: str) -> None:
    with ends():
        taxonomy.resolve(heading)
        taxonomy.find(heading)
        taxonomy.suggest(heading)
