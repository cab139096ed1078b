"""`paper/venue-agrees`."""

from __future__ import annotations

from shelfread.checks.paper.venue_form import venue_agrees
from support.lists import paper
from support.project import run

FINDINGS = "https://aclanthology.org/2023.findings-emnlp.1053.pdf"


def test_a_shared_task_is_no_venue() -> None:
    url = "http://aclweb.org/anthology/P15-1068"
    assert run(venue_agrees, paper("for the CoNLL-2014 shared task test set", url)) == []
    assert len(run(venue_agrees, paper("CoNLL 2014", url))) == 1
