"""Reads part files into records and sorts them by kind.

A broken part file of the catalog is a problem with its file name.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast

from pydantic import TypeAdapter, ValidationError

from rackwright.base import content, yaml_text
from rackwright.base.errors import Problem, ProblemsError
from rackwright.catalog.routing import Routing
from rackwright.model.device import InventoryDevice
from rackwright.model.parts import AnySku, Part
from rackwright.model.peripheral import Instance, Nic, Optic
from rackwright.model.plant import Busway, Cdu, Coolant, Crah, LeakDetector, Pdu, PowerShelf, Ups
from rackwright.model.sku import Accelerator, Cable, Rack, Server, ServerPort, Switch
from rackwright.model.vendor import Vendor

FOLDER = Path(__file__).parent
"""Where the parts are."""
_PART: TypeAdapter[AnySku] = TypeAdapter(AnySku)
_FOLDERS = {
    "accelerator": "accelerators",
    "vendor": "vendors",
    "server": "servers",
    "switch": "switches",
    "cable": "cables",
    "optic": "optics",
    "nic": "nics",
    "rack": "racks",
    "instance": "instances",
    "ups": "ups",
    "busway": "busways",
    "pdu": "pdus",
    "power_shelf": "power_shelves",
    "cdu": "cdus",
    "crah": "crahs",
    "coolant": "coolants",
    "leak_detector": "leak_detectors",
    "device": "devices",
}
FOLDERS = tuple(_FOLDERS.values())
"""Folder of every kind of part."""
KINDS = tuple(_FOLDERS)
"""Every kind of part, in the order of the catalog."""
_P = TypeVar("_P", bound=Part)


@dataclass(frozen=True)
class Catalog:
    """Parts by kind, then by SKU."""

    accelerators: dict[str, Accelerator]
    servers: dict[str, Server]
    switches: dict[str, Switch]
    cables: dict[str, Cable]
    racks: dict[str, Rack]
    routing: Routing
    optics: dict[str, Optic] = field(default_factory=dict)
    nics: dict[str, Nic] = field(default_factory=dict)
    instances: dict[str, Instance] = field(default_factory=dict)
    ups: dict[str, Ups] = field(default_factory=dict)
    busways: dict[str, Busway] = field(default_factory=dict)
    pdus: dict[str, Pdu] = field(default_factory=dict)
    power_shelves: dict[str, PowerShelf] = field(default_factory=dict)
    cdus: dict[str, Cdu] = field(default_factory=dict)
    crahs: dict[str, Crah] = field(default_factory=dict)
    coolants: dict[str, Coolant] = field(default_factory=dict)
    leak_detectors: dict[str, LeakDetector] = field(default_factory=dict)
    devices: dict[str, InventoryDevice] = field(default_factory=dict)
    vendors: dict[str, Vendor] = field(default_factory=dict)
    """Makers of accelerators."""
    roots: content.Roots = field(default_factory=content.shipped)
    """Where the content of the site is: checks, limits, roles and the rest are read from here."""

    def of_kind(self, kind: str) -> Mapping[str, Part]:
        """All parts of one kind, by SKU."""
        return cast("Mapping[str, Part]", getattr(self, _FOLDERS[kind]))

    def adapter(self, name: str) -> Nic | None:
        """The adapter that a server calls `name`: its SKU, or the SKU apart from letter case and blanks (``ConnectX-7``)."""
        return self.nics.get(name.lower().replace(" ", "-"))

    def splits(self, group: ServerPort, into: int) -> bool:
        """Whether each port of `group` can be `into` lanes: its adapter is known to be split so."""
        adapter = self.adapter(group.adapter)
        return into == 1 or (adapter is not None and into in adapter.breakouts and group.gbps % into == 0)

    def is_announced(self, part: Part) -> bool:
        """Whether `part` is an accelerator without a published driver, or a server with one."""
        accelerator = self.accelerators.get(part.accelerator or "") if isinstance(part, Server) else part
        return isinstance(accelerator, Accelerator) and accelerator.announced

    def skus(self) -> frozenset[str]:
        """Every SKU of any kind."""
        return frozenset(sku for kind in _FOLDERS for sku in self.of_kind(kind))

    def kind_of(self, sku: str) -> str | None:
        """``server``, ``switch`` ... for a SKU of any kind, None when no part has it."""
        return next((kind for kind in _FOLDERS if sku in self.of_kind(kind)), None)


def load(extra: Sequence[Mapping[str, object]] = (), roots: content.Roots | None = None) -> Catalog:
    """The built-in catalog with the parts of a site added. `extra` must be valid parts (see `validate_part`)."""
    parts = [*_built_in(), *(validate_part(part) for part in extra)]

    def some(kind: type[_P]) -> dict[str, _P]:
        return {part.sku: part for part in parts if isinstance(part, kind)}

    vendors = some(Vendor)
    return Catalog(
        accelerators={sku: _with_vendor(part, vendors) for sku, part in some(Accelerator).items()},
        servers=some(Server),
        switches=some(Switch),
        cables=some(Cable),
        racks=some(Rack),
        routing=_routing(),
        optics=some(Optic),
        nics=some(Nic),
        instances=some(Instance),
        ups=some(Ups),
        busways=some(Busway),
        pdus=some(Pdu),
        power_shelves=some(PowerShelf),
        cdus=some(Cdu),
        crahs=some(Crah),
        coolants=some(Coolant),
        leak_detectors=some(LeakDetector),
        devices=some(InventoryDevice),
        vendors=vendors,
        roots=roots or content.shipped(),
    )


def _with_vendor(part: Accelerator, vendors: Mapping[str, Vendor]) -> Accelerator:
    """`part` with the capabilities that all accelerators of its maker have."""
    common = vendors[part.vendor].capabilities if part.vendor in vendors else []
    more = [capability for capability in common if capability not in part.capabilities]
    return part.model_copy(update={"capabilities": [*part.capabilities, *more]}) if more else part


def validate_part(part: Mapping[str, object]) -> AnySku:
    """One part as its record; raises pydantic's ``ValidationError``."""
    return _PART.validate_python(dict(part))


@cache
def _built_in() -> tuple[AnySku, ...]:
    parts, problems = [], []
    for path, data in _files():
        try:
            part = validate_part(data)
        except ValidationError as error:
            problems += [_broken_part_problem(path, error)]
            continue
        if problem := misnamed(path, part):
            problems.append(problem)
        parts.append(part)
    if problems:
        raise ProblemsError(problems)
    return tuple(parts)


def _files() -> Iterator[tuple[Path, dict[str, Any]]]:
    for path in sorted(FOLDER.glob("*/*.yaml")):
        yield path, yaml_text.load(path.read_text(encoding="utf-8"))


@cache
def _routing() -> Routing:
    text = (FOLDER / "routing.yaml").read_text(encoding="utf-8")
    return Routing.model_validate(yaml_text.load(text))


def _broken_part_problem(path: Path, error: ValidationError) -> Problem:
    first = error.errors(include_url=False)[0]
    return Problem(
        place=str(path),
        path=".".join(str(part) for part in first["loc"]),
        message=first["msg"],
        expected="a part in the schema of rackwright/model/sku.py",
        found=repr(first["input"])[:80],
        next_step="mend the part file",
        code="catalog.broken_part",
    )


def misnamed(path: Path, part: AnySku) -> Problem | None:
    """A problem if a part file is not in the folder, or has not the name, of its part (``servers/<sku>.yaml``)."""
    if (path.parent.name, path.stem) == (_FOLDERS[part.kind], part.sku):
        return None
    return Problem(
        place=f"{path}:1",
        path="sku",
        message="part file and SKU have different names",
        expected=f"{_FOLDERS[part.kind]}/{part.sku}.yaml",
        found=f"{path.parent.name}/{path.name}",
        next_step="rename the file",
        code="catalog.misnamed_part",
    )
