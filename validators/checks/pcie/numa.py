"""Accelerators are spread over the sockets of the node as its board is laid out."""

from rackwright import compare
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.pci import Pci
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, record: Pci) -> Finding:
    """No NUMA node may have more accelerators than its share; an accelerator without a NUMA node makes the verdict inconclusive."""
    vendor = compare.limit(expectation, "pcie.vendor_id")
    if vendor is None:
        return compare.no_limit(expectation, "pcie.vendor_id")
    accelerators = record.accelerators(str(vendor.value))
    nodes = [accelerator.numa_node for accelerator in accelerators]
    part = compare.accelerator(expectation)
    functions = expectation.node.accelerators * part.functions // part.devices
    share = functions // expectation.node.server.cpu_sockets
    return compare.every(
        expectation,
        {
            f"accelerator {accelerator.address} on node {accelerator.numa_node}": None
            if accelerator.numa_node is None
            else nodes.count(accelerator.numa_node)
            for accelerator in accelerators
        },
        lambda together: together <= share,
        what="accelerators on one memory node:",
        expected=f"at most {share}",
        source=compare.sku_source(expectation.node.server, "cpu_sockets"),
    )


def applies(expectation: Expectation) -> bool:
    """Nodes with several sockets, and accelerators on each."""
    sockets = expectation.node.server.cpu_sockets
    attached = compare.has_accelerators(expectation) and compare.accelerator(expectation).pcie_width > 0
    return attached and sockets > 1 and expectation.node.server.accelerators >= sockets


CHECK = Check(reads=Pci, judge=judge, applies=applies)
