"""Every NVSwitch of the baseboard is on the PCI bus."""

from rackwright import compare
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.pci import Pci
from rackwright.model.verdict import Finding, Outcome


def judge(expectation: Expectation, seen: Pci) -> Finding:
    """Count the functions with the id of this architecture's NVSwitch and compare with the server SKU."""
    row = compare.limit(expectation, "nvlink.switch_ids")
    if row is None:
        return compare.no_limit(expectation, "nvlink.switch_ids")
    found = [one.address for one in seen.devices if one.pci_id in compare.words(row)]
    wanted = expectation.node.server.nvswitches
    listed = f" ({', '.join(found)})" if found and len(found) < wanted else ""
    return compare.finding(
        expectation,
        Outcome.PASS if len(found) == wanted else Outcome.FAIL,
        what="NVSwitches on the bus:",
        observed=f"{len(found)}{listed}",
        expected=str(wanted),
        source=compare.sku_source(expectation.node.server, "nvswitches"),
    )


def applies(expectation: Expectation) -> bool:
    """Boards whose NVSwitches the node sees as PCI functions: Ampere and Hopper."""
    part = expectation.node.accelerator
    shown = part is not None and part.architecture in ("ampere", "hopper")
    return shown and expectation.node.server.nvswitches > 0


CHECK = Check(reads=Pci, judge=judge, applies=applies)
