"""Every storage tier that nodes mount is mounted, from the declared source, and can be written."""

from rackwright import compare
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.mounts import Mounts
from rackwright.model.verdict import Finding
from rackwright.model.workload import StorageClient


def judge(expectation: Expectation, seen: Mounts) -> Finding:
    """Look for the folder of each tier, and compare type, source and mode."""
    shown = compare.limit(expectation, "storage.sources_shown")
    clients = {tier.name: tier.client for tier in expectation.storage if tier.client is not None}
    rows = {one.kind: compare.limit(expectation, "storage.client_types", kind=one.kind) for one in clients.values()}
    missing = [kind for kind, row in rows.items() if row is None]
    if shown is None or missing:
        return compare.no_limit(
            expectation, f"storage.sources_shown and storage.client_types kind {', '.join(missing)}"
        )
    types = {kind: compare.words(row) for kind, row in rows.items() if row is not None}
    return compare.every(
        expectation,
        {
            f"{name} on {client.mount}": state(client, seen, types[client.kind], client.kind in compare.words(shown))
            for name, client in clients.items()
        },
        lambda found: found == "mounted for writing",
        what="storage tier",
        expected="mounted for writing from its source",
        source="site storage.client",
    )


def state(client: StorageClient, seen: Mounts, types: list[str], by_source: bool) -> str:
    """How a tier is mounted, in words; the last mount on a folder is the one that counts."""
    found = [one for one in seen.mounts if one.target == client.mount]
    if not found:
        return "not mounted"
    one = found[-1]
    if one.kind not in types:
        return f"a file system of type {one.kind} from {one.source}"
    if by_source and one.source != client.source:
        return f"from {one.source} instead of {client.source}"
    return "mounted for writing" if "rw" in one.options else "read-only"


def applies(expectation: Expectation) -> bool:
    """Nodes with accelerators mount the tiers that say how."""
    return compare.has_accelerators(expectation) and any(tier.client is not None for tier in expectation.storage)


CHECK = Check(reads=Mounts, judge=judge, applies=applies)
