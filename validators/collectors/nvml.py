"""Every accelerator of the node from the probe's dump of NVML: raw readings in NVML's units and codes, one JSON document.

A reading that the library does not support becomes None. A device that NVML counts and cannot reach any more is left out, so that its
absence is counted. Devices that differ from known ones only in `VARIED` are not read as JSON again: four fifths of the time.
"""

import json
from functools import lru_cache
from typing import Any

from rackwright.collect.collector import Collector, ParseError
from rackwright.collect.parsing import nvml_device, nvml_links
from rackwright.collect.parsing.stencil import Hole, Stencil
from rackwright.model.evidence.accelerator import Accelerators, Device

BEGIN, BETWEEN, DEVICES, ENDS = '{"index": ', ", ", '"devices": [', ("]}", "]}\n")
"""How the probe lays out a dump (json.dumps). Quotation marks within a text have a backslash before them, so none is part of a text."""
VARIED = {
    '"uuid": {"value": "': Hole("uuid"),
    '"serial": {"value": "': Hole("serial"),
    '"busId": "': Hole("pci_bus_id", str.lower),
    '"pcie_replay_counter": {"value": ': Hole("pcie_replays", int),
    '"temperature": {"value": ': Hole("temperature_celsius", int),
    '"temperature_margin": {"value": ': Hole("temperature_margin_celsius", int),
    '"NVML_FI_DEV_MEMORY_TEMP": {"value": ': Hole("temperature_memory_celsius", int),
    '"power_usage": {"value": ': Hole("power_watts", lambda milliwatts: int(milliwatts) / 1000),
    '"clusterUuid": "': Hole("fabric_domain"),
    '"minor_number": {"value": ': Hole(),
    '"bus": ': Hole(),
    '"busIdLegacy": "': Hole(),
    '"free": ': Hole(),
    '"used": ': Hole(),
    '"temperature_v": {"value": ': Hole(),
}
"""The readings in which the devices of a fleet differ; in others only those do that have a fault, or their own history."""


def parse(output: str) -> Accelerators:
    """The document of the probe (``{"system": ..., "devices": [...]}``, every reading a value or an error)."""
    try:
        known = _by_device(output)
    except nvml_links.FAULTS:
        known = None  # told below, of the output as a whole
    try:
        return known or _accelerators(json.loads(output))
    except ParseError:
        raise
    except nvml_links.FAULTS as error:
        raise ParseError(1, output, f"the probe's NVML dump ({type(error).__name__}: {str(error)[:80]})") from None


def _by_device(output: str) -> Accelerators | None:
    """Each device by its stencil; None for a dump that is laid out in another way, or has a device that is none."""
    head, *texts = output.split(BEGIN)
    laid_out = head.endswith(DEVICES) and all(text.endswith(BETWEEN) for text in texts[:-1]) and output.endswith(ENDS)
    if not laid_out:
        return None
    system = _system(head)
    devices = [STENCIL.record(text, nvml_links.span(text)) for text in texts]
    return system.model_copy(update={"devices": devices}) if all(one is not None for one in devices) else None


@lru_cache(maxsize=256)
def _system(head: str) -> Accelerators:
    return _accelerators(json.loads(f"{head}{ENDS[0]}"))


def _one(text: str) -> Device | None:
    """A device in the text of a dump, which goes on behind it or ends there; None when it is there no more."""
    device = json.loads(BEGIN + text.removesuffix(next(one for one in (BETWEEN, *ENDS) if text.endswith(one))))
    return None if nvml_device.lost(device) else nvml_device.device(device)


def _accelerators(document: Any) -> Accelerators:
    system = document["system"]
    return Accelerators(
        driver_version=nvml_device.must(system, "driver_version"),
        cuda_driver_version=_cuda(nvml_device.must(system, "cuda_driver_version")),
        devices=[nvml_device.device(device) for device in document["devices"] if not nvml_device.lost(device)],
    )


def _cuda(code: int) -> str:
    """1000 * major + 10 * minor (nvmlSystemGetCudaDriverVersion)."""
    return f"{code // 1000}.{code % 1000 // 10}"


STENCIL = Stencil(_one, VARIED)

COLLECTOR = Collector(
    produces=Accelerators, parse=parse, seconds=60, roles=("accelerator",), library="nvml", vendors=("nvidia",)
)
