"""Records of the network ports of NPUs."""

from hypothesis import strategies as st

from rackwright.model.evidence.link import Range
from rackwright.model.evidence.npu_port import NpuPort, NpuPorts

POWER = st.integers(0, 90_000).map(lambda tenths: tenths / 10_000)
RANGE = st.none() | st.builds(
    Range, values=st.lists(POWER, min_size=1, max_size=4), least=st.none() | POWER, most=st.none() | POWER
)
NAME = st.just("") | st.from_regex(r"[a-z][a-z0-9/:-]{0,12}", fullmatch=True)
COUNTERS = st.dictionaries(
    st.sampled_from(["mac_rx_pfc_pkt_num", "mac_rx_bad_pkt_num", "roce_verification_err_num"]),
    st.integers(0, 2**64 - 1),
)
FLAGS = st.lists(st.sampled_from(["Tx Los", "Rx Los", "Tx LoL", "Rx LoL"]), unique=True)


@st.composite
def port(draw):
    module = draw(st.none() | st.booleans())
    there = module is not None
    flags = draw(FLAGS) if there else []
    return NpuPort(
        link=draw(st.sampled_from(["", "UP", "DOWN"])),
        net_health=draw(st.sampled_from(["", "Success", "Socket fail", "Init", "Unreachable"])),
        module=module,
        receive=draw(RANGE) if there else None,
        transmit=draw(RANGE) if there else None,
        counters=draw(COUNTERS),
        switch=draw(NAME),
        switch_port=draw(NAME),
        lost=[flag for flag in ("Tx Los", "Rx Los", "Tx LoL", "Rx LoL") if flag in flags],
    )


RECORDS = {
    "hccn": st.builds(NpuPorts, ports=st.dictionaries(st.integers(0, 15).map(str), port(), min_size=1, max_size=3))
}
