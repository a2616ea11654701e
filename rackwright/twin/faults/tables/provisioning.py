"""Faults that `rackwright up` meets and names while it brings machines to their declared state."""

from __future__ import annotations

from rackwright.twin.faults.changes import set_machine
from rackwright.twin.faults.fault import Fault
from rackwright.twin.hardware.parts.bios import BiosState
from rackwright.twin.hardware.parts.updates import BmcTrouble, FirmwareState

STORM, STALE = 12, 4
"""More requests than are tried again, so that one run fails and a later one goes on."""
FAULTS = (
    Fault(
        name="bios-attribute-ignored",
        summary="The BIOS leaves attributes as they are that its BMC has taken",
        apply=set_machine(bios=BiosState(ignored=("*",))),
        names={"stayed as it was at the boot although the BMC took"},
        provisioning=True,
    ),
    Fault(
        name="bmc-account-locked",
        summary="The BMC has locked its account after wrong passwords of another tool",
        apply=set_machine(trouble=BmcTrouble(locked=True)),
        names={"has locked the account: wait for the end of its lockout"},
        provisioning=True,
    ),
    Fault(
        name="bmc-busy",
        summary="The BMC answers with 503 for a while",
        apply=set_machine(trouble=BmcTrouble(busy=STORM)),
        names={"HTTP 503"},
        provisioning=True,
    ),
    Fault(
        name="bmc-etag-stale",
        summary="The BMC refuses changes because of the entity tag that it has just given",
        apply=set_machine(trouble=BmcTrouble(stale_tags=STALE)),
        names={"HTTP 412, it answered: The ETag supplied did not match"},
        provisioning=True,
    ),
    Fault(
        name="firmware-half-flashed",
        summary="An update breaks off half-way and leaves a component that is neither old nor new",
        apply=set_machine(firmware=FirmwareState(mishap="half-flashed")),
        names={"is half-flashed"},
        provisioning=True,
    ),
    Fault(
        name="firmware-task-lost",
        summary="The BMC forgets an update half-way",
        apply=set_machine(firmware=FirmwareState(mishap="task lost")),
        names={"vanished from the BMC"},
        provisioning=True,
    ),
)
