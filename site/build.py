"""Builds the documentation site from README.md, docs/, rules/ and what the program says of itself.

    .venv/bin/python site/build.py [--output FOLDER] [--repository URL]

The pages are copied into a folder, with generated references at the end of two of them, and Zensical makes the site of it. Links to files that are no
page lead to the repository; without `--repository` they become plain text.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
from pathlib import Path

from pages import PAGES, stage
from reference import commands, configuration

SITE = Path(__file__).parent
ROOT = SITE.parent


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--output", type=Path, default=ROOT / "build" / "site")
    parser.add_argument(
        "--repository", default="", help="the address of the repository, for links to its files"
    )
    args = parser.parse_args()
    build(args.output, args.repository)
    print(f"{args.output}/html/index.html")
    return 0


def build(output: Path, repository: str = "") -> None:
    """Write the site to the folder `html` of `output`; raises CalledProcessError if a page cannot be built."""
    pages = output / "pages"
    shutil.rmtree(pages, ignore_errors=True)
    references = {"docs/commands.md": commands(), "docs/configuration.md": configuration(ROOT)}
    stage(ROOT, pages, references, repository)
    shutil.copytree(SITE / "assets", pages / "assets")
    shutil.copyfile(SITE / "zensical.toml", output / "zensical.toml")
    zensical = Path(sys.executable).with_name("zensical")
    subprocess.run([zensical, "build", "--strict", "--clean"], cwd=output, check=True)


__all__ = ["PAGES", "build", "main"]

if __name__ == "__main__":
    sys.exit(main())
