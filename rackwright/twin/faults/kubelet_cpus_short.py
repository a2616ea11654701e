"""The kubelet reserves most of the CPUs."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._parts import system

FAULT = Fault(
    name="kubelet-cpus-short",
    summary="The kubelet gives away half of the CPUs",
    apply=system(kubelet_cpus=56),
    checks=frozenset({"kubernetes.cpus"}),
    names=frozenset({"56"}),
    needs="kubernetes",
)
