"""Power that cannot work whatever the racks hold: unknown parts, parts that do not fit, more declared losses than units.

Checks that depend on the load of the racks are design rules instead.
"""

from __future__ import annotations

from collections.abc import Iterator

from rackwright.base.errors import Problem
from rackwright.catalog import Catalog, power_practice
from rackwright.model.facility import Circuit, Power
from rackwright.model.site import Site
from rackwright.spec.crosscheck.parts import unknown
from rackwright.spec.crosscheck.problem import problem

POWER = "facility.power"


def check(site: Site, catalog: Catalog) -> Iterator[Problem]:
    """Every contradiction of ``facility.power``."""
    power = site.facility.power
    yield from _survivable_losses(power)
    yield from _hall_feeds(site)
    yield from _parts(power, catalog)
    yield from _pdu(power, catalog)
    yield from _busway(power, catalog)


def pools(site: Site, catalog: Catalog) -> Iterator[Problem]:
    """Pools whose servers cannot lose what is declared, or have no busbar to hang on."""
    yield from _supplies(site, catalog)
    yield from _busbars(site, catalog)
    yield from _caps(site, catalog)


def _survivable_losses(power: Power) -> Iterator[Problem]:
    """Declared losses of UPS modules or PDUs that would leave none. The supplies of a device on one feed share a PDU."""
    survive, feeds = power.survive, len(power.feeds)
    modules = power.ups.per_feed if power.ups else 0
    if survive.ups and not power.ups:
        message, step = "no UPS is declared that could be lost", "declare facility.power.ups, or set survive.ups to 0"
        yield problem(f"{POWER}.survive.ups", "nothing_to_lose", message, "0 without UPS", str(survive.ups), step)
    elif survive.ups and survive.ups >= modules:
        expected = f"fewer than the {modules} modules of a feed"
        step = "raise facility.power.ups.per_feed, or lower survive.ups"
        message = "no UPS of the feed would be left"
        yield problem(f"{POWER}.survive.ups", "no_ups_left", message, expected, str(survive.ups), step)
    if survive.pdus and survive.pdus >= feeds:
        expected = f"fewer than the {feeds} feeds, on each of which a device has one PDU"
        step = "add a feed, or lower survive.pdus"
        message = "no PDU of a device would be left"
        yield problem(f"{POWER}.survive.pdus", "no_pdu_left", message, expected, str(survive.pdus), step)


def _hall_feeds(site: Site) -> Iterator[Problem]:
    """A hall has feeds of the site, each once, and more of them than may be lost."""
    power = site.facility.power
    for at, hall in enumerate(site.facility.halls):
        path = f"facility.halls[{at}].feeds"
        unknown_feeds = sorted(set(hall.feeds) - set(power.feeds))
        if unknown_feeds:
            expected, step = f"some of {', '.join(power.feeds)}", "name feeds of facility.power.feeds"
            yield problem(
                path,
                "no_such_feed",
                f"{hall.name} has feeds that the site has not",
                expected,
                ", ".join(unknown_feeds),
                step,
            )
        elif len(set(hall.feeds)) < len(hall.feeds):
            yield problem(
                path,
                "feed_twice",
                f"a feed stands twice in {hall.name}",
                "each once",
                ", ".join(hall.feeds),
                "remove one",
            )
        elif hall.feeds and power.survive.feeds >= len(hall.feeds):
            expected = f"more than the {power.survive.feeds} that may be lost"
            step = "add a feed to the hall, or lower facility.power.survive.feeds"
            yield problem(
                path,
                "no_feed_of_hall_left",
                f"no feed of {hall.name} would be left",
                expected,
                ", ".join(hall.feeds),
                step,
            )


def _caps(site: Site, catalog: Catalog) -> Iterator[Problem]:
    """A cap is for a server of the site, below its peak and below the cap of every hour; one of each kind."""
    declared: dict[tuple[str, str], int] = {}
    always = {cap.server: cap.watts for cap in site.facility.power.caps if cap.applies == "always"}
    used = sorted({pool.server for pool in site.pools})
    for at, cap in enumerate(site.facility.power.caps):
        path, server = f"{POWER}.caps[{at}]", catalog.servers.get(cap.server)
        if cap.server not in used or server is None:
            message, step = "a cap for a server that no pool has", "name the server of a pool, or take the cap out"
            yield problem(f"{path}.server", "cap_of_no_pool", message, f"one of {', '.join(used)}", cap.server, step)
            continue
        if (cap.server, cap.applies) in declared:
            message = f"{cap.server} has two caps that apply {cap.applies}"
            expected, step = "one", f"take caps[{declared[cap.server, cap.applies]}] or caps[{at}] out"
            yield problem(path, "two_caps", message, expected, "two", step)
            continue
        declared[cap.server, cap.applies] = at
        most = (
            server.peak_watts
            if cap.applies == "always"
            else min(server.peak_watts, always.get(cap.server, server.peak_watts))
        )
        if cap.watts >= most:
            message = f"the cap limits nothing: {cap.server} draws {most} W at most"
            step = "lower the cap, or take it out"
            yield problem(f"{path}.watts", "cap_above_peak", message, f"less than {most} W", f"{cap.watts} W", step)


def _parts(power: Power, catalog: Catalog) -> Iterator[Problem]:
    if power.ups:
        yield from unknown(f"{POWER}.ups.sku", power.ups.sku, "ups", catalog.ups, catalog)
    if power.busway:
        yield from unknown(f"{POWER}.busway", power.busway, "busway", catalog.busways, catalog)
    if power.rack_pdu:
        yield from unknown(f"{POWER}.rack_pdu", power.rack_pdu, "pdu", catalog.pdus, catalog)


def _pdu(power: Power, catalog: Catalog) -> Iterator[Problem]:
    """A rack PDU ends a circuit of its own phases and voltage, and bears what the breaker lets through."""
    part = catalog.pdus.get(power.rack_pdu or "")
    if part is None:
        return
    circuit = power.circuit
    actual = f"{part.volts} V {part.amps} A {_phases(part.phases)}"
    if part.phases != circuit.phases or not _voltage_fits(part.volts, circuit.volts) or part.amps < circuit.amps:
        fitting = [pdu.sku for pdu in catalog.pdus.values()
                   if pdu.phases == circuit.phases and _voltage_fits(pdu.volts, circuit.volts) and pdu.amps >= circuit.amps]  # fmt: skip
        step = f"take {' or '.join(sorted(fitting))}" if fitting else "declare a fitting PDU under catalog in this file"
        expected = f"a PDU for the circuit: {_circuit_text(circuit)}, at least {circuit.amps} A"
        message = f"{part.sku} does not fit the circuit"
        yield problem(f"{POWER}.rack_pdu", "pdu_does_not_fit", message, expected, actual, step)


def _busway(power: Power, catalog: Catalog) -> Iterator[Problem]:
    """A circuit taps phases that the busway has, at its voltage."""
    part = catalog.busways.get(power.busway or "")
    if part is None:
        return
    circuit = power.circuit
    if part.phases < circuit.phases or not _voltage_fits(part.volts, circuit.volts) or part.amps < circuit.amps:
        expected = f"a busway for circuits of {_circuit_text(circuit)}, at least {circuit.amps} A"
        actual = f"{part.volts} V {part.amps} A {_phases(part.phases)}"
        message = f"{part.sku} does not fit the circuit"
        step = "take a busway of the voltage of the circuit, or change facility.power.circuit"
        yield problem(f"{POWER}.busway", "busway_does_not_fit", message, expected, actual, step)


def _voltage_fits(volts: int, supply: int) -> bool:
    return abs(volts - supply) <= volts * power_practice.load().voltage_share


def _phases(count: int) -> str:
    return "single-phase" if count == 1 else "three-phase"


def _circuit_text(circuit: Circuit) -> str:
    return f"{circuit.volts} V {_phases(circuit.phases)}"


def _supplies(site: Site, catalog: Catalog) -> Iterator[Problem]:
    """Pools whose servers have too few spare supplies, as one problem."""
    survive = site.facility.power.survive.psus
    weak = []
    for pool in site.pools:
        server = catalog.servers.get(pool.server)
        if server and server.psus.count and server.psus.count - server.psus.needed < survive:
            weak.append(f"{pool.name} ({server.sku}) has {server.psus.count} and needs {server.psus.needed}")
    if weak:
        message = f"servers cannot lose {survive} power suppl{'y' if survive == 1 else 'ies'}"
        expected = f"at least {survive} more than needed in every pool"
        step = "lower survive.psus, or take servers with more supplies"
        yield problem(f"{POWER}.survive.psus", "no_psu_left", message, expected, "; ".join(weak), step)


def _busbars(site: Site, catalog: Catalog) -> Iterator[Problem]:
    """Servers without supplies of their own hang on the busbar of a rack, which power shelves feed."""
    for at, pool in enumerate(site.pools):
        server = catalog.servers.get(pool.server)
        sku = pool.rack or site.facility.halls[0].rack
        rack = catalog.racks.get(sku)
        if server is None or rack is None:
            continue
        if server.psus.count:
            if rack.power_shelf:
                yield _unused_busbar(f"pools[{at}].rack", server.sku, sku)
            continue
        fitting = sorted(
            candidate.sku for candidate in catalog.racks.values() if candidate.power_shelf in catalog.power_shelves
        )
        step = f"set rack of the pool to {' or '.join(fitting)}" if fitting else "declare a rack with a power_shelf"
        path = f"pools[{at}].rack"
        if rack.power_shelf is None:
            message = f"{server.sku} has no power supplies and its rack no busbar with power shelves"
            yield problem(path, "no_busbar", message, "a rack with a power_shelf", sku, step)
        elif rack.power_shelf not in catalog.power_shelves:
            message = f"the catalog has no power shelf {rack.power_shelf}"
            expected = f"one of {', '.join(sorted(catalog.power_shelves))}"
            yield problem(path, "unknown_sku", message, expected, f"{sku} with {rack.power_shelf}", step)


def _unused_busbar(path: str, server: str, rack: str) -> Problem:
    message = f"{server} has power supplies of its own, and its rack a busbar that it cannot use"
    step = "choose a rack without power shelves; or declare the variant for a busbar (psus.count: 0) under catalog"
    return problem(path, "unused_busbar", message, "a rack without a power_shelf", rack, step)
