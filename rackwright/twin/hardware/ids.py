"""PCI ids by product name (``ids.yaml``, each with its source)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from rackwright.base import yaml_text
from rackwright.base.errors import OutsideError

GIB, MIB_BITS = 1 << 30, 20
Id = tuple[str, str]
"""Vendor and device, four hex digits each."""


def of_accelerator(vendor: str, product: str) -> Id:
    """The id of an accelerator; OutsideError for an unlisted product."""
    device = longest(data()[vendor]["products"], product)
    if device is None:
        raise OutsideError(f"the twin knows no PCI id of {product!r}: add it to rackwright/twin/hardware/ids.yaml")
    return data()[vendor]["vendor"], device


def memory_bytes(vendor: str, product: str, memory_gib: float) -> int:
    """The memory that the driver of an accelerator shows; `memory_gib`, the size of its SKU, where it keeps none for itself."""
    mebibytes: int | None = longest(data()[vendor].get("memory_mib", {}), product)
    return mebibytes << MIB_BITS if mebibytes else int(memory_gib * GIB)


def of_nvswitch(product: str) -> Id | None:
    """The id of the NVSwitches of `product`; None where the host does not have them on its bus."""
    device = longest(data()["nvidia"]["nvswitches"], product)
    return (data()["nvidia"]["vendor"], device) if device else None


def of_adapter(adapter: str) -> Id | None:
    """The id of a network adapter; None for an adapter that is part of another device."""
    match = longest(data()["adapters"], adapter)
    return (match["vendor"], match["device"]) if match else None


def accelerator_class(vendor: str) -> str:
    """PCI class of a vendor's accelerators, four hex digits."""
    return str(data()[vendor]["class"])


def longest(table: Mapping[str, Any], name: str) -> Any:
    """The value of the longest key with which `name` begins, or None."""
    matching = [key for key in table if name.startswith(key)]
    return table[max(matching, key=len)] if matching else None


@cache
def data() -> dict[str, Any]:
    """The whole list."""
    loaded: dict[str, Any] = yaml_text.load(Path(__file__).with_name("ids.yaml").read_text())
    return loaded
