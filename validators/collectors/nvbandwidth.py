"""Copies between host and accelerators and among accelerators: nvbandwidth's JSON report (``-j``)."""

from rackwright.collect.collector import Collector
from rackwright.collect.loadlogs import nvbandwidth
from rackwright.model.evidence.load import Copies

COLLECTOR = Collector(
    produces=Copies,
    parse=nvbandwidth.parse,
    seconds=900,
    roles=("accelerator",),
    command=("rackwright-burn", "nvbandwidth"),
    vendors=("nvidia",),
    load=True,
    place=1,
)
