"""Records of accelerators as the tools of vendors other than NVIDIA tell them: only what each of them shows."""

import string

from hypothesis import strategies as st

from rackwright.model.evidence.accelerator import Accelerators, Device

WORD = st.text(string.ascii_letters + string.digits + "._-", min_size=1, max_size=12)
COUNT = st.integers(0, 2**40)
MAYBE = st.none() | COUNT
WATTS = st.none() | st.integers(0, 2000).map(float)
NUMBER = st.none() | st.integers(0, 200)
FLAG = st.none() | st.booleans()
PLACE = st.integers(0, 255).map(lambda bus: f"00000000:{bus:02x}:00.0")
PIDS = st.lists(st.integers(1, 2**22), max_size=2)
SURE = {
    "product_name": WORD, "uuid": WORD, "pci_bus_id": PLACE, "memory_total_bytes": COUNT.map(lambda mib: mib * 2**20),
}  # fmt: skip


@st.composite
def accelerators(draw, fields, *, driver=WORD, runtime=None, join=None):
    devices = []
    for index in range(draw(st.integers(1, 3))):
        values = {name: draw(strategy) for name, strategy in (SURE | fields).items()}
        devices.append(Device.bare(index=index, **(join(values) if join is not None else values)))
    version = draw(runtime) if runtime is not None else ""
    return Accelerators(driver_version=draw(driver), cuda_driver_version=version, devices=devices)


def one_count(values):
    """amd-smi has one count of uncorrectable errors."""
    return values | {"ecc_uncorrected_aggregate": values["ecc_uncorrected_volatile"]}


@st.composite
def npus(draw, fields):
    """Cards with one chip, or with two of one serial number, firmware and power; npu-smi has no other identifier."""
    chips = draw(st.integers(1, 2))
    devices = []
    for card, serial in enumerate(draw(st.lists(WORD, min_size=1, max_size=3, unique=True))):
        of_card = {"serial": serial, **{name: draw(fields[name]) for name in ("vbios", "power_watts")}}
        for chip in range(chips):
            values = {name: draw(strategy) for name, strategy in (SURE | fields).items()} | of_card
            values["uuid"] = f"{serial}-{chip}" if chips > 1 else serial
            devices.append(Device.bare(index=card * chips + chip, **values))
    return Accelerators(driver_version=draw(WORD), cuda_driver_version="", devices=devices)


def by_place(values):
    """mthreads-gmi has no identifier but the bus address, and tells width and temperature together."""
    both = values["pcie_width"] is not None and values["temperature_celsius"] is not None
    pair = {} if both else {"pcie_width": None, "temperature_celsius": None}
    return values | {"uuid": values["pci_bus_id"]} | pair


def by_bus(values):
    """mx-smi has no identifier but the bus address, and tells power and its limit together."""
    both = values["power_watts"] is not None and values["power_limit_watts"] is not None
    return values | {"uuid": values["pci_bus_id"]} | ({} if both else {"power_watts": None, "power_limit_watts": None})


RECORDS = {
    "amd_smi": accelerators(
        {
            "serial": WORD, "vbios": WORD, "ecc_enabled": FLAG, "ecc_corrected_volatile": MAYBE,
            "ecc_uncorrected_volatile": MAYBE, "pcie_generation": st.none() | st.integers(1, 6), "pcie_width": NUMBER,
            "pcie_replays": MAYBE, "temperature_celsius": NUMBER, "temperature_memory_celsius": NUMBER,
            "power_limit_watts": WATTS, "power_watts": WATTS, "throttle_reasons": st.sampled_from([[], ["throttled"]]),
            "retired_pages": NUMBER, "retired_pages_pending": FLAG, "processes": st.none() | PIDS,
            "scale_up_active": st.lists(st.booleans(), max_size=7),
        },
        runtime=WORD,
        join=one_count,
    ),
    "npu_smi": npus(
        {
            "vbios": WORD, "ecc_corrected_volatile": MAYBE, "ecc_corrected_dram": MAYBE,
            "ecc_uncorrected_volatile": MAYBE, "ecc_uncorrected_aggregate": MAYBE, "temperature_celsius": NUMBER,
            "power_watts": WATTS, "retired_pages": MAYBE, "processes": PIDS,
            "health": st.sampled_from(["OK", "Warning", "Alarm"]),
        },
    ),
    "hl_smi": accelerators(
        {"serial": WORD, "temperature_celsius": NUMBER, "power_watts": WATTS, "power_limit_watts": WATTS}
    ),
    "brsmi": accelerators({"pci_bus_id": st.just("")}, driver=st.just("")),
    "cnmon": accelerators(
        {
            "pci_bus_id": st.just(""), "power_watts": WATTS, "power_limit_watts": WATTS,
            "health": st.none() | st.sampled_from(["Good", "Bad"]),
        }
    ),
    "mthreads_gmi": accelerators({"pcie_width": NUMBER, "temperature_celsius": NUMBER}, join=by_place),
    "mx_smi": accelerators(
        {
            "temperature_celsius": NUMBER, "power_watts": WATTS, "power_limit_watts": WATTS,
            "health": st.none() | st.sampled_from(["Available", "Unavailable"]),
        },
        join=by_bus,
    ),
    "hy_smi": accelerators({"serial": WORD, "temperature_celsius": NUMBER, "power_watts": WATTS}),
}  # fmt: skip
