"""Kubernetes holds the node for ready, and under no pressure."""

from rackwright import compare
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.kubelet import Kubelet
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, seen: Kubelet) -> Finding:
    """Compare the conditions with those of a node that takes pods; its taints are the gate's business."""
    row = compare.limit(expectation, "kubernetes.conditions")
    if row is None:
        return compare.no_limit(expectation, "kubernetes.conditions")
    wanted = dict(one.split("=", maxsplit=1) for one in compare.words(row))
    return compare.every(
        expectation,
        {name: f"{name}={seen.conditions[name]}" if name in seen.conditions else None for name in wanted},
        lambda found: found in compare.words(row),
        what="conditions in Kubernetes,",
        expected=", ".join(compare.words(row)),
        source=compare.limit_source(row),
    )


def applies(expectation: Expectation) -> bool:
    """Nodes of Kubernetes."""
    return expectation.node.scheduler == "kubernetes" and compare.has_accelerators(expectation)


CHECK = Check(reads=Kubelet, judge=judge, applies=applies)
