"""The lines of the PDU share its load as designed."""

from rackwright.compare import limits, plant
from rackwright.model.check import PlantCheck, PlantExpectation
from rackwright.model.equipment import RackPdu
from rackwright.model.evidence.plant import RackPower
from rackwright.model.verdict import Finding

LINES = ("L1", "L2", "L3")
PLACES = len(LINES)
"""Digits of a share that are shown."""


def judge(expectation: PlantExpectation, record: RackPower) -> Finding:
    """Compare the share of every line in the current of the inlets with its designed share of the load."""
    unit = plant.pdu(expectation)
    row = plant.limit(expectation, "power.line_share_off")
    if row is None:
        return plant.no_limit(expectation, "power.line_share_off")
    planned = dict(zip(LINES, (watts / unit.load_watts for watts in unit.line_watts), strict=True))
    measured = shares(record)
    off = {
        line: None if measured is None else round(abs(measured[line] - share), PLACES)
        for line, share in planned.items()
    }
    return plant.every(
        expectation,
        off,
        lambda value: value <= limits.number(row),
        what="share of a line off its plan:",
        expected=f"at most {row.value:g}",
        source=f"{plant.source(expectation, 'l1_watts to l3_watts')}; {limits.limit_source(row)}",
    )


def shares(record: RackPower) -> dict[str, float] | None:
    """Share of every line in the total current; None without a reading of every line, or without a current."""
    amps = [
        {line: circuit.lines[line].amps for line in LINES if line in circuit.lines} for circuit in record.mains or ()
    ]
    sums = {line: [line_amps.get(line) for line_amps in amps] for line in LINES}
    if not amps or any(value is None for values in sums.values() for value in values):
        return None
    total = {line: sum(value or 0 for value in values) for line, values in sums.items()}
    sum_of_lines = sum(total.values())
    return {line: value / sum_of_lines for line, value in total.items()} if sum_of_lines else None


def three_lines(expectation: PlantExpectation) -> bool:
    """Only with a designed load on three lines, where the current of a line shows the load on it alone."""
    unit = plant.pdu(expectation)
    return unit.circuit.phases > 1 and unit.load_watts > 0 and unit.to_neutral


CHECK = PlantCheck(reads=RackPower, judge=judge, unit=RackPdu, applies=three_lines)
