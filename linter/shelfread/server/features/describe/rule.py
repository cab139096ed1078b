"""What a rule's page says in short: its summary, and why."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from shelfread.report.markdown_escape import escape
from shelfread.rulebook.metadata import RuleMetadata, read_prose


def describe_rule(rule: RuleMetadata) -> str:
    """Return a rule's id, severity, summary and reason as Markdown; raises RuleError if its page cannot be read.

    The page of a list's own rule is a stranger's, whose Markdown may load pictures: only its summary is shown.
    """
    head = f"**{escape(rule.id)}** ({rule.severity.label}): {escape(rule.summary)}"
    why = "" if rule.custom else _why(rule.page)
    return f"{head}\n\n{why}" if why else head


@lru_cache(maxsize=64)  # editors ask again with every move of the pointer
def _why(page: Path) -> str:
    """Return the text of a page's section `Why`, empty if it has none."""
    _, _, after = read_prose(page).partition("\n## Why\n")
    return after.partition("\n## ")[0].strip()
