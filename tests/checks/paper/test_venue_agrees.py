"""`paper/venue-agrees`."""

from __future__ import annotations

from shelfread.checks.paper.venue_form import venue_agrees
from support.lists import paper, texts
from support.project import run

FINDINGS = "https://aclanthology.org/2023.findings-emnlp.1053.pdf"


def test_a_shared_task_is_no_venue() -> None:
    url = "http://aclweb.org/anthology/P15-1068"
    assert run(venue_agrees, paper("for the CoNLL-2014 shared task test set", url)) == []
    assert len(run(venue_agrees, paper("CoNLL 2014", url))) == 1


def test_findings_stay_findings() -> None:
    (found,) = run(venue_agrees, paper("Findings of ACL 2023", FINDINGS))
    assert found.fixed == paper("Findings of EMNLP 2023", FINDINGS)
    assert texts([found]) == ["Findings of ACL"]
