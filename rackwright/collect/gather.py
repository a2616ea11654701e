"""Asks every machine of a run, stores each answer as it arrives, and then reads the run back from the store.

In: design, nodes, access, store. Out: `NodeEvidence` by node, from the same function that judging offline uses, so that
what is judged now and what is judged again later cannot differ. Hosts and BMCs are asked at the same time.
"""

from __future__ import annotations

import asyncio
import queue
import threading
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from rackwright.collect import collector, probe_build
from rackwright.collect.load import load
from rackwright.collect.output import Ask, Output
from rackwright.collect.plan import Plan, plan
from rackwright.collect.store import Recording, Store
from rackwright.collect.transports import bmc, ssh
from rackwright.model.access import Access
from rackwright.model.check import NodeEvidence
from rackwright.model.design import Design

OnEvent = Callable[[str, dict[str, Any]], None]
"""``start`` {run, hosts, bmcs}; ``host`` or ``bmc`` {node, answers, errors} for each that is through; ``end`` {run}."""

Arrival = tuple[str, str, list[Output]] | BaseException | None
"""(kind, machine, its outputs); what a transport failed with; None when a transport is through."""


def now_utc() -> datetime:
    """The machine's own clock."""
    return datetime.now(UTC)


def gather(
    design: Design,
    nodes: Sequence[str],
    access: Access,
    store: Store,
    on_event: OnEvent = lambda _name, _data: None,
    *,
    now: Callable[[], datetime] = now_utc,
    patience: ssh.Patience | None = None,
    asked_by: str = "",
) -> dict[str, NodeEvidence]:
    """Take and keep the evidence of `nodes`, and return it; a machine that does not answer has errors instead of records.

    `asked_by` is kept with the run, for `load.asked_by` to find it by.
    KeyError for a node that the design does not have; OutsideError when our own key or known_hosts cannot be used.
    """
    collectors = collector.library()
    wanted = plan(design, nodes, collectors)
    zipapp = probe_build.build(store.folder / "probe").read_bytes()
    header = {"site": wanted.site, "owed": wanted.owed, "adapters": wanted.adapters, "asked_by": asked_by}
    with store.begin(header, now()) as recording:
        on_event("start", {"run": recording.run, "hosts": len(wanted.asks), "bmcs": len(wanted.bmcs)})
        arrivals: queue.SimpleQueue[Arrival] = queue.SimpleQueue()
        hosts = [ssh.Host(node, wanted.hosts[node], asks) for node, asks in wanted.asks.items()]
        _start(arrivals, lambda: _hosts(arrivals, hosts, access, zipapp, patience))
        _start(arrivals, lambda: asyncio.run(_bmcs(arrivals, wanted, collectors, access)))
        _keep(arrivals, 2, recording, on_event)
    on_event("end", {"run": recording.run})
    return load(store, recording.run, collectors)


def _start(arrivals: queue.SimpleQueue[Arrival], work: Callable[[], None]) -> None:
    def guarded() -> None:
        try:
            work()
        except BaseException as error:  # noqa: BLE001 - raised again by the thread that waits
            arrivals.put(error)
        else:
            arrivals.put(None)

    threading.Thread(target=guarded, daemon=True).start()


def _hosts(
    arrivals: queue.SimpleQueue[Arrival],
    hosts: list[ssh.Host],
    access: Access,
    zipapp: bytes,
    patience: ssh.Patience | None,
) -> None:
    for host, outputs in ssh.ask(hosts, access, zipapp, patience):
        arrivals.put(("host", host.node, outputs))


async def _bmcs(
    arrivals: queue.SimpleQueue[Arrival], wanted: Plan, collectors: Mapping[str, collector.Collector], access: Access
) -> None:
    for identity, one in collectors.items():
        if one.scope == "bmc":
            owing = {node: address for node, address in wanted.bmcs.items() if identity in wanted.owed[node]}
            async for output in bmc.ask(owing, Ask(identity, one.seconds), access):
                arrivals.put(("bmc", output.node, [output]))


def _keep(arrivals: queue.SimpleQueue[Arrival], transports: int, recording: Recording, on_event: OnEvent) -> None:
    """Store what arrives until every transport is through; one writer, so that the chain has one order."""
    while transports:
        arrival = arrivals.get()
        if arrival is None:
            transports -= 1
            continue
        if isinstance(arrival, BaseException):
            raise arrival
        kind, node, outputs = arrival
        for output in outputs:
            recording.add(output)
        errors = {output.collector: output.error for output in outputs if output.error}
        on_event(kind, {"node": node, "answers": len(outputs) - len(errors), "errors": errors})
