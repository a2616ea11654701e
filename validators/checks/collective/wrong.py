"""Collectives inside a node give right results."""

from rackwright.compare import loads
from rackwright.compare.threshold import at_most, measured
from rackwright.model.evidence.collective import NodeCollectives

CHECK = measured(
    reads=NodeCollectives,
    metric="collective.wrong",
    readings=lambda _, record: {result.collective: loads.wrong_elements(result) for result in record.results},
    good=at_most,
    what="wrong elements",
    applies=loads.runs_collectives,
)
