"""The folders of rule pages and schemas: in the installed package, or at the root of a checkout."""

from pathlib import Path

PACKAGE = Path(__file__).parents[2]
_DATA = PACKAGE / "data"
_HOME = _DATA if _DATA.is_dir() else PACKAGE.parents[1]

RULES = _HOME / "rules"
SCHEMA = _HOME / "schema"
TAXONOMIES = SCHEMA / "taxonomies"
