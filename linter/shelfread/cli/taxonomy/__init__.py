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
    },
)
def command() -> None:
    """Work with taxonomies: the subjects of lists, in the terms of SKOS."""
