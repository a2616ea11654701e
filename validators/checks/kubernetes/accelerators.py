"""Kubernetes can allocate every accelerator of the node."""

from rackwright import compare
from rackwright.compare.threshold import equal_to, threshold
from rackwright.model.check import Expectation
from rackwright.model.evidence.kubelet import Kubelet


def applies(expectation: Expectation) -> bool:
    """Kubernetes nodes with accelerators."""
    return expectation.node.scheduler == "kubernetes" and compare.has_accelerators(expectation)


CHECK = threshold(
    reads=Kubelet,
    metric="kubernetes.resource",
    readings=lambda _, kubelet, names: {names[0]: kubelet.allocatable.get(names[0], "0")},
    required=lambda expectation: str(expectation.node.accelerators),
    good=equal_to,
    what="allocatable in Kubernetes,",
    source="design, accelerators of the node",
    applies=applies,
)
