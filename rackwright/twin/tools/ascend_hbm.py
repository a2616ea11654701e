"""What ``rackwright-burn ascend-hbm`` prints on a node."""

from __future__ import annotations

from rackwright.twin.hardware.performance import ascend_text, vendors
from rackwright.twin.tools._vendor_load import vendor_load

ANSWERED = True
observe, render = vendor_load(vendors.ascend_memory, ascend_text.memory)
