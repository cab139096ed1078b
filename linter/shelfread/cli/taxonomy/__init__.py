"""`shelfread taxonomy`: commands about taxonomies, each a module of this package."""

from __future__ import annotations

import click

from shelfread.cli.group import LazyGroup


@click.group(
    cls=LazyGroup,
    package="shelfread.cli.taxonomy",
    summaries={
        "show": "Show the tree of concepts, with the sections and entries of lists.",
        "map": "Show which concept each heading of lists names.",
        "adopt": "Add the headings that a taxonomy lacks to it.",
        "check": "Report everything that is wrong with a taxonomy.",
        "diff": "Show what differs between two taxonomies.",
        "import": "Write a SKOS vocabulary as a taxonomy in YAML.",
        "export": "Write a taxonomy as SKOS (Turtle, JSON-LD) or YAML.",
    },
)
def command() -> None:
    """Work with taxonomies: the subjects of lists, in the terms of SKOS."""
