"""The software bill of an adopted site: versions that nodes run, and the reference where none was read, until `check`
accepts it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from rackwright import compat
from rackwright.adopt import PoolBill
from rackwright.adopt.bill import operating_system
from rackwright.base.errors import Problem
from rackwright.model.sku import Accelerator

OF_DRIVER = ("fabric_manager", "imex")
"""Fields that must have the version of the driver."""
MISSING = "spec.version_missing"
PLACE = "software"


@dataclass
class VersionChoice:
    """One version of the draft, and the reason for it."""

    version: str
    assumed: str = ""
    """Why it is not the version that was read; empty if it is."""


@dataclass
class PoolSoftware:
    """The bill of one pool during drafting."""

    bill: PoolBill
    reference: Mapping[str, str]
    foreign: frozenset[str]
    """Fields that only accelerators of other vendors use."""
    options: Mapping[str, Any] = field(default_factory=dict)
    """Options of roles that sizing writes for such nodes."""
    choices: dict[str, VersionChoice] = field(default_factory=dict)

    @classmethod
    def of(cls, bill: PoolBill, reference: Mapping[str, Any], accelerator: Accelerator) -> PoolSoftware:
        """The versions that were read, with the reference for the remaining fields."""
        texts = {name: version for name, version in reference.items() if isinstance(version, str)}
        pool = cls(bill, texts, frozenset(compat.foreign_fields(accelerator)), reference.get("options", {}))
        system = operating_system(bill.versions.get("os", ""))
        for name, version in bill.versions.items():
            if name not in pool.foreign and name != "os":
                pool.choices[name] = VersionChoice(version)
        if system:
            pool.choices["os"] = VersionChoice(system)
        for name, version in texts.items():
            if name not in pool.choices and name not in bill.not_installed:
                pool.choices[name] = VersionChoice(pool.fallback(name) or version, "no node reported its version")
        return pool

    def fallback(self, name: str) -> str:
        """The version to write if none was read, or if the one that was read is refused."""
        driver = self.choices.get("driver")
        return driver.version if name in OF_DRIVER and driver else self.reference.get(name, "")

    def mend(self, name: str, problem: Problem) -> bool:
        """Change the field that `check` refuses; False if nothing can be changed."""
        choice = self.choices.get(name)
        fallback = self.fallback(name)
        if problem.code == MISSING:
            if not fallback or choice:
                return False
            self.choices[name] = VersionChoice(fallback, "it is not installed on the nodes, and check requires it")
        elif choice is None:
            return False
        elif fallback and fallback != choice.version:
            self.choices[name] = VersionChoice(
                fallback, f"the nodes run {choice.version}, which check refuses: {problem.message}"
            )
        else:
            del self.choices[name]
        if name == "os":  # the kernel is that of the other system
            self.choices.pop("kernel", None)
        return True


def software_data(apt_mirror: str, pools: Mapping[str, PoolSoftware]) -> dict[str, Any]:
    """The section ``software``: the bill of the first pool, and the differences of the others."""
    first, *others = pools
    common = versions(pools[first])
    alike = all(pool.options == pools[first].options for pool in pools.values())
    data: dict[str, Any] = {"apt_mirror": apt_mirror, **common, **(_options(pools[first]) if alike else {})}
    by_pool = {} if alike or not pools[first].options else {first: _options(pools[first])}
    for name in others:
        bill = versions(pools[name])
        differing = {field: version for field, version in bill.items() if common.get(field) != version}
        differing |= {field: "" for field in common if field not in bill and field not in (*pools[name].foreign, "os")}
        differing |= {} if alike else _options(pools[name])
        if differing:
            by_pool[name] = differing
    return data | ({"pools": by_pool} if by_pool else {})


def _options(pool: PoolSoftware) -> dict[str, Any]:
    return {"options": dict(pool.options)} if pool.options else {}


def versions(pool: PoolSoftware) -> dict[str, str]:
    """Field -> version in the current bill of a pool."""
    return {name: choice.version for name, choice in _ordered_versions(pool)}


def _ordered_versions(pool: PoolSoftware) -> Iterable[tuple[str, VersionChoice]]:
    """System, kernel and driver first, then the rest by name of the field."""
    first = ("os", "kernel", "driver")
    return sorted(pool.choices.items(), key=lambda pair: (pair[0] not in first, first.index(pair[0]) if pair[0] in first else 0))  # fmt: skip


def mend(pools: Mapping[str, PoolSoftware], problems: Iterable[Problem]) -> bool:
    """Change the first field that `problems` refuse, the driver before fields that depend on it; False if nothing can
    be changed.

    Only one field, because `check` may then report other problems.
    """
    for problem in sorted(problems, key=lambda problem: not problem.path.endswith("driver")):
        path = problem.path.split(".")
        owners = [path[2]] if path[:2] == [PLACE, "pools"] else _owners(pools, problem)
        if any(name in pools and pools[name].mend(path[-1], problem) for name in owners):
            return True
    return False


def _owners(pools: Mapping[str, PoolSoftware], problem: Problem) -> list[str]:
    """Pools that a problem of the site's bill names; the first pool if it names none."""
    words = re.findall(r"[a-z0-9-]+", problem.message)
    return [name for name in pools if name in words] or [next(iter(pools))]
