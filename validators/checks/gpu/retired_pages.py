"""No accelerator has retired more pages of memory than the limit, and none waits for a restart to retire one."""

from rackwright import compare
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.accelerator import Accelerators, Device
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, seen: Accelerators) -> Finding:
    """A page that waits comes first: until the restart it is still in use."""
    row = compare.limit(expectation, "gpu.retired_pages")
    if row is None:
        return compare.no_limit(expectation, "gpu.retired_pages")
    most = compare.number(row)

    def state(device: Device) -> str | int | None:
        """What is wrong, or the count; None when the tool does not tell."""
        return "a page waits to be retired" if device.retired_pages_pending else device.retired_pages

    return compare.every(
        expectation,
        compare.by_device(seen, state),
        lambda found: isinstance(found, int) and found <= most,
        what="retired pages",
        expected=f"at most {most:g}, none pending",
        source=compare.limit_source(row),
    )


def applies(expectation: Expectation) -> bool:
    """Parts of NVIDIA from Ampere on remap rows instead; those of AMD retire pages."""
    return compare.has_accelerators(expectation) and compare.accelerator(expectation).vendor == "amd"


CHECK = Check(reads=Accelerators, judge=judge, applies=applies)
