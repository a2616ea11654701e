"""No accelerator was slowed down by heat or by a power brake while it worked."""

from rackwright import compare
from rackwright.compare.applicability import has_capability
from rackwright.compare.threshold import threshold
from rackwright.model.evidence.load import Burn, BurnedDevice


def reasons(device: BurnedDevice, refused: list[str]) -> str | None:
    """The refused reasons in any sample, or ``none``; None if at most half of the samples have a reading."""
    samples = device.samples.throttle_reasons
    bad = sorted({reason for sample in samples if sample is not None for reason in sample if reason in refused})
    return ", ".join(bad) or ("none" if compare.mostly_read(samples) else None)


CHECK = threshold(
    reads=Burn,
    metric="gpu.refused_throttle_reasons",
    readings=lambda _, burn, refused: compare.by_device(burn, lambda device: reasons(device, refused)),
    good=lambda text, _: text == "none",
    what="slowdown reasons under load",
    expected="none of {words}",
    applies=has_capability("burn_details"),
)
