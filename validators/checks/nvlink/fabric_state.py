"""Every accelerator behind NVSwitches has joined the NVLink fabric."""

from rackwright import compare
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.accelerator import Accelerators, Device
from rackwright.model.verdict import Finding


def registration(device: Device) -> str | None:
    """State, and status once the registration has ended; None when the library does not tell."""
    if device.fabric_state is None or (device.fabric_state == "completed" and device.fabric_status is None):
        return None
    return (
        f"{device.fabric_state} {device.fabric_status}" if device.fabric_state == "completed" else device.fabric_state
    )


def judge(expectation: Expectation, seen: Accelerators) -> Finding:
    """Compare the registration with the fabric manager with what this architecture shows when it is done."""
    row = compare.limit(expectation, "nvlink.fabric_state")
    if row is None:
        return compare.no_limit(expectation, "nvlink.fabric_state")
    return compare.every(
        expectation,
        compare.by_device(seen, registration),
        lambda found: found == row.value,
        what="NVLink fabric registration",
        expected=str(row.value),
        source=compare.limit_source(row),
    )


def applies(expectation: Expectation) -> bool:
    """Only servers whose NVSwitches the node itself manages register here."""
    return compare.has_accelerators(expectation) and expectation.node.server.fabric_manager


CHECK = Check(reads=Accelerators, judge=judge, applies=applies)
