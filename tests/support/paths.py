"""Where the project's own files lie."""

from pathlib import Path

ROOT = Path(__file__).parents[2]
LINTER = ROOT / "linter"
PACKAGE = LINTER / "shelfread"
DATA = ROOT / "tests" / "data"
SHARED = ROOT.parent / "shared"
"""Real lists to run on, where there are any beside the checkout."""
