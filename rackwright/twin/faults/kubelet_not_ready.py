"""The kubelet does not report to its cluster."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._parts import system

FAULT = Fault(
    name="kubelet-not-ready",
    summary="The kubelet does not report to its cluster",
    apply=system(kubelet_ready=False),
    checks=frozenset({"kubernetes.ready"}),
    names=frozenset({"Ready=False"}),
    needs="kubernetes",
)
