"""Which IP addresses are public."""

from __future__ import annotations

import pytest

from shelfread.links.http.addresses import objection


@pytest.mark.parametrize(
    "ip", ["93.184.216.34", "2606:4700::1111", "::ffff:93.184.216.34", "64:ff9b::5db8:d822"]
)
def test_public_addresses_are_allowed(ip: str) -> None:
    assert not any(objection(ip, port) for port in (80, 443, 8080, 8443))
    assert objection(ip, 22)


def test_a_name_is_not_allowed() -> None:
    assert objection("plain.test", 80)
