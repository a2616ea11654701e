"""The power cap of a machine through its BMC: in EnvironmentMetrics of its chassis, else in the older Power. In force at once.

Schemas: https://redfish.dmtf.org/schemas/v1/Control.v1_5_2.json (EnvironmentMetrics has an excerpt of it), https://redfish.dmtf.org/schemas/v1/Power.v1_7_3.json
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from rackwright.base.errors import OutsideError
from rackwright.redfish.client import Client
from rackwright.redfish.resources.chassis import Chassis
from rackwright.redfish.resources.numbers import maybe
from rackwright.redfish.resources.power_limit import HARD, HARMLESS, OFF, PowerLimit

Document = Mapping[str, Any]


class PowerCapView(NamedTuple):
    """The cap as the BMC shows it."""

    path: str
    """Of the document that has it."""
    watts: int
    """In force; 0: none."""
    lowest: float | None
    highest: float | None
    """What may be set, where the BMC says so."""
    exception: str
    """What is done where the cap is exceeded (Power, PowerLimitException); empty where the BMC does not say."""
    switched_off: bool
    """Whether its control is off, and must be switched on with the cap."""


async def read_power_cap(client: Client, housings: Sequence[Chassis]) -> PowerCapView | None:
    """The cap of the first of the `housings` that shows one; None where none does."""
    for housing in housings:
        metrics = await _optional(client, housing.environment)
        control = metrics.get("PowerLimitWatts")
        if isinstance(control, Mapping) and "SetPoint" in control:
            return _newer(housing.environment, metrics, control)
        power = await _optional(client, housing.power)
        controls = power.get("PowerControl")
        first = controls[0] if isinstance(controls, list) and controls else None
        limit = first.get("PowerLimit") if isinstance(first, Mapping) else None
        if isinstance(limit, Mapping):
            exception = str(limit.get("LimitException") or "")
            return PowerCapView(housing.power, _watts({}, power), None, None, exception, switched_off=False)
    return None


def require_settable(name: str, view: PowerCapView | None, watts: int) -> None:
    """OutsideError where the machine `name` cannot be capped to `watts`; nothing was changed then."""
    if view is None:
        raise OutsideError(
            f"the BMC of {name} offers no power cap: cap it with the maker's tool, and remove power_cap_watts from the site"
        )
    if view.watts == watts:
        return
    lowest, highest = view.lowest or 0, view.highest if view.highest is not None else watts
    if not lowest <= watts <= highest:
        raise OutsideError(
            f"the power cap of {name} is {watts} W, expected {lowest:g} to {highest:g} W (AllowableMin, AllowableMax of its BMC); nothing was changed: "
            "correct power_cap_watts in the site, then run again"
        )
    if view.exception in HARD | HARMLESS:
        does = "would switch the machine off" if view.exception in HARD else "would do nothing"
        raise OutsideError(
            f"{name} is not capped to {watts} W: its BMC {does} where it draws more (LimitException {view.exception}); nothing was changed: cap it "
            "with the maker's tool, and remove power_cap_watts from the site"
        )


async def set_cap(client: Client, view: PowerCapView, watts: int) -> None:
    """Cap the machine."""
    if "/EnvironmentMetrics" in view.path:
        mode = {"ControlMode": "Automatic"} if view.switched_off else {}
        await client.patch(view.path, {"PowerLimitWatts": {"SetPoint": watts, **mode}})
    else:
        await client.patch(view.path, {"PowerControl": [{"PowerLimit": {"LimitInWatts": watts}}]})


def _newer(path: str, metrics: Document, control: Document) -> PowerCapView:
    lowest, highest = maybe(control.get("AllowableMin")), maybe(control.get("AllowableMax"))
    return PowerCapView(
        path, _watts(metrics, {}), lowest, highest, exception="", switched_off=control.get("ControlMode") in OFF
    )


def _watts(metrics: Document, power: Document) -> int:
    return round(PowerLimit.of(metrics, power).limit_watts or 0)


async def _optional(client: Client, path: str) -> dict[str, Any]:
    return (await client.get_optional(path) or {}) if path else {}
