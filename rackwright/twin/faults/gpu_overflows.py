"""The products of a GPU overflow in a training."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.hardware.performance import harm

FAULT = Fault(
    name="gpu-overflows",
    summary="The products of a GPU overflow in a training",
    apply=harm.gpu(3, not_numbers=True),
    checks=frozenset({"training.learns"}),
    names=frozenset({"GPU {gpu[3]}"}),
)
