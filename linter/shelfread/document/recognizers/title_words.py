"""Words of titles that are hardly ever names of people."""

from __future__ import annotations

# The most frequent words of the titles of some fifty lists of papers that no author in them is called.
_TITLE_WORDS = frozenset(
    """abstraction abstractive accelerated accelerating acceleration accelerator accelerators accurate action
    activation adaptation adaptive adversarial agent agents aggregation aggregated algorithm algorithms aligned alignment
    allocation analysis analyzing answering application applications approach approaches approximate
    approximation architecture architectures asynchronous attack attacks attention augmentation augmented
    automated automatic automatically autonomous autoregressive aware balanced based bayesian benchmark
    benchmarking benchmarks better beyond bias bidirectional boosting brain bridging building caching
    captioning case causal challenge challenges classification client clients cloud clustering clusters
    code coding collaborative combining communicating communication compiler compositional comprehension
    comprehensive compressed compressing compression computation computer computing concept conditional
    constrained context contextual continual continuous contrastive control controllable convergence convolution
    convolutional cooperative cost critical crowd dataset datasets decentralized decision decoding deep definition
    deformable dense deployment depth descent design designing detecting detection device devices dialogue
    different differentiable diffusion dimension dimensional discovery discriminative disentangled distance
    distillation distilling distributed distribution diverse document documents domain domains driven dual
    dynamic dynamics edge editing effective efficiency efficient efficiently elastic embedding embeddings
    emotion enabling encoder encoding end energy engine enhanced enhancing ensemble entity environments
    error estimating estimation evaluating evaluation event examples execution experience experts explainable
    explaining explanation exploiting exploration exploring expression extraction facial fast faster fault
    feature features federated feedback few fields filtering finetuning first fixed flexible flow for
    forecasting foundation frame framework from full fully functions fusion game gated general generalization
    generalized generated generating generation generative generic gesture global gradient gradients graph graphs
    grounding guided hardware heterogeneous hierarchical high holistic human hybrid identification image
    images imitation implicit improved improving incremental inference information instance instruction
    instructions integrating intelligence intelligent interaction interactive interface internet interpretable
    invariant iterative joint jointly kernel kernels knowledge label labels language languages large latency
    latent layer layers learned learning less leveraging lightweight limited linear local localization
    locality logic low machine making management manipulation mapping masked matching matrix measuring
    mechanism mechanisms medical memory meta method methods metric mining minimal mixture mobile modal
    model modeling modelling models modular monocular motion motivation movement multimodal multiple multitask music
    natural navigation network networked networks neural neurons noisy nonlinear novel object objects
    offline online open operator optimal optimization optimized optimizing overview parallel parallelism
    parameter parameters parsing part partial partition partitioning path patterns perception performance
    personalized perspective phase physical pipeline planning policies policy pose practical practices practice
    precision predicting prediction pretrained pretraining principles prior privacy private probabilistic problem problems
    processing production program programming programs progressive prompt prompting prompts propagation
    protection protein pruning quality quantization quantized quantum query question ranking real reasoning
    recognition recommendation recommender recommendations reconstruction recurrent reducing reduction reference regression
    regularization reinforcement relation relational reliable representation representations research
    residual resolution resource resources response restoration rethinking retrieval review revisiting reward
    robotic robotics robots robust robustness sampling scalable scale scaling scene scenes scheduling scheme
    schemes science search secure security segmentation selection self semantic semantics sentence sentiment sequence
    sequences sequential server serverless service services serving shape shared sharing signal similarity
    simple simulation single sparse sparsity spatial spatiotemporal speech speculative speed state static
    statistical stochastic storage strategies strategy streaming structure structured structures study style
    summarization supervised supervision support survey surveys synchronization synthesis synthetic system
    systematic systems table tables task tasks technique techniques temporal tensor tensors text textual the theory
    through time toward towards tracking tradeoff tradeoffs training trajectory transfer transferable
    transformation transformer transformers transforms translation tree trees tuning tutorial understanding unified
    universal unsupervised user users using value variational vehicle vehicles verification via video videos
    view virtual vision visual visualization visualizing vulnerabilities weakly web weight weights why with
    without workload workloads world yet your""".split()
)


def has_title_word(text: str) -> bool:
    """Return whether a text has a word that titles have and names of people have not."""
    return not _TITLE_WORDS.isdisjoint(text.casefold().replace("-", " ").split())
