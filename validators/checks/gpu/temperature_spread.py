"""No idle accelerator is much hotter than the others of its node."""

from rackwright import compare
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.accelerator import Accelerators
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, seen: Accelerators) -> Finding:
    """Compare the distance of every accelerator to the middle one of the node with the limit."""
    row = compare.limit(expectation, "gpu.idle_spread_kelvin")
    if row is None:
        return compare.no_limit(expectation, "gpu.idle_spread_kelvin")
    most = compare.number(row)
    known = sorted(device.temperature_celsius for device in seen.devices if device.temperature_celsius is not None)
    middle = [celsius for index, celsius in enumerate(known) if index + index + 1 >= len(known)][:1]
    above = {
        part: None if celsius is None else celsius - middle[0]
        for part, celsius in compare.by_device(seen, lambda device: device.temperature_celsius).items()
    }
    return compare.every(
        expectation,
        above,
        lambda found: found <= most,
        what="degrees above the middle accelerator of the node",
        expected=f"at most {most:g} at idle",
        source=compare.limit_source(row),
    )


def applies(expectation: Expectation) -> bool:
    """The public forms of the tools of Biren and Cambricon that are read show no temperature."""
    silent = ("biren", "cambricon")
    return compare.has_accelerators(expectation) and compare.accelerator(expectation).vendor not in silent


CHECK = Check(
    reads=Accelerators,
    judge=judge,
    applies=applies,
)
