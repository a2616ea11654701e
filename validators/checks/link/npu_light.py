"""The optical module of every NPU is plugged in, and its lanes receive and send enough optical power."""

from rackwright import compare
from rackwright.compare.applicability import has_own_port
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.link import Range
from rackwright.model.evidence.npu_port import NpuPort, NpuPorts
from rackwright.model.verdict import Finding

GOOD = "within thresholds"


def judge(expectation: Expectation, record: NpuPorts) -> Finding:
    """Compare the power of each lane with the module's own thresholds, and read its flags of lost light."""
    numbers = [str(number) for number in range(expectation.node.accelerators)]
    return compare.every(
        expectation,
        {f"NPU {number}": _light(record.ports.get(number)) for number in numbers},
        lambda state: state == GOOD,
        what="optical power of",
        expected="within the module's own thresholds",
        source="the module's memory (SFF-8636, page 03h)",
    )


def _light(port: NpuPort | None) -> str | None:
    """Defects in words, or `GOOD`; None if nothing is reported."""
    if port is None or port.module is None:
        return None
    if not port.module:
        return "no module"
    wrong = [*port.lost, *_outside("receives", port.receive), *_outside("sends", port.transmit)]
    if wrong:
        return ", ".join(wrong)
    return None if port.receive is None or port.receive.least is None else GOOD


def _outside(verb: str, power: Range | None) -> list[str]:
    if power is None or power.least is None or power.most is None:
        return []
    return [
        f"lane {lane} {verb} {value:g} mW ({power.least:g} to {power.most:g})"
        for lane, value in enumerate(power.values)
        if not power.least <= value <= power.most
    ]


CHECK = Check(reads=NpuPorts, judge=judge, applies=has_own_port)
