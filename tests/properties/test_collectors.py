"""parse(render(record)) == record, for every collector with a renderer."""

import contextlib
import importlib
import pkgutil
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rackwright.collect import collector
from rackwright.collect.store.record_table import is_cached
from rackwright.model.evidence.accelerator import Accelerators, Device
from rackwright.model.evidence.fabric import FabricLink, FabricMap
from rackwright.model.evidence.host import Clock, Host, Package, Packages, Services
from rackwright.model.record_columns import sheet
from rackwright.twin import tools
from tests.examples import examples
from tests.properties import records
from tests.rotation import of_this_run

WORD = st.text(string.ascii_letters + string.digits + "._+~:-", min_size=1, max_size=20)
TEXT = st.text(string.ascii_letters + string.digits + ' _-"()[]#', min_size=1, max_size=20).map(str.strip).filter(bool)
COUNT = st.integers(0, 2**62)
KIB = st.integers(0, 2**40).map(lambda value: value * 1024)
MAYBE = st.none() | COUNT
FLAG = st.none() | st.booleans()
GUID = st.integers(1, 2**64 - 1).map(lambda value: f"0x{value:016x}")

packages = st.dictionaries(
    WORD.filter(lambda name: not name.startswith("nvidia-")),
    st.builds(Package, version=WORD, held=st.booleans(), status=st.sampled_from(["installed", "half-configured"])),
).map(lambda drawn_records: Packages(packages=drawn_records))

clock = st.builds(
    Clock,
    reference=WORD,
    stratum=st.integers(0, 16),
    offset_seconds=st.floats(-1e6, 1e6),
    leap_status=st.sampled_from(["Normal", "Insert second", "Delete second", "Not synchronised"]),
)

host = st.builds(
    Host,
    hostname=WORD,
    kernel=WORD,
    os_id=WORD,
    os_version=WORD,
    cpus=COUNT,
    memory_bytes=KIB,
    modules=st.lists(WORD),
    sysctl=st.dictionaries(WORD, st.text(string.digits + "\t =-", max_size=20).map(str.strip)),
    memlock_limit_bytes=st.none() | KIB,
)

state = st.sampled_from(["active", "inactive", "failed", "activating"])
enabled = st.sampled_from(["enabled", "disabled", "masked", "static", "not-found"])
services = st.dictionaries(
    WORD.filter(lambda name: not name.endswith(".service")), st.tuples(state, enabled), min_size=1
).map(
    lambda drawn_records: Services(
        active={k: v[0] for k, v in drawn_records.items()}, enabled={k: v[1] for k, v in drawn_records.items()}
    )
)

link = st.builds(
    FabricLink,
    guid=GUID,
    kind=st.sampled_from(["Ca", "Switch"]),
    name=TEXT,
    port=st.integers(0, 128),
    remote_guid=GUID,
    remote_kind=st.sampled_from(["Ca", "Switch"]),
    remote_name=TEXT,
    remote_port=st.integers(0, 128),
    speed=st.sampled_from(["4xNDR", "4xHDR", "1xSDR", "4xFDR10"]),
)
fabric = st.lists(link, min_size=1, max_size=12).map(lambda links: FabricMap(links=links))


@st.composite
def device(draw):
    rows = draw(st.none() | st.tuples(COUNT, COUNT, st.booleans(), st.booleans())) or (None,) * 4
    active = draw(st.lists(st.booleans(), max_size=18))
    state = draw(st.none() | st.sampled_from(["not_supported", "not_started", "in_progress", "completed"]))
    return Device(
        index=draw(st.integers(0, 15)),
        uuid=draw(WORD),
        serial=draw(WORD),
        product_name=draw(TEXT),
        pci_bus_id=draw(st.integers(0, 255).map(lambda bus: f"00000000:{bus:02x}:00.0")),
        vbios=draw(WORD),
        memory_total_bytes=draw(COUNT),
        ecc_enabled=draw(FLAG),
        ecc_corrected_volatile=draw(MAYBE),
        ecc_uncorrected_volatile=draw(MAYBE),
        ecc_uncorrected_aggregate=draw(MAYBE),
        remapped_rows_corrected=rows[0],
        remapped_rows_uncorrected=rows[1],
        row_remap_pending=rows[2],
        row_remap_failed=rows[3],
        pcie_generation=draw(MAYBE),
        pcie_width=draw(MAYBE),
        pcie_replays=draw(MAYBE),
        nvlink_active=active,
        nvlink_crc_errors=draw(st.lists(COUNT, max_size=len(active))),
        temperature_celsius=draw(MAYBE),
        power_limit_watts=draw(st.none() | st.integers(0, 2_000_000).map(lambda milliwatts: milliwatts / 1000)),
        throttle_reasons=draw(st.sampled_from([[], ["sw_power_cap"], ["hw_slowdown", "hw_thermal_slowdown"]])),
        persistence_mode=draw(FLAG),
        fabric_state=state,
        fabric_status=None if state is None else draw(st.sampled_from(["success", "NVML_ERROR_TIMEOUT"])),
        pcie_generation_max=draw(MAYBE),
        performance_state=draw(st.none() | st.integers(0, 15)),
    )


nvml = st.builds(
    Accelerators,
    driver_version=WORD,
    cuda_driver_version=st.tuples(st.integers(1, 99), st.integers(0, 9)).map(lambda parts: f"{parts[0]}.{parts[1]}"),
    devices=st.lists(device(), max_size=4),
)

RECORDS = {"packages": packages, "clock": clock, "host": host, "services": services, "fabric": fabric, "nvml": nvml}
for _module in pkgutil.iter_modules(records.__path__):
    RECORDS |= importlib.import_module(f"{records.__name__}.{_module.name}").RECORDS


@pytest.mark.parametrize("identity", of_this_run(sorted(RECORDS), 25))
def test_what_a_renderer_prints_its_collector_reads_back(identity):
    render, parse = tools.tool(identity).render, collector.library()[identity].parse

    @examples(25)
    @given(RECORDS[identity])
    def round_trip(record):
        assert parse(render(record).decode()) == record

    round_trip()


@pytest.mark.parametrize("identity", sorted(collector.library()))
def test_a_parser_raises_nothing_but_its_own_error(identity):
    parse = collector.library()[identity].parse

    @examples(25)
    @given(st.text(max_size=200))
    def any_text(text):
        with contextlib.suppress(collector.ParseError):
            parse(text)

    any_text()


@pytest.mark.parametrize("identity", [identity for identity in RECORDS if is_cached(collector.library()[identity])])
def test_what_is_kept_of_records_is_what_they_were(identity):
    kind = collector.library()[identity].produces

    @examples(10)
    @given(st.lists(RECORDS[identity], min_size=1, max_size=3))
    def comes_back(records):
        on = sheet(kind, records)
        again = [on.record(place) for place in range(on.height)]
        assert again == records
        assert repr(again) == repr(records)

    comes_back()
