"""What an installation has beside its base: the extras of pyproject.toml, and the command that installs one."""

from __future__ import annotations

from shelfread.core.errors import ConfigError

# The modules that each extra brings, as far as they are imported. mdformat imports its plugin by itself.
_MODULES = {
    "audit": ("pyarrow",),
    "dask": ("distributed",),
    "import": ("bibtexparser", "rispy"),
    "server": ("pygls", "lsprotocol"),
    "skos": ("rdflib",),
}


def need(extra: str, purpose: str, otherwise: str = "") -> None:
    """Raise ConfigError with the command that installs an extra, unless it is installed.

    `purpose` begins the message ("BibTeX", "--executor dask"), and `otherwise` ends it.
    """
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
