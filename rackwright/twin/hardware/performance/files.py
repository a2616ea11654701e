"""Records of fio and of the metadata test on local and shared file systems, and of the visibility of files between nodes."""

from __future__ import annotations

from rackwright.model.check import Expectation
from rackwright.model.design import Design
from rackwright.model.evidence.storage import FileSpeed, LocalFilesystems, SharedStorage, Sight, Visibility
from rackwright.twin.hardware.performance import model
from rackwright.twin.hardware.performance.rails import partners
from rackwright.twin.hardware.state import State, TwinMachine

TOOL = "fio-3.36"
MIB, SMALL = 1 << 20, 4096
LOCAL, SHARED = "/local", "/scratch"
USUAL_GBYTES_PER_S = 10.0
CREATES, STATS = 1000.0, 5
"""Files per second where no limit says how many; how much faster a stat is than a create."""


def local(state: State, about: Expectation, machine: TwinMachine) -> LocalFilesystems:
    """The record of ``rackwright-burn fio --directory /local``."""
    drives = about.node.server.local_storage
    performance = machine.performance
    read = drives.drives * drives.read_gbytes_per_s_each if drives else 0.0
    write = drives.drives * drives.write_gbytes_per_s_each if drives else 0.0
    share = model.most(about, "storage_speed.local_share", 1.0)
    operations = model.most(about, "storage_speed.drive_operations_per_s", 1.0) * (drives.drives if drives else 0)
    return LocalFilesystems(
        tool=TOOL,
        jobs=[
            _job(state, machine, "read", LOCAL, MIB, read * share * performance.local_read),
            _job(state, machine, "write", LOCAL, MIB, write * share * performance.local_write),
            _job(state, machine, "randread", LOCAL, SMALL, operations * performance.local_operations * SMALL / 1e9),
        ],
    )


def shared(state: State, about: Expectation, machine: TwinMachine, filesystem: str) -> SharedStorage:
    """The record of ``rackwright-burn shared``."""
    performance = machine.performance
    read = model.most(about, "storage_speed.shared_read_gbytes_per_s", USUAL_GBYTES_PER_S)
    write = model.most(about, "storage_speed.shared_write_gbytes_per_s", USUAL_GBYTES_PER_S)
    creates = model.most(about, "storage_speed.creates_per_s", CREATES) * performance.metadata
    creates *= model.noise(state, machine.node, "creates")
    return SharedStorage(
        tool=TOOL,
        path=SHARED,
        filesystem=filesystem,
        jobs=[
            _job(state, machine, "read", SHARED, MIB, read * performance.shared_read),
            _job(state, machine, "write", SHARED, MIB, write * performance.shared_write),
        ],
        creates_per_s=round(creates, 1),
        stats_per_s=round(creates * STATS, 1),
        removes_per_s=round(creates, 1),
    )


def _job(state: State, machine: TwinMachine, name: str, path: str, block: int, speed: float) -> FileSpeed:
    bytes_per_s = round(speed * model.noise(state, machine.node, name, path) * 1e9)
    return FileSpeed(
        job=name,
        path=path,
        block_bytes=block,
        gbytes_per_s=bytes_per_s / 1e9,
        operations_per_s=round(bytes_per_s / block, 1),
        errors=0,
    )


def visibility(state: State, design: Design, node: str) -> Visibility:
    """Files of the node's partners as it sees them, and its own as they see them."""
    del design
    others = partners(state, node)
    pairs = [pair for peer in others for pair in ((peer, node), (node, peer))]
    return Visibility(path=SHARED, sights=[_sight(state, writer, reader) for writer, reader in pairs])


def _sight(state: State, writer: str, reader: str) -> Sight:
    performance = state.machines[reader].performance
    lost = performance.stale_files or performance.shared_lost or state.machines[writer].performance.shared_lost
    seconds = None if lost else round(performance.visible_seconds / model.noise(state, writer, reader), 4)
    return Sight(writer=writer, reader=reader, seconds=seconds, matches=not lost)
