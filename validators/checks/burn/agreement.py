"""All accelerators of a node compute the same product of the same matrices."""

from rackwright import compare
from rackwright.compare import loads
from rackwright.compare.applicability import has_capability
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.load import Burn
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, record: Burn) -> Finding:
    """Compare the digest of the first result of every accelerator with that of most accelerators of the node."""
    precisions = sorted({gemm.precision for device in record.devices for gemm in device.gemms})
    digests = {
        f"{compare.name(device)} {precision}": next(
            (gemm.digest for gemm in device.gemms if gemm.precision == precision and gemm.digest), None
        )
        for device in record.devices
        for precision in precisions
    }
    common = {precision: loads.commonest(digests, precision) for precision in precisions}
    agree = {
        part: digest if digest is None else ("agrees" if digest == common[part.rsplit(" ", 1)[1]] else "differs")
        for part, digest in digests.items()
    }
    return compare.every(
        expectation,
        agree,
        lambda state: state == "agrees",
        what="first product of equal matrices",
        expected="the same on every accelerator",
        source="equal parts, equal inputs, equal kernels",
    )


def applies(expectation: Expectation) -> bool:
    """Nodes with several accelerators whose tool reports products in detail."""
    return has_capability("burn_details")(expectation) and expectation.node.accelerators > 1


CHECK = Check(reads=Burn, judge=judge, applies=applies)
