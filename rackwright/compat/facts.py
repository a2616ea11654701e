"""The facts that rules examine: the versions of a bill and the traits of its hardware, as one flat set.

Derived facts (branch, major version, CUDA of a driver, platform) are computed once here, so that a rule never parses a version.
"""

from __future__ import annotations

import re
from functools import cache

from rackwright.compat import version
from rackwright.compat.rule import Date, Match, read
from rackwright.model.base import Record
from rackwright.model.sku import Accelerator, Server
from rackwright.model.software import Bill

Facts = dict[str, str]

_PLAIN = {"images", "options", "os"}
LEFT_TO_THE_ROLE = "auto"
"""Value of an option that leaves the choice to the role, which selects what fits the hardware."""


class CudaRelease(Record):
    """A CUDA release and the driver that it ships with."""

    cuda: str
    driver: str


class PlatformRule(Record):
    """A kind of board and the facts that identify it; the first match counts."""

    platform: str
    when: Match


class VendorRow(Record):
    """A row that applies to some vendors of accelerators: to `vendors`, or to any vendor except `other_than`."""

    vendors: list[str] = []
    other_than: list[str] = []

    def uses(self, vendor: str) -> bool:
        """Whether it applies to accelerators of `vendor`; False for an empty vendor, a node without accelerators."""
        return vendor in self.vendors or (bool(vendor and self.other_than) and vendor not in self.other_than)


class VendorFields(VendorRow):
    """Fields of a bill, and the vendors that use them."""

    fields: list[str]


class ReportedFields(VendorRow):
    """Fields of a bill whose versions the vendor's tool reports."""

    driver: str
    firmware: str = ""


class FactTables(Record):
    """``data/facts.yaml``: the data that derived facts are computed from."""

    source: str
    date: Date
    releases: list[CudaRelease]
    platforms: list[PlatformRule]
    options: dict[str, str]
    """Fact -> option of `Bill.options` that it is read from."""
    fields: list[VendorFields]
    """Fields that only some vendors use."""
    installed: list[VendorFields]
    reported: list[ReportedFields]


@cache
def load_facts() -> FactTables:
    """The data of ``data/facts.yaml``."""
    return FactTables.model_validate(read("facts"))


def installed_fields(vendor: str) -> list[str]:
    """Fields of the bill whose versions must be known from the packages of a node before these can be judged, the
    driver first.

    Empty if the rules know no packages of the vendor.
    """
    return next((row.fields for row in load_facts().installed if row.uses(vendor)), [])


def reported_fields(vendor: str) -> ReportedFields:
    """Fields of the bill that the tool of the accelerators of `vendor` reports."""
    return next(row for row in load_facts().reported if row.uses(vendor))


def derive_facts(bill: Bill, accelerator: Accelerator | None = None, server: Server | None = None) -> Facts:
    """Every fact of one node class."""
    facts = {name: str(value) for name, value in bill if name not in _PLAIN and value}
    facts |= {"os": bill.os} if bill.os else {}
    for fact, option in load_facts().options.items():
        if bill.options.get(option, LEFT_TO_THE_ROLE) != LEFT_TO_THE_ROLE:
            facts[fact] = str(bill.options[option]).lower()
    if accelerator is not None:
        facts |= {"accelerator": accelerator.sku, "vendor": accelerator.vendor, "product": accelerator.product_name}
        facts |= {"architecture": accelerator.architecture, "scale_up": accelerator.scale_up}
        facts["driver_field"] = reported_fields(accelerator.vendor).driver
    if server is not None:
        facts |= {"server": server.sku, "nvswitches": str(server.nvswitches)}
        facts["needs_fabric_manager"] = "yes" if server.fabric_manager else "no"
        facts["adapters"] = ",".join(sorted({port.adapter for port in server.ports}))
    return {name: value for name, value in _derived(facts).items() if value}


def _derived(facts: Facts) -> Facts:
    facts["platform"] = next(
        (platform.platform for platform in load_facts().platforms if holds(platform.when, facts)), ""
    )
    driver, cuda = facts.get("driver", ""), facts.get("cuda", "")
    facts["driver_branch"] = driver.split(".")[0]
    facts["driver_cuda"] = cuda_of(driver)
    facts |= cuda_facts("cuda", cuda)
    facts["nccl_cuda_major"] = _number_after("cuda", facts.get("nccl", ""))
    facts["dcgm_exporter"] = facts.get("dcgm_exporter", "").rpartition("-")[2]
    return facts


def cuda_facts(name: str, cuda: str) -> Facts:
    """Major version, release (``13.0``) and shipped driver of `cuda`, under names that begin with `name`."""
    parts = cuda.split(".")
    shipped = min(
        (release.driver for release in load_facts().releases if _is_of(release.cuda, cuda)), key=version.key, default=""
    )
    release = ".".join(parts[:2]) if len(parts) > 1 else ""
    return {f"{name}_major": parts[0], f"{name}_release": release, f"{name}_driver": shipped}


def cuda_of(driver: str) -> str:
    """The newest CUDA release (``13.0``) that `driver` supports without a compatibility package; empty if there is
    none.
    """
    offered = [
        release.cuda for release in load_facts().releases if driver and version.compare(driver, release.driver) >= 0
    ]
    newest = max(offered, key=version.key, default="")
    return ".".join(newest.split(".")[:2])


def holds(when: Match, facts: Facts) -> bool:
    """Whether every condition is met; a list means any of its patterns."""
    return all(
        fact in facts
        and any(
            version.fits(facts[fact], pattern) for pattern in ([patterns] if isinstance(patterns, str) else patterns)
        )
        for fact, patterns in when.items()
    )


def _is_of(release: str, cuda: str) -> bool:
    """Whether `release` belongs to `cuda`: 13.0 includes every update of it, 13.0.2 only itself."""
    return bool(cuda) and f"{release}.".startswith(f"{cuda}.")


def _number_after(word: str, text: str) -> str:
    """The number that follows `word` (``13`` in ``2.30.4+cuda13.0``)."""
    match = re.search(rf"{word}(\d+)", text)
    return match[1] if match else ""
