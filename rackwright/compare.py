"""The few comparisons that checks share, so that a check file holds its claim and nothing else.

In: an expectation and readings. Out: a `Finding`. Pure, and the only module besides `rackwright.model` that a check may
import. Everything here fails closed: a reading that is None, an empty set of readings or a missing limit is
`inconclusive`, never `pass`; a reading that is wrong is worse than one that is missing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from fnmatch import fnmatchcase
from typing import TypeVar

from rackwright.model.check import Expectation, Limit
from rackwright.model.design import Link
from rackwright.model.evidence.accelerator import Accelerators, Device
from rackwright.model.evidence.host import Package, Packages
from rackwright.model.sku import Accelerator, Sku
from rackwright.model.verdict import Finding, Outcome

T = TypeVar("T")

GIB = 2**30
"""Bytes in a GiB (IEC 80000-13)."""


def has_accelerators(expectation: Expectation) -> bool:
    """Whether the node was bought with accelerators; for `Check.applies`."""
    return expectation.node.accelerator is not None


def is_onboarded(expectation: Expectation) -> bool:
    """Whether rackwright sets up the node's operating system; an appliance has none of ours to look at."""
    return bool(expectation.node.server.ansible_groups)


def accelerator(expectation: Expectation) -> Accelerator:
    """The accelerator SKU of a node that has one (`has_accelerators` guards the check)."""
    assert expectation.node.accelerator is not None, f"{expectation.node.name} has no accelerators"
    return expectation.node.accelerator


def by_device(seen: Accelerators, read: Callable[[Device], T]) -> dict[str, T]:
    """One reading of every accelerator, under the name an engineer finds it by."""
    return {
        f"GPU {device.index} ({device.pci_bus_id}, serial {device.serial})": read(device) for device in seen.devices
    }


def limit(expectation: Expectation, metric: str, **key: str) -> Limit | None:
    """The limit of `metric` for this node: by architecture, accelerator, server, vendor and scheduler, and `key`."""
    part = expectation.node.accelerator
    about = {"server": expectation.node.server.sku, "scheduler": expectation.node.scheduler}
    if part is not None:
        about |= {"architecture": part.architecture, "accelerator": part.sku, "vendor": part.vendor}
    return expectation.limits.find(metric, **(about | key))


def no_limit(expectation: Expectation, metric: str) -> Finding:
    """What a check says when there is nothing to compare with."""
    says = f"{expectation.node.name}: no limit for {metric} on {expectation.node.server.sku}, so nothing can be judged"
    return Finding(outcome=Outcome.INCONCLUSIVE, observed="", expected=f"a row for {metric}", source="", says=says)


def every(
    expectation: Expectation,
    readings: Mapping[str, T | None],
    good: Callable[[T], bool],
    *,
    what: str,
    expected: str,
    source: str,
    bad: Outcome = Outcome.FAIL,
) -> Finding:
    """Every reading must be good: a bad one gives `bad`, else a missing one gives inconclusive, else pass.

    `what` names the reading (``PCIe link width``); the keys of `readings` name the parts.
    """
    wrong = {part: value for part, value in readings.items() if value is not None and not good(value)}
    missing = [part for part, value in readings.items() if value is None]
    if wrong:
        observed = "; ".join(f"{part}: {value}" for part, value in wrong.items())
        outcome = bad
    elif missing or not readings:
        observed = f"no reading of {', '.join(missing)}" if missing else "nothing to read"
        outcome = Outcome.INCONCLUSIVE
    else:
        shown = sorted({str(value) for value in readings.values()})
        observed = ", ".join(shown) + (f" on all {len(readings)}" if len(readings) > 1 else "")
        outcome = Outcome.PASS
    return finding(expectation, outcome, what=what, observed=observed, expected=expected, source=source)


def equal(expectation: Expectation, seen: T | None, expected: T, *, what: str, source: str) -> Finding:
    """One reading must equal what is expected; None is inconclusive."""
    outcome = Outcome.PASS if seen == expected else Outcome.FAIL
    observed = str(seen)
    if seen is None:
        outcome, observed = Outcome.INCONCLUSIVE, "no reading"
    return finding(expectation, outcome, what=what, observed=observed, expected=str(expected), source=source)


def finding(
    expectation: Expectation, outcome: Outcome, *, what: str, observed: str, expected: str, source: str
) -> Finding:
    """A finding whose sentence has subject, observed, expected and source."""
    says = f"{expectation.node.name}: {what} {observed}; expected {expected} ({source})"
    return Finding(outcome=outcome, observed=observed, expected=expected, source=source, says=says)


def sku_source(sku: Sku, field: str) -> str:
    """Which document covers `field` of a SKU."""
    for source in sku.sources:
        if any(fnmatchcase(field, pattern) for pattern in source.covers):
            return f"SKU {sku.sku}: {source.doc}, {source.date}"
    return f"SKU {sku.sku}"


def limit_source(row: Limit) -> str:
    """Where a limit comes from."""
    return f"limit {row.metric}: {row.source}, {row.date}"


def words(row: Limit) -> list[str]:
    """The value of a limit as a list of words."""
    return [str(value) for value in row.value] if isinstance(row.value, list) else [str(row.value)]


def number(row: Limit) -> float:
    """The value of a limit as a number; a row of another type is a mistake in the limits file."""
    if not isinstance(row.value, int | float):
        raise TypeError(f"limit {row.metric} must be a number, found {row.value!r}")
    return row.value


def version(text: str) -> tuple[int, ...]:
    """A dotted version as numbers that compare; text that is not one compares below everything."""
    return tuple(int(part) for part in re.findall(r"\d+", text))


def upstream(package_version: str) -> str:
    """The upstream part of a Debian version: ``1:4.6.0-1`` is ``4.6.0`` (deb-version(7))."""
    return package_version.split(":")[-1].split("-")[0].split("+")[0]


def installed(expectation: Expectation, seen: Packages, component: str) -> dict[str, Package] | None:
    """Packages that carry `component` of the software bill, by name; None when no limit row names them."""
    row = limit(expectation, "software.package", component=component)
    if row is None:
        return None
    patterns = words(row)
    return {
        name: package
        for name, package in seen.packages.items()
        if any(fnmatchcase(name, pattern) for pattern in patterns)
    }


def bill_version(expectation: Expectation, seen: Packages, component: str, declared: str) -> Finding:
    """The packages of `component` must be installed in the version that the site declares.

    A declared version with fewer parts than the package's matches its beginning: ``13.0`` is met by ``13.0.2``.
    """
    packages = installed(expectation, seen, component)
    if packages is None:
        return no_limit(expectation, f"software.package component {component}")
    source = f"site software.{component}"
    if not packages:
        return finding(
            expectation, Outcome.FAIL, what=component, observed="not installed", expected=declared, source=source
        )
    wanted = version(declared)
    readings = {name: upstream(package.version) for name, package in packages.items()}
    return every(
        expectation,
        readings,
        lambda found: version(found)[: len(wanted)] == wanted,
        what=f"{component} package",
        expected=declared,
        source=source,
    )


def subnet_links(expectation: Expectation) -> list[Link]:
    """Planned links that the InfiniBand subnet can show: those whose switch port the plan knows by number."""
    return [link for link in expectation.links if (link.remote_device, link.remote_number) in expectation.owners]


def switch_name(description: str) -> str:
    """The name in the NodeDescription of a switch; a managed NVIDIA switch writes ``MF0;<name>:<model>/U1``."""
    return description.removeprefix("MF0;").split(":")[0] if description.startswith("MF0;") else description


def worst(outcomes: list[Outcome]) -> Outcome:
    """The outcome that decides: fail, then inconclusive, not_run, degraded; pass only when all of at least one pass."""
    for outcome in (Outcome.FAIL, Outcome.INCONCLUSIVE, Outcome.NOT_RUN, Outcome.DEGRADED):
        if outcome in outcomes:
            return outcome
    return Outcome.PASS if outcomes else Outcome.INCONCLUSIVE
