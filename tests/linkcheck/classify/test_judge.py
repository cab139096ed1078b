"""The verdict for every status and every trouble."""

from __future__ import annotations

import pytest

from shelfread.core.link_record import Attempt, Hop, LinkRecord, Trouble, Verdict
from shelfread.linkcheck.classify.judge import is_transient, judge, needs_second_attempt
from shelfread.linkcheck.request import UNREACHABLE

DAY = 86400.0


NOW = 1_795_000_000.0  # 2026-11-18


URL = "https://a.example/papers/x"


def answered(*statuses: int, end: str = "https://a.example/papers/y", **more: object) -> Attempt:
    """An attempt with these statuses; the last of several hops is at `end`."""
    urls = [URL, *(f"https://a.example/hop/{index}" for index in range(len(statuses) - 2)), end]
    return Attempt(URL, tuple(map(Hop, urls, statuses)))._replace(**more)  # type: ignore[arg-type]


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
    (410, Verdict.DEAD),
]


@pytest.mark.parametrize(("status", "verdict"), ONE_ATTEMPT)
def test_each_status_has_its_verdict(status: int, verdict: Verdict) -> None:
    record = judge(answered(status), None, NOW)
    assert record.verdict is verdict
    assert record.reason.startswith(str(status))
    assert record.checked_at == NOW
    counted = verdict is Verdict.DEAD or (verdict is Verdict.UNKNOWN and status != 429)
    assert (record.failures, record.first_failure) == ((1, NOW) if counted else (0, None))


TROUBLES = {
    Trouble.TIMEOUT: (Verdict.UNKNOWN, 1, "timed out"),
    Trouble.LOST: (Verdict.UNKNOWN, 1, "connection lost"),
    Trouble.NO_HOST: (Verdict.UNKNOWN, 1, "no such host, not checked a second time"),
    Trouble.NAME_SERVER: (Verdict.UNKNOWN, 1, "name server failed"),
    Trouble.CERTIFICATE: (Verdict.ALIVE, 0, "certificate: not trusted"),
    Trouble.PROTOCOL: (Verdict.UNKNOWN, 1, "no HTTP"),
    Trouble.LOOP: (Verdict.SUSPECT, 0, "endless redirects"),
    Trouble.REFUSED: (Verdict.UNSAFE, 0, "not checked: unsafe"),
    Trouble.NOT_CHECKED: (Verdict.UNKNOWN, 0, "not checked"),
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
    attempt = answered(301, 200, etag='"e"', modified="yesterday", anchors=frozenset({"top"}))
    record = judge(attempt, None, NOW)
    assert record.url == URL
    assert record.hops == attempt.hops
    assert (record.etag, record.modified, record.anchors) == ('"e"', "yesterday", frozenset({"top"}))
    assert record.source == "web"


@pytest.mark.parametrize(
    ("first", "second", "verdict", "reason"),
    [
        (answered(404), answered(404), Verdict.DEAD, "404 Not Found, seen twice"),
        (answered(302, 404), answered(302, 404), Verdict.DEAD, "404 Not Found, seen twice"),
        (answered(404), answered(410), Verdict.DEAD, "410 Gone"),
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
            "no such host (a.example), seen twice",
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
        (answered(410), None, Verdict.DEAD, "410 Gone"),
        (answered(410), answered(200), Verdict.DEAD, "410 Gone"),
    ],
)
def test_dead_needs_two_attempts(
    first: Attempt, second: Attempt | None, verdict: Verdict, reason: str
) -> None:
    assert judge(first, None, NOW, second)[1:3] == (verdict, reason)


def test_needs_second_attempt() -> None:
    assert needs_second_attempt(answered(404)) and needs_second_attempt(failed(Trouble.NO_HOST))
    assert not needs_second_attempt(answered(404, challenge="cf-mitigated"))
    assert not any(needs_second_attempt(answered(status)) for status in (200, 301, 403, 410, 500))
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


TEMPORARY = [
    failed(Trouble.TIMEOUT),
    failed(Trouble.LOST),
    failed(Trouble.NAME_SERVER),
    failed(Trouble.PROTOCOL),
    answered(503),
    answered(500),
]


@pytest.mark.parametrize("attempt", TEMPORARY)
@pytest.mark.parametrize(
    ("failures", "days", "dead"),
    [(0, 0, False), (1, 30, False), (2, 5.9, False), (2, 6, True), (9, 5.9, False), (9, 40, True)],
)
def test_three_runs_over_six_days(attempt: Attempt, failures: int, days: float, dead: bool) -> None:
    record = judge(attempt, before(failures, days), NOW)
    assert record.verdict is (Verdict.DEAD if dead else Verdict.UNKNOWN)
    assert record.failures == failures + 1
    assert record.first_failure == (NOW - days * DAY if failures else NOW)


def test_the_reason_has_the_count_and_its_first_day() -> None:
    assert judge(failed(Trouble.TIMEOUT), before(2, 7), NOW).reason == "timed out in 3 runs since 2026-11-11"
    assert judge(answered(502), before(1, 1), NOW).reason == "502 Bad Gateway in 2 runs since 2026-11-17"


def test_failures_are_counted_from_run_to_run() -> None:
    record: LinkRecord | None = None
    verdicts = []
    for day in (0, 1, 5, 6):
        record = judge(failed(Trouble.TIMEOUT), record, NOW + day * DAY)
        verdicts.append(record.verdict)
    assert verdicts == [Verdict.UNKNOWN] * 3 + [Verdict.DEAD]


@pytest.mark.parametrize("status", [200, 403, 400, 304])
def test_an_answer_resets_the_count(status: int) -> None:
    record = judge(answered(status), before(2, 30), NOW)
    assert (record.failures, record.first_failure) == (0, None)
    assert judge(failed(Trouble.LOST), record, NOW).failures == 1


@pytest.mark.parametrize(
    "attempt",
    [
        failed(Trouble.NOT_CHECKED),
        failed(Trouble.REFUSED),
        answered(429),
        answered(503, retry_after=3600.0),
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
    record = judge(answered(404), before(3, 9), NOW, answered(404))
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
    assert judge(answered(404, certificate="expired"), None, NOW, answered(404)).verdict is Verdict.DEAD


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
        ((301, 410), Verdict.DEAD),
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


def test_not_modified_keeps_the_known_content() -> None:
    known = LinkRecord(URL, Verdict.ALIVE, "200 OK", anchors=frozenset("ab"), etag='"e"', modified="m")
    record = judge(answered(304, etag='"f"'), known, NOW)
    assert (record.verdict, record.checked_at) == (Verdict.ALIVE, NOW)
    assert (record.anchors, record.etag, record.modified) == (frozenset("ab"), '"f"', "m")
    assert judge(answered(200), known, NOW).anchors is None


def test_a_written_url_is_never_suspect() -> None:
    for url in ("https://a.example/", "https://a.example/login", "https://a.example/404"):
        assert judge(Attempt(url, (Hop(url, 200),)), None, NOW).verdict is Verdict.ALIVE
