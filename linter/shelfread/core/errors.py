"""Errors that a user can fix, each with one line of text and the place to fix; and the extras that are not installed."""

from __future__ import annotations

import os


class UserError(Exception):
    """An error in a file or an argument; `line` and `column` count from 1."""

    def __init__(
        self, message: str, path: str | None = None, line: int | None = None, column: int | None = None
    ) -> None:
        super().__init__(message)
        self.message = message
        self.path = path
        self.line = line
        self.column = column

    def __str__(self) -> str:
        return f"{self.place}: {self.message}" if self.place else self.message

    @property
    def place(self) -> str:
        """The place to fix: `README.md:5`, empty if it is nowhere."""
        path = None if self.path is None else self.path.removeprefix(os.path.join(os.getcwd(), ""))
        return ":".join(str(part) for part in (path, self.line, self.column) if part is not None)


class ConfigError(UserError):
    """An invalid configuration file or command line."""


class TaxonomyError(UserError):
    """A taxonomy that is invalid or inconsistent."""


class RuleError(UserError):
    """An invalid rule page, or an unknown rule."""


class InputError(UserError):
    """A list that cannot be read or written."""


def reason_of(error: OSError) -> str:
    """Return why the system refused, in lower case: `no such file or directory`."""
    return (error.strerror or str(error)).lower()


# The modules that each extra brings, as far as they are imported. mdformat imports its plugin by itself.
_MODULES = {
    "audit": ("pyarrow",),
    "dask": ("distributed",),
    "import": ("bibtexparser", "rispy"),
    "server": ("pygls", "lsprotocol"),
    "skos": ("rdflib",),
}


def need(extra: str, purpose: str, otherwise: str = "") -> None:
    """Raise ConfigError with the command that installs an extra, unless it is there: `{purpose} needs ...{otherwise}`."""
    if not has(extra):
        raise ConfigError(f"{purpose} needs the extra '{extra}': {_command(extra)}{otherwise}")


def has(extra: str) -> bool:
    """Return whether the modules of an extra can be imported."""
    from importlib.util import find_spec

    return all(find_spec(module) is not None for module in _MODULES[extra])


def _command(extra: str) -> str:
    """Return the command of the README, with the address from which pip installed this, if it recorded one."""
    import json
    from importlib.metadata import PackageNotFoundError, distribution

    address = " @ git+URL"
    try:
        record = json.loads(distribution("shelfread").read_text("direct_url.json") or "{}")
    except PackageNotFoundError:  # run in a checkout
        pass
    else:
        vcs = f"{record['vcs_info']['vcs']}+" if "vcs_info" in record else ""
        address = f" @ {vcs}{record['url']}" if record else ""  # an index records nothing
    return f"pip install 'shelfread[{extra}]{address}'"
