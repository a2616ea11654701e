"""Records of accelerators, the kernel log and the PCI bus."""

import string

from hypothesis import strategies as st

from rackwright.model.evidence.kernel_log import BusError, KernelLog, SwitchError, Xid

TIME = st.integers(0, 86399).map(lambda s: f"2026-11-21T{s // 3600:02d}:{s // 60 % 60:02d}:{s % 60:02d}+0000")
BDF = st.tuples(st.integers(0, 0xFFFF), st.integers(0, 255), st.integers(0, 31)).map(
    lambda t: f"{t[0]:04x}:{t[1]:02x}:{t[2]:02x}"
)
SAID = st.text(string.ascii_letters + string.digits + " ()',=.<>-", max_size=40).map(str.strip)

kernel_log = st.builds(
    KernelLog,
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

RECORDS = {"kernel_log": kernel_log}
