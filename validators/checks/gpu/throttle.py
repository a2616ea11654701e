"""No accelerator is held back by heat, by a power brake or by another hardware slowdown."""

from rackwright import compare
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.accelerator import Accelerators
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, seen: Accelerators) -> Finding:
    """Compare the active clock-event reasons with those that name a fault; one that nobody knows is no reading."""
    row = compare.limit(expectation, "gpu.refused_throttle_reasons")
    if row is None:
        return compare.no_limit(expectation, "gpu.refused_throttle_reasons")
    refused = compare.words(row)
    return compare.every(
        expectation,
        compare.by_device(seen, lambda device: known(device.throttle_reasons, refused)),
        lambda reasons: not any(reason in refused for reason in reasons.split(", ")),
        what="active clock-event reasons",
        expected=f"none of {', '.join(refused)}",
        source=compare.limit_source(row),
    )


def known(reasons: list[str], refused: list[str]) -> str | None:
    """The reasons in words; None where one of them is unknown, and none is a fault."""
    unknown = any(one.startswith("unknown") for one in reasons) and not set(reasons) & set(refused)
    return None if unknown else ", ".join(reasons) or "none"


def applies(expectation: Expectation) -> bool:
    """Of the tools, those of NVIDIA and AMD tell why an accelerator is slow."""
    vendors = ("nvidia", "amd")
    return compare.has_accelerators(expectation) and compare.accelerator(expectation).vendor in vendors


CHECK = Check(reads=Accelerators, judge=judge, applies=applies)
