"""A link record that has every field, for tests of what is kept and read back."""

from __future__ import annotations

import time

from shelfread.core.diagnostics import Applicability
from shelfread.index.answers import Hop, LinkRecord, Replacement, Verdict

NOW = time.time()

FULL = LinkRecord(
    "https://a.example/x",
    Verdict.MOVED,
    "moved permanently",
    (Hop("https://a.example/x", 301), Hop("https://ü.example/y", 200)),
    source="doi.org",
    checked_at=NOW,
    failures=2,
    first_failure=NOW - 86400.5,
    certificate="expired",
    archived="no commit since 2019-03",
    anchors=frozenset({"top", "überschrift", "a\u2028b", ""}),
    etag='W/"e"',
    modified="Wed, 21 Oct 2015 07:28:00 GMT",
    replacements=(
        Replacement("link/moved", "https://ü.example/y", "it moved", Applicability.SAFE),
        Replacement("link/dead", "https://b.example", "a snapshot of 2019-05-03", Applicability.UNSAFE),
    ),
    repairs_checked_at=NOW + 0.5,
)
