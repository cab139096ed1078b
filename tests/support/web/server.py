"""The servers of a small web, in one thread; see the package."""

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

from shelfread.linkcheck.http.address_guard import AddressInfo, open_socket
from shelfread.linkcheck.http.address_policy import objection
from shelfread.linkcheck.settings import Settings
from support.web.certificates import authority, client_context, server_context
from support.web.plays import ANY, Asked, Call, Play, Sites, page

if TYPE_CHECKING:
    import ssl

    from shelfread.linkcheck.http.client import Client


def quick(**changed: object) -> Settings:
    """Settings without any waiting."""
    base = Settings(
        pause=0, pauses={}, connect=0.3, first_byte=0.5, link=1, host=20, retries=(0.0, 0.0), second_look=0
    )
    return base._replace(**changed)  # type: ignore[arg-type]


class Resolver(AbstractResolver):
    """Names to addresses as the test says; a list of lists answers in turn, the last for ever."""

    def __init__(self, names: Mapping[str, list[list[str]]], failing: frozenset[str] = frozenset()) -> None:
        self.names = names
        self.failing = failing
        self.asked: Counter[str] = Counter()

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        host = host.rstrip(".")
        self.asked[host] += 1
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
            for address in answers[min(self.asked[host], len(answers)) - 1]
        ]

    async def close(self) -> None:
        pass


class Web:
    """A running web."""

    def __init__(self, sites: Sites, certificates: Mapping[str, str], ca: str) -> None:
        self.sites = {_encoded(name): site for name, site in sites.items()}
        self.flaws = {_encoded(name): flaw for name, flaw in certificates.items()}
        # From .2 on, and a second number for more sites than one has room for.
        self.addresses = {name: f"127.0.{n // 250}.{n % 250 + 2}" for n, name in enumerate(self.sites)}
        self.ports: dict[str, int] = {}
        self.ca = ca
        self.asked: list[Asked] = []
        self.opened: list[tuple[str, int]] = []
        self.counts: Counter[tuple[str, str, str]] = Counter()
        self.tasks: set[asyncio.Task[None]] = set()

    def url(self, name: str, path: str = "/", scheme: str = "http") -> str:
        """The address as a list would write it."""
        return f"{scheme}://{name}:{self.ports[scheme]}{path}"

    def literal(self, name: str, path: str = "/", scheme: str = "http") -> str:
        """The same without a name to resolve."""
        return f"{scheme}://{self.place(name, scheme)}{path}"

    def place(self, name: str, scheme: str = "http") -> str:
        """Address and port of a site."""
        return f"{self.addresses[_encoded(name)]}:{self.ports[scheme]}"

    def times(self, name: str, path: str) -> int:
        """How often a path was asked, by any method."""
        return sum(asked.name == _encoded(name) and asked.path == path for asked in self.asked)

    def resolver(
        self, names: Mapping[str, list[list[str]]] | None = None, failing: frozenset[str] = frozenset()
    ) -> Resolver:
        """Knows the sites, and what else is named."""
        known = {name: [[address]] for name, address in self.addresses.items()}
        return Resolver({**known, **(names or {})}, failing)

    def objection(self, ip: str, port: int) -> str:
        """The policy of a client: this web's own addresses are public, all others are what they are."""
        return "" if self.is_ours(ip, port) else objection(ip, port)

    def is_ours(self, ip: str, port: int) -> bool:
        return ip in self.addresses.values() and port in self.ports.values()

    def open(self, info: AddressInfo) -> socket.socket:
        """The socket factory behind the guard: notes the address, and lets nothing out of this web."""
        ip, port = info[4][:2]
        self.opened.append((ip, port))
        if not self.is_ours(ip, port):
            raise OSError(f"a test would have connected to {ip}:{port}")
        return open_socket(info)

    def trust(self) -> ssl.SSLContext:
        return client_context()

    def client(self, settings: Settings | None = None, resolver: AbstractResolver | None = None) -> Client:
        """A client that finds the names of this web and reaches nothing else."""
        from shelfread.linkcheck.http.client import Client

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
            head = await reader.readuntil(b"\r\n\r\n")
        except asyncio.IncompleteReadError:
            return False
        first, *lines = head.decode("latin-1").split("\r\n")
        method, path, _ = first.split(" ", 2)
        headers = {
            key.lower(): value.strip() for key, _, value in (line.partition(":") for line in lines if line)
        }
        body = await reader.readexactly(int(headers.get("content-length", "0")))
        asked = Asked(name, method, path, headers, body)
        self.asked.append(asked)
        self.counts[name, method, path] += 1
        await self._play(name, path)(Call(asked, self.counts[name, method, path], reader, writer))
        return headers.get("connection", "").lower() != "close"

    def _play(self, name: str, path: str) -> Play:
        site = self.sites[name]
        bare = path.partition("?")[0]
        for known in (path, bare, unquote(path), unquote(bare), quote(unquote(bare)), ANY):
            if known in site:
                return site[known]
        return page(404)


def _encoded(name: str) -> str:
    return name if name.isascii() else idna.encode(name, uts46=True).decode()


@contextlib.contextmanager
def serve(sites: Sites, certificates: Mapping[str, str] | None = None) -> Iterator[Web]:
    """A web of these sites, in a thread of its own, until the block ends."""
    started = threading.Event()
    failed: list[BaseException] = []
    with TemporaryDirectory() as folder:
        ca = Path(folder, "ca.pem")
        authority().cert_pem.write_to_path(str(ca))
        web = Web(sites, certificates or {}, str(ca))
        loop = asyncio.new_event_loop()
        loop.set_exception_handler(lambda *_: None)  # clients that vanish are what this web is for

        async def run(stop: asyncio.Event) -> None:
            for attempt in range(20):
                try:
                    servers = await web.start()
                    break
                except OSError:  # the port that one address had free is taken on another
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
            except BaseException as wrong:
                failed.append(wrong)
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
