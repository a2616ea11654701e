"""Records of rack PDUs, power shelves and CDUs."""

import string

from hypothesis import strategies as st

from rackwright.model.evidence.bmc import Detector
from rackwright.model.evidence.plant import (
    Connector,
    CoolantReading,
    Outlet,
    PlantUnit,
    PowerCircuit,
    PowerLine,
    Pump,
    RackPower,
    Rectifier,
    Reservoir,
    ShelfPower,
)

WORD = st.text(string.ascii_letters + string.digits + "-", min_size=1, max_size=12)
READING = st.none() | st.integers(0, 10**6).map(lambda number: number / 10)
SOME = st.integers(0, 10**6).map(lambda number: number / 10)
NOMINAL = st.sampled_from(["", "AC200To240V", "AC400V"])
HEALTH = st.sampled_from(["OK", "Warning", "Critical"])
LINE = st.builds(PowerLine, amps=SOME, volts=READING, watts=READING)

unit = st.builds(PlantUnit, manufacturer=WORD, model=WORD, serial=WORD, firmware=WORD, health=HEALTH)
circuit = st.builds(
    PowerCircuit,
    name=WORD,
    breaker=st.sampled_from(["", "Normal", "Tripped", "Off"]),
    health=HEALTH,
    lines=st.dictionaries(st.sampled_from(["L1", "L2", "L3"]), LINE, min_size=1),
    rated_amps=READING,
    nominal=NOMINAL,
    wiring=st.sampled_from(["", "OnePhase3Wire", "ThreePhase5Wire"]),
)
outlet = st.builds(Outlet, name=WORD, state=st.sampled_from(["", "On", "Off"]), watts=READING, nominal=NOMINAL)


def some(strategy):
    return st.none() | st.lists(strategy, max_size=3)


@st.composite
def rack_power(draw):
    outlets = draw(some(outlet))
    return RackPower(
        unit=draw(unit),
        watts=draw(READING),
        mains=draw(some(circuit)),
        branches=draw(some(circuit)),
        outlets=outlets,
        unread=0 if outlets is None else draw(st.integers(0, 3)),
    )


rectifier = st.builds(
    Rectifier,
    name=WORD,
    state=st.sampled_from(["Enabled", "StandbySpare", "UnavailableOffline"]),
    health=HEALTH,
    switched_on=st.none() | st.booleans(),
    input=st.sampled_from(["", "Normal", "LossOfInput"]),
    input_volts=READING,
    output_watts=READING,
    capacity_watts=READING,
)


@st.composite
def shelf_power(draw):
    rectifiers = draw(some(rectifier))
    redundancy = draw(st.sampled_from(["", "OK", "Warning", "Critical"]))
    return ShelfPower(
        unit=draw(unit),
        watts=draw(READING),
        mains=draw(some(circuit)),
        rectifiers=rectifiers,
        redundancy=redundancy,
        unread=0 if rectifiers is None else draw(st.integers(0, 3)),
        needed=draw(st.none() | st.integers(1, 6)) if redundancy else None,
    )


connector = st.builds(
    Connector,
    name=WORD,
    supply_celsius=READING,
    return_celsius=READING,
    liters_per_minute=READING,
    pressure_kpa=READING,
)
pump = st.builds(
    Pump,
    name=WORD,
    state=st.sampled_from(["Enabled", "StandbySpare", "UnavailableOffline"]),
    health=HEALTH,
    speed_percent=READING,
)
reservoir = st.builds(Reservoir, name=WORD, level_percent=READING, status=st.sampled_from(["", "OK", "Low", "High"]))
detector = st.builds(
    Detector,
    name=WORD,
    state=st.sampled_from(["OK", "Warning", "Critical"]),
    health=HEALTH,
    reaction=st.sampled_from(["", "None", "GracefulShutdown", "ForceOff"]),
)


@st.composite
def coolant(draw):
    pumps = draw(some(pump))
    return CoolantReading(
        unit=draw(unit),
        primary=draw(some(connector)),
        secondary=draw(some(connector)),
        pumps=pumps,
        reservoirs=draw(some(reservoir)),
        leak_detectors=draw(some(detector)),
        unread=0 if pumps is None else draw(st.integers(0, 3)),
    )


RECORDS = {"rack_pdu": rack_power(), "power_shelf": shelf_power(), "cdu": coolant()}
