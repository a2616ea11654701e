"""What a node was when evidence was taken: the boot, the driver, the BIOS and the parts that a reading depends on.

Two readings speak of the same node only while these stay the same: a burn-in before a reboot, an update or a change of parts
shows nothing of the node that stands there now.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple

from rackwright.model.base import Record
from rackwright.model.evidence.accelerator import Accelerators
from rackwright.model.evidence.bmc import BmcEvidence
from rackwright.model.evidence.host import Host
from rackwright.model.records import Records, outline

AnyRecords = Mapping[type[Record], Record]
KINDS = (Host, Accelerators, BmcEvidence)
"""Records that say what a node is."""
IDENTITY = ("boot_id", "driver_version", "bios_version", "devices", "serial", "uuid")
"""Their fields, and those of an accelerator, that say it."""
MAX_SERIALS = 3
"""Serials that are printed; the rest are counted."""


class NodeIdentity(NamedTuple):
    """Of one node; what nobody could read is empty, and is not compared."""

    boot: str = ""
    driver: str = ""
    bios: str = ""
    machine: str = ""
    """Serial of the machine."""
    accelerators: tuple[str, ...] = ()
    """Serials, or where an accelerator has none its UUID, in order."""


class Circumstances(NamedTuple):
    """Of what node readings are that were taken in one run."""

    purpose: str
    """What the run was for: ``state``, ``load``, ``group``."""
    design: str
    """Hash of the node's part of the design; empty for runs that did not keep it."""
    state: NodeIdentity | None
    """By the last collect before or in the run; None where that is the newest one, or where there is none."""
    boots: tuple[str, ...] = ()
    """In which the node was, as tests themselves say; empty for collects, and for runs that did not keep it."""


class DecidedState(NamedTuple):
    """What a node was by the evidence that the gate decided on; empty where nobody could read it."""

    design: str = ""
    """Hash of the node's part of the design."""
    boot: str = ""
    driver: str = ""


def state_of(records: AnyRecords) -> NodeIdentity:
    """The state that the records of a node show."""
    host, cards, bmc = (_identity_outline(records, kind) for kind in KINDS)
    return NodeIdentity(
        boot=host.boot_id or "" if host else "",
        driver=cards.driver_version or "" if cards else "",
        bios=bmc.bios_version or "" if bmc else "",
        machine=bmc.serial or "" if bmc else "",
        accelerators=tuple(sorted(device.serial or device.uuid for device in cards.devices)) if cards else (),
    )


def changes(before: NodeIdentity, now: NodeIdentity) -> Iterator[str]:
    """What differs between two states of a node, in words."""
    if _differ(before.boot, now.boot):
        yield f"it was booted since (boot {before.boot[:8]}, now {now.boot[:8]})"
    for name, old, new in (
        ("driver", before.driver, now.driver),
        ("BIOS", before.bios, now.bios),
        ("machine serial", before.machine, now.machine),
    ):
        if _differ(old, new):
            yield f"{name} {old}, now {new}"
    if before.accelerators and now.accelerators and before.accelerators != now.accelerators:
        gone = sorted({*before.accelerators} - {*now.accelerators})
        added = sorted({*now.accelerators} - {*before.accelerators})
        yield f"accelerators {_serials(gone)}, now {_serials(added)}"


def _serials(serials: list[str]) -> str:
    more = f" and {len(serials) - MAX_SERIALS} more" if len(serials) > MAX_SERIALS else ""
    return (", ".join(serials[:MAX_SERIALS]) or "none of these") + more


def _differ(before: str, now: str) -> bool:
    return bool(before and now) and before != now


def _identity_outline(records: AnyRecords, kind: type[Any]) -> Any:
    """A record with the fields that say what a node is, and perhaps others; None where there is no such record."""
    held = records.held(kind) if isinstance(records, Records) else records.get(kind)
    return None if held is None else outline(held, _identity_fields)


@cache
def _identity_fields(kind: type[Record]) -> Collection[str]:
    return [name for name in kind.model_fields if name in IDENTITY]
