"""Runs the probe on nodes by pods instead of SSH: for Kubernetes nodes that accept logins only through the cluster.

Every node has a separate Job, so that a node that takes no pod affects no other. All objects of the run are deleted by
their label at the end, also after an interruption; what a killed run leaves behind ends at its deadline and is removed
by Kubernetes, the probe with the last of its Jobs.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from typing import Any

from rackwright.collect import wire
from rackwright.collect.launchers import pod_status
from rackwright.collect.launchers import probe_manifest as manifest
from rackwright.collect.launchers.kubectl import Kubectl, KubectlError
from rackwright.collect.launchers.launcher import START_SECONDS
from rackwright.collect.launchers.pod_log import PodListener, ProbePod
from rackwright.collect.output import unanswered_outputs
from rackwright.collect.transports import fleet
from rackwright.collect.transports.connection_limits import Patience
from rackwright.model.access import Access

LOOK_SECONDS = 2.0
"""Seconds between two looks at the pods; one call reads them all."""
PULL_SECONDS = 60.0
"""Seconds that a node may take to pull the image, in addition to its start limit."""
BATCH = 100
"""Nodes whose Jobs are created with one call, and that share one ConfigMap."""
BROKEN = (KubectlError, ValueError, KeyError, TypeError)
"""Exceptions for a cluster that does not answer, or whose answer is malformed."""


@dataclass(frozen=True)
class Cluster:
    """Access to the nodes of a Kubernetes cluster."""

    image: str
    """Any image with a shell, ``cat`` and ``chroot``: the tools are those of the node."""
    run: str
    """Value that distinguishes the objects of this run from those of others."""
    namespace: str = "default"

    @property
    def scheduler(self) -> str:
        """Name of the scheduler whose nodes it reaches."""
        return "kubernetes"

    def ask(
        self, hosts: Sequence[fleet.FleetHost], access: Access, zipapp: bytes, patience: Patience | None = None
    ) -> AsyncIterator[fleet.Arrival]:
        """Yield answers as they arrive; when a host is through, each of its questions has an Output."""
        del access  # kubectl has credentials of its own
        return ask(hosts, self, zipapp, patience)


async def ask(
    hosts: Sequence[fleet.FleetHost], way: Cluster, zipapp: bytes, patience: Patience | None = None
) -> AsyncIterator[fleet.Arrival]:
    """See `Cluster.ask`."""
    session = _Session(way, zipapp, patience or Patience(), Kubectl(way.namespace))
    try:
        nodes = {node["metadata"]["name"]: node for node in (await session.kubectl.json("get", "nodes"))["items"]}
    except BROKEN as failure:
        for host in hosts:
            yield fleet.Arrival(
                host, unanswered_outputs(host.node, host.asks, f"Kubernetes does not answer: {failure}")
            )
        return
    able = []
    for host in hosts:
        if why := pod_status.not_ready(nodes.get(host.node), host.node):
            yield fleet.Arrival(host, unanswered_outputs(host.node, host.asks, why))
        else:
            able.append(host)
    running = asyncio.create_task(session.run(able))
    running.add_done_callback(lambda _task: session.arrivals.put_nowait(None))
    try:
        while (arrival := await session.arrivals.get()) is not None:
            yield arrival
        await running
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        await session.clear()


class _Session:
    """One run over all hosts."""

    def __init__(self, way: Cluster, zipapp: bytes, patience: Patience, kubectl: Kubectl) -> None:
        self.kubectl = kubectl
        self.arrivals: asyncio.Queue[fleet.Arrival | None] = asyncio.Queue()
        """Arrivals of hosts; None: no more follow."""
        self._way, self._zipapp, self._patience = way, zipapp, patience
        self._batches = 0
        self._made = False
        self._select = f"--selector={manifest.RUN}={manifest.label(way.run)}"

    async def run(self, hosts: Sequence[fleet.FleetHost]) -> None:
        """Query every host, at most `patience.at_once` at the same time, and put all arrivals."""
        queue = list(hosts)
        pods: dict[str, ProbePod] = {}
        async with asyncio.TaskGroup() as readers:
            while queue or pods:
                free = min(self._patience.at_once - len(pods), BATCH)
                started, queue = queue[:free], queue[free:]
                pods |= await self._start(started)
                await self._look(pods, readers)
                for node in [node for node, pod in pods.items() if pod.through]:
                    del pods[node]
                if pods:
                    await asyncio.sleep(LOOK_SECONDS)

    async def clear(self) -> None:
        """Delete the objects of this run; those that cannot be deleted now are removed at their deadline."""
        if self._made:
            with contextlib.suppress(KubectlError):
                await self.kubectl.call("delete", "jobs,configmaps", self._select, "--ignore-not-found", "--wait=false")

    async def _start(self, hosts: Sequence[fleet.FleetHost]) -> dict[str, ProbePod]:
        """Create the Jobs of `hosts`, and return a pod for each; where no Job can be created, the host is ended with
        the reason.
        """
        if not hosts:
            return {}
        self._batches += 1
        self._made = True
        way, batch, why = self._way, self._batches, ""
        limits = {
            host.node: host.seconds + self._patience.spare_seconds + START_SECONDS + PULL_SECONDS for host in hosts
        }
        jobs = [
            manifest.job(way.run, batch, entry.node, wire.question_bytes(entry.asks, entry.cooldown), limits[entry.node], way.image, way.namespace)
            for entry in hosts
        ]  # fmt: skip
        carrier = manifest.config_map(way.run, batch, way.namespace, self._zipapp)
        try:
            await self.kubectl.call("create", "--filename=-", feed=manifest.listed([carrier]))
            await self.kubectl.call("create", "--filename=-", feed=manifest.listed(jobs))
        except KubectlError as failure:
            why = str(failure)
        created = await self._owned(carrier["metadata"]["name"], {entry["metadata"]["name"] for entry in jobs})
        pods = {}
        for host, job in zip(hosts, jobs, strict=True):
            listener = PodListener(host, self._patience.most_bytes, self.arrivals.put_nowait)
            if job["metadata"]["name"] in created:
                pods[host.node] = ProbePod(listener, job["metadata"]["name"], limits[host.node])
            else:
                listener.end(f"Kubernetes makes no Job for it ({why or 'it is not there'})")
        return pods

    async def _owned(self, carrier: str, names: set[str]) -> set[str]:
        """Names of the Jobs of a batch that exist; they become owners of its ConfigMap."""
        try:
            items = (await self.kubectl.json("get", "jobs", self._select))["items"]
            uids = {metadata["metadata"]["name"]: metadata["metadata"]["uid"] for metadata in items}
            owned = {name: uid for name, uid in uids.items() if name in names}
            if owned:
                words = ("--type=merge", f"--patch={manifest.owners(owned)}")
                await self.kubectl.call("patch", "configmap", carrier, *words)
        except BROKEN:
            return set()
        return set(owned)

    async def _look(self, pods: dict[str, ProbePod], readers: asyncio.TaskGroup) -> None:
        """Read the state of the pods; if the cluster does not answer for a while, nothing is ended before its time
        limit.
        """
        observed: dict[str, Any] = {}
        why = ""
        try:
            for entry in (await self.kubectl.json("get", "pods", self._select))["items"]:
                observed[entry["metadata"]["labels"][manifest.NODE]] = entry
        except BROKEN as failure:
            why = f"Kubernetes does not answer: {failure}"
        stuck = []
        for node, pod in pods.items():
            if not why:
                pod.see(observed.get(node))
            if pod.readable and not pod.reading:
                pod.reading = True
                readers.create_task(pod.read(self.kubectl))
            elif not pod.started and pod.late(START_SECONDS + PULL_SECONDS):
                stuck.append(self._give_up(pod, observed.get(node), why))
            elif pod.late(pod.seconds + LOOK_SECONDS):
                pod.listener.end(f"the pod on {node} did not end within {pod.seconds:g} s")
        await asyncio.gather(*stuck)

    async def _give_up(self, pod: ProbePod, observed: Any, why: str) -> None:
        reason = why or pod_status.pending(observed, await self._warnings(pod, observed))
        pod.listener.end(f"{pod.listener.host.node} takes no pod: {reason}")
        with contextlib.suppress(KubectlError):  # a pod that is not wanted any more must not start later
            await self.kubectl.call("delete", f"job/{pod.job}", "--ignore-not-found", "--wait=false")

    async def _warnings(self, pod: ProbePod, observed: Any) -> list[Any]:
        name = observed["metadata"]["name"] if observed else pod.job
        fields = f"--field-selector=involvedObject.name={name},type=Warning"
        try:
            events: list[Any] = (await self.kubectl.json("get", "events", fields))["items"]
        except BROKEN:
            return []
        return events
