"""Every accelerator drew its design power during the burn: without it neither power nor cooling was tested."""

from rackwright import compare
from rackwright.compare import loads
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.load import Burn, BurnedDevice
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, seen: Burn) -> Finding:
    """Divide the median draw of the second half by the design power of the SKU; samples without a reading do not count, and must be few."""
    part = compare.accelerator(expectation)

    def share(device: BurnedDevice) -> float | None:
        looks = device.samples.power_watts
        told = [watts for watts in looks if watts is not None]
        drawn = compare.late(told) if compare.mostly(looks) else None
        return drawn / part.tdp_watts if drawn is not None and part.tdp_watts else None

    return compare.at_least(
        expectation,
        compare.by_device(seen, share),
        "burn.power_share",
        what=f"power drawn of {part.tdp_watts} W",
    )


CHECK = Check(
    reads=Burn,
    judge=judge,
    applies=loads.runs_burns,
)
