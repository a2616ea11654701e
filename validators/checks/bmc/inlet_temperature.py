"""The inlet air is no warmer than the maker of the machine allows."""

from rackwright import compare
from rackwright.compare import bmc
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.bmc import BmcEvidence
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, record: BmcEvidence) -> Finding:
    """Compare every temperature at the intake with the server SKU."""
    row = compare.limit(expectation, "bmc.inlet_places")
    if row is None:
        return compare.no_limit(expectation, "bmc.inlet_places")
    server = expectation.node.server
    most = server.max_supply_air_celsius
    assert most is not None, f"{server.sku} has no limit of its supply air"
    intake = [
        sensor for sensor in record.sensors or [] if sensor.kind == "Temperature" and sensor.place in compare.words(row)
    ]
    return compare.every(
        expectation,
        compare.by_name(intake, lambda sensor: compare.positive(sensor.reading)),
        lambda celsius: celsius <= most,
        what="inlet temperature in degrees Celsius,",
        expected=f"at most {most:g}",
        source=compare.sku_source(server, "max_supply_air_celsius"),
    )


def applies(expectation: Expectation) -> bool:
    """Servers whose maker states a limit."""
    return expectation.node.server.max_supply_air_celsius is not None


CHECK = bmc.resting_on(Check(reads=BmcEvidence, judge=judge, applies=applies), "sensors")
