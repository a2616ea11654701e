"""Access Control Services are on above a GPU."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._accelerator import on_health

FAULT = Fault(
    name="pcie-acs-on",
    summary="Access Control Services are on above a GPU",
    apply=on_health(3, acs=("SrcValid", "ReqRedir", "CmpltRedir", "UpstreamFwd")),
    checks=frozenset({"pcie.acs"}),
    names=frozenset({"0000:4d:00.0"}),
)
