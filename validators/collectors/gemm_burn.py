"""Matrix products on every accelerator for minutes, with telemetry: the JSON document of ``rackwright-burn gemm``.

The program is ours and travels in the probe; it reads power, clock, temperature and clock-event reasons from NVML while it works.
"""

import json
from typing import Any

from rackwright.collect.collector import Collector, ParseError
from rackwright.collect.loadlogs import reasons
from rackwright.model.evidence.load import Burn, BurnedDevice, Gemm, Sample

MINUTES = 5
SPARE_SECONDS = 240
"""For loading libraries, filling matrices and comparing results."""


def parse(output: str) -> Burn:
    """The document; readings that NVML refused are None."""
    try:
        document = json.loads(output)
        return Burn(tool=document["tool"], devices=[_device(one) for one in document["devices"]])
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ParseError(
            1, output, f"the document of rackwright-burn gemm ({type(error).__name__}: {str(error)[:80]})"
        ) from None


def _device(one: dict[str, Any]) -> BurnedDevice:
    return BurnedDevice(
        index=one["index"],
        uuid=one["uuid"],
        serial=one["serial"],
        pci_bus_id=one["pci_bus_id"].lower(),
        gemms=[Gemm(**gemm) for gemm in one["gemms"]],
        samples=[_sample(sample) for sample in one["samples"]],
    )


def _sample(one: dict[str, Any]) -> Sample:
    power, mask = one["power_milliwatts"], one["reasons"]
    return Sample(
        second=one["second"],
        power_watts=None if power is None else power / 1000,
        sm_clock_mhz=one["sm_clock_mhz"],
        temperature_celsius=one["temperature_celsius"],
        throttle_reasons=None if mask is None else reasons.names(mask),
    )


COLLECTOR = Collector(
    produces=Burn,
    parse=parse,
    seconds=MINUTES * 60 + SPARE_SECONDS,
    roles=("accelerator",),
    command=("rackwright-burn", "gemm", "--seconds", str(MINUTES * 60)),
    vendors=("nvidia",),
    load=True,
    place=3,
)
