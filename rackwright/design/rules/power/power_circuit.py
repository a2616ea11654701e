"""After the declared loss of feeds, no circuit of a rack carries more than it may."""

from __future__ import annotations

from rackwright.design.rules.power.survival import Survival, named
from rackwright.design.rules.rule import Judged, Rule, finding
from rackwright.model.design import Design


def judge(design: Design) -> Judged:
    """Per rack: the circuit that is loaded most."""
    survival = Survival(design)
    loads = [(lost, survival.circuit_watts(lost)) for lost in survival.losses()]
    circuit = design.site.facility.power.circuit
    source = f"site circuit {circuit.volts} V {circuit.amps} A x {circuit.derating:g} x {circuit.power_factor:g}"
    by_rack = design.circuits.partition_by("rack", as_dict=True, maintain_order=True)
    for rack in design.racks["rack"]:
        rows = list(by_rack[rack,].iter_rows(named=True))
        cases = (
            (row["circuit"], load.get(row["circuit"], 0.0), row["usable_watts"], lost)
            for row in rows
            for lost, load in loads
        )
        name, watts, usable, lost = max(cases, key=lambda case: case[1] / case[2])
        observed = f"{watts / 1000:.1f} kW on {name} {named(lost)}"
        expected = f"at most {usable / 1000:.1f} kW"
        says = f"Rack {rack}: {observed}, its fullest circuit"
        yield rack, finding(watts <= usable, observed, expected, source, says)


RULE = Rule("power_circuit", "Circuits survive the loss of a feed", judge)
