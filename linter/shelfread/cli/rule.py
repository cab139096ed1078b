"""`shelfread rule`."""

from __future__ import annotations

import click


@click.command(short_help="What a rule is about; without an id, all of them.")
@click.argument("id", required=False)
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.option("--config", metavar="FILE", help="This configuration instead of the nearest .shelfread.yaml.")
@click.option("--isolated", is_flag=True, help="Only the bundled rules.")
def command(id: str | None, form: str, config: str | None, isolated: bool) -> None:
    """What a rule asks for and why, with examples; without ID the catalogue.

    Rules of the list's own, from .shelfread/rules beside its configuration, are shown with the others.
    """
    from shelfread.cli import output
    from shelfread.project.inputs import find_config
    from shelfread.report import rule_pages
    from shelfread.rulebook.selection import expand_names
    from shelfread.rulebook.selection import load_catalogue as read_catalogue

    cards = read_catalogue(find_config(config, isolated))
    chosen = cards if id is None else {one: cards[one] for one in sorted(expand_names([id], cards))}
    look = output.terminal_style()
    if form == "json":
        output.write_lines(rule_pages.as_json(chosen.values()))
    elif len(chosen) == 1:
        output.print_lines(rule_pages.page(next(iter(chosen.values())), look))
    else:
        output.print_lines(rule_pages.table(chosen.values(), look))
