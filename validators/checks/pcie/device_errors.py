"""No accelerator, adapter or bridge above them has had a fatal PCIe error since its status was cleared."""

from rackwright.compare import bus

CHECK = bus.function_threshold(
    metric="pcie.refused_status",
    value=lambda function: None if function.errors is None else tuple(function.errors),
    good=lambda states, refused: not any(state in refused for state in states),
    what="PCIe device status:",
    expected="none of {words}",
)
