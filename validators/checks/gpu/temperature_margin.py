"""Every idle accelerator has the required margin to its slowdown temperature."""

from rackwright.compare.applicability import has_capability
from rackwright.compare.threshold import at_least, threshold
from rackwright.model.evidence.accelerator import Accelerators

CHECK = threshold(
    reads=Accelerators,
    metric="gpu.idle_margin_kelvin",
    value=lambda device: device.temperature_margin_celsius,
    good=at_least,
    what="degrees left before it slows down",
    expected="at least {bound:g} at idle",
    applies=has_capability("temperature_margin"),
)
