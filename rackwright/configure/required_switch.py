"""What a switch reports about itself, and where that does not go with the one that is declared."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from rackwright.model.resource import DeclaredSwitch

FACTORY_NAMES = frozenset({"cumulus", "localhost", "nvos", "sonic", "switch"})
"""Names of switches that nobody has configured yet."""
PLAIN = re.compile(r"[^A-Z0-9]")
SHORTEST_MODEL = 4
"""Shorter names are part of too many others."""


@dataclass(frozen=True)
class SwitchIdentity:
    """What a switch reports about itself."""

    hostname: str
    models: tuple[str, ...]
    """Names of its model: product name, part number."""
    serial: str
    hardware: Mapping[str, str] = field(default_factory=dict)
    """``platform`` and ``hardware_sku``, where its system has them."""


def mismatches(required: DeclaredSwitch, observed: SwitchIdentity) -> Iterator[str]:
    """Why the switch at the address is not the one that is meant, one sentence each. A serial number that is declared and fits proves it: its name is then not asked."""
    for name, value in (("platform", required.platform), ("hardware_sku", required.sku)):
        if value and name in observed.hardware and observed.hardware[name] != value:
            yield f"its {name} is {observed.hardware[name]}, expected {value}"
    if not observed.hardware and not any(_alike(required.model, model) for model in observed.models):
        yield f"it is a {' '.join(filter(None, observed.models)) or 'switch without a model'}, expected {required.model}"
    if required.serial and required.serial != observed.serial:
        yield f"its serial number is {observed.serial or 'not told'}, expected {required.serial}"
    if not required.serial and observed.hostname not in (required.name, *FACTORY_NAMES):
        yield f"it calls itself {observed.hostname or 'nothing'}, expected {required.name}"


def _alike(required: str, observed: str) -> bool:
    """``MSN4700-WS2FC`` is a ``SN4700``, and the other way round."""
    names = sorted((PLAIN.sub("", text.upper()) for text in (required, observed)), key=len)
    return len(names[0]) >= SHORTEST_MODEL and names[0] in names[1]
