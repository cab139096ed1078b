"""Find out which of many changes do damage."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

_Change = TypeVar("_Change")


def keep_harmless(
    changes: list[_Change], find_damage: Callable[[list[_Change]], str | None], most_tries: int
) -> tuple[list[_Change], list[tuple[_Change, str]]]:
    """Return the changes that together do no damage, and the others, each with the damage.

    A group that does damage is halved until single changes are left, or until `most_tries` groups were tried.
    """
    pending = [changes] if changes else []
    kept: list[_Change] = []
    harmful: list[tuple[_Change, str]] = []
    tries = 0
    while pending:
        group = pending.pop()
        tries += 1
        if (damage := find_damage([*kept, *group])) is None:
            kept += group
        elif len(group) == 1 or tries > most_tries:
            harmful += [(change, damage) for change in group]
        else:
            half = len(group) // 2
            pending += [group[half:], group[:half]]
    return kept, harmful
