"""Faults of cooling: fans, inlet air, leaks, CDUs."""

from __future__ import annotations

from rackwright.twin.faults.changes import set_cdu, set_chassis
from rackwright.twin.faults.fault import Fault

FAULTS = (
    Fault(
        name="cdu-blocked",
        summary="Valves behind a CDU are closed",
        apply=set_cdu(0, flow_share=0.5, pressure_share=1.6),
        checks={"cooling.flow", "cooling.pressure"},
        names={"Coolant:"},
        elsewhere={"cooling.*"},
        refused=False,
    ),
    Fault(
        name="cdu-detector-missing",
        summary="The leak detector of a rack is not wired",
        apply=set_cdu(0, lost_detectors=("train-r01",)),
        checks={"cooling.leaks"},
        names={"train-r01"},
        elsewhere={"cooling.*"},
        refused=False,
    ),
    Fault(
        name="cdu-leak-at-rack",
        summary="Coolant leaks at a rack",
        apply=set_cdu(0, wet=("train-r01",)),
        checks={"cooling.leaks"},
        names={"train-r01"},
        elsewhere={"cooling.*"},
        refused=False,
    ),
    # The maker's default, or what it was set to at a test.
    Fault(
        name="cdu-leak-reaction-lost",
        summary="Leak detectors are not set to do what the site declares",
        apply=set_cdu(0, reaction="None"),
        checks={"cooling.leaks"},
        names={"reacts with: None"},
        elsewhere={"cooling.*"},
        needs="leak-reaction",
        refused=False,
    ),
    Fault(
        name="cdu-low-flow",
        summary="A CDU moves too little coolant",
        apply=set_cdu(0, flow_share=0.6),
        checks={"cooling.flow"},
        names={"coolant:"},
        elsewhere={"cooling.*"},
        refused=False,
    ),
    Fault(
        name="cdu-pump-failed",
        summary="A pump of a CDU has failed",
        apply=set_cdu(0, failed_pumps=(2,)),
        checks={"cooling.pumps"},
        names={"Pump 2"},
        elsewhere={"cooling.*"},
        refused=False,
    ),
    Fault(
        name="cdu-reservoir-low",
        summary="The reservoir of a CDU is low",
        apply=set_cdu(0, level_percent=14.0, level="Low"),
        checks={"cooling.reservoir"},
        names={"Reservoir 1 at 14 %"},
        elsewhere={"cooling.*"},
        refused=False,
    ),
    Fault(
        name="cdu-unhealthy",
        summary="A CDU reports a fault of its own",
        apply=set_cdu(0, health="Critical"),
        checks={"cooling.health"},
        names={"Critical"},
        elsewhere={"cooling.*"},
        refused=False,
    ),
    Fault(
        name="cdu-warm-supply",
        summary="A CDU supplies coolant that is too warm",
        apply=set_cdu(0, supply_kelvin=6.0),
        checks={"cooling.supply"},
        names={"Coolant: 46"},
        elsewhere={"cooling.*"},
        refused=False,
    ),
    Fault(
        name="cdu-warm-water",
        summary="The building supplies water that is too warm",
        apply=set_cdu(0, water_kelvin=4.0),
        checks={"cooling.facility_water"},
        names={"Facility water: 40"},
        elsewhere={"cooling.*"},
        refused=False,
    ),
    # The cooler is not seated.
    Fault(
        name="cpu-hot",
        summary="A processor is too hot",
        apply=set_chassis(cpu_celsius=104.0),
        checks={"bmc.sensors"},
        names={"TEMP_CPU0"},
    ),
    Fault(
        name="fan-failed",
        summary="A fan stands still",
        apply=set_chassis(fans=(8_400.0,) * 3 + (0.0,) + (8_400.0,) * 6),
        checks={"bmc.fans", "bmc.sensors"},
        names={"{fan[3]}"},
    ),
    # The machine draws in its own exhaust.
    Fault(
        name="inlet-hot",
        summary="The machine draws in hot air",
        apply=set_chassis(inlet_celsius=48.0),
        checks={"bmc.inlet_temperature"},
        names={"{inlet[0]}"},
    ),
    # Coolant drips below a quick connector of the machine.
    Fault(
        name="leak",
        summary="A leak detector is wet",
        apply=set_chassis(leaking=(1,)),
        checks={"bmc.leak"},
        names={"Leak detector 1"},
        needs="liquid",
    ),
)
