"""No idle accelerator's memory is hotter than the limit."""

from rackwright import compare
from rackwright.compare.applicability import has_capability
from rackwright.compare.threshold import at_most, threshold
from rackwright.model.evidence.accelerator import Accelerators

CHECK = threshold(
    reads=Accelerators,
    metric="gpu.idle_memory_celsius",
    value=lambda device: compare.positive(device.temperature_memory_celsius),
    good=at_most,
    what="memory temperature in degrees Celsius",
    expected="at most {bound:g} at idle",
    applies=has_capability("memory_temperature"),
)
