"""Settings in YAML: configurations, taxonomies and the front matter of pages, mutated as text and as data."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import yaml

from fuzz.generators.fragments import CONTROLS
from fuzz.generators.mutation import mutate
from fuzz.generators.noise import to_bytes

_SCALARS: tuple[Any, ...] = (
    None, True, False, 0, -1, 10**30, 1.5, float("inf"), "", " ", "x", "a/b", "paper", "core", "*", "**/x", "../x", "/etc/passwd",
    "regex:(a+)+$", "regex:(", "link/insecure", "2027-01-31", "2027-02-31", "x" * 400, "a\nb", "é", "::error::x", [], {}, "!!python/object:os.system",
    "taxonomy.yaml", "ml-systems", ".shelfread.yaml", "https://a.b/*", "{match}", "{x", "(?i)a|b", "a" * 90,
)  # fmt: skip
_TRICKS = (
    "&a [*a]", "&a {x: *a}", "*nothing", "<<: {a: b}", "!!binary YQ==", "!x y", "? [a, b]\n: c", "a: b\na: c", "%YAML 9.9\n---\n",
    "---\n---\n", "\t", "- ", "{" * 200, "[" * 2000, "a.b.c: 1", "2020-01-01", "0x1F", "~", "'", '"\\x1b[31m"', "# \x85",
)  # fmt: skip


def make_settings(random: Random, examples: Sequence[str]) -> bytes:
    """Return one of the examples with other values, keys and text."""
    text = random.choice(examples)
    if random.random() < 0.6:
        text = _with_other_values(random, text)
    if random.random() < 0.5:
        text = mutate(random, text, examples, most=3)
    if random.random() < 0.2:
        at = random.randint(0, len(text))
        text = text[:at] + random.choice((*_TRICKS, *CONTROLS)) + text[at:]
    return to_bytes(random, text)


def _with_other_values(random: Random, text: str) -> str:
    try:
        data = yaml.safe_load(text)
    except yaml.YAMLError:
        return text
    for _ in range(random.randint(1, 4)):
        data = _changed(random, data)
    made: str = yaml.safe_dump(data, allow_unicode=random.random() < 0.5, sort_keys=False)
    return made


def _changed(random: Random, data: Any) -> Any:
    """Return the data with a change somewhere below it, or another value in its place."""
    if not isinstance(data, (dict, list)) or not data or random.random() < 0.15:
        return random.choice((random.choice(_SCALARS), [data], {"x": data}, [data, data]))
    key = random.choice([*data] if isinstance(data, dict) else range(len(data)))
    changed = data.copy()
    kind = random.random()
    if kind < 0.15:
        del changed[key]
    elif kind < 0.3 and isinstance(changed, dict):
        other = random.choice(_SCALARS[:8] + tuple(data))
        changed[other if not isinstance(other, (list, dict)) else "x"] = data[key]
    else:
        changed[key] = _changed(random, data[key])
    return changed
