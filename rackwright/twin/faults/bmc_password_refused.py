"""The BMC refuses the password.

Where the node's cables end cannot be told either: the port GUIDs of its adapters come from the inventory of its BMC.
"""

from __future__ import annotations

from dataclasses import replace

from rackwright.twin.faults import Fault, on_machines

FAULT = Fault(
    name="bmc-password-refused",
    summary="The BMC refuses the password",
    apply=on_machines(lambda machine: replace(machine, bmc_password_refused=True)),
    checks=frozenset({"bmc.*", "fabric.*"}),
    unread=True,
    masks=frozenset({"bmc.*", "ethernet.out_of_band", "fabric.*"}),
)
