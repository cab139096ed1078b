"""From attempts to verdicts: what is dead, moved, blocked or suspect, such as a redirect that hides a missing page."""

from __future__ import annotations

from datetime import datetime, timezone
from functools import lru_cache
from http import HTTPStatus
from urllib.parse import unquote, urlsplit

from shelfread.core.patterns import lazy
from shelfread.index.answers import LinkRecord, Trouble, Verdict
from shelfread.links.exchange import NO_CONNECTION, PERMANENT_REDIRECTS, UNREACHABLE, Attempt, link_words
from shelfread.taxonomy.hosts import SHORT, host_of, registrable, same_owner

_EXTENSION = r"(?:\.(?:html?|php[35]?|aspx?|jspx?|jsf|do|action|cgi|cfm|shtml))?"
LANGUAGE = r"(?:ar|da|de|en|es|fi|fr|he|hu|ja|ko|nl|no|pl|pt|ru|sv|tr|uk|vi|zh)(?:[-_][a-z]{2,4})?"
_ROOT = lazy(
    rf"/?(?:{LANGUAGE}/?)?"
    rf"(?:(?:index|default|home|main|welcome){_EXTENSION}/?)?"
)
# Whole segments: `/404-error-handling-guide` and `/how-login-works` are ordinary pages.
_MISSING = lazy(
    r"(?:(?:http|page|error|status|err)[-_]?)?404(?:[-_]?(?:error|page|not[-_]?found))?"
    r"|(?:page|file|content|document|item|error|resource)?[-_]?not[-_]?found(?:[-_]?(?:page|error|404))?"
)
_LOGIN = lazy(
    r"(?:wp|user|account|admin|service|members?|customer)?[-_]?(?:log|sign)[-_]?(?:in|on)(?:[-_]?(?:page|form|user))?"
    r"|authwall"
)
_LOGIN_QUERY = lazy(r"(?:^|[&;])(?:redirect_uri|response_type|samlrequest)=")
_CONSENT = lazy(
    r"(?:cookies?|gdpr|privacy|collect)?[-_]?consent|(?:cookies?|gdpr|privacy)[-_]?(?:wall|gate)"
    r"|cookie[-_]?absent|cookies?[-_]?not[-_]?supported|(?:validate)?[-_]?captcha"
)
_FORWARDS = SHORT | link_words("forwards")
_LOGIN_HOSTS = link_words("login_hosts")
_PARKING = link_words("parking")
_PARKED = lazy(r"ww\d{1,2}")  # the label that a name gets on its way to a parking service: `ww25.`

# What the end of a redirect may be, if the written URL is no such page.
_REASONS = {
    "parked": "leads to a parking service",
    "missing": "leads to a 'not found' page",
    "login": "leads to a login",
    "consent": "leads to a consent page",
}


def _page_kinds(url: str) -> set[str]:
    """Return what a URL seems to be the page of: `root`, and the kinds of `_REASONS`."""
    host = host_of(url)
    try:
        parts = urlsplit(url)
        label = (parts.hostname or "").partition(".")[0]
    except ValueError:
        return {"parked"} if _is_parked(host) else set()
    path = unquote(parts.path).lower()
    query = parts.query.lower()
    names = path.strip("/").split("/")
    # The first and the last segment without extension; those in the middle are topics.
    ends = {name.partition(".")[0] if name.count(".") == 1 else name for name in (names[0], names[-1])}
    kinds = {
        "parked": _is_parked(host),
        "root": not parts.query and _ROOT.fullmatch(path),
        "missing": any(map(_MISSING.fullmatch, ends)) or "aspxerrorpath=" in query,
        "login": label in _LOGIN_HOSTS or any(map(_LOGIN.fullmatch, ends)) or _LOGIN_QUERY.search(query),
        "consent": any(map(_CONSENT.fullmatch, ends)) or label == "consent",
    }
    return {kind for kind, holds in kinds.items() if holds}


def suspicion(written: str, end: str) -> str | None:
    """Return why the end of a redirect is perhaps not the page; None for a written URL that is itself a home page or login."""
    if end == written:
        return None
    expected, actual = _page_kinds(written), _page_kinds(end)
    for kind, reason in _REASONS.items():
        if kind in actual - expected:
            return reason
    host = host_of(written).removeprefix("www.")
    if host in _FORWARDS or host.partition(".")[2] in _FORWARDS:
        return None
    if "root" in actual - expected:
        return "leads to a home page"
    return "leads to another site's home page" if "root" in actual and not same_owner(written, end) else None


def _is_parked(host: str) -> bool:
    return bool(_PARKED.fullmatch(host.partition(".")[0])) or not _PARKING.isdisjoint(
        (host, registrable(host))
    )


DAYS_SEEN = 3  # a link is unreachable if nobody answered on so many days in a row on which it was checked
DAYS = 6  # the least number of days from the first to the last of them
NO_NETWORK = "no network"  # the reason of a record if this machine has no network

_BLOCKED = frozenset((401, 402, 403, 407, 418, 451, 999))
# The host rejects the URL itself. All other statuses from 400 to 499 refuse the way of the request.
_REJECTED = frozenset((400, 414, 422))
_GONE = frozenset((404, 410))
_TROUBLE_TEXTS = {
    Trouble.TIMEOUT: "timed out",
    Trouble.LOST: "connection lost",
    Trouble.NO_HOST: "no such host",
    Trouble.NAME_SERVER: "name server failed",
    Trouble.PROTOCOL: "no HTTP",
}


def judge(
    attempt: Attempt,
    before: LinkRecord | None,
    now: float,
    second: Attempt | None = None,
    root: Attempt | None = None,
) -> LinkRecord:
    """Return the verdict on an attempt; `second` is the later one that 404, 410 and NXDOMAIN need.

    `root` is the attempt to reach the host's own page, which decides if the page is gone twice. `before` is what
    earlier runs found, `now` in seconds since the epoch.
    """
    if not needs_second_attempt(attempt):
        return _judge(attempt, before, now)
    if second is None or second.trouble is Trouble.NOT_CHECKED:
        return _failed(attempt, before, now, ", not checked a second time")
    if not needs_second_attempt(second):
        return _judge(second, before, now)
    if attempt.trouble is not second.trouble:
        return _failed(second, before, now, f", but shortly before: {_describe(attempt)}")
    reason = f"{_describe(second)}, seen twice"
    if needs_root(attempt, second):
        status = root.status if root is not None else None
        if root is None or status is None or status >= 500 or _must_wait(root):
            said = "not checked" if root is None else _describe(root)
            return _record(second, Verdict.UNKNOWN, f"{reason}, but its host's own page: {said}", now)
        if root.no_site:
            reason = f"{reason}: {root.no_site}"
        elif status in _GONE or root.challenge:
            own = f"its host's own page: {_describe(root)}"
            return _record(second, Verdict.BLOCKED, f"{_describe(second)}, and {own}", now)
    return _record(second, Verdict.DEAD, reason, now, failures=count_days(before, now, is_dead=True))


def needs_second_attempt(attempt: Attempt) -> bool:
    """Whether a second attempt decides, by a new connection and at least five seconds later."""
    is_gone = attempt.status in _GONE or attempt.trouble is Trouble.NO_HOST
    return is_gone and not (attempt.challenge or attempt.certificate)


def needs_root(attempt: Attempt, second: Attempt) -> bool:
    """Whether the host's own page decides: some hosts tell robots that no page exists."""
    return all(needs_second_attempt(look) and look.trouble is None for look in (attempt, second))


def is_transient(attempt: Attempt) -> bool:
    """Whether the attempt failed in a way that may be temporary: it is retried."""
    if attempt.status is None:
        return attempt.trouble in _TROUBLE_TEXTS and attempt.trouble is not Trouble.NO_HOST
    return (attempt.status >= 500 or attempt.status == 408) and not (
        attempt.challenge or attempt.status == 999 or _must_wait(attempt)
    )


def _judge(attempt: Attempt, before: LinkRecord | None, now: float) -> LinkRecord:
    """The verdict if one attempt is enough."""
    trouble, status = attempt.trouble, attempt.status
    if status is not None and (200 <= status < 300 or status == 304) and not attempt.challenge:
        return _found(attempt, now)
    if trouble is Trouble.NOT_CHECKED:
        # No attempt was made: no time is set, and the count of failures stays.
        reason = f"{trouble.value}: {attempt.detail}" if attempt.detail else trouble.value
        return _carry(LinkRecord(attempt.url, Verdict.UNKNOWN, reason), before)
    if trouble is Trouble.FAULT:
        reason = f"{trouble.value}: {attempt.detail}"
        return _carry(_record(attempt, Verdict.UNKNOWN, reason, now), before)
    if trouble is not None and attempt.detail == UNREACHABLE:
        # Otherwise hosts with IPv6 addresses only would be dead for a machine without IPv6.
        return _carry(_record(attempt, Verdict.UNKNOWN, attempt.detail, now), before)
    if trouble is Trouble.REFUSED:
        return _carry(_record(attempt, Verdict.UNSAFE, attempt.detail or "not checked: unsafe", now), before)
    if trouble is Trouble.APP:
        return _record(attempt, Verdict.ALIVE, f"{trouble.value} ({attempt.detail}:)", now)
    if trouble is Trouble.CERTIFICATE:
        error = attempt.certificate or attempt.detail or "not trusted"
        return _record(attempt, Verdict.ALIVE, f"certificate: {error}", now)._replace(certificate=error)
    if trouble is Trouble.LOOP:
        return _record(attempt, Verdict.SUSPECT, "endless redirects", now)
    if is_transient(attempt) or status is None:
        return _failed(attempt, before, now)
    if attempt.challenge or status in _BLOCKED:
        wall = f" ({attempt.challenge})" if attempt.challenge else ""
        return _record(attempt, Verdict.BLOCKED, f"{_describe(attempt)}{wall}", now)
    if _must_wait(attempt):
        wait = f" {attempt.retry_after:.0f} s" if attempt.retry_after else ""
        reason = f"{_describe(attempt)}: asks to wait{wait}"
        return _carry(_record(attempt, Verdict.UNKNOWN, reason, now), before)
    if status in _GONE:  # otherwise there were two attempts
        reason = f"{_describe(attempt)}, behind a certificate that is not valid ({attempt.certificate})"
        return _record(attempt, Verdict.SUSPECT, reason, now)
    if status in _REJECTED:
        return _record(attempt, Verdict.SUSPECT, _describe(attempt), now)
    if 400 <= status < 500:
        return _record(attempt, Verdict.BLOCKED, _describe(attempt), now)
    return _record(attempt, Verdict.SUSPECT, f"{_describe(attempt)} without a target", now)


def _found(attempt: Attempt, now: float) -> LinkRecord:
    """A page was found: the written one, the same one elsewhere, or another one."""
    if len(attempt.hops) == 1:
        return _record(attempt, Verdict.ALIVE, _describe(attempt), now)
    if doubt := suspicion(attempt.hops[0].url, attempt.end):
        return _record(attempt, Verdict.SUSPECT, doubt, now)
    if not all(hop.status in PERMANENT_REDIRECTS for hop in attempt.hops[:-1]):
        return _record(attempt, Verdict.ALIVE, f"{_describe(attempt)}, by a temporary redirect", now)
    if attempt.certificate:  # without a valid certificate the redirect is not trusted
        return _record(attempt, Verdict.ALIVE, f"{_describe(attempt)}, by a redirect", now)
    return _record(attempt, Verdict.MOVED, "moved permanently", now)


def _failed(attempt: Attempt, before: LinkRecord | None, now: float, note: str = "") -> LinkRecord:
    """A failure that may be temporary. Days are counted if nobody answered, and never prove that a link is dead."""
    if not _is_unanswered(attempt):
        return _record(attempt, Verdict.UNKNOWN, f"{_describe(attempt)}{note}", now)
    days, since = count_days(before, now)
    is_long = days >= DAYS_SEEN and now - since >= DAYS * 86400
    verdict = Verdict.UNREACHABLE if is_long else Verdict.UNKNOWN
    seen = f", on {days} days since {date_of(since)}" if days > 1 else ""
    return _record(attempt, verdict, f"{_describe(attempt)}{note}{seen}", now, failures=(days, since))


def _is_unanswered(attempt: Attempt) -> bool:
    """Whether nobody answered. A host that closes the connection or speaks no HTTP is there, and may refuse robots."""
    if attempt.trouble is Trouble.LOST:
        return attempt.detail == NO_CONNECTION
    return attempt.trouble in (Trouble.TIMEOUT, Trouble.NAME_SERVER, Trouble.NO_HOST)


def count_days(before: LinkRecord | None, now: float, is_dead: bool = False) -> tuple[int, float]:
    """Return the days in a row, this one included, on which it was dead, or did not answer, and the time of the first."""
    if before is None or not before.failures or (before.verdict is Verdict.DEAD) != is_dead:
        return 1, now
    if before.first_failure is None or before.first_failure > now:  # the clock was wrong
        return 1, now
    return before.failures + (date_of(before.checked_at) != date_of(now)), before.first_failure


def _carry(record: LinkRecord, before: LinkRecord | None) -> LinkRecord:
    """The record with the previous count: this attempt is neither a failure nor a success."""
    if before is None:
        return record
    return record._replace(failures=before.failures, first_failure=before.first_failure)


def _must_wait(attempt: Attempt) -> bool:
    return attempt.status == 429 or (attempt.status == 503 and attempt.retry_after is not None)


def _record(
    attempt: Attempt,
    verdict: Verdict,
    reason: str,
    now: float,
    *,
    failures: tuple[int, float | None] = (0, None),
) -> LinkRecord:
    return LinkRecord(
        attempt.url,
        verdict,
        reason,
        attempt.hops,
        checked_at=now,
        failures=failures[0],
        first_failure=failures[1],
        certificate=attempt.certificate,
        anchors=attempt.anchors,
    )


def _describe(attempt: Attempt) -> str:
    status = attempt.status
    if status is not None:
        return _status_text(status)
    if attempt.trouble is None:
        return "no answer"
    if attempt.trouble is Trouble.NOT_CHECKED:
        return str(attempt.trouble.value)
    text = _TROUBLE_TEXTS.get(attempt.trouble, attempt.trouble.value)
    return f"{text} ({attempt.detail})" if attempt.detail else text


@lru_cache(64)
def _status_text(status: int) -> str:
    try:
        return f"{status} {HTTPStatus(status).phrase}"
    except ValueError:
        return str(status)


def date_of(when: float) -> str:
    """Return the UTC date of a time in seconds since the epoch: `2026-01-31`."""
    return datetime.fromtimestamp(when, timezone.utc).date().isoformat()
