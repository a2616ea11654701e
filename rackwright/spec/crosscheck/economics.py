"""Prices, phases and checkpoint intervals: names that exist, dates that exist, figures that do not contradict each other."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from rackwright.base.errors import Problem
from rackwright.catalog import Catalog
from rackwright.model.site import Site
from rackwright.model.sku import Cable, Server
from rackwright.spec.crosscheck.problem import problem
from rackwright.spec.fields import nearest_word

LIST_CURRENCY = "USD"
SPARE_PARTS = {"server": ("psu", "cpu", "ssd", "chassis"), "switch": ("psu",), "power_shelf": ("psu",)}
"""Parts of a device that are bought as spares, by kind of device."""
KINDS = [
    "accelerator",
    "server",
    "switch",
    "cable",
    "optic",
    "nic",
    "rack",
    "ups",
    "busway",
    "pdu",
    "power_shelf",
    "cdu",
    "crah",
    "coolant",
    "leak_detector",
]
"""Kinds of parts that are bought; instances of a cloud are not."""
SECONDS_PER_MINUTE = 60


def prices(site: Site, catalog: Catalog) -> Iterator[Problem]:
    """A price that belongs to nothing would silently count for nothing."""
    if site.economics.use_list_prices and site.economics.currency != LIST_CURRENCY:
        message, step = "list prices are in US dollars", f"set currency: {LIST_CURRENCY}, or give prices of your own"
        actual = site.economics.currency
        yield problem("economics.use_list_prices", "wrong_currency", message, f"currency {LIST_CURRENCY}", actual, step)
    skus = {sku for kind in KINDS for sku in catalog.of_kind(kind)}
    for key in site.economics.prices:
        path = f"economics.prices.{key}"
        sku, _, length = key.partition("@")
        device, _, part = key.partition(":")
        if length and sku in catalog.cables:
            yield from _length(path, catalog.cables[sku], length)
        elif part and device in skus:
            yield from _spare(path, device, part, catalog)
        elif key not in skus:
            guess = nearest_word(key, skus)
            step = (
                f"did you mean {guess}?"
                if guess
                else "`rackwright catalog` lists the parts; or declare it under catalog"
            )
            yield problem(path, "unknown_sku", f"there is no part {key} to price", "a SKU of the catalog", key, step)


def _length(path: str, cable: Cable, length: str) -> Iterator[Problem]:
    lengths = [f"{meters:g}" for meters in cable.lengths_meters]
    if length not in lengths:
        message, step = f"{cable.sku} does not come in this length", "write one of them after @, or no length for all"
        yield problem(path, "unknown_length", message, f"one of {', '.join(lengths)}", length, step)


def _spare(path: str, device: str, part: str, catalog: Catalog) -> Iterator[Problem]:
    parts = SPARE_PARTS.get(catalog.kind_of(device) or "", ())
    server = catalog.servers.get(device)
    if isinstance(server, Server) and server.local_storage is None:
        parts = tuple(kind for kind in parts if kind != "ssd")
    if part not in parts:
        message = f"{device} has no part {part} that is bought as a spare"
        expected = f"one of {', '.join(parts)}" if parts else "no part after the SKU"
        yield problem(path, "unknown_part", message, expected, part, "name one of them" if parts else "price the SKU")


def phases(site: Site, catalog: Catalog) -> Iterator[Problem]:  # noqa: ARG001 - every check has the same shape
    """Phases of pools and units that exist, on days that exist."""
    units = {pool.name: -(-pool.count // pool.scalable_unit) for pool in site.pools}
    planned = dict.fromkeys(units, 0)
    first: dict[str, int] = {}
    for i, phase in enumerate(site.deployment.phases):
        path = f"deployment.phases[{i}]"
        if phase.name in first:
            also = f"deployment.phases[{first[phase.name]}] has it too"
            message = f"the name {phase.name} stands twice"
            yield problem(f"{path}.name", "duplicate_name", message, "every name once", also, "rename one")
        first.setdefault(phase.name, i)
        yield from _date(f"{path}.start", phase.start)
        if phase.pool not in units:
            guess = nearest_word(phase.pool, units)
            step = f"did you mean {guess}?" if guess else "name one of them"
            message, expected = f"there is no pool {phase.pool}", f"one of {', '.join(units)}"
            yield problem(f"{path}.pool", "unknown_pool", message, expected, phase.pool, step)
            continue
        planned[phase.pool] += phase.scalable_units
        if planned[phase.pool] > units[phase.pool]:
            message = f"the phases take more scalable units than pool {phase.pool} has"
            expected, actual = f"{units[phase.pool]} in all phases together", f"{planned[phase.pool]} up to this phase"
            step = "lower scalable_units, or raise the count of the pool"
            yield problem(f"{path}.scalable_units", "too_many_units", message, expected, actual, step)


def _date(path: str, text: str) -> Iterator[Problem]:
    try:
        date.fromisoformat(text)
    except ValueError:
        message, step = "there is no such day", "write a day of the calendar (2027-01-31)"
        yield problem(path, "no_such_day", message, "a date", text, step)


def intervals(site: Site, catalog: Catalog) -> Iterator[Problem]:  # noqa: ARG001 - every check has the same shape
    """A job that may stall as long as its interval would do nothing but write."""
    for i, workload in enumerate(site.workloads):
        saved = workload.checkpoint
        if saved is None or saved.interval_minutes is None or saved.write_seconds is None:
            continue
        interval = saved.interval_minutes * SECONDS_PER_MINUTE
        if saved.write_seconds >= interval:
            message = f"a checkpoint of {workload.name} may take as long as the time between two"
            expected, actual = f"less than the interval of {interval:g} s", f"{saved.write_seconds:g} s"
            step = "lower write_seconds, or save less often"
            path = f"workloads[{i}].checkpoint.write_seconds"
            yield problem(path, "no_time_to_work", message, expected, actual, step)
