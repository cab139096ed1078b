"""Where the rule pages and schemas lie: in the installed package, or at a checkout's root."""

from pathlib import Path

_PACKAGE = Path(__file__).parent
_HOME = _PACKAGE if (_PACKAGE / "rules").is_dir() else _PACKAGE.parents[1]

RULES = _HOME / "rules"
SCHEMA = _HOME / "schema"
