"""What the command line may select."""

from __future__ import annotations

import pytest

from shelfread.core.errors import ConfigError
from shelfread.project.config import EMPTY
from shelfread.rulebook.selection import select, select_of_command


@pytest.mark.parametrize(("preset", "command"), [("online", "links"), ("complete", "complete")])
def test_presets_of_other_commands_name_these(preset: str, command: str) -> None:
    with pytest.raises(ConfigError, match=f"need the network: run 'shelfread {command}'"):
        select(EMPTY, presets=["core", preset])


def test_rules_of_other_commands_name_these() -> None:
    with pytest.raises(ConfigError, match="link/dead needs the network: run 'shelfread links --select"):
        select(EMPTY, selected=["link/dead"])
    with pytest.raises(ConfigError, match="entry/order is a rule of 'shelfread check'"):
        select_of_command("links", EMPTY, selected=["entry/order"])
    with pytest.raises(ConfigError, match="no rule of links is left to run"):
        select_of_command("links", EMPTY, selected=["link/dead"], ignored=["link"])


def test_what_is_selected_runs_whatever_is_ignored_in_the_configuration() -> None:
    config = EMPTY._replace(ignore=("link",))
    assert "link/insecure" in select(config).ignore
    assert "link/insecure" not in select(config, selected=["link/insecure"]).ignore
    assert "link/insecure" in select(config, selected=["link/insecure"], ignored=["link"]).ignore
