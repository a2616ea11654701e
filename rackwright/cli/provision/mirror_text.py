"""How ``rackwright mirror`` tells people what it found: tables and sentences, and the data behind them for scripts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from rackwright.mirror.layout import MirrorLayout

if TYPE_CHECKING:
    from rackwright.mirror import MirrorPlan, MirrorPlanLine, SyncOptions, SyncResult

LEFT_SHOWN = 8
"""Requirements that are named before the rest is counted."""


def plan(found: MirrorPlan, *, looked: bool) -> None:
    """What is asked for, by node class and role, and which upstreams will be read; the state only of a mirror looked into."""
    groups: dict[str, dict[str, list[MirrorPlanLine]]] = {}
    for line in found.lines:
        groups.setdefault(_class(line), {}).setdefault(line.role or "jobs", []).append(line)
    for title, roles in groups.items():
        print(title)
        for role, lines in roles.items():
            print("\n".join(_role(role, lines, looked=looked)))
    for one in found.repositories:
        where = f"not read: {one.unusable}" if one.unusable else one.url
        print(f"upstream {one.name} ({one.os}, {one.architecture}): {where}")
    for note in found.notes:
        print(f"note: {note}")
    asked = sum(line.state != "pin" for line in found.lines)
    there = f", {asked - found.missing} of them in the mirror" if looked else ""
    print(f"{asked} things are asked for{there}; `rackwright mirror sync` fetches them and what they depend on")


def synced(found: SyncResult, order: SyncOptions) -> None:
    """What a sync brought, what it left to the hosts, and how hosts use the mirror."""
    size = sum(one.size for one in found.artifacts) / 1e9
    print(
        f"{order.to}: {len(found.artifacts):,} files, {size:.2f} GB; {found.fetched:,} fetched ({found.bytes_read / 1e9:.2f} GB)"
    )
    for name, reason in found.unread.items():
        print(f"not read: {name}: {reason}")
    if found.unmet:
        some = ", ".join(list(found.unmet)[:LEFT_SHOWN])
        more = f" and {len(found.unmet) - LEFT_SHOWN} more (in the lock)" if len(found.unmet) > LEFT_SHOWN else ""
        print(f"left to the hosts, because no upstream carries it: {some}{more}")
    if found.stray:
        done = "removed" if order.prune else "kept; --prune removes them"
        print(f"{len(found.stray)} files that nothing asks for: {done}")
    print(f"changed: {', '.join(found.published)}" if found.published else "nothing changed")
    own = "" if order.sign_key else f" (its secret half: {MirrorLayout(order.to).secrets}, never to be served)"
    print(f"signed by {found.signed_by}{own}; hosts trust {found.public_key}")
    print("serve the folder as software.apt_mirror (without .sync), or copy it across the gap and verify it there")


def synced_data(found: SyncResult) -> dict[str, Any]:
    """What came of a sync, for scripts."""
    return {
        "changed": found.changed,
        "files": len(found.artifacts),
        "bytes": sum(one.size for one in found.artifacts),
        "fetched": found.fetched,
        "bytes_read": found.bytes_read,
        "published": list(found.published),
        "left": dict(found.unmet),
        "unread": dict(found.unread),
        "stray": list(found.stray),
        "signed_by": found.signed_by,
        "public_key": str(found.public_key),
    }


def _class(line: MirrorPlanLine) -> str:
    return f"{line.pool or 'servers without a pool'} on {line.os} ({line.architecture})"


def _role(role: str, lines: Sequence[MirrorPlanLine], *, looked: bool) -> Iterator[str]:
    """A role and what it asks for, a line each, narrow enough for a terminal; pins fetch nothing and are counted."""
    yield f"  {role}"
    for line in lines:
        if line.state != "pin":
            state = f"{line.state:<9}" if looked else ""
            kind = "" if line.kind == "package" else f"{line.kind} "
            version = f" {line.version}" if line.version else ""
            yield f"    {state}{kind}{line.name}{version} ({line.upstream or 'from where is not known'})"
    if pins := sum(line.state == "pin" for line in lines):
        yield f"    and {pins} name{'s' if pins > 1 else ''} that {'are' if pins > 1 else 'is'} pinned where present (--format json)"
