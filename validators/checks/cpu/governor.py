"""Every CPU has the required frequency governor."""

from rackwright import compare
from rackwright.compare.threshold import one_of, threshold
from rackwright.model.evidence.tuning import Tuning

CHECK = threshold(
    reads=Tuning,
    metric="cpu.governor",
    values=lambda tuning: {f"{group.cpus} CPUs from {group.first}": group.value for group in tuning.governors},
    good=one_of,
    what="frequency governor",
    applies=compare.has_accelerators,
)
