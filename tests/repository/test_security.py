"""Each promise of SECURITY.md has a row in docs/faults.md, and tests that hold it."""

from __future__ import annotations

import re

import pytest

from support.paths import ROOT

PROMISES = {
    "run code": ("core/test_hostile_repositories.py::test_a_way_to_run_code", "audit/test_faults.py::test_code_beside_a_list_is_not_run"),
    "make a run hang or use unbounded memory": (
        "core/test_hostile_repositories.py::test_a_pipe_that_nobody_writes_to", "links/test_hostile_answers.py::test_a_tarpit_ends_when_its_time_is_up",
        "core/test_patterns.py", "document/test_hostile.py",
    ),
    "request a private address": ("links/http/test_addresses.py::test_forbidden_addresses_are_not_requested", "links/http/test_addresses.py::test_dns_rebinding_is_refused"),
    "send a token to another host": ("links/http/test_client.py::test_a_token_goes_to_one_host_only",),
    "write files outside of the project": ("cli/test_faults.py::test_a_fault", "server/test_navigation.py::test_no_edit_leaves_the_work_tree"),
    "act where it is shown": ("cli/test_what_goes_out.py::test_an_output_is_inert", "report/test_formats.py::test_nothing_is_forged_and_nothing_hidden"),
    "relax the rules that check it": ("engine/test_policy_changes.py",),
    "change more than a fix declares": ("fixes/test_safe_fixes.py", "fixes/verify"),
}  # fmt: skip


def test_each_promise_has_a_row() -> None:
    text = (ROOT / "docs/faults.md").read_text(encoding="utf-8")
    table = text.partition("| what must not be able to |")[2].partition("\n\n")[0]
    assert re.findall(r"(?m)^\| (\w.*?) \|", table) == list(PROMISES)
    security = (ROOT / "SECURITY.md").read_text(encoding="utf-8").partition("must not be able to:")[2]
    assert len(re.findall(r"(?m)^- ", security)) == len(PROMISES)


@pytest.mark.parametrize("promise", PROMISES)
def test_each_promise_has_tests(promise: str) -> None:
    for test in PROMISES[promise]:
        file, _, name = test.partition("::")
        path = ROOT / "tests" / file
        assert path.is_dir() or f"def {name or 'test_'}" in path.read_text(encoding="utf-8"), test
