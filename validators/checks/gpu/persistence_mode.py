"""Persistence mode is on, so that the driver stays initialised between jobs."""

from rackwright.compare.applicability import has_capability
from rackwright.compare.threshold import one_of, threshold
from rackwright.model.evidence.accelerator import Accelerators

CHECK = threshold(
    reads=Accelerators,
    metric="gpu.persistence_mode",
    value=lambda device: {True: "Enabled", False: "Disabled"}.get(device.persistence_mode),
    good=one_of,
    what="persistence mode",
    applies=has_capability("device_modes"),
)
