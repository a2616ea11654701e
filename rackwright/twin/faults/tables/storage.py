"""Faults of local scratch, storage tiers and shared file systems: mounts and speed."""

from __future__ import annotations

from rackwright.twin.faults.changes import set_performance, set_system
from rackwright.twin.faults.fault import Fault

FAULTS = (
    Fault(
        name="files-never-seen",
        summary="A node never sees the files of others: another file system is mounted under the same path",
        apply=set_performance(stale_files=True),
        checks={"storage_speed.visibility"},
        names={"never seen"},
    ),
    Fault(
        name="files-seen-late",
        summary="A node sees the files of others seconds late",
        apply=set_performance(visible_seconds=9.0),
        checks={"storage_speed.visibility"},
        names={"seen on /scratch"},
    ),
    Fault(
        name="local-drives-few-operations",
        summary="A node's own drives do few small reads",
        apply=set_performance(local_operations=0.4),
        checks={"storage_speed.local_operations"},
        names={"/local"},
    ),
    Fault(
        name="local-drives-read-slowly",
        summary="A node's own drives read at half of their rate",
        apply=set_performance(local_read=0.5),
        checks={"storage_speed.local_read"},
        names={"/local"},
    ),
    Fault(
        name="local-drives-write-slowly",
        summary="A node's own drives write at half of their rate",
        apply=set_performance(local_write=0.5),
        checks={"storage_speed.local_write"},
        names={"/local"},
    ),
    # With data of earlier jobs.
    Fault(
        name="scratch-full",
        summary="The local scratch is full",
        apply=set_system(full_mounts=("/local",)),
        checks={"storage.space"},
        names={"/local"},
    ),
    # The array of the local drives was not assembled.
    Fault(
        name="scratch-not-mounted",
        summary="The local scratch is not mounted",
        apply=set_system(lost_mounts=("/local",)),
        checks={"storage.mounted"},
        names={"/local"},
    ),
    Fault(
        name="scratch-read-only",
        summary="The local scratch is read-only",
        apply=set_system(read_only_mounts=("/local",)),
        checks={"storage.mounted"},
        names={"/local"},
    ),
    Fault(
        name="shared-metadata-slow",
        summary="A node makes files slowly on the shared file system",
        apply=set_performance(metadata=0.2),
        checks={"storage_speed.metadata"},
        names={"/scratch"},
    ),
    Fault(
        name="shared-storage-lost",
        summary="The shared file system is not mounted on a node",
        apply=set_performance(shared_lost=True),
        checks={"storage_speed.shared_throughput"},
        names={"no shared file system is mounted"},
        masks={"storage_speed.metadata", "storage_speed.shared_throughput", "storage_speed.visibility"},
        unread=True,
    ),
    Fault(
        name="shared-storage-reads-slowly",
        summary="A node reads the shared file system over a slow way",
        apply=set_performance(shared_read=0.3),
        checks={"storage_speed.shared_throughput"},
        names={"reading /scratch"},
    ),
    Fault(
        name="shared-storage-writes-slowly",
        summary="A node writes the shared file system over a slow way",
        apply=set_performance(shared_write=0.3),
        checks={"storage_speed.shared_throughput"},
        names={"writing /scratch"},
    ),
    # The client did not reach its servers.
    Fault(
        name="tier-not-mounted",
        summary="A storage tier is not mounted",
        apply=set_system(lost_mounts=("/scratch",)),
        checks={"storage.tiers"},
        names={"/scratch"},
        needs="storage",
    ),
    Fault(
        name="tier-read-only",
        summary="A storage tier is mounted read-only",
        apply=set_system(read_only_mounts=("/scratch",)),
        checks={"storage.tiers"},
        names={"/scratch"},
        needs="storage",
    ),
)
