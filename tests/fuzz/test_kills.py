"""Each command that writes files is killed once."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from fuzz.kills import Campaign, commands, small_web


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGKILL")
def test_what_a_killed_run_leaves(tmp_path: Path) -> None:
    with small_web() as web:
        campaign = Campaign(commands(web), tmp_path, seed=11)
        campaign.run(len(campaign.chosen))
    assert campaign.faults == []
    assert campaign.outcomes["killed"] >= 3
