"""`shelfread init`."""

from __future__ import annotations

import os

import click

from shelfread.cli import output
from shelfread.cli.options import paths
from shelfread.core.wording import counted

_BASELINE = ".shelfread/known.json"


@click.command
@paths
@click.option("--taxonomy", is_flag=True, help="Also write a taxonomy of the subjects to taxonomy.yaml.")
@click.option("--force", is_flag=True, help="Overwrite existing files.")
def command(paths: tuple[str, ...], taxonomy: bool, force: bool) -> None:
    """Write a configuration file, .shelfread.yaml, that fits the lists: their kind and their conventions.

    PATH is a file or a folder; the default is the current folder. The configuration is written to the folder that
    contains all of them.

    With --taxonomy the subjects are taken from the headings; if most headings are venues or years, there are none.
    """
    from shelfread.init.write_files import init

    written = init(paths, taxonomy=taxonomy, force=force)
    lists, entries = counted(written.lists, "list"), counted(written.entries, "entry", "entries")
    config = os.path.relpath(written.config)
    lines = [f"{config}: {'kept' if written.kept_config else f'written from {lists} with {entries}'}"]
    if written.taxonomy is not None and written.terms is not None:
        lines.append(f"{os.path.relpath(written.taxonomy)}: written with {written.terms.describe()}")
    if written.terms is not None and not written.terms.subjects:
        lines.append("No subjects were found: most headings are venues, years, or names that any list has.")
    if written.terms is not None and written.taxonomy is None:
        lines.append("No taxonomy was written.")
    if written.kept_config and written.taxonomy is not None:
        lines.append(
            f"Next: write 'taxonomy: {written.taxonomy.name}' into {config}, then run 'shelfread check'."
        )
    else:
        files = "both files" if written.taxonomy is not None else config
        lines.append(f"Next: read {files}, then run 'shelfread check'.")
    lines.append(
        f"To hear of new problems only: 'shelfread check --write-baseline {_BASELINE}' once, and then"
    )
    lines.append(f"'shelfread check --baseline {_BASELINE}'.")
    for error in written.errors:
        output.print_error(f"{error}; it was left out")
    output.print_lines(lines)
