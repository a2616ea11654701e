"""The firmware of a GPU does not answer."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._accelerator import on_health

FAULT = Fault(
    name="xid-119-gsp-timeout",
    summary="The firmware of a GPU does not answer",
    apply=on_health(
        2, xids=((119, "pid=2211, name=nvidia-smi, Timeout after 6s of waiting for RPC response from GPU2 GSP!"),)
    ),
    checks=frozenset({"xid.none_critical"}),
    names=frozenset({"{bus[2]} Xid 119"}),
)
