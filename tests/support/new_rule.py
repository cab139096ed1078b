"""Start a new rule: `make rule ID=family/name` writes its page, its check and its test, which fail until written."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]

PAGE = """\
---
summary: Checks for TODO what it counts, as links that lead nowhere.
severity: warning
presets: []
check: {family}.{function}
message: "TODO what is wrong with '{{text}}'"
---
# {id}

TODO what the rule checks.

## Why

TODO why a maintainer wants this fixed.

## Example

```markdown bad
- [TODO](https://example.org) - An entry that breaks the rule.
```

```text report
1:4 TODO what is wrong with 'TODO'
```

```markdown good
- [TODO](https://example.org) - The same entry, corrected.
```

## When nothing is reported

TODO what looks alike and is right.
"""

CHECK = '''\
"""The check of {id}."""

from __future__ import annotations

from collections.abc import Iterator

from shelfread.core.diagnostics import RawDiagnostic
from shelfread.document.model import Document
from shelfread.index.context import RuleContext


def {function}(document: Document, context: RuleContext) -> Iterator[RawDiagnostic]:
    """Find TODO."""
    yield from ()  # TODO: RawDiagnostic(span, {{"text": ...}}) for each place
'''

TEST = '''\
"""{id}, in what its page is too short to show."""

from __future__ import annotations

from shelfread.checks.{family}.{function} import {function}
from support.project import run

TODO = """\\
- [TODO](https://example.org) - An entry that breaks the rule.
"""


def test_{function}() -> None:
    assert [(found.line, found.text) for found in run({function}, TODO)] == [(1, "TODO")]
'''


class NewRuleError(Exception):
    """An id that no rule can be started with; the message says why."""


def start(id: str, root: Path = ROOT) -> list[Path]:
    """Write the files of a new rule and return their paths; raises NewRuleError if the id will not do."""
    if not re.fullmatch(r"[a-z]+/[a-z][a-z0-9]*(-[a-z0-9]+)*", id):
        raise NewRuleError("name the rule as in: make rule ID=paper/venue-agrees")
    family, name = id.split("/")
    checks = root / "linter/shelfread/checks"
    families = sorted(
        {page.parent.name for page in (root / "rules").glob("*/*.md")} & set(os.listdir(checks))
    )
    if family not in families:
        raise NewRuleError(f"there is no family '{family}', only {', '.join(families)}")
    function = name.replace("-", "_")
    texts = {
        root / f"rules/{id}.md": PAGE,
        checks / family / f"{function}.py": CHECK,
        root / f"tests/checks/{family}/test_{function}.py": TEST,
    }
    for path in texts:
        if path.exists():
            raise NewRuleError(f"{path.relative_to(root).as_posix()} exists already")
    for path, text in texts.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text.format(id=id, family=family, function=function), encoding="utf-8")
    return list(texts)


def main() -> None:
    try:
        written = start(sys.argv[1] if len(sys.argv) > 1 else "")
    except NewRuleError as error:
        sys.exit(f"make rule: {error}")
    for path in written:
        print(path.relative_to(ROOT).as_posix())
    print(
        f"Next: write the examples of the page, then run .venv/bin/python -m pytest tests/rulebook -k {sys.argv[1]}"
    )


if __name__ == "__main__":
    main()
