"""One version on every accelerator of a node: the pinned one if the limits pin it, otherwise the most frequent one.

A separate module, because board and VBIOS are judged alike.
"""

from __future__ import annotations

from collections.abc import Callable

from rackwright.compare.limits import limit_source, words
from rackwright.compare.parts import accelerator, by_device
from rackwright.compare.readings import every
from rackwright.model.check import Expectation
from rackwright.model.evidence.accelerator import Accelerators, Device
from rackwright.model.verdict import Finding


def judge_pinned(
    expectation: Expectation, accelerators: Accelerators, metric: str, read: Callable[[Device], str], what: str
) -> Finding:
    """Compare `read` of every accelerator with the row of `metric` for its kind, otherwise with the most frequent
    value.
    """
    readings = by_device(accelerators, lambda device: read(device) or None)
    row = expectation.limits.find(metric, accelerator=accelerator(expectation).sku)
    values = [value for value in readings.values() if value is not None]
    most = max(sorted(set(values)), key=values.count) if values else ""
    required = words(row) if row is not None else [most]
    return every(
        expectation,
        readings,
        lambda value: value in required,
        what=what,
        expected=" or ".join(required) or "one on all accelerators",
        source=limit_source(row) if row is not None else "the other accelerators of the node",
    )
