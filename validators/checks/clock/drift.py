"""The frequency error of the clock can be corrected."""

from rackwright import compare
from rackwright.compare.threshold import Quantity, threshold
from rackwright.model.evidence.host import Clock


def frequency(clock: Clock) -> Quantity | None:
    """The frequency error; None if chrony does not report it."""
    return None if clock.frequency_ppm is None else Quantity(clock.frequency_ppm, f"{clock.frequency_ppm:g} ppm")


CHECK = threshold(
    reads=Clock,
    metric="clock.drift_ppm",
    values=lambda clock: {"frequency": frequency(clock)},
    good=lambda ppm, most: abs(ppm) <= most,
    what="clock",
    expected="at most {bound:g} ppm either way",
    applies=compare.is_onboarded,
)
