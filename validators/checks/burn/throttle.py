"""No accelerator was slowed down by heat or by a power brake while it worked."""

from rackwright import compare
from rackwright.compare import loads
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.load import Burn, BurnedDevice
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, seen: Burn) -> Finding:
    """Look for clock-event reasons that name a fault in every sample, most of which must tell; the software power cap is what a burn is for."""
    row = compare.limit(expectation, "gpu.refused_throttle_reasons")
    if row is None:
        return compare.no_limit(expectation, "gpu.refused_throttle_reasons")
    refused = compare.words(row)

    def found(device: BurnedDevice) -> str | None:
        looks = device.samples.throttle_reasons
        told = [reasons for reasons in looks if reasons is not None]
        bad = sorted({reason for reasons in told for reason in reasons if reason in refused})
        return ", ".join(bad) or ("none" if compare.mostly(looks) else None)

    return compare.every(
        expectation,
        compare.by_device(seen, found),
        lambda reasons: reasons == "none",
        what="slowdown reasons under load",
        expected=f"none of {', '.join(refused)}",
        source=compare.limit_source(row),
    )


CHECK = Check(
    reads=Burn,
    judge=judge,
    applies=lambda expectation: loads.vendor_is(expectation, "nvidia"),
)
