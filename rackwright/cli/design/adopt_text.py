"""What ``rackwright adopt`` reports beside the site file: text for people, and plain data for scripts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from textwrap import wrap
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rackwright.adopt import DraftPool, NodeDifference
    from rackwright.flow.adoption import Adoption

WIDTH = 120


def as_data(adoption: Adoption) -> dict[str, Any]:
    """The whole result."""
    site = adoption.site
    return {
        "site": site.text if site else None,
        "totals": site.design.totals if site else {},
        "pools": [_pool_data(pool, adoption) for pool in adoption.grouping.pools],
        "nodes": _node_data(adoption),
        "silent": dict(adoption.grouping.silent),
        "left_out": dict(adoption.grouping.left_out),
        "differences": [asdict(entry) for entry in adoption.differences],
        "assumed": [asdict(entry) for entry in site.unseen] if site else [],
        "neighbours": [asdict(entry) for entry in adoption.neighbours],
        "notes": list(site.notes) if site else [],
        "problems": [entry.as_dict() for entry in site.problems] if site else [],
    }


def _pool_data(pool: DraftPool, adoption: Adoption) -> dict[str, Any]:
    return {
        "name": pool.name,
        "hosts": pool.hosts,
        "counted": list(pool.counted),
        "server": pool.server,
        "accelerator": pool.accelerator,
        "matched_by": pool.matched_by,
        "scheduler": pool.scheduler,
        "new_parts": [part.part for part in pool.new_parts],
        "software": dict(adoption.site.software[pool.name]) if adoption.site else {},
    }


def _node_data(adoption: Adoption) -> dict[str, dict[str, str]]:
    """Host -> its name and address in the design, and the address where it answered."""
    site = adoption.site
    if site is None:
        return {}
    answered = {reading.host: reading.address for pool in adoption.grouping.pools for reading in pool.readings}
    return {
        host: {"name": name, "address": site.addresses[host], "answered_at": answered.get(host, "")}
        for host, name in site.names.items()
    }


def report(adoption: Adoption) -> Iterator[str]:
    """The lines for a terminal."""
    for pool in adoption.grouping.pools:
        yield from _wrapped(
            f"pool {pool.name}: {len(pool.hosts)} x {pool.server} with {pool.accelerator}, scheduler {pool.scheduler}"
            f" ({pool.matched_by})",
            "",
        )
        if adoption.site:
            versions = adoption.site.software[pool.name]
            yield from _wrapped(", ".join(f"{name} {version}" for name, version in versions.items()), "  software: ")
    yield from _section("Did not answer", _by_reason(adoption.grouping.silent))
    yield from _section("In no pool", _by_reason(adoption.grouping.left_out))
    yield from _section(
        "Not as their peers (each stays in its pool; the file says what most have)",
        _difference_lines(adoption.differences),
    )
    if adoption.site:
        refused = [f"{entry.path}: {entry.message}; {entry.next_step}" for entry in adoption.site.problems]
        yield from _section("`rackwright check` refuses the draft until this is changed", refused)
        yield from _section("Notes", adoption.site.notes)
        yield from _section("Cannot be seen from the nodes, and therefore assumed", _assumed(adoption))
    if adoption.neighbours:
        switches = {entry.switch for entry in adoption.neighbours}
        named = sorted({entry.by for entry in adoption.neighbours})
        yield f"Switch ports named by {' and '.join(named)}: {len(adoption.neighbours)} on {len(switches)} switches (--format json lists them)"


def _section(title: str, entries: Iterable[str]) -> Iterator[str]:
    listed = list(entries)
    if listed:
        yield f"{title}:"
        for entry in listed:
            yield from _wrapped(entry, "  ")


def _by_reason(reasons: Mapping[str, str]) -> Iterator[str]:
    """One line per reason with all its hosts; a reason that begins with the name or address of its host is compared without it."""
    from rackwright.model.hostlist import fold_hosts

    grouped: dict[str, list[str]] = defaultdict(list)
    for host, reason in reasons.items():
        grouped[reason.removeprefix(host).strip()].append(host)
    for reason, hosts in grouped.items():
        yield f"{fold_hosts(hosts)}: {reason}"


def _difference_lines(entries: Iterable[NodeDifference]) -> Iterator[str]:
    from rackwright.model.hostlist import fold_hosts

    grouped: dict[tuple[str, str, str, str], list[str]] = defaultdict(list)
    for entry in entries:
        grouped[entry.what, entry.value, entry.usual, entry.share].append(entry.host)
    for (what, value, usual, share), hosts in grouped.items():
        yield f"{fold_hosts(hosts)}: {what} {value}; usual {usual} ({share})"


def _assumed(adoption: Adoption) -> Iterator[str]:
    """Sentences on what was assumed, with the value in the draft."""
    from rackwright.flow.adopted_comments import SIZED

    assert adoption.site is not None, "only a site has assumptions"
    as_sized = [entry.what for entry in adoption.site.unseen if entry.assumed == SIZED]
    yield f"as `rackwright size` plans for so many nodes: {'; '.join(as_sized)}"
    for entry in adoption.site.unseen:
        if entry.assumed != SIZED:
            yield f"{entry.what}: {entry.assumed}"


def _wrapped(text: str, indent: str) -> list[str]:
    return wrap(text, WIDTH, initial_indent=indent, subsequent_indent="    " if indent else "  ")
