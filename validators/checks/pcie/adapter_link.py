"""The host link of every network adapter has the generation and the width of its kind."""

from rackwright import compare
from rackwright.compare import bus
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.pci import Pci, PciDevice
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, record: Pci) -> Finding:
    """Compare generation and width of every adapter with the capability of its kind; the link of an adapter does not slow down at idle."""
    readings: dict[str, tuple[float, float] | None] = {}
    required: dict[str, tuple[float, float]] = {}
    sources = []
    for name in bus.adapter_ports(expectation):
        ids = compare.limit(expectation, "pcie.adapter_ids", adapter=name)
        generation = compare.limit(expectation, "pcie.adapter_generation", adapter=name)
        width = compare.limit(expectation, "pcie.adapter_width", adapter=name)
        if ids is None or generation is None or width is None:
            return compare.no_limit(expectation, f"pcie.adapter_generation or pcie.adapter_width, adapter {name}")
        sources.append(compare.limit_source(generation))
        for function in record.adapters(compare.words(ids)):
            readings[f"{name} {function.address}"] = link(function)
            required[f"{name} {function.address}"] = (compare.number(generation), compare.number(width))
    shortfalls = {part: None if actual is None else (actual, required[part]) for part, actual in readings.items()}
    return compare.every(
        expectation,
        shortfalls,
        lambda pair: all(is_now >= should for is_now, should in zip(*pair, strict=True)),
        what="host links of adapters (generation, width), is and should be:",
        expected="no less than their kind can do",
        source="; ".join(dict.fromkeys(sources)),
    )


def link(function: PciDevice) -> tuple[float, float] | None:
    """Generation and width, or None when one of them is missing."""
    return None if function.generation is None or function.width is None else (function.generation, function.width)


CHECK = Check(reads=Pci, judge=judge, applies=bus.adapters_on_bus)
