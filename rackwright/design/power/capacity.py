"""What a circuit can carry, and how the loads of its phases add up on its lines."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rackwright.model.facility import Circuit

Floats = NDArray[np.float64]
PHASES = 3
"""A feed has three phases; a single-phase circuit hangs on one of them."""
TO_NEUTRAL = ("L1", "L2", "L3")
BETWEEN = ("L1-L2", "L2-L3", "L3-L1")


@dataclass(frozen=True)
class Lines:
    """How loads connect to a circuit: on how many phases, and whether between two lines or from line to neutral."""

    phases: int
    between: bool

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the three places where a single-phase load can connect."""
        return BETWEEN if self.between else TO_NEUTRAL


def kilovolt_amperes(circuit: Circuit) -> tuple[float, float]:
    """Apparent power, raw and derated: ``sqrt(phases) * V * A / 1000``, and that times the derating.

    A derating of 0.8 is that of NEC 210.20(A) for continuous load; other codes differ, so it is an input.
    """
    raw = math.sqrt(circuit.phases) * circuit.volts * circuit.amps / 1000
    return raw, raw * circuit.derating


def usable_watts(circuit: Circuit) -> float:
    """Continuous watts of one circuit: derated apparent power times the power factor."""
    return circuit.usable_watts


def circuit_lines(circuit: Circuit, outlet_volts: float) -> Lines:
    """Where single-phase loads connect on three phases: between two lines if outlets of `outlet_volts` allow it, else to neutral.

    On a single-phase circuit the phase of the feed decides.
    """
    return Lines(circuit.phases, between=circuit.phases == PHASES and circuit.volts <= outlet_volts)


def load_volts(circuit: Circuit, outlet_volts: float) -> float:
    """Volts at an outlet: line to neutral is ``V / sqrt(3)`` on three phases."""
    if circuit.phases == 1 or circuit_lines(circuit, outlet_volts).between:
        return float(circuit.volts)
    return circuit.volts / math.sqrt(PHASES)


def line_watts(phases: Floats, lines: Lines) -> Floats:
    """Load of the three lines, as watts line to neutral, from the loads of the phases (shape ``n x 3``).

    Line to neutral a line carries its own load. Between lines it carries the vector sum of the two loads that share it,
    60 degrees apart: ``sqrt(a^2 + b^2 + a*b) / sqrt(3)``; equal loads give a third of the total again.
    """
    if not lines.between:
        return phases
    neighbour = np.roll(phases, 1, axis=1)
    both: Floats = np.sqrt(phases**2 + neighbour**2 + phases * neighbour) / math.sqrt(PHASES)
    return both


def fill_watts(phases: Floats, lines: Lines) -> Floats:
    """What a circuit must carry for these loads: their sum, or three times its fullest line where that is more."""
    total: Floats = phases.sum(axis=1)
    if lines.phases == 1:
        return total
    fullest: Floats = PHASES * line_watts(phases, lines).max(axis=1, initial=0.0)
    return np.maximum(total, fullest)
