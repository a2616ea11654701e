"""Strategies of records of load tests, by collector id."""

from __future__ import annotations

import string

from hypothesis import strategies as st

from rackwright.model.evidence.load import (
    Burn,
    BurnedDevice,
    Copies,
    Copy,
    Corruption,
    DeviceMemorySpeed,
    DevicePatterns,
    Diagnosis,
    Diagnostic,
    Gemm,
    MemoryBandwidth,
    PatternRun,
    Sample,
    Samples,
    Stress,
    StressedDevice,
)
from rackwright.model.evidence.rail import (
    PortTraffic,
    RailBandwidth,
    RailDelay,
    RailLatency,
    RailRing,
    RailSpeed,
    RingFlow,
)
from rackwright.model.evidence.storage import FileSpeed, LocalFilesystems, SharedStorage, Sight, Visibility
from rackwright.model.evidence.tenancy import Neighbours, PodDevices, PodReach, RefusedPod, TenantWalls

WORD = st.text(string.ascii_letters + string.digits + "._-", min_size=1, max_size=12)
TEXT = st.text(string.ascii_letters + " ", min_size=1, max_size=16).map(str.strip).filter(bool)
COUNT = st.integers(0, 2**40)
CENTS = st.integers(1, 10**8).map(lambda value: value / 100)
MAYBE = st.none() | COUNT
REASONS = st.sampled_from([[], ["sw_power_cap"], ["hw_slowdown", "hw_thermal_slowdown"]])
IDENTITY = {"index": st.integers(0, 15), "uuid": WORD, "serial": WORD, "pci_bus_id": WORD.map(str.lower)}

sample = st.builds(
    Sample,
    second=CENTS,
    power_watts=st.none() | st.integers(0, 2_000_000).map(lambda value: value / 1000),
    sm_clock_mhz=MAYBE,
    temperature_celsius=MAYBE,
    throttle_reasons=st.none() | REASONS,
)
gemm = st.builds(
    Gemm,
    precision=st.sampled_from(["bf16", "fp8", "fp64"]),
    size=COUNT,
    began=CENTS,
    seconds=CENTS,
    tflops=st.lists(CENTS, max_size=4),
    mismatches=MAYBE,
    digest=WORD,
)
burned = st.builds(
    BurnedDevice, **IDENTITY, gemms=st.lists(gemm, max_size=3), samples=st.lists(sample, max_size=3).map(Samples.of)
)
speed = st.builds(DeviceMemorySpeed, **IDENTITY, bytes=COUNT, copy_gbytes_per_s=st.lists(CENTS, max_size=4))
pattern = st.builds(PatternRun, pattern=WORD, bytes=COUNT, mismatches=COUNT, first_address=MAYBE)
patterns = st.builds(DevicePatterns, **IDENTITY, memory_bytes=COUNT, runs=st.lists(pattern, max_size=4))


@st.composite
def copies(draw: st.DrawFn) -> Copies:
    """A square of accelerators, in the order in which the tool prints its tests."""
    count = draw(st.integers(1, 3))
    ends = [("host_to_device", None, i) for i in range(count)] + [("device_to_host", i, None) for i in range(count)]
    ends += [("device_to_device", i, j) for i in range(count) for j in range(count) if i != j]
    copies = [
        Copy(direction=way, source=a, target=b, gbytes_per_s=draw(CENTS), engine="copy_engine") for way, a, b in ends
    ]
    return Copies(tool=f"nvbandwidth {draw(WORD)}", driver_version=draw(WORD), copies=copies)


@st.composite
def diagnosis(draw: st.DrawFn) -> Diagnosis:
    """Results of one test stand together; only those with a message carry a code."""
    results = []
    for number, category in enumerate(draw(st.lists(TEXT, min_size=1, max_size=2, unique=True))):
        status = draw(st.sampled_from(["pass", "fail", "warn", "skip", "not_run"]))
        messages = draw(st.lists(TEXT, max_size=2))
        results += [
            Diagnostic(
                test=f"test {number}",
                category=category,
                part=f"GPU {part}",
                status=status,
                messages=messages,
                error_code=draw(COUNT) if messages else None,
                error_category=draw(st.sampled_from(["hardware_memory", "software_config"])) if messages else "",
            )
            for part in range(2)
        ]
    return Diagnosis(
        tool=f"dcgmi {draw(WORD)}",
        driver_version=draw(WORD),
        level="3",
        devices=draw(st.integers(0, 8)),
        results=results,
    )


@st.composite
def stress(draw: st.DrawFn) -> Stress:
    """Indices differ; a rate that is shown is above zero."""
    devices = [
        StressedDevice(
            index=index,
            product_name=draw(TEXT),
            uuid=f"GPU-{draw(st.text(string.hexdigits, min_size=1, max_size=8))}",
            gflops=draw(st.none() | CENTS),
            errors=draw(MAYBE),
            temperature_celsius=draw(st.none() | st.integers(0, 120)),
            faulty=draw(st.booleans()),
        )
        for index in range(draw(st.integers(1, 3)))
    ]
    return Stress(tool="gpu-burn", devices=devices)


rail = {"node": WORD, "adapter": WORD, "peer": WORD}
WORDS = st.none() | st.integers(0, 2**40).map(lambda words: words * 4)
port = st.builds(PortTraffic, adapter=WORD, sent_bytes=WORDS, received_bytes=WORDS)
ports = st.lists(port, max_size=3, unique_by=lambda flow: flow.adapter)


@st.composite
def rail_speed(draw: st.DrawFn) -> RailSpeed:
    """Accelerator memory and the way that it was registered are printed together."""
    gpu, size = draw(st.none() | st.integers(0, 7)), draw(st.integers(1, 2**30))
    return RailSpeed(
        bytes=size,
        reported_bytes=size * draw(st.integers(0, 2**20)),
        ports=draw(ports),
        **{name: draw(strategy) for name, strategy in rail.items()},
        link=draw(st.sampled_from(["infiniband", "ethernet", "unknown"])),
        gbits_per_s=draw(CENTS),
        bidirectional=draw(st.booleans()),
        accelerator=gpu,
        gpudirect=None if gpu is None else draw(st.sampled_from(["peermem", "dmabuf"])),
    )


@st.composite
def ring_flow(draw: st.DrawFn) -> RingFlow:
    """A flow as `rail_speed` has it, towards an adapter that is named, with the counter of its own port alone."""
    flow = draw(rail_speed()).model_dump(exclude={"ports", "bidirectional"})
    return RingFlow(**flow, peer_adapter=draw(WORD), sent_bytes=draw(WORDS))


flows = st.lists(ring_flow(), min_size=1, max_size=4, unique_by=lambda flow: (flow.node, flow.adapter))
delay = st.builds(
    RailDelay,
    **rail,
    bytes=st.just(2),
    reported_bytes=st.integers(0, 2**20).map(lambda count: 2 * count),
    ports=ports,
    microseconds_typical=CENTS,
    microseconds_99=st.none() | CENTS,
    microseconds_most=CENTS,
)
job = st.builds(
    FileSpeed,
    job=st.sampled_from(["read", "write", "randread"]),
    path=WORD.map(lambda word: f"/{word}"),
    block_bytes=COUNT,
    gbytes_per_s=st.integers(0, 10**12).map(lambda value: value / 1e9),
    operations_per_s=CENTS,
    errors=st.integers(0, 40),
)
jobs = st.lists(job, min_size=1, max_size=3)
shared = st.builds(
    SharedStorage,
    tool=WORD,
    path=WORD,
    filesystem=WORD,
    jobs=jobs,
    creates_per_s=st.none() | CENTS,
    stats_per_s=st.none() | CENTS,
    removes_per_s=st.none() | CENTS,
)
sight = st.builds(Sight, writer=WORD, reader=WORD, seconds=st.none() | CENTS, matches=st.booleans())


TOOL = st.sampled_from(["perftest 6.20", "perftest"])


@st.composite
def neighbours(draw: st.DrawFn) -> Neighbours:
    """The same copies twice, at other rates."""
    both = draw(copies())
    alone = [copy for copy in both.copies if copy.direction != "device_to_device"]
    beside = [copy.model_copy(update={"gbytes_per_s": draw(CENTS)}) for copy in alone]
    return Neighbours(tool=both.tool, alone=alone, beside=beside)


@st.composite
def tenant_walls(draw):
    """Pods of some tenants on some nodes; only those without accelerators try to reach others."""
    tenants = draw(st.lists(WORD, min_size=1, max_size=3, unique=True))
    nodes = draw(st.lists(WORD, min_size=1, max_size=2, unique=True))
    devices = st.lists(WORD.map("/dev/{}".format), max_size=3)
    pairs = [(tenant, node) for tenant in tenants for node in nodes]
    holders = [
        PodDevices(tenant=tenant, node=node, requested=draw(st.integers(1, 8)), devices=draw(devices))
        for tenant, node in pairs
    ]
    visitors = [PodDevices(tenant=tenant, node=node, requested=0, devices=draw(devices)) for tenant, node in pairs]
    reaches = [
        PodReach(tenant=tenant, node=node, of=of, at=at, reached=draw(st.booleans()))
        for tenant, node in pairs
        for of, at in pairs
    ]
    about = st.sampled_from(["quota", "class", "namespace"])
    refusal = st.builds(
        RefusedPod, tenant=st.sampled_from(tenants), about=about, requested=TEXT, answer=TEXT | st.just("")
    )
    refusals = draw(st.lists(refusal, max_size=3))
    return TenantWalls(pods=[*holders, *visitors], reaches=reaches, refusals=refusals)


RECORDS = {
    "gemm_burn": st.builds(Burn, tool=WORD, devices=st.lists(burned, max_size=3)),
    "hbm_bandwidth": st.builds(MemoryBandwidth, tool=WORD, devices=st.lists(speed, max_size=3)),
    "sdc": st.builds(Corruption, tool=WORD, devices=st.lists(patterns, max_size=3)),
    "nvbandwidth": copies(),
    "dcgmi_diag": diagnosis(),
    "gpu_burn": stress(),
    "rail_bandwidth": st.builds(RailBandwidth, tool=TOOL, rails=st.lists(rail_speed(), min_size=1, max_size=4)),
    "rail_latency": st.builds(RailLatency, tool=TOOL, rails=st.lists(delay, min_size=1, max_size=4)),
    "rail_ring": st.builds(RailRing, tool=TOOL, flows=flows),
    "fio_local": st.builds(LocalFilesystems, tool=WORD, jobs=jobs),
    "fio_shared": shared,
    "visibility": st.builds(Visibility, path=WORD, sights=st.lists(sight, min_size=1, max_size=4)),
    "tenant_walls": tenant_walls(),
    "neighbours": neighbours(),
}
