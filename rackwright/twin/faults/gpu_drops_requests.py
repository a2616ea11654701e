"""A GPU loses its context again and again under a server, and requests to it fail."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.hardware.performance import harm

FAULT = Fault(
    name="gpu-drops-requests",
    summary="A GPU loses its context again and again under a server, and requests to it fail",
    apply=harm.gpu(4, failed_requests=5),
    checks=frozenset({"serving.answers"}),
    names=frozenset({"GPU {gpu[4]}"}),
)
