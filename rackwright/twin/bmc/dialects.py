"""Redfish dialects of BMCs: the documents of a machine of the twin, as the BMCs of each maker return them. Dialects are data
(``rackwright/twin/dialects``).
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

from rackwright.base import yaml_text
from rackwright.catalog import setting_practice
from rackwright.twin.bmc import (
    accounts,
    bios,
    dialect_inventory,
    dialect_readings,
    documents,
    drives,
    secure_boot,
    updates,
)
from rackwright.twin.bmc.dialect import Dialect
from rackwright.twin.bmc.documents import HOST, MANAGER, ROOT, Document
from rackwright.twin.hardware.state import TwinMachine

FOLDER = Path(__file__).parents[1] / "dialects"
REPORTED = {
    "cards": "serial numbers and slots of network adapters",
    "draw": "what the machine draws",
    "input": "what its power supplies are fed with",
    "limit": "a power limit",
    "redundancy": "the redundancy of its power supplies",
}
"""Readings for which some BMCs have no member, in words."""


@cache
def load(name: str) -> Dialect:
    """The dialect `name`. FileNotFoundError when there is none."""
    return Dialect.model_validate(yaml_text.load((FOLDER / f"{name}.yaml").read_text(encoding="utf-8")))


def names() -> list[str]:
    """All dialects."""
    return sorted(path.stem for path in FOLDER.glob("*.yaml"))


def renamed(path: str, dialect: str) -> str:
    """`path` of the reference as a BMC with this `dialect` has it; unchanged if `dialect` is empty."""
    paths = load(dialect).paths if dialect else {}
    fitting = ((f"{ROOT}{old}", f"{ROOT}{new}") for old, new in paths.items())
    return next((f"{new}{path[len(old) :]}" for old, new in fitting if f"{path}/".startswith(f"{old}/")), path)


def reported(machine: TwinMachine) -> frozenset[str]:
    """The words of `REPORTED` for which the BMC of `machine` has members; in the reference all but ``cards``."""
    if not machine.dialect:
        return frozenset(REPORTED) - {"cards"}  # the reference labels no slot
    power, adapters = load(machine.dialect).power, load(machine.dialect).adapters
    has = {
        "cards": adapters.serial and bool(adapters.slot),
        "draw": power.draw != "none" or power.sensors,
        "input": power.input != "none" or power.sensors,
        "limit": power.limit != "none",
        "redundancy": power.redundancy != "none",
    }
    return frozenset(word for word, there in has.items() if there)


def first_slot(machine: TwinMachine) -> int:
    """Number of the first slot of `machine`, as its BMC labels slots; 1 without labels."""
    adapters = load(machine.dialect).adapters if machine.dialect else None
    return adapters.first if adapters and adapters.slot else 1


def part_names(machine: TwinMachine) -> dict[str, list[str]]:
    """Kind of part -> names that the BMC of `machine` gives to its inlet, fans and power supplies."""
    fans, supplies = range(len(machine.chassis.fans)), range(machine.psus_total)
    if not machine.dialect:
        return {"inlet": ["TEMP_INLET"], "fan": [f"FAN_{n}" for n in fans], "supply": [f"PSU {n}" for n in supplies]}
    dialect = load(machine.dialect)
    power = dialect.power
    return {
        "inlet": [dialect.thermal.inlet],
        "fan": [dialect.thermal.fan.format(n=n) for n in fans],
        "supply": [power.supply.format(n=n + power.first) for n in supplies],
    }


def served_documents(machine: TwinMachine) -> dict[str, Document]:
    """All resources of the BMC of `machine` by path, in its dialect: `build_documents`, accounts, BIOS attributes with their registry, Secure Boot, and drives."""
    spoken = build_documents(machine)
    if not machine.dialect:
        accounts.write_accounts(spoken, machine, None)
        return spoken
    dialect = load(machine.dialect)
    if dialect.bios:
        bios.write_bios(spoken, renamed(HOST, machine.dialect), machine, dialect.bios)
    if mode := setting_practice.of_dialect(machine.dialect).secure_boot:
        secure_boot.write_secure_boot(spoken, renamed(HOST, machine.dialect), machine, mode)
    if dialect.updates:
        updates.write_updates(spoken, machine, dialect.updates)
    if dialect.boot:
        bios.write_progress(spoken[renamed(HOST, machine.dialect)], machine, dialect.boot)
    if dialect.drives:
        drives.write_drives(spoken, renamed(HOST, machine.dialect), machine, dialect.drives)
    accounts.write_accounts(spoken, machine, dialect)
    manager = renamed(MANAGER, machine.dialect)
    spoken[manager]["Actions"] = updates.resets(manager)
    return spoken


def build_documents(machine: TwinMachine) -> dict[str, Document]:
    """The resources of the BMC of `machine` that evidence is read from, by path, in its dialect."""
    plain = documents.build_documents(machine)
    if not machine.dialect:
        return plain
    dialect = load(machine.dialect)
    spoken = speak(plain, machine, dialect)
    if dialect.firmware:
        dialect_inventory.write_firmware(spoken, machine, dialect.firmware)
    return spoken


def speak(plain: dict[str, Document], machine: TwinMachine, dialect: Dialect) -> dict[str, Document]:
    """`plain` documents of `machine`, as `documents.build_documents` makes them, in `dialect`; the plain ones are used up."""
    _root(plain[f"{ROOT}/"], dialect)
    dialect_inventory.write_inventory(plain, dialect)
    dialect_readings.write_readings(plain, machine, dialect)
    text = json.dumps(plain)
    for canonical, path in dialect.paths.items():
        text = text.replace(f'"{ROOT}{canonical}"', f'"{ROOT}{path}"').replace(
            f'"{ROOT}{canonical}/', f'"{ROOT}{path}/'
        )
    moved: dict[str, Document] = json.loads(text)
    for path, document in moved.items():
        if "Id" in document and path.startswith((f"{ROOT}/Systems/", f"{ROOT}/Chassis/", f"{ROOT}/Managers/")):
            document["Id"] = path.rpartition("/")[2]
    return moved


def _root(root: Document, dialect: Dialect) -> None:
    for name, value in dialect.root.items():
        if value is None:
            root.pop(name, None)
        else:
            root[name] = value
