"""The lines of the PDU share its load as designed."""

from rackwright.compare import plant
from rackwright.model.equipment import RackPdu
from rackwright.model.evidence.plant import RackPower

LINES = ("L1", "L2", "L3")
PLACES = len(LINES)
"""Digits of a share that are printed."""


def off_plan(pdu: RackPdu, record: RackPower) -> dict[str, float | None]:
    """Difference between the share of every line in the current of the inlets and its designed share of the load."""
    planned = dict(zip(LINES, (watts / pdu.load_watts for watts in pdu.line_watts), strict=True))
    measured = shares(record)
    return {
        line: None if measured is None else round(abs(measured[line] - share), PLACES)
        for line, share in planned.items()
    }


def shares(record: RackPower) -> dict[str, float] | None:
    """Share of every line in the total current; None if a line has no reading, or without a current."""
    amps = [
        {line: circuit.lines[line].amps for line in LINES if line in circuit.lines} for circuit in record.mains or ()
    ]
    sums = {line: [line_amps.get(line) for line_amps in amps] for line in LINES}
    if not amps or any(value is None for values in sums.values() for value in values):
        return None
    total = {line: sum(value or 0 for value in values) for line, values in sums.items()}
    sum_of_lines = sum(total.values())
    return {line: value / sum_of_lines for line, value in total.items()} if sum_of_lines else None


CHECK = plant.threshold(
    reads=RackPower,
    unit=RackPdu,
    metric="power.line_share_off",
    readings=off_plan,
    good=lambda _, off, most: off <= most,
    what="share of a line off its plan:",
    expected=lambda _, most: f"at most {most:g}",
    source="design {unit.name}, l1_watts to l3_watts",
    # only with a designed load on three lines, where the current of a line shows the load on it alone
    applies=lambda pdu: pdu.circuit.phases > 1 and pdu.load_watts > 0 and pdu.to_neutral,
    under_load=True,
)
