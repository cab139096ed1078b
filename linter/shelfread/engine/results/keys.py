"""What identifies the results of a run besides the texts: the code, the configuration, the rules and the options."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from shelfread.core.inquiry import digest
from shelfread.engine.model import Keys
from shelfread.engine.results.recall import text_digest
from shelfread.engine.results.stamp import code_stamp
from shelfread.engine.results.store import default_path

if TYPE_CHECKING:
    from shelfread.project.config import Config


def find_keys(config: Config, taxonomy: str | None, options: Sequence[object] | None) -> Keys | None:
    """Return the keys of a run, or None if there is no place to keep anything.

    `options` are all that decide what is found; None: only facts are kept. Raises TaxonomyError for a taxonomy that
    is wrong.
    """
    try:
        path = default_path()
        if not path.is_absolute():
            return None  # it would be in the working directory
        reading = digest([code_stamp(), _taxonomy(taxonomy)])
        request = ""
        if options is not None:
            rules = [file for folder in config.folders for file in _rule_pages(folder)]
            request = digest(
                [
                    *(reading, os.path.realpath("."), options),
                    *(repr(config._replace(file=None)), [_file(file) for file in rules]),
                ]
            )
    except (OSError, RuntimeError):
        return None
    return Keys(path, reading, request)


def _taxonomy(name_or_path: str | None) -> list[tuple[str, str]]:
    """Return the files of a taxonomy with digests; none if it is bundled, as the code is then."""
    if name_or_path is None:
        return []
    from shelfread.taxonomy.load import source_files

    return [_file(Path(file)) for file in source_files(name_or_path)]


def _rule_pages(folder: Path) -> Iterator[Path]:
    """Yield the list's own rule pages."""
    from shelfread.rulebook.selection import CUSTOM_RULES

    for parent, folders, files in os.walk(folder / CUSTOM_RULES):
        folders.sort()
        yield from (Path(parent, name) for name in sorted(files))


def _file(path: Path) -> tuple[str, str]:
    return str(path), text_digest(path.read_bytes())
