"""`shelfread init`."""

from __future__ import annotations

import os

import click

from shelfread.cli import output
from shelfread.cli.options import paths


@click.command(short_help="Write a configuration that the lists imply.")
@paths
@click.option("--taxonomy", is_flag=True, help="Write their subjects into taxonomy.yaml too.")
@click.option("--force", is_flag=True, help="Write over what is there.")
def command(paths: tuple[str, ...], taxonomy: bool, force: bool) -> None:
    """Read lists and write a commented .shelfread.yaml: what they are, and which conventions they keep.

    PATH names files, or a folder of them; by default the current folder. The configuration is written to that
    folder, or to the one that holds all the files.
    """
    from shelfread.engine.infer.init import init

    files, count, entries = init(paths, taxonomy=taxonomy, force=force)
    lists = "1 list" if count == 1 else f"{count} lists"
    for file in files:
        output.print_lines([f"{os.path.relpath(file)}: written from {lists} with {entries} entries"])
