"""Queries every machine of a run, stores each answer as it arrives, and then reads the run back from the store.

Hosts and BMCs are queried at the same time.
"""

from __future__ import annotations

import asyncio
import contextlib
import queue
import threading
from collections.abc import AsyncIterator, Callable, Sequence
from datetime import UTC, datetime
from typing import Any

from rackwright.collect import collector, probe_build
from rackwright.collect.launchers.probe_carrier import Way
from rackwright.collect.output import Ask, Output
from rackwright.collect.plan import CollectPlan, plan_requests
from rackwright.collect.store import record_cache
from rackwright.collect.store.load import load
from rackwright.collect.store.recording import Recording, Store
from rackwright.collect.transports import bmc, fleet
from rackwright.collect.transports.connection_limits import Patience
from rackwright.model.access import Access
from rackwright.model.check import NodeEvidence
from rackwright.model.design import Design

OnEvent = Callable[[str, dict[str, Any]], None]
"""Callback for events: ``start`` {run, hosts, bmcs}; ``host`` or ``bmc`` {node, asked, answers, errors, through} for
each arrival; ``kept`` {nodes} for nodes whose answers were parsed; ``end`` {run}.
"""

Arrival = tuple[str, str, list[Output], bool]
"""(kind, machine, its outputs, whether it has sent its last answer)."""


STOP_SECONDS = 20.0
"""Time limit for the cleanup of an interrupted run; a second Ctrl-C does not wait for it."""


def now_utc() -> datetime:
    """Current time by the clock of this machine, in UTC."""
    return datetime.now(UTC)


def gather_evidence(
    design: Design,
    nodes: Sequence[str],
    access: Access,
    store: Store,
    on_event: OnEvent = lambda _name, _data: None,
    *,
    now: Callable[[], datetime] = now_utc,
    patience: Patience | None = None,
    asked_by: str = "",
    by: Way | None = None,
) -> dict[str, NodeEvidence]:
    """Collect and store the evidence of `nodes`, and return it by node; a machine that does not answer has errors
    instead of records.

    `asked_by` is stored with the run and is what `load.asked_by` searches for. `by` reaches the nodes of one scheduler
    instead of SSH. KeyError for a node that the design does not have; OutsideError if our own key or known_hosts cannot
    be used.
    """
    collectors = collector.library(design.roots)
    requests = plan_requests(design, nodes, collectors)
    hosts = [fleet.FleetHost(node, requests.hosts[node], asks) for node, asks in requests.asks.items()]
    zipapp = probe_build.build_probe(store.folder / "probe").read_bytes()
    sources = [arrivals_of(source) for source in answer_streams(design, hosts, access, zipapp, patience, by)]
    bmcs = {node: address for node, address in requests.bmcs.items() if requests.owed[node]}
    sources += [
        _bmcs(
            {name: bmcs[name] for name in bmcs if identity in requests.owed[name]}, _question(identity, source), access
        )
        for identity, source in collectors.items()
        if source.scope in ("bmc", "equipment") and not source.load
    ]
    header = run_header(requests, "state", asked_by)
    run = record_run(store, header, sources, on_event, now, collectors, len(hosts), len(bmcs))
    return load(store, run, collectors)


def answer_streams(
    design: Design,
    hosts: Sequence[fleet.FleetHost],
    access: Access,
    zipapp: bytes,
    patience: Patience | None,
    by: Way | None,
) -> list[AsyncIterator[fleet.Arrival]]:
    """The answer streams of `hosts`: through `by` for the accelerator nodes of its scheduler, over SSH for all others."""
    served = {node.name for node in design.nodes() if by is not None and node.scheduler == by.scheduler}
    served -= {node.name for node in design.nodes() if node.role != "accelerator"}
    members = [host for host in hosts if host.node in served]
    remaining = [host for host in hosts if host.node not in served]
    sources = [fleet.ask_hosts(remaining, access, zipapp, patience)] if remaining or not members else []
    return [*sources, by.ask(members, access, zipapp, patience)] if by is not None and members else sources


def run_header(requests: CollectPlan, purpose: str, asked_by: str) -> dict[str, Any]:
    """The first entry of a run in the store: its site, purpose, nodes and the records that they owe."""
    return {
        "site": requests.site,
        "purpose": purpose,
        "owed": requests.owed,
        "adapters": requests.adapters,
        "designs": requests.designs,
        "asked_by": asked_by,
    }


def record_run(
    store: Store,
    first: dict[str, Any],
    sources: Sequence[AsyncIterator[Arrival]],
    on_event: OnEvent,
    now: Callable[[], datetime],
    library: collector.CollectorLibrary,
    hosts: int,
    bmcs: int = 0,
) -> str:
    """Record a run with all outputs of `sources` in the store, reporting progress to `on_event`; returns the id of the
    run.
    """
    with store.begin(first, now()) as recording:
        on_event("start", {"run": recording.run, "hosts": hosts, "bmcs": bmcs})
        arrivals: queue.SimpleQueue[Arrival | BaseException | None] = queue.SimpleQueue()
        worker = _Worker(sources, arrivals)
        try:
            _store_arrivals(arrivals, recording, on_event)
        finally:
            worker.stop()
        record_cache.keep(store, recording, library, lambda nodes: on_event("kept", {"nodes": nodes}))
    on_event("end", {"run": recording.run})
    return recording.run


class _Worker:
    """Reads all sources at the same time in a separate thread, so that a slow disk does not hold up the machines."""

    def __init__(
        self,
        sources: Sequence[AsyncIterator[Arrival]],
        arrivals: queue.SimpleQueue[Arrival | BaseException | None],
    ) -> None:
        self._sources, self._arrivals = sources, arrivals
        self._loop = asyncio.new_event_loop()
        self._task = self._loop.create_task(self._all())
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Cancel the sources that are still running, and give each of them time to clean up on the machines."""
        with contextlib.suppress(RuntimeError):  # the loop is over
            self._loop.call_soon_threadsafe(self._task.cancel)
        self._thread.join(STOP_SECONDS)

    def _run(self) -> None:
        try:
            with asyncio.Runner(loop_factory=lambda: self._loop) as runner:
                runner.run(self._wait())
        except BaseExceptionGroup as several:
            self._arrivals.put(several.exceptions[0])
        except BaseException as error:  # noqa: BLE001 - raised again by the thread that waits
            self._arrivals.put(error)
        else:
            self._arrivals.put(None)

    async def _wait(self) -> None:
        await self._task

    async def _all(self) -> None:
        async with asyncio.TaskGroup() as group:
            for source in self._sources:
                group.create_task(self._drain(source))

    async def _drain(self, source: AsyncIterator[Arrival]) -> None:
        async for arrival in source:
            self._arrivals.put(arrival)


async def arrivals_of(source: AsyncIterator[fleet.Arrival]) -> AsyncIterator[Arrival]:
    """Convert the arrivals of hosts to the tuples that are stored."""
    async for arrival in source:
        yield "host", arrival.host.node, arrival.outputs, arrival.through


def _question(identity: str, entry: collector.Collector) -> Ask:
    return Ask(identity, entry.seconds, library=entry.library)


async def _bmcs(addresses: dict[str, str], question: Ask, access: Access) -> AsyncIterator[Arrival]:
    async for output in bmc.ask_bmcs(addresses, question, access):
        yield "bmc", output.node, [output], True


def _store_arrivals(
    arrivals: queue.SimpleQueue[Arrival | BaseException | None], recording: Recording, on_event: OnEvent
) -> None:
    """Store arrivals until every source has ended; there is one writer, so that the chain has one order."""
    while True:
        batch = [arrivals.get()]
        while not arrivals.empty():  # arrivals that came while the disk was busy are written together
            batch.append(arrivals.get())
        records = [entry for entry in batch if isinstance(entry, tuple)]
        recording.add_all([output for _, _, outputs, _ in records for output in outputs])
        for kind, node, outputs, through in records:
            errors = {output.collector: output.error for output in outputs if output.error}
            event = {"node": node, "answers": len(outputs) - len(errors), "errors": errors, "through": through}
            event["asked"] = [output.collector for output in outputs]
            on_event(kind, event)
        for entry in batch:
            if entry is None:
                return
            if isinstance(entry, BaseException):
                raise entry
