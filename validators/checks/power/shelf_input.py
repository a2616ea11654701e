"""Every inlet of the power shelf has the voltage of its circuit."""

from collections.abc import Mapping

from rackwright.compare import bmc, plant
from rackwright.model.check import PlantCheck, PlantExpectation
from rackwright.model.equipment import ShelfUnit
from rackwright.model.evidence.plant import ShelfPower
from rackwright.model.verdict import Finding


def volts(_: ShelfUnit, record: ShelfPower) -> Mapping[str, float | None]:
    """Volts of its inlets, or of its rectifiers if the shelf does not list inlets."""
    if record.mains is not None:
        return plant.by_line(record.mains, "volts")
    return plant.by_name(record.rectifiers or (), lambda unit: 0.0 if unit.input == "LossOfInput" else unit.input_volts)


def judge(expectation: PlantExpectation, record: ShelfPower) -> Finding:
    """Compare them with the circuit; advisory if the shelf reports neither its inlets nor the input of its rectifiers."""
    silent = record.mains is None and record.rectifiers and not record.unread
    if silent and not any(unit.input or unit.input_volts is not None for unit in record.rectifiers or ()):
        return bmc.not_reported(expectation, what="voltage of inlets", expected="that of its circuit")
    return VOLTS.judge(expectation, record)


VOLTS = plant.threshold(
    reads=ShelfPower,
    unit=ShelfUnit,
    metric="power.voltage_off",
    readings=volts,
    good=lambda shelf, volts, off: any(
        abs(volts / nominal - 1) <= off for nominal in plant.nominal_volts(shelf.circuit)
    ),
    what="volts of inlets:",
    expected=lambda shelf, off: "within {:.0%} of {} between lines or {:.0f} to neutral".format(
        off, *plant.nominal_volts(shelf.circuit)
    ),
    source="site facility.power.circuit, volts",
    unread=lambda record: record.unread,
)

CHECK = PlantCheck(reads=ShelfPower, judge=judge, unit=ShelfUnit)
