"""PCI ids by product name (``ids.yaml``, each with its source)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from rackwright.base import yaml_text
from rackwright.base.content import Roots
from rackwright.base.errors import OutsideError

GIB, MIB_BITS = 1 << 30, 20
Id = tuple[str, str]
"""Vendor and device, four hex digits each."""


def of_accelerator(vendor: str, product: str, roots: Roots | None = None) -> Id:
    """The id of an accelerator; OutsideError for an unlisted product."""
    device = longest(of_vendor(vendor, roots)["products"], product)
    if device is None:
        raise OutsideError(f"the twin knows no PCI id of {product!r}: add it to rackwright/twin/hardware/ids.yaml")
    return of_vendor(vendor, roots)["vendor"], device


def of_vendor(vendor: str, roots: Roots | None = None) -> dict[str, Any]:
    """What the twin has on the accelerators of `vendor`: of the list, or of ``twin/vendors/<vendor>.yaml`` of a site."""
    files = [root / "twin" / "vendors" / f"{vendor}.yaml" for root in (roots or ())[1:]]
    entry: dict[str, Any] | None = data().get(vendor)
    entry = entry or next((yaml_text.load(file.read_text(encoding="utf-8")) for file in files if file.is_file()), None)
    if entry is None:
        raise OutsideError(
            f"the twin has no {vendor}: write twin/vendors/{vendor}.yaml (vendor, class, products) into the site folder"
        )
    return entry


def memory_bytes(vendor: str, product: str, memory_gib: float) -> int:
    """The memory that the driver of an accelerator shows; `memory_gib`, the size of its SKU, where it keeps none for itself."""
    mebibytes: int | None = longest(data().get(vendor, {}).get("memory_mib", {}), product)
    return mebibytes << MIB_BITS if mebibytes else int(memory_gib * GIB)


def of_nvswitch(product: str) -> Id | None:
    """The id of the NVSwitches of `product`; None where the host does not have them on its bus."""
    device = longest(data()["nvidia"]["nvswitches"], product)
    return (data()["nvidia"]["vendor"], device) if device else None


def of_adapter(adapter: str) -> Id | None:
    """The id of a network adapter; None for an adapter that is part of another device."""
    match = longest(data()["adapters"], adapter)
    return (match["vendor"], match["device"]) if match else None


def accelerator_class(vendor: str, roots: Roots | None = None) -> str:
    """PCI class of a vendor's accelerators, four hex digits."""
    return str(of_vendor(vendor, roots)["class"])


def longest(table: Mapping[str, Any], name: str) -> Any:
    """The value of the longest key with which `name` begins, or None."""
    matching = [key for key in table if name.startswith(key) and not _goes_on(key, name)]
    return table[max(matching, key=len)] if matching else None


def _goes_on(key: str, name: str) -> bool:
    """Whether the number at the end of `key` goes on in `name`: an A100 is no A10."""
    return key[-1:].isdigit() and name[len(key) : len(key) + 1].isdigit()


@cache
def data() -> dict[str, Any]:
    """The whole list."""
    loaded: dict[str, Any] = yaml_text.load(Path(__file__).with_name("ids.yaml").read_text())
    return loaded
