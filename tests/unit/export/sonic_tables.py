"""Holds a config_db.json against what SONiC's YANG models take (``tests/cases/switches/sonic_tables.yaml``)."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from rackwright.base import yaml_text

TABLES = Path(__file__).parents[2] / "cases" / "switches" / "sonic_tables.yaml"
Config = dict[str, dict[str, dict[str, str]]]


@cache
def tables() -> dict[str, list[dict[str, Any]]]:
    return yaml_text.load(TABLES.read_text())


def mistakes(config: Config) -> Iterator[str]:
    """Everything in `config` that SONiC refuses."""
    for table, rows in config.items():
        for key, fields in rows.items():
            place, parts = f"{table}|{key}", key.split("|")
            forms = [form for form in tables().get(table, []) if _all(config, form["key"], parts)]
            if not forms:
                yield f"{place}: no such table or key"
                continue
            yield from _fields(config, place, forms[0], fields)


def _fields(config: Config, place: str, form: dict[str, Any], fields: dict[str, str]) -> Iterator[str]:
    for name, value in fields.items():
        kind = form["values"] if "values" in form else form["fields"].get(name)
        named = "names" not in form or _fits(config, form["names"], name)
        if kind is None or not named:
            yield f"{place}: no field {name}"
        elif not _fits(config, kind, value):
            yield f"{place}: {name} is {value!r}"
    yield from (f"{place}: no {name}" for name in form.get("mandatory", []) if name not in fields)


def _all(config: Config, kinds: list[dict[str, Any]], parts: list[str]) -> bool:
    return len(kinds) == len(parts) and all(_fits(config, kind, part) for kind, part in zip(kinds, parts, strict=True))


def _fits(config: Config, kind: dict[str, Any], value: object) -> bool:
    ((sort, allowed),) = kind.items()
    if not isinstance(value, str):
        return False
    match sort:
        case "text":
            return re.fullmatch(allowed, value) is not None
        case "words":
            return value in allowed
        case "number":
            return value.isdigit() and allowed[0] <= int(value) <= allowed[1]
        case "of":
            return value in config.get(allowed, {})
        case "any":
            return any(_fits(config, each, value) for each in allowed)
        case "prefix":
            return "/" in value and ipaddress.ip_interface(value).version == allowed
        case "address":
            return ipaddress.ip_address(value).version == allowed
    raise AssertionError(f"unknown kind {sort}")
