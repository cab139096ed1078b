"""Encodes records as JSON, and decodes them: the file may come from elsewhere, so every value is validated."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from shelfread.core.diagnostics import Applicability
from shelfread.index.network.link_record import Hop, LinkRecord, Replacement, Verdict
from shelfread.links.cache.freshness import is_header_value

MAX_URL = 16 << 10
MAX_ROW = 256 << 10
"""Characters of a record; the anchors of a longer one are not kept."""

_MAX_HOPS = 64
_MAX_TEXT = 1000
_MAX_NUMBER = 15  # digits
_RULES = {rule: rule for rule in ("link/dead", "link/moved", "link/upgradable")}
_LAST_SECOND = 253_402_300_799.0  # of the year 9999


def encode(record: LinkRecord) -> str | None:
    """Return a record as JSON; None if the URL was not checked, or the record is too long."""
    if record.checked_at <= 0 or len(record.url) > MAX_URL or not is_text(record.url):
        return None
    data = {
        "verdict": record.verdict.value,
        "reason": _truncated(record.reason),
        "hops": record.hops,
        "source": record.source,
        "checked_at": record.checked_at,
        "failures": record.failures,
        "first_failure": record.first_failure,
        "certificate": _truncated(record.certificate),
        "archived": _truncated(record.archived),
        "anchors": None if record.anchors is None else sorted(record.anchors),
        "etag": record.etag if is_header_value(record.etag) else "",
        "modified": record.modified if is_header_value(record.modified) else "",
        "replacements": tuple(
            [(new.rule, new.url, _truncated(new.why), int(new.applicability)) for new in record.replacements]
        ),
        "repairs_checked_at": record.repairs_checked_at,
    }
    text = json.dumps({name: value for name, value in data.items() if value != _DEFAULTS[name]})
    if len(text) > MAX_ROW and record.anchors is not None:
        return encode(record._replace(anchors=None))
    return text if len(text) <= MAX_ROW else None


def decode(url: str, text: object) -> LinkRecord | None:
    """Return the record of a text that `encode` made; None for any other."""
    if not isinstance(text, str) or len(text) > MAX_ROW:
        return None
    try:
        fields = {name: _FIELDS[name](value) for name, value in _DECODER.decode(text).items()}
        return LinkRecord(url, **{"reason": "", **fields})
    except (TypeError, ValueError, KeyError, AttributeError, RecursionError):
        return None


def is_text(text: str) -> bool:
    """Whether a text can be written as UTF-8."""
    return text.isascii() or not any("\ud800" <= character <= "\udfff" for character in text)


def _integer(digits: str) -> int:
    if len(digits) > _MAX_NUMBER:
        raise ValueError(digits)
    return int(digits)


def _refuse(constant: str) -> float:
    """Refuse NaN and the infinities."""
    raise ValueError(constant)


def _text(value: object, limit: int = _MAX_TEXT) -> str:
    if not isinstance(value, str) or len(value) > limit or not is_text(value):
        raise ValueError(value)
    return value


def _truncated(text: str) -> str:
    """The part of a text for people that is kept."""
    return text[:_MAX_TEXT].encode("utf-8", "replace").decode("utf-8")


def _header(value: object) -> str:
    """A value that can be sent as a header."""
    if not is_header_value(_text(value)):
        raise ValueError(value)
    return str(value)


def _url(value: object) -> str:
    """An http or https URL: replacements are derived from redirects."""
    url = _text(value, MAX_URL)
    if not url.isprintable() or not url[:8].lower().startswith(("http://", "https://")):
        raise ValueError(value)
    return url


def _list(value: object, limit: int) -> list[Any]:
    if not isinstance(value, list) or len(value) > limit:
        raise ValueError(value)
    return value


def _status(value: object) -> int:
    number = _count(value)
    if not 100 <= number <= 999:
        raise ValueError(value)
    return number


def _count(value: object) -> int:
    if type(value) is not int or value < 0:
        raise ValueError(value)
    return value


def _time(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= _LAST_SECOND:
        raise ValueError(value)
    return float(value)


def _hops(value: object) -> tuple[Hop, ...]:
    return tuple([Hop(_url(url), _status(status)) for url, status in _list(value, _MAX_HOPS)])


def _replacements(value: object) -> tuple[Replacement, ...]:
    """Replacements to show. None is written into a list without a new confirmation."""
    return tuple(
        [
            Replacement(_RULES[rule], _url(url), _text(why), Applicability(_count(level)))
            for rule, url, why, level in _list(value, len(_RULES))
        ]
    )


def _anchors(value: object) -> frozenset[str]:
    return frozenset(_text(anchor, MAX_ROW) for anchor in _list(value, MAX_ROW))


_FIELDS: Mapping[str, Callable[[Any], Any]] = {
    "verdict": {verdict.value: verdict for verdict in Verdict}.__getitem__,
    "reason": _text,
    "hops": _hops,
    "source": _text,
    "checked_at": _time,
    "failures": _count,
    "first_failure": _time,
    "certificate": _text,
    "archived": _text,
    "anchors": _anchors,
    "etag": _header,
    "modified": _header,
    "replacements": _replacements,
    "repairs_checked_at": _time,
}
_DEFAULTS = {**LinkRecord._field_defaults, "verdict": "", "reason": ""}
_DECODER = json.JSONDecoder(parse_int=_integer, parse_constant=_refuse)
