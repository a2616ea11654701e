"""Accelerators, adapters and the bridges above them use the full payload size."""

from rackwright.compare import bus
from rackwright.compare.threshold import at_least

CHECK = bus.function_threshold(
    metric="pcie.max_payload_bytes",
    value=lambda function: function.max_payload_bytes,
    good=at_least,  # the smallest payload on a path holds for all of it
    what="PCIe payload in bytes",
    expected="at least {bound}",
)
