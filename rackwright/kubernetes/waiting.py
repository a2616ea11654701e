"""Waits until an object is ready, or until it is gone."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from typing import Any

from rackwright.kubernetes import readiness
from rackwright.kubernetes.client import ApiClient, Object, title
from rackwright.kubernetes.errors import ClusterError
from rackwright.kubernetes.ownership import uid_of

READY_SECONDS = 600.0
"""Time limit for an object to become ready, the same as that of the official plugin."""
SHORTEST_WAIT, LONGEST_WAIT = 0.1, 5.0


async def until_ready(cluster: ApiClient, entry: Mapping[str, Any], live: Object, seconds: float) -> Object:
    """The object once it is ready; `ClusterError` if it is not in time, or never will be."""
    deadline, wait = time.monotonic() + seconds, SHORTEST_WAIT
    while True:
        try:
            reason = readiness.unready(live)
        except readiness.NeverReadyError as error:
            raise ClusterError(f"{title(entry)}: {error}") from error
        if not reason:
            return live
        if time.monotonic() + wait > deadline:
            raise ClusterError(f"{title(entry)}: not ready after {seconds:.0f} s: {reason}; it is kept, run again")
        await asyncio.sleep(wait)
        wait = min(2 * wait, LONGEST_WAIT)
        fresh = await cluster.get(entry)
        if fresh is None:
            raise ClusterError(f"{title(entry)}: it was deleted while it was waited for")
        live = fresh


async def until_gone(cluster: ApiClient, entry: Mapping[str, Any], uid: str, seconds: float) -> None:
    """Wait until no object with this uid exists; `ClusterError` if it remains."""
    deadline, wait = time.monotonic() + seconds, SHORTEST_WAIT
    while (live := await cluster.get(entry)) is not None and uid_of(live) == uid:
        if time.monotonic() + wait > deadline:
            finalizers = ", ".join(live["metadata"].get("finalizers") or []) or "none"
            raise ClusterError(f"{title(entry)}: not gone after {seconds:.0f} s (finalizers: {finalizers})")
        await asyncio.sleep(wait)
        wait = min(2 * wait, LONGEST_WAIT)
