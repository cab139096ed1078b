"""What follows from what the web answered: never more than was proven."""

from __future__ import annotations

from datetime import datetime, timezone
from functools import lru_cache
from http import HTTPStatus

from shelfread.core.link_record import Answer, Record, Trouble, Verdict
from shelfread.linkcheck.cache.freshness import renewed
from shelfread.linkcheck.classify.suspicion import suspicion
from shelfread.linkcheck.request import UNREACHABLE

RUNS = 3
"""So many runs in a row must fail in a way that may pass before a link is dead,"""
DAYS = 6
"""over at least so many days."""
NO_NETWORK = "no network"
"""The reason of a record when it is this machine that reaches nothing."""

_PERMANENT = (301, 308)
_BLOCKED = frozenset((401, 402, 403, 407, 418, 451, 999))
# The host takes the address itself for a wrong one. All else from 400 to 499 refuses our manner of asking.
_DOUBTED = frozenset((400, 414, 422))
_GONE = frozenset((404, 410))
_SAYS = {
    Trouble.TIMEOUT: "timed out",
    Trouble.LOST: "connection lost",
    Trouble.NO_HOST: "no such host",
    Trouble.NAME_SERVER: "name server failed",
    Trouble.PROTOCOL: "no HTTP",
}


def judge(answer: Answer, before: Record | None, now: float, second: Answer | None = None) -> Record:
    """The verdict on one look; `second` is the later look that 404 and NXDOMAIN need.

    `before` is what earlier runs found, `now` seconds since the epoch.
    """
    if not needs_second(answer):
        return _judge(answer, before, now)
    if second is None or second.trouble is Trouble.NOT_ASKED:
        return _failed(answer, before, now, ", not looked at a second time")
    if not _agree(answer, second):
        if needs_second(second):
            return _failed(second, before, now, f", but shortly before: {_said(answer)}")
        return _judge(second, before, now)
    failures, since = _count(before, now)
    record = _record(second, Verdict.DEAD, f"{_said(answer)}, seen twice", now)
    return record._replace(failures=failures, first_failure=since)


def needs_second(answer: Answer) -> bool:
    """Whether a second look, by a new connection and at least five seconds later, decides."""
    return answer.trouble is Trouble.NO_HOST or (answer.status == 404 and not answer.challenge)


def is_transient(answer: Answer) -> bool:
    """Whether the look failed in a way that may pass within the run: worth trying again."""
    if answer.status is None:
        return answer.trouble in _SAYS and answer.trouble is not Trouble.NO_HOST
    return (answer.status >= 500 or answer.status == 408) and not (
        answer.challenge or answer.status == 999 or _must_wait(answer)
    )


def _agree(first: Answer, second: Answer) -> bool:
    return needs_second(second) and first.trouble is second.trouble


def _judge(answer: Answer, before: Record | None, now: float) -> Record:
    """The verdict where one look is enough."""
    trouble, status = answer.trouble, answer.status
    if status is not None and 200 <= status < 300 and not answer.challenge:
        return _found(answer, before, now)
    if trouble is Trouble.NOT_ASKED:
        # Nothing was looked at: no time of a look, and the count of failures stays.
        why = f"{trouble.value}: {answer.detail}" if answer.detail else trouble.value
        return _carry(Record(answer.url, Verdict.UNKNOWN, why), before)
    if trouble is Trouble.LOST and answer.detail == UNREACHABLE:
        # A machine without IPv6 would else find the hosts dead that have nothing else.
        return _carry(_record(answer, Verdict.UNKNOWN, answer.detail, now), before)
    if trouble is Trouble.REFUSED:
        return _carry(_record(answer, Verdict.UNSAFE, answer.detail or "not asked: unsafe", now), before)
    if trouble is Trouble.CERTIFICATE:
        wrong = answer.certificate or answer.detail or "not trusted"
        return _record(answer, Verdict.ALIVE, f"certificate: {wrong}", now)._replace(certificate=wrong)
    if trouble is Trouble.LOOP:
        return _record(answer, Verdict.SUSPECT, "redirects without end", now)
    if is_transient(answer) or status is None:
        return _failed(answer, before, now)
    if answer.challenge or status in _BLOCKED:
        wall = f" ({answer.challenge})" if answer.challenge else ""
        return _record(answer, Verdict.BLOCKED, f"{_said(answer)}{wall}", now)
    if _must_wait(answer):
        wait = f" {answer.retry_after:.0f} s" if answer.retry_after else ""
        return _carry(_record(answer, Verdict.UNKNOWN, f"{_said(answer)}: asks to wait{wait}", now), before)
    if status in _GONE:  # 410; a 404 has had its two looks
        failures, since = _count(before, now)
        return _record(answer, Verdict.DEAD, _said(answer), now)._replace(
            failures=failures, first_failure=since
        )
    if status == 304:
        return _found(answer, before, now)
    if status in _DOUBTED:
        return _record(answer, Verdict.SUSPECT, _said(answer), now)
    if 400 <= status < 500:
        return _record(answer, Verdict.BLOCKED, _said(answer), now)
    return _record(answer, Verdict.SUSPECT, f"{_said(answer)} that leads nowhere", now)


def _found(answer: Answer, before: Record | None, now: float) -> Record:
    """Something is there: the thing, the thing elsewhere, or something else."""
    if len(answer.hops) == 1:
        record = _record(answer, Verdict.ALIVE, _said(answer), now)
    elif doubt := suspicion(answer.hops[0].url, answer.end):
        record = _record(answer, Verdict.SUSPECT, doubt, now)
    elif not all(hop.status in _PERMANENT for hop in answer.hops[:-1]):
        record = _record(answer, Verdict.ALIVE, f"{_said(answer)}, by a temporary redirect", now)
    elif answer.certificate:  # whom we do not trust we do not believe where it moved
        record = _record(answer, Verdict.ALIVE, f"{_said(answer)}, by a redirect", now)
    else:
        record = _record(answer, Verdict.MOVED, "moved permanently", now)
    return renewed(record, before) if answer.status == 304 else record


def _failed(answer: Answer, before: Record | None, now: float, note: str = "") -> Record:
    """A failure that may pass: dead only by the count of runs and days."""
    failures, since = _count(before, now)
    dead = failures >= RUNS and now - since >= DAYS * 86400
    runs = f" in {failures} runs since {_day(since)}" if failures > 1 else ""
    record = _record(answer, Verdict.DEAD if dead else Verdict.UNKNOWN, f"{_said(answer)}{runs}{note}", now)
    return record._replace(failures=failures, first_failure=since)


def _count(before: Record | None, now: float) -> tuple[int, float]:
    """How often in a row, this time included, and since when; a time to come is a clock that was wrong."""
    if before is None or not before.failures or before.first_failure is None or before.first_failure > now:
        return 1, now
    return before.failures + 1, before.first_failure


def _carry(record: Record, before: Record | None) -> Record:
    """The record with the count as it was: this look says neither failure nor success."""
    if before is None:
        return record
    return record._replace(failures=before.failures, first_failure=before.first_failure)


def _must_wait(answer: Answer) -> bool:
    return answer.status == 429 or (answer.status == 503 and answer.retry_after is not None)


def _record(answer: Answer, verdict: Verdict, reason: str, now: float) -> Record:
    return Record(
        answer.url,
        verdict,
        reason,
        answer.hops,
        checked_at=now,
        certificate=answer.certificate,
        anchors=answer.anchors,
        etag=answer.etag,
        modified=answer.modified,
    )


def _said(answer: Answer) -> str:
    """The last answer in words: `404 Not Found`, `no such host`."""
    status = answer.status
    if status is not None:
        return _status_words(status)
    if answer.trouble is None:
        return "no answer"
    said = _SAYS.get(answer.trouble, answer.trouble.value)
    return f"{said} ({answer.detail})" if answer.detail else said


@lru_cache(64)
def _status_words(status: int) -> str:
    try:
        return f"{status} {HTTPStatus(status).phrase}"
    except ValueError:
        return str(status)


def _day(when: float) -> str:
    return datetime.fromtimestamp(when, timezone.utc).date().isoformat()
