"""Kubernetes can allocate every accelerator of the node."""

from rackwright import compare
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.kubelet import Kubelet
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, record: Kubelet) -> Finding:
    """Compare the allocatable count of the maker's resource with the design."""
    row = compare.limit(expectation, "kubernetes.resource")
    if row is None:
        return compare.no_limit(expectation, "kubernetes.resource")
    name = compare.words(row)[0]
    return compare.every(
        expectation,
        {name: record.allocatable.get(name, "0")},
        lambda count: count == str(expectation.node.accelerators),
        what="allocatable in Kubernetes,",
        expected=str(expectation.node.accelerators),
        source=f"design, accelerators of the node; {compare.limit_source(row)}",
    )


def applies(expectation: Expectation) -> bool:
    """Nodes of Kubernetes with accelerators."""
    return expectation.node.scheduler == "kubernetes" and compare.has_accelerators(expectation)


CHECK = Check(reads=Kubelet, judge=judge, applies=applies)
