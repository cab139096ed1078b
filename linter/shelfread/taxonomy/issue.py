"""What is wrong with a taxonomy."""

from __future__ import annotations

from shelfread.core.diagnostics import Severity
from shelfread.core.errors import UserError
from shelfread.core.support.named_tuple import NamedTuple


class Issue(NamedTuple):
    """An issue of a taxonomy. `name` is that of the check, and `error` has the message and the place."""

    name: str
    severity: Severity
    error: UserError


def error(name: str, found: UserError) -> Issue:
    """Return the issue of an error: the taxonomy cannot be used."""
    return Issue(name, Severity.ERROR, found)
