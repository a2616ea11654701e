"""Collects from many connections as `rackwright collect` does: asks, stores raw output, ends. BMCs are left out: no other tool reads them."""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from rackwright import catalog, design, spec
from rackwright.cli import access
from rackwright.collect import Store, collector, probe_build
from rackwright.collect.gather import arrivals_of, record_run
from rackwright.collect.plan import plan_requests
from rackwright.collect.transports import fleet
from rackwright.collect.transports.connection_limits import Patience


def main() -> int:
    """Collect."""
    site, node, folder, at_once, nvml, addresses = sys.argv[1:]
    loaded = spec.load(Path(site))
    design_ = design.expand(loaded.site, catalog.load(loaded.site.catalog))
    node_asks = plan_requests(design_, [node], collector.library()).asks[node]
    asks = tuple(ask for ask in node_asks if not ask.subject and (ask.command or nvml == "yes"))
    hosts = [fleet.FleetHost(f"n{number:05d}", address, asks) for number, address in enumerate(addresses.split(","))]
    store = Store(Path(folder))
    zipapp = probe_build.build_probe(store.folder / "probe").read_bytes()
    source = arrivals_of(fleet.ask_hosts(hosts, access.to_hosts(loaded.site), zipapp, Patience(at_once=int(at_once))))
    silent: list[str] = []

    def event(kind: str, data: dict[str, Any]) -> None:
        silent.extend(
            f"{data['node']}: {why}"
            for why in data.get("errors", {}).values()
            if kind == "host" and " is not installed" not in why
        )

    record_run(
        store, {"owed": {}, "adapters": {}}, [source], event, lambda: datetime.now(UTC), collector.library(), len(hosts)
    )
    print("\n".join(silent[:5]), file=sys.stderr)
    return bool(silent)


if __name__ == "__main__":
    raise SystemExit(main())
