"""Reads part files into records and sorts them by kind.

In: YAML mappings (ours and those of a site). Out: a `Catalog`. A broken part of ours is a problem with its file name.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from pydantic import TypeAdapter, ValidationError

from rackwright.catalog.routing import Routing
from rackwright.errors import Problem, ProblemsError
from rackwright.model.sku import Accelerator, AnySku, Cable, Rack, Server, Sku, Switch

FOLDER = Path(__file__).parent
"""Where the parts are."""
_YAML = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_PART: TypeAdapter[AnySku] = TypeAdapter(AnySku)
_FOLDERS = {
    "accelerator": "accelerators",
    "server": "servers",
    "switch": "switches",
    "cable": "cables",
    "rack": "racks",
}


@dataclass(frozen=True)
class Catalog:
    """Parts by kind, then by SKU."""

    accelerators: dict[str, Accelerator]
    servers: dict[str, Server]
    switches: dict[str, Switch]
    cables: dict[str, Cable]
    racks: dict[str, Rack]
    routing: Routing

    def kind_of(self, sku: str) -> str | None:
        """``server``, ``switch`` ... for a SKU of any kind, None when no part has it."""
        tables: dict[str, Mapping[str, Sku]] = {
            "accelerator": self.accelerators,
            "server": self.servers,
            "switch": self.switches,
            "cable": self.cables,
            "rack": self.racks,
        }
        return next((kind for kind, table in tables.items() if sku in table), None)


def load(extra: Sequence[Mapping[str, object]] = ()) -> Catalog:
    """The built-in catalog with the parts of a site added. `extra` must be valid parts (see `validate_part`)."""
    parts = [*_built_in(), *(validate_part(part) for part in extra)]
    return Catalog(
        accelerators={part.sku: part for part in parts if isinstance(part, Accelerator)},
        servers={part.sku: part for part in parts if isinstance(part, Server)},
        switches={part.sku: part for part in parts if isinstance(part, Switch)},
        cables={part.sku: part for part in parts if isinstance(part, Cable)},
        racks={part.sku: part for part in parts if isinstance(part, Rack)},
        routing=_routing(),
    )


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
            problems += [_broken(path, error)]
            continue
        if (path.parent.name, path.stem) != (_FOLDERS[part.kind], part.sku):
            problems.append(_misnamed(path, part))
        parts.append(part)
    if problems:
        raise ProblemsError(problems)
    return tuple(parts)


def _files() -> Iterator[tuple[Path, dict[str, Any]]]:
    for path in sorted(FOLDER.glob("*/*.yaml")):
        yield path, yaml.load(path.read_text(encoding="utf-8"), Loader=_YAML)  # noqa: S506 - a safe loader


@cache
def _routing() -> Routing:
    text = (FOLDER / "routing.yaml").read_text(encoding="utf-8")
    return Routing.model_validate(yaml.load(text, Loader=_YAML))  # noqa: S506 - a safe loader


def _broken(path: Path, error: ValidationError) -> Problem:
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


def _misnamed(path: Path, part: AnySku) -> Problem:
    return Problem(
        place=str(path),
        path="sku",
        message="part file and SKU have different names",
        expected=f"{_FOLDERS[part.kind]}/{part.sku}.yaml",
        found=f"{path.parent.name}/{path.name}",
        next_step="rename the file",
        code="catalog.misnamed_part",
    )
