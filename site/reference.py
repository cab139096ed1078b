"""What the program says of itself: its commands with their options, and the keys of its configuration."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import click

from shelfread.cli import group


def commands() -> str:
    """Return a section with all commands, from their help."""
    parts = ["## Options\n\nWhat `shelfread COMMAND --help` shows.\n"]
    context = click.Context(group, info_name="shelfread")
    parts += _commands(group, context)
    return "\n".join(parts)


def _commands(parent: click.Group, context: click.Context) -> Iterator[str]:
    for name in parent.list_commands(context):
        command = parent.get_command(context, name)
        assert command is not None
        below = click.Context(command, info_name=name, parent=context)
        yield f"### {below.command_path}\n"
        usage = " ".join(command.collect_usage_pieces(below))
        yield f"```text\n{below.command_path} {usage}\n```\n"
        yield f"{_paragraphs(command.help or '')}\n"
        if options := list(_options(command, below)):
            yield "| option | |\n|---|---|\n" + "\n".join(options) + "\n"
        if isinstance(command, click.Group):
            yield from _commands(command, below)


def _options(command: click.Command, context: click.Context) -> Iterator[str]:
    for option in command.get_params(context):
        record = option.get_help_record(context)
        if record is not None and isinstance(option, click.Option):
            names, text = record
            yield f"| `{_cell(names)}` | {_cell(text)} |"


def _paragraphs(text: str) -> str:
    """Return a help text; what stands between single lines stays so (click's `\\b`)."""
    parts = []
    for part in text.split("\n\n"):
        lines = part.strip("\n").split("\n")
        if lines[0].strip() == "\b":
            parts.append("  \n".join(line.strip() for line in lines[1:]))
        else:
            parts.append(" ".join(line.strip() for line in lines))
    return "\n\n".join(parts)


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;")


def configuration(root: Path) -> str:
    """Return a section with the keys of the configuration, from its schema."""
    schema = json.loads((root / "schema/config.schema.json").read_text(encoding="utf-8"))
    parts = [
        "## Keys\n\nOf `.shelfread.yaml`, and of `[tool.shelfread]` in `pyproject.toml`.\n",
        "| key | value | |\n|---|---|---|",
        *_keys(schema["properties"], schema["$defs"]),
    ]
    return "\n".join(parts) + "\n"


def _keys(properties: Mapping[str, Any], shared: Mapping[str, Any], before: str = "") -> Iterator[str]:
    for name, schema in properties.items():
        if "$ref" in schema:
            schema = {**shared[schema["$ref"].rpartition("/")[2]], **schema}
        yield f"| `{before}{name}` | {_values(schema)} | {_cell(schema.get('description', ''))} |"
        below = schema.get("properties") or schema.get("items", {}).get("properties", {})
        yield from _keys(below, shared, f"{before}{name}{'[]' if schema.get('type') == 'array' else ''}.")


def _values(schema: Mapping[str, Any]) -> str:
    if "enum" in schema:
        return ", ".join(f"`{value}`" for value in schema["enum"])
    if schema.get("type") == "array" and "enum" in schema["items"]:
        return "a list of " + ", ".join(f"`{value}`" for value in schema["items"]["enum"])
    names = {"array": "a list", "object": "keys", "string": "text", "boolean": "`true`, `false`"}
    return names.get(str(schema.get("type")), str(schema.get("type", "")))
