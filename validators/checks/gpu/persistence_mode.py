"""Persistence mode is on, so that the driver stays initialised between jobs."""

from rackwright import compare
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.accelerator import Accelerators, Device
from rackwright.model.verdict import Finding


def mode(device: Device) -> str | None:
    """The mode as nvidia-smi writes it."""
    if device.persistence_mode is None:
        return None
    return "Enabled" if device.persistence_mode else "Disabled"


def judge(expectation: Expectation, seen: Accelerators) -> Finding:
    """Compare the mode of every accelerator with the limit row."""
    row = compare.limit(expectation, "gpu.persistence_mode")
    if row is None:
        return compare.no_limit(expectation, "gpu.persistence_mode")
    return compare.every(
        expectation,
        compare.by_device(seen, mode),
        lambda found: found == row.value,
        what="persistence mode",
        expected=str(row.value),
        source=compare.limit_source(row),
    )


def applies(expectation: Expectation) -> bool:
    """Only NVIDIA's driver has the mode."""
    return compare.has_accelerators(expectation) and compare.accelerator(expectation).vendor == "nvidia"


CHECK = Check(reads=Accelerators, judge=judge, applies=applies)
