"""Print the lowest version of every dependency that pyproject.toml allows, as constraints for pip.

python tests/support/lowest_versions.py > lowest.txt
python -m pip install --constraint lowest.txt .
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

PROJECT = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))["project"]
"""What pyproject.toml says of this project."""
_REQUIREMENT = re.compile(r"([A-Za-z0-9._-]+)(?:\[[^\]]*\])?\s*>=\s*([0-9.]+)")


def lowest_versions() -> dict[str, str]:
    """Return the lowest version of each dependency and of those of the extras; raises ValueError if one has none."""
    extras = PROJECT["optional-dependencies"].values()
    found = {}
    for requirement in [*PROJECT["dependencies"], *(one for extra in extras for one in extra)]:
        if requirement.startswith(f"{PROJECT['name']}["):  # an extra that includes another
            continue
        match = _REQUIREMENT.match(requirement)
        if match is None:
            raise ValueError(f"'{requirement}' has no lowest version")
        found[match[1]] = match[2]
    return found


if __name__ == "__main__":
    for name, version in lowest_versions().items():
        print(f"{name}=={version}")
