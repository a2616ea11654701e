"""No accelerator slows down during the burn."""

from rackwright import compare
from rackwright.compare import loads
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.load import Burn, BurnedDevice
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, record: Burn) -> Finding:
    """Divide the rate at the end by the rate after the burn has settled; the worst precision of each part counts."""
    row = compare.limit(expectation, "burn.settle_share")
    if row is None:
        return compare.no_limit(expectation, "burn.settle_share")
    settle = compare.number(row)

    def worst(device: BurnedDevice) -> float | None:
        shares = [loads.kept_share(gemm.tflops, settle) for gemm in device.gemms]
        rates = [share for share in shares if share is not None]
        return min(rates) if rates and len(rates) == len(shares) else None

    readings = compare.by_device(record, worst)
    return compare.at_least(expectation, readings, "burn.steady_share", what="share of the rate kept until the end")


CHECK = Check(
    reads=Burn,
    judge=judge,
    applies=loads.runs_burns,
)
