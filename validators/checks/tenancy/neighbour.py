"""Half of the accelerators of a node copy as fast beside the other half as alone."""

from rackwright.compare import tenancy
from rackwright.compare.threshold import at_least, measured
from rackwright.model.check import Expectation
from rackwright.model.evidence.tenancy import Neighbours


def shares(_: Expectation, record: Neighbours) -> dict[str, float | None]:
    """The share of its rate that each copy kept; empty unless each was measured both alone and beside the others."""
    if len(record.alone) != len(record.beside):
        return {}
    pairs = zip(record.alone, record.beside, strict=True)
    return {
        f"GPU {alone.target} from host" if alone.source is None else f"GPU {alone.source} to host": (
            beside.gbytes_per_s / alone.gbytes_per_s if alone.gbytes_per_s > 0 else None
        )
        for alone, beside in pairs
    }


CHECK = measured(
    reads=Neighbours,
    metric="tenancy.kept_share",
    readings=shares,
    good=at_least,
    what="share of its rate that a copy keeps beside the other half,",
    applies=tenancy.is_shared,
)
