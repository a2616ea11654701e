"""Every NVSwitch of the baseboard is on the PCI bus."""

from rackwright import compare
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.pci import Pci
from rackwright.model.verdict import Finding, Outcome


def judge(expectation: Expectation, record: Pci) -> Finding:
    """Count the functions with the id of this architecture's NVSwitch and compare with the server SKU."""
    row = compare.limit(expectation, "nvlink.switch_ids")
    if row is None:
        return compare.no_limit(expectation, "nvlink.switch_ids")
    addresses = [function.address for function in record.devices if function.pci_id in compare.words(row)]
    planned = expectation.node.server.nvswitches
    listed = f" ({', '.join(addresses)})" if addresses and len(addresses) < planned else ""
    return compare.finding(
        expectation,
        Outcome.PASS if len(addresses) == planned else Outcome.FAIL,
        what="NVSwitches on the bus:",
        observed=f"{len(addresses)}{listed}",
        expected=str(planned),
        source=compare.sku_source(expectation.node.server, "nvswitches"),
    )


def applies(expectation: Expectation) -> bool:
    """Nodes whose NVSwitches are PCI functions of the node: Ampere and Hopper."""
    part = expectation.node.accelerator
    on_bus = part is not None and part.architecture in ("ampere", "hopper")
    return on_bus and expectation.node.server.nvswitches > 0


CHECK = Check(reads=Pci, judge=judge, applies=applies)
