"""Records of the operating system, the main board, drives and the scheduler."""

import string

from hypothesis import strategies as st

from rackwright.model.evidence.container import Container, DriverLibraries, Library
from rackwright.model.evidence.cpu import Cpu
from rackwright.model.evidence.drives import Drive, DriveLink, DriveLinks, Drives
from rackwright.model.evidence.host import Clock, ClockSource, ClockSources, SystemdUnits, UserLimits
from rackwright.model.evidence.kubelet import Kubelet
from rackwright.model.evidence.memory import Dimm, Memory
from rackwright.model.evidence.mounts import Mount, Mounts
from rackwright.model.evidence.scheduler import SchedulerNode
from rackwright.model.evidence.tuning import MemoryErrors, Shared, Tuning

WORD = st.text(string.ascii_letters + string.digits + "._+~-", min_size=1, max_size=20)
TEXT = st.text(string.ascii_letters + string.digits + " _-()", min_size=1, max_size=20).map(str.strip).filter(bool)
COUNT = st.integers(0, 2**62)
MAYBE = st.none() | COUNT
PERCENT = st.none() | st.integers(0, 255)
SECONDS = st.none() | st.floats(0, 1e3)

clock = st.builds(
    Clock,
    reference=WORD,
    stratum=st.integers(0, 16),
    offset_seconds=st.floats(-1e6, 1e6),
    leap_status=st.sampled_from(["Normal", "Insert second", "Delete second", "Not synchronised"]),
    frequency_ppm=st.none() | st.floats(-1e5, 1e5),
    root_delay_seconds=SECONDS,
    root_dispersion_seconds=SECONDS,
)
source = st.builds(
    lambda name, state, stratum, reach: ClockSource(
        name=name, selected=state == "*", state=state, stratum=stratum, reach=reach
    ),
    WORD,
    st.sampled_from(["*", "+", "-", "?", "x", "~"]),
    st.integers(0, 16),
    st.integers(0, 255),
)
sources = st.lists(source, max_size=4).map(lambda drawn_records: ClockSources(sources=drawn_records))
cpu = st.builds(
    Cpu,
    model=TEXT,
    sockets=st.integers(1, 8),
    cores_per_socket=st.integers(1, 256),
    threads_per_core=st.integers(1, 4),
    cpus=st.integers(1, 2048),
    online=WORD,
    offline=st.just("") | WORD,
    numa_nodes=st.none() | st.integers(1, 64),
    max_mhz=st.none() | st.integers(1, 60_000_000).map(lambda value: value / 10_000),
)


def shared(place: str):
    entry = st.builds(
        Shared, value=WORD, cpus=st.integers(1, 512), first=st.integers(0, 511).map(lambda n: f"{place}{n}")
    )
    return st.lists(entry, max_size=3)


tuning = st.builds(
    Tuning,
    command_line=TEXT,
    transparent_hugepages=st.none() | st.sampled_from(["always", "madvise", "never"]),
    hugepages=st.dictionaries(st.integers(1, 2**30).map(lambda size: f"hugepages-{size}kB"), st.integers(0, 10**6)),
    governors=shared("policy"),
    ceilings=shared("policy"),
    highest=shared("policy"),
    microcode=shared("cpu"),
    numa_memory=st.dictionaries(
        st.integers(0, 63).map(lambda n: f"node{n}"), st.integers(0, 2**40).map(lambda kib: kib * 1024)
    ),
    memory_errors=st.lists(st.builds(MemoryErrors, label=WORD, corrected=COUNT, uncorrected=COUNT), max_size=4),
    crash_dumps=st.lists(WORD.map(lambda name: f"/sys/fs/pstore/{name}"), unique=True, max_size=2),
)
UNSAID = {"Unknown", "None", "Undefined"}
SAID = st.just("") | TEXT.filter(lambda text: text not in UNSAID)
dimm = st.builds(
    Dimm,
    slot=TEXT,
    bytes=st.none() | st.integers(0, 2**20).map(lambda mib: mib * 2**20),
    kind=SAID,
    manufacturer=SAID,
    serial=SAID,
    part=SAID,
    rated_mts=st.none() | st.integers(0, 10**5),
    running_mts=st.none() | st.integers(0, 10**5),
)
drive = st.builds(
    Drive,
    name=st.integers(0, 99).map(lambda number: f"nvme{number}"),
    model=TEXT,
    serial=WORD,
    firmware=WORD,
    bytes=MAYBE,
    passed=st.none() | st.booleans(),
    critical_warning=PERCENT,
    available_spare=PERCENT,
    spare_threshold=PERCENT,
    percentage_used=PERCENT,
    media_errors=MAYBE,
    temperature_celsius=st.none() | st.integers(-40, 200),
)
drives = st.lists(drive, max_size=4, unique_by=lambda entry: entry.name).map(
    lambda drawn_records: Drives(drives=sorted(drawn_records, key=lambda entry: (len(entry.name), entry.name)))
)
mount = st.builds(
    Mount,
    target=WORD.map(lambda name: f"/{name}"),
    source=WORD,
    kind=WORD,
    options=st.lists(WORD, min_size=1, max_size=4),
    bytes=MAYBE,
    used_bytes=MAYBE,
    available_bytes=MAYBE,
)
limits = st.builds(UserLimits, open_files=MAYBE, stack_bytes=MAYBE, processes=MAYBE)
container = st.builds(Container, driver_version=WORD, cuda_version=WORD, uuids=st.lists(WORD, max_size=8))
library = st.builds(Library, path=WORD.map(lambda name: f"/usr/lib/{name}"), bytes=COUNT)
quantities = st.dictionaries(WORD, WORD, max_size=4)
kubelet = st.builds(
    Kubelet,
    name=WORD,
    conditions=st.dictionaries(WORD, st.sampled_from(["True", "False", "Unknown"])),
    allocatable=quantities,
    capacity=quantities,
    taints=st.lists(st.tuples(WORD, WORD, st.sampled_from(["NoSchedule", "NoExecute"])), max_size=2).map(
        lambda drawn_records: [f"{key}={value}:{effect}" for key, value, effect in drawn_records]
    ),
    unschedulable=st.booleans(),
    version=WORD,
)


@st.composite
def slurm_node(draw):
    reason = draw(st.just("") | TEXT.filter(lambda text: "[" not in text))
    return SchedulerNode(
        name=draw(WORD),
        states=draw(st.lists(st.sampled_from(["idle", "down", "drain", "mixed"]), min_size=1, max_size=3)),
        reason=reason,
        reason_by=draw(st.just("") | WORD) if reason else "",
        gres=draw(st.just("") | WORD),
        cpus=draw(MAYBE),
        memory_mib=draw(MAYBE),
        answers=draw(st.booleans()),
    )


GENERATION = st.none() | st.integers(1, 6)
LANES = st.none() | st.sampled_from([1, 2, 4, 8, 16])
drive_links = st.lists(
    st.builds(
        DriveLink,
        name=st.integers(0, 99).map("nvme{}".format),
        generation=GENERATION,
        width=LANES,
        most_generation=GENERATION,
        most_width=LANES,
        slot_generation=GENERATION,
        slot_width=LANES,
    ),
    max_size=4,
    unique_by=lambda entry: entry.name,
).map(lambda drawn_records: DriveLinks(links=sorted(drawn_records, key=lambda entry: (len(entry.name), entry.name))))

RECORDS = {
    "drive_links": drive_links,
    "clock": clock,
    "sources": sources,
    "cpu": cpu,
    "tuning": tuning,
    "memory": st.lists(dimm, min_size=1, max_size=4).map(lambda drawn_records: Memory(dimms=drawn_records)),
    "drives": drives,
    "mounts": st.lists(mount, max_size=4).map(lambda drawn_records: Mounts(mounts=drawn_records)),
    "units": st.lists(WORD.filter(lambda name: name[0] not in ".-"), max_size=3).map(
        lambda drawn_records: SystemdUnits(failed=drawn_records)
    ),
    "limits": limits,
    "container": container,
    "libraries": st.lists(library, max_size=4).map(lambda drawn_records: DriverLibraries(libraries=drawn_records)),
    "kubelet": kubelet,
    "scheduler": st.lists(slurm_node(), min_size=1, max_size=4),
}
