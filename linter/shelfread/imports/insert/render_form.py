"""Writes a form with the values of its fields."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from shelfread.core.patterns import lazy
from shelfread.imports.insert.entry_form import Form, FormPart, kinds_in

Fields: TypeAlias = "Callable[[FormPart], str | None]"
"""Gives the value of a field; None if it has none."""
_MARKS = '*_"“'
"""Before the first field they hold the following ones, too."""
_OPENING = lazy(r"^[.。)*_]*[*_][.。]? [*_]{1,2}$")
"""Marks that close, and marks that open what the next field stands in, too: `.** *`."""
_CLOSING = lazy(r"[.。)]?(?:[*_]{1,2}(?=[.。]?(?: |$))[.。]?)?")
_HARD_BREAK = " \\\t"


def render_form(form: Form, value: Fields, margin: str, newline: str) -> str:
    """Return an entry in a form, without the lines whose fields have no values; `margin` indents what is nested."""
    written = ""
    for line in form:
        text = render(line.parts, value, with_rest=bool(written))
        if text is not None and written:
            written += f"{newline * (line.blanks + 1)}{margin if line.is_nested else ''}{text}"
        elif text is not None:
            written = text.lstrip()
    return written.rstrip(f"{_HARD_BREAK}\r\n")


def render(parts: Sequence[FormPart], value: Fields, *, with_rest: bool = False) -> str | None:
    """Return parts with the values of their fields; a field without one goes, with its group and the text before it.

    None if no field has a value. `with_rest` keeps the text before the first field, even if that has none; marks stay always.
    """
    written: list[str] = []
    pending = rest = ""
    dropped = nameless = is_open = False
    for part in parts:
        if part.kind == "text":
            separators = " :：-–—" if nameless else " .,;:-–—" if is_open else ""
            pending += part.text.lstrip(separators) if separators else part.text
            nameless = is_open = False
            continue
        text = _filled(part.parts, value) if part.kind == "group" else value(part)
        if text is None:
            nameless = not written and "name" in kinds_in((part,))
            if not written and not rest and (with_rest or not pending.strip(_MARKS)):
                rest = pending
            is_open = bool(written) and _OPENING.search(pending) is not None
            if not is_open:
                pending = _closing(pending) if written else ""
            dropped = True
            continue
        written += [rest, pending, text]
        pending, rest, dropped, is_open = "", "", False, False
    if not written:
        return None
    return "".join([*written, _closing(pending) if dropped else pending])


def _closing(text: str) -> str:
    """Return the stop and the marks that belong to the field before a text."""
    match = _CLOSING.match(text)
    return match[0] if match is not None else ""


def _filled(parts: Sequence[FormPart], value: Fields) -> str | None:
    """Return a group with its fields; None if none of them has a value, or its link has no words."""
    if any(part.kind == "link" for part in parts):
        words = {
            part: _filled(part.parts, value) if part.kind == "group" else value(part)
            for part in parts
            if part.kind not in ("text", "link")
        }
        if all(text is None for text in words.values()):
            return None
        return _joined(parts, lambda part: words[part] if part in words else value(part), "link")
    return _joined(parts, value, "")


def _joined(parts: Sequence[FormPart], value: Fields, needed: str) -> str | None:
    written: list[str] = []
    has_value = after_gap = False
    for part in parts:
        if part.kind == "text":
            written.append(part.text.lstrip(" ,'’-") if after_gap else part.text)
            after_gap = False
            continue
        text = _filled(part.parts, value) if part.kind == "group" and not needed else value(part)
        if text is None and part.kind == "url":
            return _unlinked(parts, value)
        if text is None and part.kind == needed:
            return None
        if text is None and has_value and written:
            written[-1] = written[-1].rstrip(" ,'’-")
        has_value = has_value or text is not None
        after_gap = text is None
        written.append(text or "")
    return "".join(written) if has_value else None


def _unlinked(parts: Sequence[FormPart], value: Fields) -> str | None:
    """Return what stands between the brackets of a link."""
    end = next(index for index, part in enumerate(parts) if part.kind == "url")
    inner = list(parts[:end])
    first, last = inner[0], inner[-1]
    if first.kind == "text":
        inner[0] = first._replace(text=first.text.removeprefix("["))
    if last.kind == "text":
        inner[-1] = last._replace(text=inner[-1].text.removesuffix("](").removesuffix("](<"))
    return render(inner, value)
