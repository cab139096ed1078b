"""New names, and why something cannot be renamed."""

from __future__ import annotations

from shelfread.core.errors import UserError

_LONGEST = 500


class RenameError(UserError):
    """A new name that is not valid, or that would change more than a name."""


def check_name(name: str) -> str:
    """Return a new name without blanks around it; raises RenameError if it is empty, too long or not one line."""
    stripped = name.strip()
    if not stripped:
        raise RenameError("the new name is empty")
    if len(stripped) > _LONGEST:
        raise RenameError(f"the new name has {len(stripped)} characters: use {_LONGEST} at most")
    if any(character in "\n\r\v\f\x85\u2028\u2029" or ord(character) < 32 for character in stripped):
        raise RenameError("the new name has a line break or a control character: write it in one line")
    return stripped
