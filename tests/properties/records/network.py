"""Strategies for the records of the network: adapters, links, Ethernet, subnets."""

import string

from hypothesis import strategies as st

from rackwright.model.evidence.fabric import FabricLink, Manager, Subnet, Subnets
from rackwright.model.evidence.link import LinkReading, Links, Module, Range
from rackwright.model.evidence.network import (
    Ethernet,
    EthernetPort,
    Gid,
    Neighbour,
    PortCounters,
    Rdma,
    RdmaDevice,
)
from rackwright.model.evidence.switch_health import WELL, SubnetSwitches, SwitchHealth, SwitchPart, SwitchTemperature
from rackwright.model.evidence.switch_port import CountingPort, SwitchPorts

NAME = st.from_regex(r"mlx5_[0-9]{1,2}", fullmatch=True)
WORD = st.text(string.ascii_letters + string.digits + "-_.", min_size=1, max_size=16).filter(lambda text: text != "N/A")
COUNT = st.integers(0, 2**62)
COUNTERS = st.dictionaries(st.sampled_from(["symbol_error", "link_downed", "port_rcv_data"]), COUNT)
REAL = st.floats(-1e6, 1e6, allow_nan=False)
RATE = st.none() | st.floats(0, 1, allow_nan=False)
GUID = st.integers(1, 2**64 - 1).map(lambda value: f"0x{value:016x}")
KEPT = st.lists(REAL, min_size=1, max_size=8)

bounded = st.builds(Range, values=KEPT, least=REAL, most=REAL)
bare = st.builds(Range, values=KEPT, least=st.none(), most=st.none())
module = st.builds(
    Module,
    kind=WORD,
    vendor=WORD,
    part=WORD,
    serial=WORD,
    meters=st.none() | st.floats(0, 500, exclude_min=True),
    temperature_celsius=st.none() | bounded | bare,
    receive_dbm=st.none() | bounded,
    transmit_dbm=st.none() | bounded,
)
reading = st.builds(
    LinkReading,
    state=st.sampled_from(["Active", "Polling"]),
    physical_state=st.sampled_from(["LinkUp", "ETH_AN_FSM_ENABLE"]),
    speed=st.sampled_from(["IB-NDR", "400G", ""]),
    lanes=st.none() | st.integers(1, 8),
    fec=st.none() | st.sampled_from(["No FEC", "Standard_RS-FEC - (544,514)"]),
    minutes=st.none() | st.floats(0, 1e7),
    symbol_errors=st.none() | COUNT,
    symbol_ber=RATE,
    effective_errors=st.none() | COUNT,
    effective_ber=RATE,
    raw_ber=RATE,
    downs=st.none() | COUNT,
    recoveries=st.none() | COUNT,
    advice=st.sampled_from(["", "No issue was observed"]),
    module=st.none() | module,
)
unread = st.sampled_from(["-E- Failed to open the device", "nothing is here"])


@st.composite
def links(draw):
    ports = draw(st.dictionaries(NAME, reading, max_size=4))
    dead = draw(st.dictionaries(NAME.filter(lambda name: name not in ports), unread, min_size=0 if ports else 1))
    return Links(ports=ports, unread=dead)


device = st.builds(
    RdmaDevice,
    pci_address=st.integers(0, 255).map(lambda bus: f"0000:{bus:02x}:00.0"),
    model=WORD,
    firmware=WORD,
    board=WORD,
    node_guid=WORD,
    numa_node=st.none() | st.integers(0, 7),
    link_layer=st.sampled_from(["InfiniBand", "Ethernet"]),
    state=st.sampled_from(["ACTIVE", "INIT", "DOWN"]),
    physical_state=st.sampled_from(["LinkUp", "Polling", "Disabled"]),
    rate=st.sampled_from(["400 Gb/sec (4X NDR)", "100 Gb/sec (2X HDR)"]),
    active_mtu=st.none() | st.sampled_from([1024, 2048, 4096]),
    partition_keys=st.lists(st.integers(1, 0xFFFF), max_size=4),
    gids=st.lists(
        st.builds(Gid, index=st.integers(0, 7), address=WORD, kind=st.sampled_from(["RoCE v2", "IB/RoCE v1"])),
        max_size=4,
        unique_by=lambda gid: gid.index,
    ).map(lambda drawn_records: sorted(drawn_records, key=lambda gid: gid.index)),
    counters=COUNTERS,
)
rdma = st.builds(
    Rdma,
    kernel=WORD,
    modules=st.lists(WORD, max_size=4),
    open_driver=st.none() | st.booleans(),
    devices=st.dictionaries(NAME, device, max_size=4),
)
soak = st.builds(
    PortCounters,
    seconds=st.integers(100, 10**8).map(lambda hundredths: hundredths / 100),
    before=st.dictionaries(NAME, COUNTERS.filter(bool), max_size=3),
    after=st.dictionaries(NAME, COUNTERS.filter(bool), max_size=3),
)
port = st.builds(
    EthernetPort,
    mac=st.just("b8:3f:d2:00:00:01"),
    operational=st.sampled_from(["up", "down"]),
    mbps=st.none() | st.integers(1, 800_000),
    mtu=st.integers(1, 9216),
    carrier_downs=st.none() | COUNT,
    counters=st.dictionaries(st.sampled_from(["rx_crc_errors", "rx_packets"]), COUNT),
    neighbours=st.lists(st.builds(Neighbour, system=WORD, port=WORD), max_size=2),
    lossless=st.none() | st.sets(st.integers(0, 7)).map(sorted),
)


@st.composite
def ethernet(draw):
    heard = draw(st.booleans())
    ports = draw(st.dictionaries(st.sampled_from(["ens1f0np0", "eno1", "enp41s0f1np1"]), port))
    if not heard:
        ports = {name: port.model_copy(update={"neighbours": []}) for name, port in ports.items()}
    return Ethernet(
        uptime_seconds=draw(st.integers(0, 10**10)) / 100,
        heard=heard,
        ports=ports,
        interfaces=draw(st.dictionaries(NAME, WORD, max_size=2)),
    )


far = st.builds(
    FabricLink,
    guid=GUID,
    kind=st.sampled_from(["Ca", "Switch"]),
    name=WORD,
    port=st.integers(0, 128),
    remote_guid=GUID,
    remote_kind=st.sampled_from(["Ca", "Switch"]),
    remote_name=WORD,
    remote_port=st.integers(0, 128),
    speed=st.sampled_from(["4xNDR", "4xHDR"]),
)
manager = st.builds(Manager, guid=GUID, priority=st.integers(0, 15), state=st.integers(0, 3))
subnets = st.dictionaries(
    NAME,
    st.builds(
        Subnet,
        managers=st.lists(manager, min_size=1, max_size=3),
        links=st.lists(far, min_size=1, max_size=4),
    ),
    min_size=1,
    max_size=3,
).map(lambda drawn_records: Subnets(subnets=drawn_records, unread={}))


def _slingshot(state, speed, raw, remaining):
    """What `cxi_stat` tells of a port: rates of a link that is up, to four digits."""
    quiet = dict.fromkeys(set(LinkReading.model_fields) - {"state", "speed", "physical_state", "advice"})
    rates = {"raw_ber": raw, "effective_ber": remaining} if state == "up" and raw is not None else {}
    return LinkReading(**quiet | rates | {"state": state, "speed": speed, "physical_state": "", "advice": ""})


printed = st.just(0.0) | st.floats(1.176e-12, 1, allow_nan=False).map(lambda value: float(f"{value:.3e}"))
slingshot = st.dictionaries(
    st.from_regex(r"hsn[0-9]{1,2}", fullmatch=True),
    st.builds(
        _slingshot,
        state=st.sampled_from(["up", "down", "starting"]),
        speed=st.sampled_from(["BS_200G", "BJ_100G", ""]),
        raw=st.none() | printed,
        remaining=printed,
    ),
    min_size=1,
    max_size=8,
).map(lambda ports: Links(ports=ports, unread={}))


@st.composite
def switch_ports(draw):
    """What `ibqueryerrors` prints of the switches of a subnet: a switch that counts nothing is not listed."""
    counters = st.dictionaries(
        st.sampled_from(["SymbolErrorCounter", "LinkDownedCounter", "PortXmitDiscards", "PortXmitWait"]),
        st.integers(1, 2**64 - 1),
        min_size=1,
    )
    guids = draw(st.lists(st.integers(1, 2**64 - 1).map(lambda number: f"0x{number:016x}"), unique=True, max_size=2))
    ports = [
        CountingPort(guid=guid, switch=f"leaf-{place:02}", number=number, counters=draw(counters))
        for place, guid in enumerate(guids)
        for number in draw(st.lists(st.integers(1, 144), unique=True, min_size=1, max_size=3))
    ]
    checked = draw(st.dictionaries(st.sampled_from(["mlx5_0", "mlx5_1"]), st.integers(1, 10_000), min_size=1))
    return SwitchPorts(ports=ports, checked=checked, unread={})


def _numbered(name, states):
    """As many parts as are drawn, numbered from 1."""
    return st.lists(states, max_size=3).map(
        lambda drawn: [SwitchPart(name=f"{name}{at}", state=state) for at, state in enumerate(drawn, 1)]
    )


def _sensors(name, celsius, most):
    return st.lists(st.tuples(celsius, most), min_size=1, max_size=1).map(
        lambda drawn: [SwitchTemperature(name=name, celsius=warm, most=bound) for warm, bound in drawn]
    )


warmth = st.integers(1, 130).map(float)
switch_health = st.builds(
    SwitchHealth,
    switch=WORD,
    model=WORD,
    serial=WORD,
    firmware=WORD,
    supplies=_numbered("PSU", st.sampled_from([None, WELL, "DC power ERROR", "status ERROR, fan status ERROR"])),
    fans=st.tuples(
        st.sampled_from([None, WELL, "ERROR"]), _numbered("fan ", st.sampled_from([None, WELL, "stands still"]))
    ).map(lambda drawn: [SwitchPart(name="fans", state=drawn[0]), *drawn[1]]),
    temperatures=_sensors("ASIC", st.none() | warmth, st.none() | warmth),
    modules=_sensors("module 3", warmth, st.none()),
)
subnet_switches = st.dictionaries(GUID, switch_health, min_size=1, max_size=3).map(
    lambda drawn: SubnetSwitches(switches=drawn, unread={})
)

RECORDS = {
    "ibswinfo": subnet_switches,
    "cxi": slingshot,
    "link": links(),
    "rdma": rdma,
    "link_soak": soak,
    "ethernet": ethernet(),
    "subnet": subnets,
    "switch_ports": switch_ports(),
}
