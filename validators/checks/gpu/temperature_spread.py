"""No idle accelerator is much hotter than the others of its node."""

from rackwright import compare
from rackwright.compare.applicability import has_capability
from rackwright.compare.threshold import at_most, threshold
from rackwright.model.evidence.accelerator import Accelerators


def above_median(accelerators: Accelerators) -> dict[str, float | None]:
    """Degrees of every accelerator above the (upper) median of the node."""
    celsius = compare.by_device(accelerators, lambda device: device.temperature_celsius)
    ordered = sorted(value for value in celsius.values() if value is not None)
    median = next((value for index, value in enumerate(ordered) if index + index + 1 >= len(ordered)), 0)
    return {name: None if value is None else value - median for name, value in celsius.items()}


CHECK = threshold(
    reads=Accelerators,
    metric="gpu.idle_spread_kelvin",
    values=above_median,
    good=at_most,
    what="degrees above the middle accelerator of the node",
    expected="at most {bound:g} at idle",
    applies=has_capability("temperature"),
)
