"""No accelerator slows down during a burn, neither in steps nor gradually."""

from rackwright import compare
from rackwright.compare import loads
from rackwright.compare.series import Series
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.load import Burn
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, record: Burn) -> Finding:
    """Compare the end of every series of products with its beginning."""
    series: list[Series] = [gemm.tflops for device in record.devices for gemm in device.gemms]
    by_name = compare.NamedReadings(series, lambda: names(record))
    return compare.judge_steady(expectation, by_name, what="slowest part of the burn beside its beginning")


def names(record: Burn) -> list[str]:
    """Names of the series, in their order."""
    return [f"{compare.name(device)} {gemm.precision}" for device in record.devices for gemm in device.gemms]


CHECK = Check(reads=Burn, judge=judge, applies=loads.runs_burns)
