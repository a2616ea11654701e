"""Readings of the parts of switches, by name: ``SWITCH PART``."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from rackwright.compare import network
from rackwright.compare.fabric import switch_name
from rackwright.compare.named_readings import NamedReadings
from rackwright.model.check import Expectation
from rackwright.model.evidence.switch_health import SubnetSwitches, SwitchHealth, SwitchPart, SwitchTemperature
from rackwright.model.sku import Cable

WITHIN = "within its limit"
Parts = Callable[[SwitchHealth], Iterable[tuple[str, object]]]


def states(parts: Callable[[SwitchHealth], list[SwitchPart]]) -> Callable[[SubnetSwitches], NamedReadings[object]]:
    """The state of each of `parts` of every switch; a switch that lists none is a missing reading."""
    return lambda record: _readings(
        record, lambda switch: [(part.name, part.state) for part in parts(switch)] or [("", None)]
    )


def celsius(
    sensors: Callable[[SwitchHealth], list[SwitchTemperature]], bound: Callable[[SwitchTemperature], float | None]
) -> Callable[[SubnetSwitches], NamedReadings[object]]:
    """Whether each of `sensors` is within its `bound`, in words; a switch with only copper cables has no sensor."""
    return lambda record: _readings(
        record, lambda switch: [(sensor.name, _within(sensor, bound(sensor))) for sensor in sensors(switch)]
    )


def lights_switches(expectation: Expectation) -> bool:
    """Whether it is a machine for subnet managers of fabrics with optical modules in their switches; for
    `Check.applies`.
    """
    parts = expectation.wiring.parts.values()
    lit = any("copper" not in part.medium and part.medium != "cat6" for part in parts if _may_be_infiniband(part))
    return network.manages_subnets(expectation) and lit


def _may_be_infiniband(part: Cable) -> bool:
    return not part.transport or "infiniband" in part.transport


def _within(sensor: SwitchTemperature, most: float | None) -> str | None:
    if sensor.celsius is None or most is None:
        return None
    return WITHIN if sensor.celsius <= most else f"{sensor.celsius:g} °C of {most:g} °C"


def _readings(record: SubnetSwitches, parts: Parts) -> NamedReadings[object]:
    of_switches = [(switch.switch, [*parts(switch)]) for switch in record.switches.values()]
    readings = [reading for _, of_switch in of_switches for _, reading in of_switch]
    return NamedReadings([*[None] * len(record.unread), *readings], lambda: _names(record, of_switches))


def _names(record: SubnetSwitches, of_switches: Iterable[tuple[str, Iterable[tuple[str, object]]]]) -> Iterator[str]:
    yield from (f"{name} ({why})" for name, why in record.unread.items())
    for switch, of_switch in of_switches:
        label = switch_name(switch)
        yield from (f"{label} {name}".strip() for name, _ in of_switch)
