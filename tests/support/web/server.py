"""The servers of the small web, in one thread; see the package."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import threading
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote

import idna
from aiohttp.abc import AbstractResolver, ResolveResult

from shelfread.links.exchange import Settings
from shelfread.links.request_limits import AddressInfo, objection, open_socket
from support.web.certificates import authority, client_context, server_context
from support.web.handlers import ANY, Call, Handler, ReceivedRequest, Sites, page

if TYPE_CHECKING:
    import ssl

    from shelfread.links.client import Client


TLS_HANDSHAKE = b"\x16"
"""The first byte of a client that wants TLS; the ports for http close the connection."""
SOMEWHERE = "93.184.216.34"
"""A public address, to which no test connects."""


def quick(**changed: object) -> Settings:
    """Return settings without waits."""
    base = Settings(
        pause=0,
        pauses={},
        connect=0.3,
        first_byte=0.5,
        link=1,
        host=20,
        host_per_link=0,
        retries=(0.0, 0.0),
        second_attempt_delay=0,
    )
    return base._replace(**changed)  # type: ignore[arg-type]


class Resolver(AbstractResolver):
    """Resolves names as the test says: to each list of addresses in order, then always to the last."""

    def __init__(self, names: Mapping[str, list[list[str]]], failing: frozenset[str] = frozenset()) -> None:
        self.names = names
        self.failing = failing
        self.requests: Counter[str] = Counter()

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        host = host.rstrip(".")
        self.requests[host] += 1
        if host in self.failing:
            raise socket.gaierror(socket.EAI_AGAIN, "Temporary failure in name resolution")
        if host not in self.names:
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
        answers = self.names[host]
        return [
            ResolveResult(
                hostname=host,
                host=address,
                port=port,
                family=socket.AF_INET6 if ":" in address else socket.AF_INET,
                proto=0,
                flags=socket.AI_NUMERICHOST,
            )
            for address in answers[min(self.requests[host], len(answers)) - 1]
        ]

    async def close(self) -> None:
        pass


class Web:
    """A running web."""

    def __init__(self, sites: Sites, certificates: Mapping[str, str], ca: str) -> None:
        self.sites = {_encoded(name): site for name, site in sites.items()}
        self.flaws = {_encoded(name): flaw for name, flaw in certificates.items()}
        # From .2 on; more than 250 sites use the next number before it.
        self.addresses = {name: f"127.0.{n // 250}.{n % 250 + 2}" for n, name in enumerate(self.sites)}
        self.ports: dict[str, int] = {}
        self.ca = ca
        self.requests: list[ReceivedRequest] = []
        self.opened: list[tuple[str, int]] = []
        self.counts: Counter[tuple[str, str, str]] = Counter()
        self.tasks: set[asyncio.Task[None]] = set()

    def url(self, name: str, path: str = "/", scheme: str = "http") -> str:
        """The URL with the site's name."""
        return f"{scheme}://{name}:{self.ports[scheme]}{path}"

    def literal(self, name: str, path: str = "/", scheme: str = "http") -> str:
        """The URL with the site's IP address."""
        return f"{scheme}://{self.place(name, scheme)}{path}"

    def place(self, name: str, scheme: str = "http") -> str:
        """The IP address and port of a site."""
        return f"{self.addresses[_encoded(name)]}:{self.ports[scheme]}"

    def times(self, name: str, path: str) -> int:
        """How often a path was requested, by any method."""
        return sum(request.name == _encoded(name) and request.path == path for request in self.requests)

    def resolver(
        self, names: Mapping[str, list[list[str]]] | None = None, failing: frozenset[str] = frozenset()
    ) -> Resolver:
        """A resolver for the sites and the given names."""
        known = {name: [[address]] for name, address in self.addresses.items()}
        known |= {name: [[SOMEWHERE]] for name in Settings().network_probes}
        return Resolver({**known, **(names or {})}, failing)

    def objection(self, ip: str, port: int) -> str:
        """The policy of the client: this web's own addresses count as public."""
        return "" if self.is_ours(ip, port) else objection(ip, port)

    def is_ours(self, ip: str, port: int) -> bool:
        return ip in self.addresses.values() and port in self.ports.values()

    def open(self, info: AddressInfo) -> socket.socket:
        """The socket factory behind the guard: notes the address, and refuses those outside this web."""
        ip, port = info[4][:2]
        self.opened.append((ip, port))
        if not self.is_ours(ip, port):
            raise OSError(f"a test would have connected to {ip}:{port}")
        return open_socket(info)

    def trust(self) -> ssl.SSLContext:
        return client_context()

    def client(self, settings: Settings | None = None, resolver: AbstractResolver | None = None) -> Client:
        """A client that resolves the names of this web and reaches nothing else."""
        from shelfread.links.client import Client

        return Client(
            settings or quick(),
            policy=self.objection,
            opener=self.open,
            resolver=resolver or self.resolver(),
            trust=self.trust(),
        )

    async def start(self) -> list[asyncio.Server]:
        servers: list[asyncio.Server] = []
        try:
            await self._listen(servers)
        except OSError:
            for server in servers:
                server.close()
            raise
        return servers

    async def _listen(self, servers: list[asyncio.Server]) -> None:
        for scheme in ("http", "https"):
            for name, address in self.addresses.items():
                flaw = self.flaws.get(name, "")
                context = server_context((name, address), flaw) if scheme == "https" else None
                server = await asyncio.start_server(
                    self._connected(name), address, self.ports.get(scheme, 0), ssl=context, limit=1 << 16
                )
                self.ports.setdefault(scheme, server.sockets[0].getsockname()[1])
                servers.append(server)

    def _connected(self, name: str):  # type: ignore[no-untyped-def]
        async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            task = asyncio.current_task()
            assert task
            self.tasks.add(task)
            try:
                while not writer.is_closing() and await self._answer(name, reader, writer):
                    await writer.drain()
            except (OSError, asyncio.IncompleteReadError, asyncio.CancelledError):
                pass
            finally:
                self.tasks.discard(task)
                writer.transport.abort() if name in self.flaws else writer.close()

        return connected

    async def _answer(self, name: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        try:
            head = await reader.readexactly(1)
            if head == TLS_HANDSHAKE:
                return False
            head += await reader.readuntil(b"\r\n\r\n")
        except asyncio.IncompleteReadError:
            return False
        first, *lines = head.decode("latin-1").split("\r\n")
        method, path, _ = first.split(" ", 2)
        headers = {
            key.lower(): value.strip() for key, _, value in (line.partition(":") for line in lines if line)
        }
        body = await reader.readexactly(int(headers.get("content-length", "0")))
        request = ReceivedRequest(name, method, path, headers, body)
        self.requests.append(request)
        self.counts[name, method, path] += 1
        await self._handler_of(name, path)(Call(request, self.counts[name, method, path], reader, writer))
        return headers.get("connection", "").lower() != "close"

    def _handler_of(self, name: str, path: str) -> Handler:
        site = self.sites[name]
        bare = path.partition("?")[0]
        for known in (path, bare, unquote(path), unquote(bare), quote(unquote(bare)), ANY):
            if known in site:
                return site[known]
        return page() if path == "/" else page(404)


def _encoded(name: str) -> str:
    return name if name.isascii() else idna.encode(name, uts46=True).decode()


@contextlib.contextmanager
def serve(sites: Sites, certificates: Mapping[str, str] | None = None) -> Iterator[Web]:
    """Run a web of these sites in a thread of its own until the block ends."""
    started = threading.Event()
    failed: list[BaseException] = []
    with TemporaryDirectory() as folder:
        ca = Path(folder, "ca.pem")
        authority().cert_pem.write_to_path(str(ca))
        web = Web(sites, certificates or {}, str(ca))
        loop = asyncio.new_event_loop()
        loop.set_exception_handler(lambda *_: None)  # clients close connections on purpose

        async def run(stop: asyncio.Event) -> None:
            for attempt in range(20):
                try:
                    servers = await web.start()
                    break
                except OSError:  # the port is free on one address, but not on all
                    web.ports.clear()
                    if attempt == 19:
                        raise
            started.set()
            await stop.wait()
            for server in servers:
                server.close()
            for task in list(web.tasks):
                task.cancel()
            await asyncio.gather(*web.tasks, return_exceptions=True)

        stop = asyncio.Event()

        def work() -> None:
            try:
                loop.run_until_complete(run(stop))
                loop.run_until_complete(loop.shutdown_asyncgens())
            except BaseException as error:
                failed.append(error)
            finally:
                started.set()
                loop.close()

        thread = threading.Thread(target=work, daemon=True)
        thread.start()
        started.wait()
        try:
            if failed:
                raise failed[0]
            yield web
        finally:
            if not failed:
                loop.call_soon_threadsafe(stop.set)
            thread.join(10)
