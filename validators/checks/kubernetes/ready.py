"""Kubernetes reports the node as ready and without pressure."""

from rackwright import compare
from rackwright.compare.threshold import one_of, threshold
from rackwright.model.check import Expectation
from rackwright.model.evidence.kubelet import Kubelet


def conditions(_: Expectation, kubelet: Kubelet, required: list[str]) -> dict[str, str | None]:
    """Every required ``name=status`` as Kubernetes reports it; None for a condition that it does not report."""
    names = [condition.split("=", maxsplit=1)[0] for condition in required]
    return {name: f"{name}={kubelet.conditions[name]}" if name in kubelet.conditions else None for name in names}


def applies(expectation: Expectation) -> bool:
    """Kubernetes nodes with accelerators."""
    return expectation.node.scheduler == "kubernetes" and compare.has_accelerators(expectation)


CHECK = threshold(
    reads=Kubelet,
    metric="kubernetes.conditions",
    readings=conditions,
    good=one_of,
    what="conditions in Kubernetes,",
    expected="{words}",
    applies=applies,
)
