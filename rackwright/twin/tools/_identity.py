"""What the firmware of a node of the twin calls the machine: the files of /sys/class/dmi/id, as `grep` prints them.

The twin's names are those of the SKU's maker and model, as SMBIOS type 1 of these machines has them (``DGXH100``).
"""

from __future__ import annotations

import shlex
from typing import Any

from rackwright.collect import survey
from rackwright.model.server import ANY_MAKER
from rackwright.twin.hardware.state import TwinMachine


def answers(machine: TwinMachine) -> dict[str, dict[str, Any]]:
    """The command line of the question and its output; empty for a generic SKU, whose firmware has no name of its own."""
    names = (
        {"sys_vendor": machine.manufacturer, "product_name": machine.model} if machine.manufacturer != ANY_MAKER else {}
    )
    text = "".join(f"{survey.DMI}/{name}:{value}\n" for name, value in names.items())
    return {shlex.join(survey.IDENTITY.command): {"stdout": text, "stderr": "", "rc": 0 if text else 2}}
