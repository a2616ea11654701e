"""What rack PDUs and power shelves of the twin are made for, as their controllers report it: voltage and wiring of a circuit.

Names are those of the Redfish schema (https://redfish.dmtf.org/schemas/v1/Circuit.v1_8_0.json, NominalVoltageType and PhaseWiringType; ``AC400V``: 400 or 415 V; an
inlet has ``AC200To240V`` and ``ThreePhase5Wire`` in opencomputeproject/HWMgmt-OCP-Profiles, usage guide of rack PDUs, read 2026-11-27).
"""

from __future__ import annotations

from rackwright.model.facility import Circuit

NOMINAL = ((110.0, "AC100To127V"), (220.0, "AC200To240V"), (277.0, "AC277V"), (407.5, "AC400V"), (480.0, "AC480V"))
"""Middle of the voltages of each name."""


def nominal_name(volts: float) -> str:
    """The name that comes nearest to `volts`."""
    return min(NOMINAL, key=lambda entry: abs(entry[0] - volts))[1]


def wiring_name(circuit: Circuit, *, to_neutral: bool) -> str:
    """Of a circuit with a neutral conductor or without."""
    if circuit.phases == 1:
        return "OnePhase3Wire" if to_neutral else "TwoPhase3Wire"
    return "ThreePhase5Wire" if to_neutral else "ThreePhase4Wire"
