"""How BMCs of makers speak: the documents of a machine of the twin, as each of them gives them. What they do is data (``rackwright/twin/dialects``)."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

from rackwright.base import yaml_text
from rackwright.twin.bmc import dialect_inventory, dialect_readings
from rackwright.twin.bmc.dialect import Dialect
from rackwright.twin.bmc.documents import ROOT, Document
from rackwright.twin.hardware.state import TwinMachine

FOLDER = Path(__file__).parents[1] / "dialects"


@cache
def load(name: str) -> Dialect:
    """The dialect `name`. FileNotFoundError when there is none."""
    return Dialect.model_validate(yaml_text.load((FOLDER / f"{name}.yaml").read_text(encoding="utf-8")))


def names() -> list[str]:
    """All dialects."""
    return sorted(path.stem for path in FOLDER.glob("*.yaml"))


def renamed(path: str, dialect: str) -> str:
    """The path that a BMC which speaks `dialect` has for `path` of the reference; the same where `dialect` is empty."""
    paths = load(dialect).paths if dialect else {}
    return next((f"{ROOT}{new}" for old, new in paths.items() if path == f"{ROOT}{old}"), path)


def speak(documents: dict[str, Document], machine: TwinMachine, dialect: Dialect) -> dict[str, Document]:
    """`documents` of `machine`, as `documents.build_documents` makes them, in `dialect`."""
    spoken: dict[str, Document] = json.loads(json.dumps(documents))
    _root(spoken[f"{ROOT}/"], dialect)
    dialect_inventory.write_inventory(spoken, dialect)
    dialect_readings.write_readings(spoken, machine, dialect)
    text = json.dumps(spoken)
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
