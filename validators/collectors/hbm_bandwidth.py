"""Memory of every accelerator copied within itself: the JSON document of ``rackwright-burn hbm``."""

from rackwright.collect.collector import Collector, ParseError
from rackwright.collect.loadlogs import document
from rackwright.model.evidence.load import DeviceMemorySpeed, MemoryBandwidth


def parse(output: str) -> MemoryBandwidth:
    """The document, field for field; pydantic refuses what is not one."""
    try:
        report = document.read(output)
        devices = [DeviceMemorySpeed.model_validate(device) for device in report["devices"]]
        return MemoryBandwidth(tool=report["tool"], devices=devices)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ParseError(
            1, output, f"the document of rackwright-burn hbm ({type(error).__name__}: {str(error)[:80]})"
        ) from None


COLLECTOR = Collector(
    produces=MemoryBandwidth,
    parse=parse,
    seconds=600,
    roles=("accelerator",),
    command=("rackwright-burn", "hbm"),
    vendors=("nvidia",),
    load=True,
    place=2,
)
