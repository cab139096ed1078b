"""Valid and invalid certificates of an authority that only these tests trust."""

from __future__ import annotations

import ssl
from datetime import datetime, timezone
from functools import cache

import trustme

EXPIRED, WRONG_NAME, STRANGER = "expired", "for another name", "of an unknown authority"


@cache
def authority(name: str = "ours") -> trustme.CA:
    return trustme.CA()


@cache
def server_context(names: tuple[str, ...], flaw: str = "") -> ssl.SSLContext:
    """Return a context with a certificate for these names and addresses, with at most one flaw."""
    issuer = authority("a stranger's") if flaw == STRANGER else authority()
    expiry = datetime(2020, 1, 1, tzinfo=timezone.utc) if flaw == EXPIRED else None
    subjects = ("elsewhere.test",) if flaw == WRONG_NAME else names
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    issuer.issue_cert(*subjects, not_after=expiry).configure_cert(context)
    return context


def client_context() -> ssl.SSLContext:
    """Return a context that trusts only the authority of these tests."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    authority().configure_trust(context)
    return context
