"""A mount unit as a service that mounts: systemd.mount(5) for the twin's init, which runs services only.

Source: systemd.mount(5), systemd.unit(5) of systemd 252.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable


def service_values(mount: Callable[[str], str]) -> dict[tuple[str, str], list[str]]:
    """The [Service] section that does what a [Mount] section declares; empty without What and Where.

    `mount` returns the last value of a key of [Mount], empty where it is absent.
    """
    what, where, kind, options = map(mount, ("What", "Where", "Type", "Options"))
    if not (what and where):
        return {}
    words = ["mount", *(["-t", kind] if kind else []), *(["-o", options] if options else []), what, where]
    inside = f"mountpoint -q {shlex.quote(where)} || {{ mkdir -p {shlex.quote(where)} && {shlex.join(words)}; }}"
    return {
        ("Service", "Type"): ["oneshot"],
        ("Service", "RemainAfterExit"): ["yes"],
        ("Service", "ExecStart"): [f"/bin/sh -c {shlex.quote(inside)}"],
        ("Service", "ExecStop"): [f"/bin/umount {shlex.quote(where)}"],
        ("Service", "TimeoutStartSec"): [mount("TimeoutSec") or "90s"],
    }
