"""Patterns written over the memory of every accelerator and read back: the JSON document of ``rackwright-burn patterns``."""

from rackwright.collect.collector import Collector, ParseError
from rackwright.collect.loadlogs import document
from rackwright.model.evidence.load import Corruption, DevicePatterns


def parse(output: str) -> Corruption:
    """The document, field for field; pydantic refuses what is not one."""
    try:
        report = document.read(output)
        devices = [DevicePatterns.model_validate(device) for device in report["devices"]]
        return Corruption(tool=report["tool"], devices=devices)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ParseError(
            1, output, f"the document of rackwright-burn patterns ({type(error).__name__}: {str(error)[:80]})"
        ) from None


COLLECTOR = Collector(
    produces=Corruption,
    parse=parse,
    seconds=1800,
    roles=("accelerator",),
    command=("rackwright-burn", "patterns"),
    vendors=("nvidia",),
    load=True,
    place=4,
)
