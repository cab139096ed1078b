"""The last gate before a connection: every address is seen here, whatever the way there.

A literal never meets the resolver, and a name may resolve anew between a look and a connection (rebinding): only
the place where a socket is made sees the very address that is connected to.
"""

from __future__ import annotations

import socket
from collections.abc import Callable
from contextvars import ContextVar
from typing import Any

from shelfread.linkcheck.http.address_policy import Policy

AddressInfo = tuple[int | socket.AddressFamily, int | socket.SocketKind, int, str, tuple[Any, ...]]
"""As getaddrinfo gives it."""

Opener = Callable[[AddressInfo], socket.socket]

attempts: ContextVar[list[str]] = ContextVar("attempts")
"""What was said to each address that one request tried; aiohttp wraps the error, this list stays."""


class RefusedError(OSError):
    """An address that may not be reached."""


def open_socket(info: AddressInfo) -> socket.socket:
    """A socket of the kind asked for, not yet connected."""
    return socket.socket(*info[:3])


def guard(policy: Policy, opener: Opener = open_socket) -> Opener:
    """A socket factory for aiohttp's connector that opens none to an address that the policy objects to."""

    def guarded(info: AddressInfo) -> socket.socket:
        ip, port = info[4][:2]
        objection = policy(ip, port)
        attempts.get([]).append(objection)
        if objection:
            raise RefusedError(objection)
        return opener(info)

    return guarded
