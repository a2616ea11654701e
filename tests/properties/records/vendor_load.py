"""Strategies of load tests of other vendors, by collector id: what their tools tell, and nothing that they do not."""

from __future__ import annotations

import string

from hypothesis import strategies as st

from rackwright.model.evidence.load import (
    Burn,
    BurnedDevice,
    Copies,
    Copy,
    DeviceMemorySpeed,
    Gemm,
    MemoryBandwidth,
    Sample,
    Samples,
)

WORD = st.text(string.ascii_letters + string.digits, min_size=1, max_size=12)
CENTS = st.integers(1, 10**7).map(lambda value: value / 100)
sample = st.builds(
    Sample,
    second=CENTS,
    power_watts=st.none() | CENTS,
    sm_clock_mhz=st.none() | st.integers(0, 3000),
    temperature_celsius=st.none() | st.integers(0, 120),
    throttle_reasons=st.none(),
)


def gemm(precision: str, size: st.SearchStrategy[int]) -> st.SearchStrategy[Gemm]:
    return st.builds(
        Gemm,
        precision=st.just(precision),
        size=size,
        began=CENTS,
        seconds=CENTS,
        tflops=st.lists(CENTS, min_size=1, max_size=3),
        mismatches=st.none(),
        digest=st.just(""),
    )


@st.composite
def devices(draw: st.DrawFn, kind: type, *, ascend: bool, **fields: st.SearchStrategy) -> list:
    """Numbers rise; an NPU is known by its serial."""
    strategies = []
    for index in sorted(draw(st.sets(st.integers(0, 15), min_size=1, max_size=3))):
        serial = draw(WORD)
        place = f"00000000:{draw(st.integers(0, 255)):02x}:00.0"
        values = {name: draw(strategy) for name, strategy in fields.items()}
        strategies.append(
            kind(index=index, uuid=serial if ascend else draw(WORD), serial=serial, pci_bus_id=place, **values)
        )
    return strategies


@st.composite
def copies(draw: st.DrawFn, tool: str, engine: str) -> Copies:
    count = draw(st.integers(1, 3))
    ends = [("host_to_device", None, i) for i in range(count)] + [("device_to_host", i, None) for i in range(count)]
    ends += [("device_to_device", i, j) for i in range(count) for j in range(count) if i != j]
    copied = [Copy(direction=way, source=a, target=b, gbytes_per_s=draw(CENTS), engine=engine) for way, a, b in ends]
    return Copies(tool=f"{tool} {draw(WORD)}", driver_version=draw(WORD), copies=copied)


def burns(tool: st.SearchStrategy[str], precision: str, size: st.SearchStrategy[int], *, ascend: bool):
    gemms = gemm(precision, size).map(lambda result: [result])
    burned = devices(BurnedDevice, ascend=ascend, gemms=gemms, samples=st.lists(sample, max_size=3).map(Samples.of))
    return st.builds(Burn, tool=tool, devices=burned)


def memory(tool: st.SearchStrategy[str], *, ascend: bool):
    rates = st.lists(CENTS, min_size=1, max_size=3)
    measured = devices(DeviceMemorySpeed, ascend=ascend, bytes=st.integers(1, 2**40), copy_gbytes_per_s=rates)
    return st.builds(MemoryBandwidth, tool=tool, devices=measured)


DMI = WORD.map(lambda word: f"ascend-dmi {word}")
RECORDS = {
    "amd_gemm": burns(st.just("hipblaslt-bench"), "bf16", st.integers(1, 2**16), ascend=False),
    "amd_hbm": memory(WORD.map(lambda word: f"BabelStream {word}"), ascend=False),
    "amd_copy": copies("TransferBench", "kernel"),
    "ascend_gemm": burns(DMI, "fp16", st.just(256), ascend=True),
    "ascend_hbm": memory(DMI, ascend=True),
    "ascend_copy": copies("ascend-dmi", "copy_engine"),
}
