"""Refuses connections to private addresses, at the place where sockets are created.

Only there the address is final: an IP address in a URL never meets the resolver, and a name may resolve to another
address between the check and the connection (DNS rebinding).
"""

from __future__ import annotations

import socket
from collections.abc import Callable
from contextvars import ContextVar
from typing import Any

from shelfread.links.http.address_policy import Policy

AddressInfo = tuple[int | socket.AddressFamily, int | socket.SocketKind, int, str, tuple[Any, ...]]
"""As returned by getaddrinfo."""

SocketFactory = Callable[[AddressInfo], socket.socket]

objections: ContextVar[list[str]] = ContextVar("objections")
"""The objection to each address that one request tried, empty if it was allowed; aiohttp hides the exceptions."""


class RefusedError(OSError):
    """An address to which no connection is allowed."""


def open_socket(info: AddressInfo) -> socket.socket:
    """Return a socket of the requested kind, not yet connected."""
    return socket.socket(*info[:3])


def guard(policy: Policy, opener: SocketFactory = open_socket) -> SocketFactory:
    """Return a socket factory for aiohttp's connector that raises RefusedError if the policy objects."""

    def guarded(info: AddressInfo) -> socket.socket:
        ip, port = info[4][:2]
        objection = policy(ip, port)
        objections.get([]).append(objection)
        if objection:
            raise RefusedError(objection)
        return opener(info)

    return guarded
