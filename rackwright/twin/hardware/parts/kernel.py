"""The installed and the running kernel of a machine of the twin."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rackwright.model.software import Bill
from rackwright.twin.mirror import definition

if TYPE_CHECKING:
    from rackwright.twin.hardware.state import TwinMachine


def installed(bill: Bill) -> tuple[str, str]:
    """The release that onboarding leaves, and the version of its package: the bill's, else the newest on offer."""
    offered = definition.kernel_releases(bill.system, fresh=False)
    newest = list(definition.kernel_releases(bill.system))[-1]
    return bill.kernel or newest, offered.get(bill.kernel, offered[newest])["version"]


def running(machine: TwinMachine, bill: Bill) -> str:
    """The release that runs: that of a fault, else the oldest where the boot loader starts it, else the installed one."""
    if machine.system.kernel:
        return machine.system.kernel
    return installed(bill)[0] if machine.kernel == "newest" else next(iter(definition.kernel_releases(bill.system)))
