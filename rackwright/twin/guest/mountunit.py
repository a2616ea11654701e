"""A mount unit as a service that mounts: systemd.mount(5) for the twin's init, which runs services only."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .unitfile import UnitFile


def complete(unit: UnitFile) -> None:
    """Give a mount unit the commands of a service; a unit without [Mount] stays as it is."""
    what, where = unit.one("Mount", "What"), unit.one("Mount", "Where")
    if not (what and where):
        return
    kind, options = unit.one("Mount", "Type"), unit.one("Mount", "Options")
    words = ["mount", *(["-t", kind] if kind else []), *(["-o", options] if options else []), what, where]
    inside = f"mountpoint -q {shlex.quote(where)} || {{ mkdir -p {shlex.quote(where)} && {shlex.join(words)}; }}"
    unit.values |= {
        ("Service", "Type"): ["oneshot"],
        ("Service", "RemainAfterExit"): ["yes"],
        ("Service", "ExecStart"): [f"/bin/sh -c {shlex.quote(inside)}"],
        ("Service", "ExecStop"): [f"/bin/umount {shlex.quote(where)}"],
        ("Service", "TimeoutStartSec"): [unit.one("Mount", "TimeoutSec", "90s")],
    }
