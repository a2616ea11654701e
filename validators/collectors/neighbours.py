"""What one half of the accelerators of a node copies alone, and beside the other half: two reports of nvbandwidth (NVIDIA/nvbandwidth)."""

from rackwright.collect.collector import Collector, ParseError
from rackwright.collect.loadlogs import document, nvbandwidth
from rackwright.model.evidence.tenancy import Neighbours


def parse(output: str) -> Neighbours:
    """``{"alone": report, "beside": report}``, of the same copies."""
    try:
        both = document.read(output)
        alone, beside = (nvbandwidth.read(both[name], output) for name in ("alone", "beside"))
    except (ValueError, KeyError, TypeError) as error:
        if isinstance(error, ParseError):
            raise
        raise ParseError(1, output, "two reports of nvbandwidth, alone and beside") from None
    if [(copy.direction, copy.source, copy.target) for copy in alone.copies] != [
        (copy.direction, copy.source, copy.target) for copy in beside.copies
    ]:
        raise ParseError(1, output, "the same copies alone and beside")
    return Neighbours(tool=alone.tool, alone=alone.copies, beside=beside.copies)


COLLECTOR = Collector(
    produces=Neighbours,
    parse=parse,
    seconds=900,
    roles=("accelerator",),
    command=("rackwright-burn", "neighbours"),
    vendors=("nvidia",),
    schedulers=("kubernetes",),
    load=True,
    place=1,
    optional=True,
)
