"""The driver requests no reset, restart or drain of any accelerator."""

from rackwright import compare
from rackwright.compare.applicability import has_capability
from rackwright.compare.threshold import one_of, threshold
from rackwright.model.check import Expectation
from rackwright.model.evidence.accelerator import Accelerators


def applies(expectation: Expectation) -> bool:
    """NVIDIA's driver shows the action from R565 on."""
    row = compare.limit(expectation, "gpu.recovery_action_driver")
    since = compare.version_numbers(str(row.value)) if row is not None else ()
    return (
        has_capability("recovery_action")(expectation) and compare.version_numbers(expectation.software.driver) >= since
    )


CHECK = threshold(
    reads=Accelerators,
    metric="gpu.recovery_action",
    value=lambda device: device.recovery_action,
    good=one_of,
    what="recovery asked for by the driver:",
    applies=applies,
)
