"""What stands on the PCI bus of a node: accelerators by vendor (``vendors/``), everything else (``ids.yaml``), each with its source."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from rackwright.base import yaml_text
from rackwright.base.content import Roots
from rackwright.base.errors import OutsideError

GIB, MIB_BITS = 1 << 30, 20
FOLDER = Path(__file__).with_name("vendors")
Id = tuple[str, str]
"""Vendor and device, four hex digits each."""


def of_accelerator(vendor: str, product: str, roots: Roots | None = None) -> Id:
    """The id of an accelerator; OutsideError for an unlisted product."""
    device = longest(of_vendor(vendor, roots)["products"], product)
    if device is None:
        raise OutsideError(f"the twin knows no PCI id of {product!r}: add it to twin/vendors/{vendor}.yaml")
    return of_vendor(vendor, roots)["vendor"], device


def of_vendor(vendor: str, roots: Roots | None = None) -> dict[str, Any]:
    """What the twin has on the accelerators of `vendor`: ``vendors/<vendor>.yaml`` here, or ``twin/vendors/<vendor>.yaml`` of a site.

    `vendor`, `class` and `products` are its numbers on the bus; `memory_mib` is what the tool prints where the driver keeps a part for itself, by product, and by GiB where cards of one name have different memories.
    `module` drives the accelerators, and ``/sys/module/<module>/version`` is the loaded driver. `devices` and `control` are files below /dev, one per
    accelerator and once per node; ``numbered: slot``: one that is missing leaves a gap in their numbers. `kubernetes_resource` is what its device
    plugin offers, `kubernetes_resources` what it offers of single architectures instead. `other` is a release of the driver and a product that faults
    put in the place of those that a node should have.
    """
    facts = _facts(vendor, roots)
    if not facts:
        raise OutsideError(
            f"the twin has no {vendor}: write twin/vendors/{vendor}.yaml (vendor, class, products) into the site folder"
        )
    return facts


def numbered_by_slot(vendor: str, roots: Roots | None = None) -> bool:
    """Whether an accelerator of `vendor` that is missing leaves a gap in the numbers of the others."""
    return _facts(vendor, roots).get("numbered") == "slot"


def other_driver(vendor: str) -> str:
    """A release of the driver that no bill of `vendor` has."""
    return str(_facts(vendor).get("other", {}).get("driver", "580.126.20"))


def other_product(vendor: str, product: str) -> str:
    """Another product of `vendor`, as its tool prints it."""
    return str(_facts(vendor).get("other", {}).get("product", f"{product} sample"))


def _facts(vendor: str, roots: Roots | None = None) -> dict[str, Any]:
    files = [FOLDER / f"{vendor}.yaml", *(root / "twin" / "vendors" / f"{vendor}.yaml" for root in (roots or ())[1:])]
    return next((_read(file) for file in files if file.is_file()), {})


@cache
def _read(file: Path) -> dict[str, Any]:
    loaded: dict[str, Any] = yaml_text.load(file.read_text(encoding="utf-8"))
    return loaded


def memory_bytes(vendor: str, product: str, memory_gib: float) -> int:
    """The memory that the driver of an accelerator shows; `memory_gib`, the size of its SKU, where it keeps none for itself."""
    mebibytes: int | dict[int, int] = longest(_facts(vendor).get("memory_mib", {}), product) or 0
    if isinstance(mebibytes, dict):
        mebibytes = mebibytes.get(round(memory_gib), 0)
    return mebibytes << MIB_BITS if mebibytes else int(memory_gib * GIB)


def of_nvswitch(product: str) -> Id | None:
    """The id of the NVSwitches of `product`; None where the host does not have them on its bus."""
    facts = of_vendor("nvidia")
    device = longest(facts["nvswitches"], product)
    return (facts["vendor"], device) if device else None


def of_adapter(adapter: str) -> Id | None:
    """The id of a network adapter; None for an adapter that is part of another device."""
    match = longest(data()["adapters"], adapter)
    return (match["vendor"], match["device"]) if match else None


def accelerator_class(vendor: str, roots: Roots | None = None) -> str:
    """PCI class of a vendor's accelerators, four hex digits."""
    return str(of_vendor(vendor, roots)["class"])


def longest(table: Mapping[str, Any], name: str) -> Any:
    """The value of the longest key that is a prefix of `name`, or None."""
    matching = [key for key in table if name.startswith(key) and not _goes_on(key, name)]
    return table[max(matching, key=len)] if matching else None


def _goes_on(key: str, name: str) -> bool:
    """Whether the number at the end of `key` goes on in `name`: an A100 is no A10."""
    return key[-1:].isdigit() and name[len(key) : len(key) + 1].isdigit()


def data() -> dict[str, Any]:
    """Ids of everything but accelerators."""
    return _read(Path(__file__).with_name("ids.yaml"))
