"""Lists: made by the grammar, or taken from what exists and mutated."""

from __future__ import annotations

from random import Random

from fuzz.generators.fragments import CONTROLS, MARKS, STARTS, WORDS
from fuzz.generators.grammar import make_list
from fuzz.generators.mutation import mutate, part_of
from fuzz.generators.noise import to_bytes
from fuzz.material import Material

_PIECES = (*WORDS, *MARKS, *STARTS, *CONTROLS, "\n", "\n", "\n\n", " ", " ", "  ", "https://a.b", "[a](b)")


def make_text(random: Random, material: Material) -> str:
    """Return the text of a list, or of what is hardly one."""
    kind = random.random()
    if kind < 0.35:
        return make_list(random)
    if kind < 0.5:
        return mutate(random, make_list(random), material.lists)
    if kind < 0.93:
        return mutate(random, part_of(random, material.lists), material.lists)
    return "".join(random.choice(_PIECES) for _ in range(random.randint(0, 60)))


def make_document(random: Random, material: Material) -> bytes:
    """Return the bytes of a list."""
    return to_bytes(random, make_text(random, material))
