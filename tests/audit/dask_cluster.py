"""A Dask cluster of two processes: prints its address and the processes' ids, and ends with standard input."""

from __future__ import annotations

import sys

import dask
from distributed import Client, LocalCluster


def main() -> None:
    dask.config.set({"distributed.scheduler.allowed-failures": 3})
    with LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, host="127.0.0.1", dashboard_address=None
    ) as cluster, Client(cluster) as client:  # fmt: skip
        import os

        pids = client.run(os.getpid).values()
        print(cluster.scheduler_address, *pids, flush=True)
        sys.stdin.read()


if __name__ == "__main__":
    main()
