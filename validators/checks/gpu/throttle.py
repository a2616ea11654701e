"""No accelerator is slowed down by heat, a power brake or other hardware."""

from rackwright import compare
from rackwright.compare.applicability import has_capability
from rackwright.compare.threshold import threshold
from rackwright.model.evidence.accelerator import Accelerators


def reasons(active: list[str], refused: list[str]) -> str | None:
    """The active reasons in words; None if one is unknown and none is refused."""
    unknown = any(reason.startswith("unknown") for reason in active) and not set(active) & set(refused)
    return None if unknown else ", ".join(active) or "none"


CHECK = threshold(
    reads=Accelerators,
    metric="gpu.refused_throttle_reasons",
    readings=lambda _, accelerators, refused: compare.by_device(
        accelerators, lambda device: reasons(device.throttle_reasons, refused)
    ),
    good=lambda active, refused: not any(reason in refused for reason in active.split(", ")),
    what="active clock-event reasons",
    expected="none of {words}",
    applies=has_capability("throttle_reasons"),
)
