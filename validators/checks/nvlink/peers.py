"""Every NVLink of every accelerator ends at an NVSwitch, so that all accelerators reach each other at full rate."""

from rackwright import compare
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.accelerator import Accelerators, Device
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, record: Accelerators) -> Finding:
    """Name the links that end elsewhere; missing ends make the verdict inconclusive."""
    part = compare.accelerator(expectation)

    def strays(device: Device) -> str | None:
        """Links that do not end at an NVSwitch, ``none``, or None when the library does not report all ends."""
        ends = [f"NVLink {link} at a {peer}" for link, peer in enumerate(device.nvlink_peers) if peer != "switch"]
        return ", ".join(ends) or ("none" if len(device.nvlink_peers) >= part.nvlink_links else None)

    return compare.every(
        expectation,
        compare.by_device(record, strays),
        lambda text: text == "none",
        what="NVLinks that do not end at an NVSwitch:",
        expected="none",
        source=compare.sku_source(expectation.node.server, "nvswitches"),
    )


def applies(expectation: Expectation) -> bool:
    """Servers with their own NVSwitches."""
    return compare.has_accelerators(expectation) and expectation.node.server.nvswitches > 0


CHECK = Check(reads=Accelerators, judge=judge, applies=applies)
