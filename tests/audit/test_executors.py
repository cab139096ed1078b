"""What a process of an audit is not given to read."""

from __future__ import annotations

from pathlib import Path

from shelfread.audit.audit_rows import ListRow
from shelfread.audit.executors import run_isolated
from shelfread.audit.list_task import FAILED, AuditOptions, AuditTask, ListSource
from shelfread.audit.part_files import open_store


def test_a_worker_of_another_version_reads_nothing(tmp_path: Path) -> None:
    answer = run_isolated(
        AuditTask(ListSource("tools", str(tmp_path / "tools")), AuditOptions((), ""), version="0.0.1")
    )
    assert answer.status == FAILED
    with open_store(str(tmp_path / "out")) as store:
        store.put("tools", answer.part)
        ((table, row),) = store.rows("tools")
    assert table == "lists" and isinstance(row, ListRow) and row.error is not None
    assert "the audit was started by 0.0.1" in row.error
