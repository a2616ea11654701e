"""Readings of the parts of switches, by name: ``SWITCH PART``."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import repeat

from rackwright.compare import network
from rackwright.compare.fabric import switch_name
from rackwright.compare.named_readings import NamedReadings
from rackwright.model.check import Expectation
from rackwright.model.evidence.switch_health import SubnetSwitches, SwitchHealth, SwitchPart
from rackwright.model.evidence.temperature_table import TemperatureTable
from rackwright.model.sku import Cable

WITHIN = "within its limit"
Parts = tuple[Sequence[str], Sequence[object]]
"""Names of the parts of a switch, and their readings."""


def states(parts: Callable[[SwitchHealth], list[SwitchPart]]) -> Callable[[SubnetSwitches], NamedReadings[object]]:
    """The state of each of `parts` of every switch; a switch that lists none is a missing reading."""

    def of_switch(switch: SwitchHealth) -> Parts:
        listed = parts(switch)
        return ([part.name for part in listed], [part.state for part in listed]) if listed else ([""], [None])

    return lambda record: _readings(record, of_switch)


def celsius(
    sensors: Callable[[SwitchHealth], TemperatureTable], most: float | None = None
) -> Callable[[SubnetSwitches], NamedReadings[object]]:
    """Whether each of `sensors` is within `most` (default: where the switch itself warns), in words; a switch with only copper cables has
    no sensor.
    """

    def of_switch(switch: SwitchHealth) -> Parts:
        table = sensors(switch)
        return table.names, _within(table.celsius, table.most if most is None else repeat(most))

    return lambda record: _readings(record, of_switch)


def lights_switches(expectation: Expectation) -> bool:
    """Whether it is a machine for subnet managers of fabrics with optical modules in their switches; for
    `Check.applies`.
    """
    parts = expectation.wiring.parts.values()
    lit = any("copper" not in part.medium and part.medium != "cat6" for part in parts if _may_be_infiniband(part))
    return network.manages_subnets(expectation) and lit


def _may_be_infiniband(part: Cable) -> bool:
    return not part.transport or "infiniband" in part.transport


def _within(read: Iterable[float | None], most: Iterable[float | None]) -> list[str | None]:
    return [
        None if value is None or bound is None
        else WITHIN if value <= bound
        else f"{value:g} °C of {bound:g} °C"
        for value, bound in zip(read, most, strict=False)
    ]  # fmt: skip


def _readings(record: SubnetSwitches, parts: Callable[[SwitchHealth], Parts]) -> NamedReadings[object]:
    of_switches = [(switch.switch, parts(switch)) for switch in record.switches.values()]
    readings = [reading for _, (_, values) in of_switches for reading in values]
    return NamedReadings([*[None] * len(record.unread), *readings], lambda: _names(record, of_switches))


def _names(record: SubnetSwitches, of_switches: Iterable[tuple[str, Parts]]) -> Iterator[str]:
    yield from (f"{name} ({why})" for name, why in record.unread.items())
    for switch, (names, _) in of_switches:
        label = switch_name(switch)
        yield from (f"{label} {name}".strip() for name in names)
