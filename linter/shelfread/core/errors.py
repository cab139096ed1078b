"""Errors that a user can fix, each with one line of text and the place to fix."""

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
