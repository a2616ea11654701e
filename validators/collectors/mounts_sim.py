"""Prints mounts as `findmnt --json --list --bytes` does."""

import json

from rackwright.model.evidence.mounts import Mounts


def render(seen: Mounts) -> bytes:
    """The JSON whose parse is `seen`."""
    rows = [
        {
            "target": one.target,
            "source": one.source,
            "fstype": one.kind,
            "options": ",".join(one.options),
            "size": one.bytes,
            "used": one.used_bytes,
            "avail": one.available_bytes,
        }
        for one in seen.mounts
    ]
    return json.dumps({"filesystems": rows}, indent=3).encode()
