"""Matrix products on every accelerator for minutes, with telemetry: the JSON document of ``rackwright-burn gemm``.

The program is ours and travels in the probe; it reads power, clock, temperature and clock-event reasons from NVML while it works.
"""

from typing import Any

from rackwright.collect.collector import Collector, ParseError
from rackwright.collect.loadlogs import clock_event_reasons, document
from rackwright.model.evidence.load import Burn

MINUTES = 5
SPARE_SECONDS = 240
"""For loading libraries, filling matrices and comparing results."""
READINGS = ("second", "power_milliwatts", "sm_clock_mhz", "temperature_celsius", "reasons")


def parse(output: str) -> Burn:
    """The document; readings that NVML refused are None."""
    try:
        report = document.read(output)
        return Burn.model_validate(
            {"tool": report["tool"], "devices": [_device(device) for device in report["devices"]]}
        )
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ParseError(
            1, output, f"the document of rackwright-burn gemm ({type(error).__name__}: {str(error)[:80]})"
        ) from None


def _device(device: dict[str, Any]) -> dict[str, Any]:
    return {
        "index": device["index"],
        "uuid": device["uuid"],
        "serial": device["serial"],
        "pci_bus_id": device["pci_bus_id"].lower(),
        "gemms": device["gemms"],
        "samples": _columns(device["samples"]),
    }


def _columns(samples: Any) -> dict[str, Any]:
    """What the record holds of all looks. A document of schema 1 has an object per look, and four times the size; it stays readable."""
    columns = samples if isinstance(samples, dict) else {name: [look[name] for look in samples] for name in READINGS}
    second, power, clock, heat, masks = (columns[name] for name in READINGS)
    reasons_by_mask = {mask: None if mask is None else clock_event_reasons.names(mask) for mask in set(masks)}
    return {
        "second": second,
        "power_watts": [None if milliwatts is None else milliwatts / 1000 for milliwatts in power],
        "sm_clock_mhz": clock,
        "temperature_celsius": heat,
        "throttle_reasons": [reasons_by_mask[mask] for mask in masks],
    }


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
