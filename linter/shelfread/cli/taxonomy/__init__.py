"""`shelfread taxonomy`: commands about taxonomies, each a module of this package."""

from __future__ import annotations

import click

from shelfread.cli.group import LazyGroup


@click.group(
    cls=LazyGroup,
    package="shelfread.cli.taxonomy",
    summaries={
        "check": "Report everything that is wrong with a taxonomy.",
        "diff": "Show what differs between two taxonomies.",
        "import": "Write a SKOS vocabulary as a taxonomy in YAML.",
        "export": "Write a taxonomy as SKOS (Turtle, JSON-LD) or YAML.",
    },
)
def command() -> None:
    """Work with taxonomies: the subjects of lists, in the terms of SKOS."""
