"""The one timer that ends requests which take too long."""

from __future__ import annotations

import asyncio
import sys
import time

import pytest

from shelfread.links.http.timeouts import TimeoutWatcher


def test_each_block_has_its_own_timeout() -> None:
    ended: list[str] = []

    async def wait(watch: TimeoutWatcher, name: str, seconds: float) -> None:
        try:
            with watch.limit(seconds):
                await asyncio.sleep(30)
        except asyncio.TimeoutError:
            ended.append(name)

    async def run() -> None:
        watch = TimeoutWatcher()
        with watch.limit(30):
            await asyncio.gather(wait(watch, "long", 0.05), wait(watch, "short", 0.01))
        watch.close()

    asyncio.run(run())
    assert ended == ["short", "long"]


def test_a_block_that_ends_in_time_is_not_cancelled() -> None:
    async def run() -> str:
        watch = TimeoutWatcher()
        with watch.limit(0.01):
            await asyncio.sleep(0)
        await asyncio.sleep(0.03)
        with pytest.raises(ZeroDivisionError), watch.limit(0.01):
            raise ZeroDivisionError
        await asyncio.sleep(0.03)
        with pytest.raises(asyncio.TimeoutError), watch.limit(0.01):
            await asyncio.sleep(30)
        watch.close()
        return "done"

    assert asyncio.run(run()) == "done"


@pytest.mark.skipif(sys.version_info < (3, 11), reason="a task does not tell who cancelled it")
def test_a_cancellation_takes_precedence_over_the_timeout() -> None:
    async def run() -> None:
        watch = TimeoutWatcher()

        async def wait() -> None:
            with watch.limit(0.01):
                await asyncio.sleep(30)

        task = asyncio.create_task(wait())
        await asyncio.sleep(0)
        # Both in one round of the loop.
        asyncio.get_running_loop().call_later(0.02, task.cancel)
        await asyncio.sleep(0)
        time.sleep(0.03)
        with pytest.raises(asyncio.CancelledError):
            await task
        watch.close()

    asyncio.run(run())
