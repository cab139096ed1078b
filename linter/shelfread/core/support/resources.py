"""Where the rule pages and schemas lie: in the installed package, or at a checkout's root."""

from pathlib import Path

PACKAGE = Path(__file__).parents[2]
_DATA = PACKAGE / "data"
_HOME = _DATA if _DATA.is_dir() else PACKAGE.parents[1]

RULES = _HOME / "rules"
SCHEMA = _HOME / "schema"
