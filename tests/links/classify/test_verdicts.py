"""The verdict for every status and every trouble."""

from __future__ import annotations

import pytest

from shelfread.index.answers import Hop, LinkRecord, Trouble, Verdict
from shelfread.links.exchange import NO_CONNECTION, UNREACHABLE, Attempt
from shelfread.links.verdicts import is_transient, judge, needs_second_attempt

DAY = 86400.0


NOW = 1_795_000_000.0  # 2026-11-18


URL = "https://a.example/papers/x"


def answered(*statuses: int, end: str = "https://a.example/papers/y", **more: object) -> Attempt:
    """An attempt with these statuses; the last of several hops is at `end`."""
    urls = [URL, *(f"https://a.example/hop/{index}" for index in range(len(statuses) - 2)), end]
    return Attempt(URL, tuple(map(Hop, urls, statuses)))._replace(**more)  # type: ignore[arg-type]


def own(status: int = 200, **more: object) -> Attempt:
    """An attempt to reach the host's own page."""
    return Attempt("https://a.example/", (Hop("https://a.example/", status),))._replace(**more)  # type: ignore[arg-type]


def failed(trouble: Trouble, detail: str = "", *hops: Hop) -> Attempt:
    return Attempt(URL, hops, trouble, detail)


def before(failures: int, days: float) -> LinkRecord:
    """The record of an earlier run with so many failures, the first so many days ago."""
    return LinkRecord(
        URL,
        Verdict.UNKNOWN,
        "timed out",
        checked_at=NOW - DAY,
        failures=failures,
        first_failure=NOW - days * DAY,
    )


ONE_ATTEMPT = [
    *[(status, Verdict.ALIVE) for status in (200, 202, 203, 204, 206, 226, 299, 304)],
    *[(status, Verdict.BLOCKED) for status in (401, 402, 403, 407, 418, 451, 999)],
    *[(status, Verdict.BLOCKED) for status in (405, 406, 409, 411, 412, 415, 421, 423, 425, 426, 428, 431)],
    *[(status, Verdict.BLOCKED) for status in (440, 444, 449, 499)],
    *[(status, Verdict.SUSPECT) for status in (400, 414, 422, 300, 301, 302, 303, 305, 307, 308)],
    *[(status, Verdict.UNKNOWN) for status in (404, 408, 429, 500, 501, 502, 503, 504, 505, 520, 530, 599)],
    (410, Verdict.UNKNOWN),
]


@pytest.mark.parametrize(("status", "verdict"), ONE_ATTEMPT)
def test_each_status_has_its_verdict(status: int, verdict: Verdict) -> None:
    record = judge(answered(status), None, NOW)
    assert record.verdict is verdict
    assert record.reason.startswith(str(status))
    assert record.checked_at == NOW
    assert (record.failures, record.first_failure) == (0, None)  # somebody answered


TROUBLES = {
    Trouble.TIMEOUT: (Verdict.UNKNOWN, 1, "timed out"),
    Trouble.LOST: (Verdict.UNKNOWN, 0, "connection lost"),
    Trouble.NO_HOST: (Verdict.UNKNOWN, 1, "no such host, not checked a second time"),
    Trouble.NAME_SERVER: (Verdict.UNKNOWN, 1, "name server failed"),
    Trouble.CERTIFICATE: (Verdict.ALIVE, 0, "certificate: not trusted"),
    Trouble.PROTOCOL: (Verdict.UNKNOWN, 0, "no HTTP"),
    Trouble.LOOP: (Verdict.SUSPECT, 0, "endless redirects"),
    Trouble.REFUSED: (Verdict.UNSAFE, 0, "not checked: unsafe"),
    Trouble.NOT_CHECKED: (Verdict.UNKNOWN, 0, "not checked"),
    Trouble.APP: (Verdict.ALIVE, 0, "opens a program (:)"),
    Trouble.FAULT: (Verdict.UNKNOWN, 0, "internal error: "),
}


@pytest.mark.parametrize("trouble", Trouble)
def test_each_trouble_has_its_verdict(trouble: Trouble) -> None:
    record = judge(failed(trouble), None, NOW)
    assert (record.verdict, record.failures, record.reason) == TROUBLES[trouble]


def test_the_reason_why_a_link_was_not_checked() -> None:
    record = judge(failed(Trouble.NOT_CHECKED, "the host asks to wait 3600 s"), None, NOW)
    assert record.reason == "not checked: the host asks to wait 3600 s"


def test_an_empty_attempt_is_a_temporary_failure() -> None:
    assert judge(Attempt(URL), None, NOW)[1:3] == (Verdict.UNKNOWN, "no answer")


def test_the_evidence_is_kept() -> None:
    attempt = answered(301, 200, anchors=frozenset({"top"}))
    record = judge(attempt, None, NOW)
    assert record.url == URL
    assert record.hops == attempt.hops
    assert record.anchors == frozenset({"top"})
    assert record.source == "web"


@pytest.mark.parametrize(
    ("first", "second", "verdict", "reason"),
    [
        (answered(404), answered(404), Verdict.DEAD, "404 Not Found, seen twice"),
        (answered(302, 404), answered(302, 404), Verdict.DEAD, "404 Not Found, seen twice"),
        (answered(404), answered(410), Verdict.DEAD, "410 Gone, seen twice"),
        (answered(404), answered(200), Verdict.ALIVE, "200 OK"),
        (answered(404), answered(301, 200), Verdict.MOVED, "moved permanently"),
        (answered(404), answered(403), Verdict.BLOCKED, "403 Forbidden"),
        (answered(404), answered(429), Verdict.UNKNOWN, "429 Too Many Requests: asks to wait"),
        (answered(404), failed(Trouble.TIMEOUT), Verdict.UNKNOWN, "timed out"),
        (
            answered(404),
            failed(Trouble.NO_HOST),
            Verdict.UNKNOWN,
            "no such host, but shortly before: 404 Not Found",
        ),
        (
            answered(404),
            failed(Trouble.NOT_CHECKED),
            Verdict.UNKNOWN,
            "404 Not Found, not checked a second time",
        ),
        (answered(404), None, Verdict.UNKNOWN, "404 Not Found, not checked a second time"),
        (
            failed(Trouble.NO_HOST, "a.example"),
            failed(Trouble.NO_HOST),
            Verdict.DEAD,
            "no such host, seen twice",
        ),
        (failed(Trouble.NO_HOST), answered(200), Verdict.ALIVE, "200 OK"),
        (
            failed(Trouble.NO_HOST),
            answered(404),
            Verdict.UNKNOWN,
            "404 Not Found, but shortly before: no such host",
        ),
        (failed(Trouble.NO_HOST), failed(Trouble.NAME_SERVER), Verdict.UNKNOWN, "name server failed"),
        (failed(Trouble.NO_HOST), None, Verdict.UNKNOWN, "no such host, not checked a second time"),
        (answered(410), None, Verdict.UNKNOWN, "410 Gone, not checked a second time"),
        (answered(410), answered(410), Verdict.DEAD, "410 Gone, seen twice"),
        (answered(410), answered(200), Verdict.ALIVE, "200 OK"),
    ],
)
def test_dead_needs_two_attempts(
    first: Attempt, second: Attempt | None, verdict: Verdict, reason: str
) -> None:
    assert judge(first, None, NOW, second, own())[1:3] == (verdict, reason)


@pytest.mark.parametrize(
    ("root", "verdict", "reason"),
    [
        *((own(status), Verdict.DEAD, "seen twice") for status in (200, 204, 301, 302, 401, 403, 405)),
        *((own(status), Verdict.BLOCKED, "and its host's own page: 4") for status in (404, 410)),
        (own(403, challenge="cf-mitigated: challenge"), Verdict.BLOCKED, "own page: 403 Forbidden"),
        *((own(status), Verdict.UNKNOWN, f"own page: {status}") for status in (429, 500, 503)),
        (failed(Trouble.TIMEOUT), Verdict.UNKNOWN, "own page: timed out"),
        (failed(Trouble.NOT_CHECKED), Verdict.UNKNOWN, "own page: not checked"),
        (None, Verdict.UNKNOWN, "own page: not checked"),
    ],
)
def test_the_host_s_own_page_decides(root: Attempt | None, verdict: Verdict, reason: str) -> None:
    for status in (404, 410):
        record = judge(answered(status), None, NOW, answered(status), root)
        assert record.verdict is verdict and reason in record.reason, record
        assert record.failures == (verdict is Verdict.DEAD)


def test_needs_second_attempt() -> None:
    assert needs_second_attempt(answered(404)) and needs_second_attempt(failed(Trouble.NO_HOST))
    assert not needs_second_attempt(answered(404, challenge="cf-mitigated"))
    assert needs_second_attempt(answered(410)) and not needs_second_attempt(
        answered(404, certificate="expired")
    )
    assert not any(needs_second_attempt(answered(status)) for status in (200, 301, 403, 500))
    assert not any(
        needs_second_attempt(failed(trouble)) for trouble in Trouble if trouble is not Trouble.NO_HOST
    )


def test_is_transient() -> None:
    assert all(is_transient(answered(status)) for status in (408, 500, 502, 503, 520))
    assert not any(is_transient(answered(status)) for status in (200, 403, 404, 410, 429, 999))
    assert not is_transient(answered(503, retry_after=3600.0))
    assert not is_transient(answered(503, challenge="cf-mitigated: challenge"))
    assert {trouble for trouble in Trouble if is_transient(failed(trouble))} == {
        Trouble.TIMEOUT,
        Trouble.LOST,
        Trouble.NAME_SERVER,
        Trouble.PROTOCOL,
    }


SILENT = [
    failed(Trouble.TIMEOUT),
    failed(Trouble.LOST, NO_CONNECTION),
    failed(Trouble.NAME_SERVER),
    failed(Trouble.NO_HOST),  # not confirmed
]


@pytest.mark.parametrize("attempt", SILENT)
@pytest.mark.parametrize(
    ("failures", "days", "is_long"),
    [(0, 0, False), (1, 30, False), (2, 5.9, False), (2, 6, True), (9, 5.9, False), (9, 40, True)],
)
def test_three_days_over_six_are_unreachable_and_never_dead(
    attempt: Attempt, failures: int, days: float, is_long: bool
) -> None:
    record = judge(attempt, before(failures, days), NOW)
    assert record.verdict is (Verdict.UNREACHABLE if is_long else Verdict.UNKNOWN)
    assert record.failures == failures + 1
    assert record.first_failure == (NOW - days * DAY if failures else NOW)


ANSWERED = [
    failed(Trouble.PROTOCOL, "TLS: no agreement"),
    failed(Trouble.LOST, "connection reset"),
    failed(Trouble.LOST, "closed without an answer"),
    *map(answered, (500, 502, 503, 403, 404)),
]


@pytest.mark.parametrize("attempt", ANSWERED)
def test_a_host_that_answers_is_never_counted(attempt: Attempt) -> None:
    record = judge(attempt, before(9, 40), NOW)
    assert record.verdict in (Verdict.UNKNOWN, Verdict.BLOCKED)
    assert (record.failures, record.first_failure) == (0, None)


def test_the_reason_has_the_days_and_the_first_one() -> None:
    assert judge(SILENT[0], before(2, 7), NOW).reason == "timed out, on 3 days since 2026-11-11"
    assert judge(SILENT[2], before(1, 1), NOW).reason == "name server failed, on 2 days since 2026-11-17"


def test_days_are_counted_and_not_runs() -> None:
    record: LinkRecord | None = None
    counts = []
    for hours in (0, 1, 2, 3, 24, 25, 7 * 24, 7 * 24 + 1):
        record = judge(SILENT[0], record, NOW + hours * 3600)
        counts.append((record.failures, record.verdict))
    unknown, unreachable = Verdict.UNKNOWN, Verdict.UNREACHABLE
    assert counts == [(1, unknown)] * 4 + [(2, unknown)] * 2 + [(3, unreachable)] * 2


def test_days_without_an_answer_are_no_days_of_a_dead_link() -> None:
    silent = judge(SILENT[0], before(4, 30), NOW)
    dead = judge(answered(404), silent, NOW + DAY, answered(404), own())
    assert (dead.verdict, dead.failures, dead.first_failure) == (Verdict.DEAD, 1, NOW + DAY)
    assert judge(SILENT[0], dead, NOW + 30 * DAY).failures == 1


@pytest.mark.parametrize("status", [200, 403, 400, 304])
def test_an_answer_resets_the_count(status: int) -> None:
    record = judge(answered(status), before(2, 30), NOW)
    assert (record.failures, record.first_failure) == (0, None)
    assert judge(failed(Trouble.TIMEOUT), record, NOW).failures == 1


@pytest.mark.parametrize(
    "attempt",
    [
        failed(Trouble.NOT_CHECKED),
        failed(Trouble.REFUSED),
        answered(429),
        answered(503, retry_after=3600.0),
        failed(Trouble.NAME_SERVER, UNREACHABLE),  # no other name resolved
        failed(Trouble.LOST, UNREACHABLE),  # as of a host with IPv6 alone, from a machine without
    ],
)
def test_an_inconclusive_attempt_keeps_the_count(attempt: Attempt) -> None:
    record = judge(attempt, before(2, 30), NOW)
    assert (record.failures, record.first_failure) == (2, NOW - 30 * DAY)
    assert record.verdict in (Verdict.UNKNOWN, Verdict.UNSAFE)


def test_an_unchecked_link_has_no_time() -> None:
    assert judge(failed(Trouble.NOT_CHECKED), before(1, 1), NOW).checked_at == 0.0


def test_a_first_failure_in_the_future_is_ignored() -> None:
    record = judge(failed(Trouble.TIMEOUT), before(5, -400), NOW)
    assert (record.verdict, record.failures, record.first_failure) == (Verdict.UNKNOWN, 1, NOW)


def test_a_dead_link_has_its_first_failure() -> None:
    known = before(3, 9)._replace(verdict=Verdict.DEAD)
    record = judge(answered(404), known, NOW, answered(404), own())
    assert (record.failures, record.first_failure) == (4, NOW - 9 * DAY)


@pytest.mark.parametrize("status", [200, 202, 403, 404, 405, 429, 503])
def test_a_bot_wall_blocks_whatever_its_status(status: int) -> None:
    record = judge(answered(status, challenge="x-amzn-waf-action: challenge"), None, NOW)
    assert record.verdict is Verdict.BLOCKED
    assert record.reason.endswith("(x-amzn-waf-action: challenge)")


def test_an_invalid_certificate_does_not_change_the_verdict() -> None:
    found = judge(answered(200, certificate="expired"), None, NOW)
    assert (found.verdict, found.certificate) == (Verdict.ALIVE, "expired")
    unseen = judge(failed(Trouble.CERTIFICATE, "wrong name"), None, NOW)
    assert (unseen.verdict, unseen.certificate) == (Verdict.ALIVE, "wrong name")
    gone = judge(answered(404, certificate="expired"), None, NOW)
    assert (gone.verdict, gone.certificate) == (Verdict.SUSPECT, "expired")
    assert gone.reason == "404 Not Found, behind a certificate that is not valid (expired)"


def test_a_redirect_with_an_invalid_certificate_is_not_trusted() -> None:
    assert judge(answered(301, 200, certificate="expired"), None, NOW).verdict is Verdict.ALIVE


@pytest.mark.parametrize(
    ("statuses", "verdict"),
    [
        ((301, 200), Verdict.MOVED),
        ((308, 200), Verdict.MOVED),
        ((301, 308, 301, 204), Verdict.MOVED),
        ((301, 304), Verdict.MOVED),
        ((302, 200), Verdict.ALIVE),
        ((303, 200), Verdict.ALIVE),
        ((307, 200), Verdict.ALIVE),
        ((301, 302, 200), Verdict.ALIVE),
        ((302, 301, 200), Verdict.ALIVE),
        ((300, 200), Verdict.ALIVE),
        ((301, 403), Verdict.BLOCKED),
        ((301, 410), Verdict.UNKNOWN),
        ((301, 500), Verdict.UNKNOWN),
        ((301, 404), Verdict.UNKNOWN),
        ((301, 301), Verdict.SUSPECT),
    ],
)
def test_moved_needs_permanent_hops_and_a_page(statuses: tuple[int, ...], verdict: Verdict) -> None:
    record = judge(answered(*statuses), None, NOW)
    assert record.verdict is verdict
    assert len(record.hops) == len(statuses)


@pytest.mark.parametrize("status", [301, 302])
def test_a_redirect_to_a_home_page_is_suspect(status: int) -> None:
    record = judge(answered(status, 200, end="https://a.example/"), None, NOW)
    assert (record.verdict, record.reason) == (Verdict.SUSPECT, "leads to a home page")


def test_a_written_url_is_never_suspect() -> None:
    for url in ("https://a.example/", "https://a.example/login", "https://a.example/404"):
        assert judge(Attempt(url, (Hop(url, 200),)), None, NOW).verdict is Verdict.ALIVE
