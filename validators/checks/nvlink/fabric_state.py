"""Every accelerator behind NVSwitches has joined the NVLink fabric."""

from rackwright.compare.applicability import has_capability
from rackwright.compare.threshold import one_of, threshold
from rackwright.model.check import Expectation
from rackwright.model.evidence.accelerator import Accelerators, Device


def registration(device: Device) -> str | None:
    """State of the registration with the fabric manager, and its status once it has ended; None if the library reports
    none.
    """
    if device.fabric_state != "completed":
        return device.fabric_state
    return None if device.fabric_status is None else f"completed {device.fabric_status}"


def applies(expectation: Expectation) -> bool:
    """Servers that manage their NVSwitches themselves, with parts that report the registration (from Hopper on)."""
    return has_capability("fabric_registration")(expectation) and expectation.node.server.fabric_manager


CHECK = threshold(
    reads=Accelerators,
    metric="nvlink.fabric_state",
    value=registration,
    good=one_of,
    what="NVLink fabric registration",
    applies=applies,
)
