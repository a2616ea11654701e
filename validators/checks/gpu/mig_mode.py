"""Accelerators are cut into instances where the site asks for it, and nowhere else."""

from rackwright import compare
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.accelerator import Accelerators
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, seen: Accelerators) -> Finding:
    """Compare the mode of every accelerator with the profile that the software bill of the node names."""
    profile = str(expectation.software.options.get("mig_profile") or "")
    wanted = bool(profile) and not profile.endswith("disabled")
    return compare.every(
        expectation,
        compare.by_device(seen, lambda device: device.mig_enabled),
        lambda enabled: enabled == wanted,
        what="Multi-Instance GPU enabled:",
        expected=str(wanted),
        source="site software.options.mig_profile",
    )


def applies(expectation: Expectation) -> bool:
    """Only NVIDIA's library tells."""
    return compare.has_accelerators(expectation) and compare.accelerator(expectation).vendor == "nvidia"


CHECK = Check(reads=Accelerators, judge=judge, applies=applies)
