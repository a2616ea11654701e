"""What ``rackwright-burn amd-hbm`` prints on a node."""

from __future__ import annotations

from rackwright.twin.hardware.performance import amd_text, vendors
from rackwright.twin.tools._vendor_load import vendor_load

ANSWERED = True
observe, render = vendor_load(vendors.amd_memory, amd_text.memory)
