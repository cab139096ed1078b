"""Makes the pictures of README.md: a run in a terminal, and with a browser the page of a list.

    .venv/bin/python site/pictures.py [--browser chromium]

A test compares the first with what a run shows now.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "docs" / "pictures"
COMMAND = ("check", "training.md")
_SHOWN, _LAST = 15, 4
"""Lines of the run from its beginning and from its end."""
_STYLED = re.compile(r"\x1b\[([\d;]*)m")
_COLOURS = {
    "31": "#ff7b72",
    "32": "#7ee787",
    "33": "#e3b341",
    "34": "#79c0ff",
    "35": "#d2a8ff",
    "36": "#a5d6ff",
}
_WIDTH, _HEIGHT, _MARGIN = 8.43, 20, 16


def shelfread(folder: Path, *words: str) -> str:
    """Return what a command prints on a terminal with colours, run in a copy of the examples."""
    shutil.copytree(ROOT / "examples", folder, dirs_exist_ok=True)
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "GITHUB_"))},
        "FORCE_COLOR": "1", "NO_COLOR": "", "PYTHONPATH": str(ROOT / "linter"), "PYTHONIOENCODING": "utf-8",
    }  # fmt: skip
    environment.pop("CI", None)
    command = [sys.executable, "-m", "shelfread", *words]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, encoding="utf-8").stdout


def terminal() -> str:
    """Return the picture of a run as SVG."""
    with TemporaryDirectory() as folder:
        lines = shelfread(Path(folder), *COMMAND).splitlines()
    shown = [f"\x1b[1m$ shelfread {' '.join(COMMAND)}\x1b[0m", *lines[:_SHOWN], "⋮", "", *lines[-_LAST:]]
    columns = max(len(_STYLED.sub("", line)) for line in shown)
    width, height = columns * _WIDTH + 2 * _MARGIN, len(shown) * _HEIGHT + 2 * _MARGIN
    texts = (
        f'<text x="{_MARGIN}" y="{_MARGIN + _HEIGHT * number - 5}">{"".join(_spans(line))}</text>'
        for number, line in enumerate(shown, start=1)
    )
    plain = escape(" ".join(_STYLED.sub("", line).strip() for line in shown if line.strip()))
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height}" role="img">',
            f"<title>{plain}</title>",
            "<style>text { font: 14px ui-monospace, monospace; fill: #e6edf3; white-space: pre; }</style>",
            f'<rect width="{width:.0f}" height="{height}" rx="8" fill="#0d1117"/>',
            *texts,
            "</svg>",
            "",
        ]
    )


def _spans(line: str) -> Iterator[str]:
    """Yield the pieces of a line, each in its style."""
    style = ""
    for index, part in enumerate(_STYLED.split(line)):
        if index % 2:
            codes = part.split(";")
            colour = next((f' fill="{_COLOURS[code]}"' for code in codes if code in _COLOURS), "")
            dim = ' fill-opacity="0.6"' if "2" in codes else ""
            style = colour + dim + (' font-weight="bold"' if "1" in codes else "")
        elif part:
            yield f"<tspan{style}>{escape(part)}</tspan>" if style else escape(part)


def page(browser: str) -> None:
    """Write the picture of the page of the examples."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        shelfread(folder, "page", "training.md", "--no-cache", "--output-file", "page.html")
        options = ("--headless", "--no-sandbox", "--hide-scrollbars", "--window-size=1100,620")
        picture = f"--screenshot={FOLDER / 'page.png'}"
        subprocess.run(
            [browser, *options, picture, (folder / "page.html").as_uri()], check=True, capture_output=True
        )


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--browser", default="", help="a Chromium, to make the picture of a page too")
    args = parser.parse_args()
    (FOLDER / "run.svg").write_text(terminal(), encoding="utf-8")
    if args.browser:
        page(args.browser)
    return 0


if __name__ == "__main__":
    sys.exit(main())
