"""Every accelerator drew its design power during the burn: without it neither power nor cooling was tested."""

from collections.abc import Mapping

from rackwright import compare
from rackwright.compare import loads
from rackwright.compare.threshold import at_least, measured
from rackwright.model.check import Expectation
from rackwright.model.evidence.load import Burn, BurnedDevice


def shares(expectation: Expectation, burn: Burn) -> Mapping[str, float | None]:
    """Median draw of the second half of the burn as a share of the design power; None if at most half of the samples
    have a reading.
    """
    design_power = compare.accelerator(expectation).tdp_watts

    def share(device: BurnedDevice) -> float | None:
        samples = device.samples.power_watts
        watts_drawn = (
            compare.late_median([watts for watts in samples if watts is not None])
            if compare.mostly_read(samples)
            else None
        )
        return watts_drawn / design_power if watts_drawn is not None and design_power else None

    return compare.by_device(burn, share)


CHECK = measured(
    reads=Burn,
    metric="burn.power_share",
    readings=shares,
    good=at_least,
    what=lambda expectation, _: f"power drawn of {compare.accelerator(expectation).tdp_watts} W",
    applies=loads.runs_burns,
)
