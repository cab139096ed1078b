"""A folder whose `.git/config` names an origin."""

from __future__ import annotations

from pathlib import Path


def configure_origin(folder: Path, url: str) -> None:
    (folder / ".git").mkdir(exist_ok=True)
    config = f'[core]\n\tbare = false\n[remote "fork"]\n\turl = https://github.com/x/y\n[remote "origin"]\n\turl = {url}\n'
    (folder / ".git" / "config").write_text(config + "[branch]\n\turl = https://github.com/z/z\n")
    (folder / ".git" / "HEAD").write_text("ref: refs/heads/dev/next\n")
