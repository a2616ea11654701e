"""Capacity rules: lanes that exist and are large enough, floors and ceilings that can all hold at once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import combinations
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from rackwright.base.errors import Problem
from rackwright.catalog import Catalog
from rackwright.model.capacity import PoolPart, of_class, parts
from rackwright.model.site import Site
from rackwright.model.tenancy import DAYS, CapacityRule, Window
from rackwright.spec.crosscheck.names import duplicates
from rackwright.spec.crosscheck.problem import problem, unknown_name
from rackwright.spec.fields import nearest_word

DAY = 24 * 60
WEEK = 7 * DAY
Minutes = list[tuple[int, int]]
"""Parts of a week, from Monday: start and end."""


def check(site: Site, catalog: Catalog) -> Iterator[Problem]:
    """Reserves, lanes, then rules."""
    policies = site.policies
    every = parts(site, catalog.servers, catalog.accelerators)
    pools = list(dict.fromkeys(part.pool for part in every))
    yield from duplicates("policies.reserved", "pool", [reserve.pool for reserve in policies.reserved])
    for i, reserve in enumerate(policies.reserved):
        yield from unknown_name(f"policies.reserved[{i}].pool", "pool", reserve.pool, pools)
    yield from _zone(policies.time_zone)
    yield from _lanes(site, pools)
    yield from duplicates("policies.rules", "name", [rule.name for rule in policies.rules])
    for i, rule in enumerate(policies.rules):
        yield from _rule(f"policies.rules[{i}]", rule, site, every)
    yield from _together(site, every)


def _zone(name: str) -> Iterator[Problem]:
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError):
        if zones := available_timezones():  # else this machine has no time zone database
            guess = nearest_word(name, zones)
            step = f"did you mean {guess}?" if guess else "name one of the IANA time zone database"
            yield problem("policies.time_zone", "unknown_zone", "there is no such time zone", "a time zone", name, step)


def _lanes(site: Site, pools: list[str]) -> Iterator[Problem]:
    lanes = site.policies.lanes
    classes = {job.name: job for job in site.classes}
    names = [pool.name for pool in site.pools]
    used: dict[str, int] = defaultdict(int)
    of_class_in_pool: dict[tuple[str, str], int] = {}
    yield from duplicates("policies.lanes", "name", [lane.name for lane in lanes])
    for i, lane in enumerate(lanes):
        path = f"policies.lanes[{i}]"
        yield from unknown_name(f"{path}.pool", "pool", lane.pool, pools)
        yield from duplicates(f"{path}.classes", "", lane.classes)
        if f"{lane.pool}-{lane.name}" in names:
            message, expected = "lane and pool would be called the same", "a name of no pool"
            yield problem(
                f"{path}.name", "reserved_name", message, expected, f"{lane.pool}-{lane.name}", "rename the lane"
            )
        clash = next((t.name for t in site.tenants for u in site.tenants if t.name == f"{u.name}-{lane.name}"), None)
        if clash:
            message, expected = (
                "a tenant is called as the queue of another in this lane",
                "a name that no tenant ends with",
            )
            yield problem(f"{path}.name", "reserved_name", message, expected, clash, "rename the lane")
        for j, name in enumerate(lane.classes):
            at = f"{path}.classes[{j}]"
            yield from unknown_name(at, "class", name, list(classes))
            if name in classes and classes[name].pools and lane.pool not in classes[name].pools:
                yield _elsewhere(at, name, lane.pool, classes[name].pools)
            first = of_class_in_pool.setdefault((lane.pool, name), i)
            if first != i:
                message = f"class {name} has two lanes in pool {lane.pool}"
                step = "keep it in one of them, or make one lane of both"
                yield problem(
                    at,
                    "two_lanes",
                    message,
                    "one lane for a class in a pool",
                    f"policies.lanes[{first}] has it too",
                    step,
                )
        used[lane.pool] += lane.nodes
        counts = [pool.nodes_by_scheduler().get(pool.scheduler, 0) for pool in site.pools if pool.name == lane.pool]
        count = next(iter(counts), used[lane.pool])
        if used[lane.pool] > count:
            message, expected = f"lanes of pool {lane.pool} have more nodes than it", f"at most {count} nodes together"
            yield problem(
                f"{path}.nodes", "lanes_above_capacity", message, expected, f"{used[lane.pool]}", "lower one of them"
            )


def _elsewhere(path: str, name: str, pool: str, pools: list[str]) -> Problem:
    message, step = f"class {name} does not run in pool {pool}", "name another pool, or add the pool to the class"
    return problem(path, "not_in_pool", message, f"a class of pool {pool}", f"pools {', '.join(pools)}", step)


def _rule(path: str, rule: CapacityRule, site: Site, every: list[PoolPart]) -> Iterator[Problem]:
    classes = {job.name: job for job in site.classes}
    yield from unknown_name(f"{path}.pool", "pool", rule.pool, list(dict.fromkeys(part.pool for part in every)))
    yield from duplicates(f"{path}.classes", "", rule.classes)
    for j, name in enumerate(rule.classes):
        yield from unknown_name(f"{path}.classes[{j}]", "class", name, list(classes))
        if name in classes and classes[name].pools and rule.pool not in classes[name].pools:
            yield _elsewhere(f"{path}.classes[{j}]", name, rule.pool, classes[name].pools)
    if rule.window and rule.window.start == rule.window.end:
        message, step = "the window ends when it starts", "leave the window out for the whole day, or change a time"
        yield problem(f"{path}.window", "empty_window", message, "two different times", rule.window.start, step)
    if rule.floor is None and rule.ceiling is None:
        message, step = "the rule bounds nothing", "give floor or ceiling, or remove the rule"
        yield problem(path, "empty_rule", message, "floor or ceiling", "neither", step)
    if rule.floor is not None and rule.ceiling is not None and rule.floor > rule.ceiling:
        message, expected = "the floor is above the ceiling", f"at most {rule.ceiling}"
        yield problem(f"{path}.floor", "contradiction", message, expected, str(rule.floor), "lower it")
    if rule.ceiling is not None and rule.window is None:
        for name in rule.classes:
            if name in classes and classes[name].minimum > rule.ceiling:
                least = classes[name].minimum
                message, expected = f"no job of class {name} fits below the ceiling", f"at least {least}"
                step = "raise it, lower the minimum of the class, or give the rule a window"
                yield problem(f"{path}.ceiling", "contradiction", message, expected, str(rule.ceiling), step)
    places = _places(rule, site, every)
    if len(places) > 1:
        message, step = "classes of the rule run in different lanes", "make a rule for each lane"
        names = ", ".join(part.name for part in places)
        yield problem(f"{path}.classes", "two_lanes", message, "classes of one lane, or of none", names, step)


def _places(rule: CapacityRule, site: Site, every: list[PoolPart]) -> list[PoolPart]:
    """The parts of the rule's pool in which its classes run, without nodes of another scheduler."""
    jobs = [job for job in site.classes if job.name in rule.classes]
    candidates = [part for part in every if part.pool == rule.pool and not part.moved]
    return list(dict.fromkeys(part for job in jobs for part in of_class(job, site, candidates)))


def _together(site: Site, every: list[PoolPart]) -> Iterator[Problem]:
    """Rules that hold at the same time: floors that exceed the capacity, and two bounds of one kind on one class."""
    rules = site.policies.rules
    by_part: dict[PoolPart, list[tuple[int, CapacityRule]]] = defaultdict(list)
    for i, rule in enumerate(rules):
        for part in _places(rule, site, every)[:1]:
            by_part[part].append((i, rule))
    for part, here in by_part.items():
        yield from _floors(part, [(i, rule) for i, rule in here if rule.floor])
        for (i, first), (j, second) in combinations(here, 2):
            both = [name for name in second.classes if name in first.classes]
            if both and _overlap(_minutes(first.window), _minutes(second.window)):
                for bound in ("floor", "ceiling"):
                    if getattr(first, bound) is not None and getattr(second, bound) is not None:
                        message = f"class {both[0]} has two bounds of one kind at the same time"
                        also, step = (
                            f"policies.rules[{i}] has one too",
                            "keep one of them, or give them windows that do not meet",
                        )
                        yield problem(f"policies.rules[{j}].{bound}", "two_bounds", message, f"one {bound}", also, step)


def _floors(part: PoolPart, rules: list[tuple[int, CapacityRule]]) -> Iterator[Problem]:
    """Floors whose sum exceeds the capacity of `part`; only the start of each window is tested, where the sum is greatest."""
    starts = sorted({start for _, rule in rules for start, _ in _minutes(rule.window)})
    for at in starts:
        holding = [(i, rule) for i, rule in rules if _overlap(_minutes(rule.window), [(at, at + 1)])]
        total = sum(rule.floor or 0 for _, rule in holding)
        if total > part.available:
            names = ", ".join(f"{rule.name} {rule.floor}" for _, rule in holding)
            message = f"floors keep more accelerators than {part.name} has"
            expected, step = (
                f"at most {part.available} at any time",
                "lower one of them, or give them windows that do not meet",
            )
            path = f"policies.rules[{holding[-1][0]}].floor"
            yield problem(path, "floors_above_capacity", message, expected, f"{total}: {names}", step)
            return


def _minutes(window: Window | None) -> Minutes:
    """The window as (start, end) in minutes of the week; one that passes the end of Sunday continues on Monday."""
    if window is None:
        return [(0, WEEK)]
    start, end = (int(text[:2]) * 60 + int(text[3:]) for text in (window.start, window.end))
    length = (end - start) % DAY
    spans = [(DAYS.index(day) * DAY + start, DAYS.index(day) * DAY + start + length) for day in window.days]
    return [
        piece
        for low, high in spans
        for piece in ([(low, min(high, WEEK))] + ([(0, high - WEEK)] if high > WEEK else []))
    ]


def _overlap(first: Minutes, second: Minutes) -> bool:
    return any(low < other_high and other_low < high for low, high in first for other_low, other_high in second)
