"""Records of accelerators, the kernel log and the PCI bus."""

import string

from hypothesis import strategies as st

from rackwright.error_codes.kernel_catalogue import load_kernel_catalogue
from rackwright.model.evidence.accelerator import Accelerators, Device
from rackwright.model.evidence.imex import Imex, ImexNode
from rackwright.model.evidence.kernel_log import (
    BusError,
    KernelEvent,
    KernelLog,
    LinkChange,
    MachineCheck,
    SwitchError,
    Xid,
)
from rackwright.model.evidence.pci import Pci, PciDevice

TIME = st.integers(0, 86399).map(lambda s: f"2026-11-21T{s // 3600:02d}:{s // 60 % 60:02d}:{s % 60:02d}+0000")
BDF = st.tuples(st.integers(0, 0xFFFF), st.integers(0, 255), st.integers(0, 31)).map(
    lambda t: f"{t[0]:04x}:{t[1]:02x}:{t[2]:02x}"
)
SAID = st.text(string.ascii_letters + string.digits + " ()',=.<>-", max_size=40).map(str.strip)

LINES = [(kind, line.line) for kind, line in load_kernel_catalogue().by_kind.items()]
FROM_BANK = st.tuples(st.integers(0, 511), st.integers(0, 63), st.integers(0, 2**64 - 1)).map(
    lambda t: {"cpu": t[0], "bank": t[1], "status": f"{t[2]:016x}", "corrected": not t[2] >> 61 & 1}
)
FROM_FIRMWARE = st.sampled_from(["corrected", "recoverable", "fatal", "info"]).map(
    lambda word: {"cpu": None, "bank": None, "status": word, "corrected": word in {"corrected", "info"}}
)

kernel_log = st.builds(
    KernelLog,
    events=st.lists(
        st.tuples(TIME, st.sampled_from(LINES)).map(lambda t: KernelEvent(time=t[0], kind=t[1][0], text=t[1][1])),
        max_size=3,
    ),
    machine_checks=st.lists(
        st.tuples(TIME, FROM_BANK | FROM_FIRMWARE).map(lambda t: MachineCheck(time=t[0], **t[1])), max_size=3
    ),
    link_changes=st.lists(
        st.builds(LinkChange, time=TIME, port=st.from_regex(r"e[nt][a-z0-9]{1,12}", fullmatch=True), up=st.booleans()),
        max_size=3,
    ),
    begins=TIME,
    xids=st.lists(st.builds(Xid, time=TIME, bus_id=BDF, code=st.integers(1, 999), text=SAID), max_size=5),
    switch_errors=st.lists(
        st.builds(
            SwitchError,
            time=TIME,
            switch=st.integers(0, 17),
            bus_id=BDF.map("{}.0".format),
            code=st.integers(10000, 99999),
            fatal=st.booleans(),
            text=SAID,
        ),
        max_size=3,
    ),
    bus_errors=st.lists(
        st.builds(
            BusError,
            time=TIME,
            bus_id=BDF.map("{}.0".format),
            severity=st.sampled_from(["correctable", "nonfatal", "fatal"]),
            layer=st.sampled_from(["Physical Layer", "Data Link Layer", "Transaction Layer"]),
        ),
        max_size=3,
    ),
)

WORD = st.text(string.ascii_letters + string.digits + "._-", min_size=1, max_size=20)
COUNT = st.integers(0, 2**40)
MAYBE = st.none() | COUNT
FLAG = st.none() | st.booleans()
WATTS = st.none() | st.integers(0, 2_000_000).map(lambda milliwatts: milliwatts / 1000)
ACTION = st.none() | st.sampled_from(["none", "gpu_reset", "node_reboot", "drain_p2p", "drain_and_reset"])
MODE = st.none() | st.sampled_from(["default", "exclusive_thread", "prohibited", "exclusive_process"])


@st.composite
def device(draw):
    rows = draw(st.none() | st.tuples(COUNT, COUNT, st.booleans(), st.booleans())) or (None,) * 4
    active = draw(st.lists(st.booleans(), max_size=18))
    state = draw(st.none() | st.sampled_from(["not_supported", "not_started", "in_progress", "completed"]))
    per_link = st.lists(COUNT, max_size=len(active))
    fabric = {
        "fabric_state": state,
        "fabric_status": None if state is None else draw(st.sampled_from(["success", "NVML_ERROR_TIMEOUT"])),
        "fabric_domain": None if state is None else draw(st.none() | WORD),
        "fabric_clique": None if state is None else draw(MAYBE),
        "fabric_problems": None if state is None else draw(st.none() | st.just([]) | st.just(["degraded_bandwidth"])),
    }
    kinds = {
        bool | None: FLAG, int | None: MAYBE, float | None: WATTS, str | None: st.none() | WORD, int: COUNT, str: WORD,
    }  # fmt: skip
    values = {
        "pci_bus_id": BDF.map("0000{}.0".format),
        "remapped_rows_corrected": st.just(rows[0]),
        "remapped_rows_uncorrected": st.just(rows[1]),
        "row_remap_pending": st.just(rows[2]),
        "row_remap_failed": st.just(rows[3]),
        "nvlink_active": st.just(active),
        "nvlink_crc_errors": per_link,
        "nvlink_mbytes_per_s": per_link,
        "nvlink_replays": per_link,
        "nvlink_recoveries": per_link,
        "nvlink_peers": st.lists(st.sampled_from(["gpu", "switch", "unknown"]), max_size=len(active)),
        "throttle_reasons": st.sampled_from([[], ["sw_power_cap"], ["hw_slowdown", "hw_thermal_slowdown"]]),
        "spare_banks": st.none() | st.lists(COUNT, min_size=5, max_size=5),
        "processes": st.none() | st.lists(COUNT, max_size=3),
        "recovery_action": ACTION,
        "compute_mode": MODE,
        "scale_up_active": st.just([]),
        "health": st.none(),
    }
    readings = {
        name: values[name] if name in values else kinds[field.annotation]
        for name, field in Device.model_fields.items()
        if name not in fabric
    }
    return Device(**{name: draw(strategy) for name, strategy in readings.items()}, **fabric)


nvml = st.builds(
    Accelerators,
    driver_version=WORD,
    cuda_driver_version=st.tuples(st.integers(1, 99), st.integers(0, 9)).map(lambda parts: f"{parts[0]}.{parts[1]}"),
    devices=st.lists(device(), max_size=3),
)

PLACE = BDF.map("{}.0".format)
STATUS = ["CorrErr", "NonFatalErr", "FatalErr", "UnsupReq"]
SERVICES = ["SrcValid", "TransBlk", "ReqRedir", "CmpltRedir", "UpstreamFwd", "EgressCtrl", "DirectTrans"]


def some(words):
    return st.none() | st.sets(st.sampled_from(words)).map(lambda chosen: [word for word in words if word in chosen])


@st.composite
def pci_device(draw):
    sizes = draw(st.none() | st.tuples(COUNT, COUNT)) or (None, None)
    link = draw(st.none() | st.tuples(st.integers(1, 7), st.integers(1, 32))) or (None, None)
    domain = draw(st.integers(0, 0xFFFF))
    places = [f"{domain:04x}:{place[5:]}" for place in draw(st.lists(PLACE, min_size=1, max_size=4))]
    return PciDevice(
        address=places[-1],
        path=places[:-1],
        pci_class=draw(st.sampled_from(["0200", "0207", "0302", "0604", "0680", "1200"])),
        pci_id=draw(st.sampled_from(["10de:2330", "15b3:1021", "1000:c030"])),
        numa_node=draw(st.none() | st.integers(0, 7)),
        generation=link[0],
        width=link[1],
        max_payload_bytes=sizes[0],
        read_request_bytes=sizes[1],
        acs=draw(some(SERVICES)),
        errors=draw(some(STATUS)),
    )


lspci = st.builds(Pci, devices=st.lists(pci_device(), min_size=1, max_size=6))

HOST = st.integers(1, 254).map(lambda number: f"10.1.0.{number}")
imex = st.builds(
    Imex,
    status=st.sampled_from(["UP", "DEGRADED", "DOWN"]),
    nodes=st.lists(
        st.builds(
            ImexNode,
            host=HOST,
            status=st.sampled_from(["READY", "UNAVAILABLE"]),
            connections=st.dictionaries(HOST, st.sampled_from(["CONNECTED", "INVALID"]), max_size=4),
        ),
        max_size=4,
    ),
)

RECORDS = {"kernel_log": kernel_log, "nvml": nvml, "lspci": lspci, "imex": imex}
