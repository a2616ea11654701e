"""Accelerators are partitioned into instances where the site declares it, and nowhere else."""

from rackwright import compare
from rackwright.compare.applicability import has_capability
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.accelerator import Accelerators
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, record: Accelerators) -> Finding:
    """Compare the mode of every accelerator with the profile that the software bill of the node names."""
    profile = str(expectation.software.options.get("mig_profile") or "")
    required = bool(profile) and not profile.endswith("disabled")
    return compare.every(
        expectation,
        compare.by_device(record, lambda device: device.mig_enabled),
        lambda enabled: enabled == required,
        what="Multi-Instance GPU enabled:",
        expected=str(required),
        source="site software.options.mig_profile",
    )


CHECK = Check(reads=Accelerators, judge=judge, applies=has_capability("device_modes"))
