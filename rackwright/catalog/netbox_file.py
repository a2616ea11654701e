"""Reads a device type as NetBox's device-type library writes it, and checks its shape.

The format is that of
https://github.com/netbox-community/devicetype-library (``schema/devicetype.json``); keys that we do not use are ignored.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from rackwright.base import yaml_text
from rackwright.base.errors import Problem, ProblemsError


class _Lenient(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class Interface(_Lenient):
    """A network port."""

    name: str
    type: str
    mgmt_only: bool = False


class PowerPort(_Lenient):
    """An inlet; draws in watts."""

    name: str
    type: str = ""
    maximum_draw: float | None = None
    allocated_draw: float | None = None


class BayOrOutlet(_Lenient):
    """A module bay or an outlet; only name and type are used."""

    name: str
    type: str = ""


class DeviceType(_Lenient):
    """One file of the library."""

    manufacturer: str
    model: str
    slug: str
    u_height: float
    is_full_depth: bool = True
    is_powered: bool = True
    airflow: str = ""
    weight: float | None = None
    weight_unit: Literal["kg", "g", "lb", "oz", ""] = ""
    comments: str = ""
    interfaces: list[Interface] = []
    power_ports: list[PowerPort] = Field(default=[], alias="power-ports")
    power_outlets: list[BayOrOutlet] = Field(default=[], alias="power-outlets")
    module_bays: list[BayOrOutlet] = Field(default=[], alias="module-bays")


def read_device_type(path: Path) -> DeviceType:
    """The device type in `path`; raises `ProblemsError`, all mistakes at once."""
    try:
        data = yaml_text.load(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ProblemsError([_unreadable_problem(path, "a readable file", error.strerror or str(error))]) from error
    except (UnicodeDecodeError, yaml.YAMLError) as error:
        raise ProblemsError([_unreadable_problem(path, "YAML", str(error).splitlines()[0])]) from error
    if not isinstance(data, dict):
        raise ProblemsError(
            [_unreadable_problem(path, "a mapping with manufacturer, model, slug", type(data).__name__)]
        )
    try:
        return DeviceType.model_validate(data)
    except ValidationError as error:
        raise ProblemsError(_wrong_field_problem(path, detail) for detail in error.errors(include_url=False)) from error


def _unreadable_problem(path: Path, expected: str, content: str) -> Problem:
    step = "give a file of netbox-community/devicetype-library"
    return Problem(str(path), "", "this is no NetBox device type", expected, content, step, "catalog.not_a_device_type")


def _wrong_field_problem(path: Path, error: Any) -> Problem:
    missing = error["type"] == "missing"
    return Problem(
        place=str(path),
        path=".".join(str(part) for part in error["loc"]),
        message="a NetBox device type must have this field" if missing else str(error["msg"]),
        expected="the field as NetBox's schema/devicetype.json describes it",
        found="nothing" if missing else repr(error["input"])[:80],
        next_step="mend the device-type file, or take it from the library again",
        code="catalog.broken_device_type",
    )
