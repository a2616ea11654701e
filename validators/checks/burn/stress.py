"""gpu-burn, where it is installed, finds no wrong result on any accelerator."""

from rackwright import compare
from rackwright.compare import loads
from rackwright.compare.applicability import has_capability
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.load import Stress, StressedDevice
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, record: Stress) -> Finding:
    """Compare errors with the limit; an accelerator that the tool reports as faulty counts at least one."""

    def errors(device: StressedDevice) -> int | None:
        return max(device.errors or 0, 1) if device.faulty else device.errors

    short = loads.untested_finding(expectation, len(record.devices), record.tool)
    finding = compare.at_most(
        expectation,
        {f"GPU {device.index} ({device.uuid})": errors(device) for device in record.devices},
        "burn.stress_errors",
        what=f"{record.tool} errors",
    )
    return loads.combine_findings([finding, *([short] if short else [])])


CHECK = Check(
    reads=Stress,
    judge=judge,
    applies=has_capability("diagnosis"),
)
