"""Kubernetes can allocate the CPUs of the node, less the reserve of the system."""

from rackwright import compare
from rackwright.compare import quantity
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.kubelet import Kubelet
from rackwright.model.verdict import Finding, Outcome


def judge(expectation: Expectation, record: Kubelet) -> Finding:
    """Compare the allocatable CPUs with the cores of the server SKU; threads raise the count."""
    row = compare.limit(expectation, "kubernetes.cpu_share")
    if row is None:
        return compare.no_limit(expectation, "kubernetes.cpu_share")
    server = expectation.node.server
    least = compare.number(row) * server.cpu_sockets * server.cores_per_socket
    text = record.allocatable.get("cpu", "")
    cpus = quantity.cores(text)
    outcome = Outcome.INCONCLUSIVE
    if cpus is not None:
        outcome = Outcome.PASS if cpus >= least else Outcome.FAIL
    return compare.finding(
        expectation,
        outcome,
        what="allocatable CPUs in Kubernetes:",
        observed=text or "no reading",
        expected=f"at least {least:.0f}",
        source=f"{compare.sku_source(server, 'cores_per_socket')}; {compare.limit_source(row)}",
    )


def applies(expectation: Expectation) -> bool:
    """Kubernetes nodes with accelerators."""
    return expectation.node.scheduler == "kubernetes" and compare.has_accelerators(expectation)


CHECK = Check(reads=Kubelet, judge=judge, applies=applies)
