"""Carries out a decision on each of many nodes of a real API server (tests/kubernetes/control_plane.py); prints seconds and calls as JSON.

python benchmarks/tainting.py 1000
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import tempfile
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from rackwright import gate
from rackwright.flow.cluster_nodes import ClusterNodes, Node
from rackwright.kubernetes.client import ApiClient
from rackwright.model.gate import Decision
from rackwright.platform.acceptance_guard import TAINT
from tests.conftest import KUBERNETES
from tests.kubernetes.control_plane import ControlPlane, running

NOW = datetime(2026, 11, 21, 10, tzinfo=UTC)
PENDING = {"key": TAINT, "value": "pending", "effect": "NoSchedule"}


class CountedNodes(ClusterNodes):
    """Counts the calls: a list of nodes is one for each page of 500."""

    calls = 0

    async def all(self) -> Sequence[Node]:
        """See base class."""
        listed = await super().all()
        self.calls += len(listed) // 500 + 1
        return listed

    async def patch(self, name: str, change: Node) -> Node:
        """See base class."""
        self.calls += 1
        return await super().patch(name, change)

    async def patch_status(self, name: str, change: Node) -> Node:
        """See base class."""
        self.calls += 1
        return await super().patch_status(name, change)


async def measure(plane: ControlPlane, names: list[str]) -> dict[str, object]:
    """Seconds and calls of lifting all taints, of setting them again, and of a second time that changes nothing."""
    client = await ApiClient.connect(plane.kubeconfig())
    seconds: dict[str, object] = {}
    calls = {}
    for step, accepted in (("lift", True), ("taint", False), ("repeat", False)):
        decisions = [
            Decision(node=name, accepted=accepted, blocking=[], reason=f"rackwright: {accepted}") for name in names
        ]
        nodes, started = CountedNodes(client), time.monotonic()
        acts = await gate.apply_taints(decisions, nodes, NOW)
        seconds[step], calls[step] = round(time.monotonic() - started, 2), nodes.calls
        assert all(act.done for act in acts), [act.says for act in acts if not act.done][:3]
    return {**seconds, "calls": calls}


def main() -> None:
    """Start an API server, register the nodes, measure."""
    names = [f"node-{number:05d}" for number in range(int(sys.argv[1]))]
    os.environ["PATH"] = f"{KUBERNETES / 'bin'}:{os.environ['PATH']}"
    nodes = [
        {"apiVersion": "v1", "kind": "Node", "metadata": {"name": name}, "spec": {"taints": [PENDING]}}
        for name in names
    ]
    with tempfile.TemporaryDirectory() as scratch, running(Path(scratch)) as plane:
        plane.do("create", "--filename=-", feed=json.dumps({"apiVersion": "v1", "kind": "List", "items": nodes}))
        print(json.dumps(asyncio.run(measure(plane, names))))


if __name__ == "__main__":
    main()
