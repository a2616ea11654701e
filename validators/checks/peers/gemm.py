"""No accelerator multiplies matrices slower than those of like nodes, in any precision."""

from collections.abc import Mapping

from rackwright import compare
from rackwright.compare import loads
from rackwright.compare.loads import name
from rackwright.model.check import FleetCheck
from rackwright.model.evidence.load import Burn
from rackwright.model.verdict import Finding

CLAIM = compare.Claim("matrix products", "matrix products", "TFLOPS", high=False, by="share")


def judge(peers: compare.Fleet) -> Mapping[str, Finding]:
    """Compare the median interval of every precision and size over all accelerators of all nodes."""
    return compare.beside(peers, CLAIM)


def _readings(seen: Burn) -> compare.Readings:
    products = [(device, gemm) for device in seen.devices for gemm in device.gemms]
    return compare.readings(
        [f"{name(device)} {gemm.precision}" for device, gemm in products],
        [f"{gemm.precision} {gemm.size}" for _, gemm in products],
        [compare.middle(gemm.tflops) for _, gemm in products],
    )


CHECK = FleetCheck(
    title="Products as fast as its peers'", reads=Burn, takes=_readings, judge=judge, applies=loads.runs_burns
)
