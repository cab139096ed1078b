"""`shelfread init`."""

from __future__ import annotations

import os

import click

from shelfread.cli import output
from shelfread.cli.options import paths
from shelfread.core.support.plurals import counted


@click.command
@paths
@click.option("--taxonomy", is_flag=True, help="Also write a taxonomy of the subjects to taxonomy.yaml.")
@click.option("--force", is_flag=True, help="Overwrite existing files.")
def command(paths: tuple[str, ...], taxonomy: bool, force: bool) -> None:
    """Write a configuration file, .shelfread.yaml, that fits the lists: their kind and their conventions.

    PATH is a file or a folder; the default is the current folder. The configuration is written to the folder that
    contains all of them.
    """
    from shelfread.engine.infer.init import init

    files, count, entries = init(paths, taxonomy=taxonomy, force=force)
    lists = counted(count, "list")
    for file in files:
        output.print_lines([f"{os.path.relpath(file)}: written from {lists} with {entries} entries"])
