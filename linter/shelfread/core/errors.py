"""What a user can put right: said in one line, with the place where it can be put right."""

import os


class UserError(Exception):
    """A wrong input, named by file and place; `line` and `column` count from 1."""

    def __init__(
        self, message: str, path: str | None = None, line: int | None = None, column: int | None = None
    ) -> None:
        super().__init__(message)
        self.message = message
        self.path = path
        self.line = line
        self.column = column

    def __str__(self) -> str:
        path = None if self.path is None else _from_here(self.path)
        place = [str(part) for part in (path, self.line, self.column) if part is not None]
        return ": ".join([":".join(place), self.message]) if place else self.message


def _from_here(path: str) -> str:
    here = os.path.join(os.getcwd(), "")
    return path[len(here) :] if path.startswith(here) else path


class ConfigError(UserError):
    """A configuration file, or a command line, that cannot be followed."""


class TaxonomyError(UserError):
    """A taxonomy that does not fit its schema or contradicts itself."""


class RuleError(UserError):
    """A rule page that cannot be used, or a rule that does not exist."""


class InputError(UserError):
    """A list that cannot be read or written."""
