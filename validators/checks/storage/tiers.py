"""Every storage tier for nodes is mounted from the declared source and writable."""

from rackwright import compare
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.mounts import Mounts
from rackwright.model.verdict import Finding
from rackwright.model.workload import StorageClient


def judge(expectation: Expectation, record: Mounts) -> Finding:
    """Compare type, source and mode of the mount of each tier."""
    sources = compare.limit(expectation, "storage.sources_shown")
    clients = {tier.name: tier.client for tier in expectation.storage if tier.client is not None}
    rows = {
        client.kind: compare.limit(expectation, "storage.client_types", kind=client.kind) for client in clients.values()
    }
    missing = [kind for kind, row in rows.items() if row is None]
    if sources is None or missing:
        return compare.no_limit(
            expectation, f"storage.sources_shown and storage.client_types kind {', '.join(missing)}"
        )
    types = {kind: compare.words(row) for kind, row in rows.items() if row is not None}
    return compare.every(
        expectation,
        {
            f"{name} on {client.mount}": state(
                client, record, types[client.kind], client.kind in compare.words(sources)
            )
            for name, client in clients.items()
        },
        lambda text: text == "mounted for writing",
        what="storage tier",
        expected="mounted for writing from its source",
        source="site storage.client",
    )


def state(client: StorageClient, record: Mounts, types: list[str], by_source: bool) -> str:
    """State of the mount of a tier in words; the last mount on a folder counts."""
    mounts = [mount for mount in record.mounts if mount.target == client.mount]
    if not mounts:
        return "not mounted"
    mount = mounts[-1]
    if mount.kind not in types:
        return f"a file system of type {mount.kind} from {mount.source}"
    if by_source and mount.source != client.source:
        return f"from {mount.source} instead of {client.source}"
    return "mounted for writing" if "rw" in mount.options else "read-only"


def applies(expectation: Expectation) -> bool:
    """Nodes with accelerators, if a tier declares how it is mounted."""
    return compare.has_accelerators(expectation) and any(tier.client is not None for tier in expectation.storage)


CHECK = Check(reads=Mounts, judge=judge, applies=applies)
