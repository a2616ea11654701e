"""Searches over the declared wiring of a sized site: hosts, insides and rails at fault, screens with full coverage included."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from isolating.result import Row

from rackwright import catalog
from rackwright.design import sizing
from rackwright.isolate import SearchResult
from rackwright.isolate.conclude import conclude_isolation
from rackwright.isolate.conduct import conduct_isolation
from rackwright.isolate.isolation import Isolation
from rackwright.isolate.play import SimulatedTester, random_faults
from rackwright.isolate.setup import IsolationSetup, set_up
from rackwright.judge.limits import load

NODES, FAULTY = 232, 5


def lines(fleets: int) -> Iterator[str]:
    """Rail by rail, and one reading per test."""
    ask = sizing.SizeRequest(
        accelerators=NODES * 8, server="dgx-h100", fabric="ndr-rail", storage="better", scheduler="slurm", site="race",
        racks_per_row=None, hall_kw=20000, ufm=False,
    )  # fmt: skip
    setup = set_up(sizing.size_site(ask, catalog.load()).design, load())
    yield f"{NODES} nodes, {FAULTY} faulty parts (host, inside or one rail), over declared wiring, coverage of it included"
    for name, rails in (("read rail by rail", True), ("one reading per test", False)):
        rows = [_search(setup, seed, rails=rails) for seed in range(fleets)]
        exact = sum(correct for _, correct in rows) / len(rows)
        yield f"  {Row.of(NODES, FAULTY, name, [rounds for rounds, _ in rows]).line()}  every part named {exact:.1%}"


def _search(setup: IsolationSetup, seed: int, *, rails: bool) -> tuple[SearchResult, bool]:
    """One search, and whether every faulty part was found, alone or as one of few in its node."""
    noise = setup.settings.search.noise
    faults = random_faults(setup.atoms, FAULTY, setup.settings.chance, seed)
    isolation = Isolation(setup.atoms, setup.settings, setup.screens, seed=seed)
    conduct_isolation(isolation, SimulatedTester(setup.atoms, faults, noise, seed=seed, rails=rails))
    verdict = conclude_isolation(isolation)
    owners = {part.names[0].partition("/")[0] for part in faults}
    blamed = {
        name for fault in verdict.faulty_parts for kind in [fault.part.kind] for name in _called(kind, fault.part.names)
    }
    tested = sum(len(fault.trial.nodes) for fault in isolation.told)
    wrong, missed = len(set(verdict.faulty) - owners), len(owners - set(verdict.faulty))
    return SearchResult(verdict.tests, verdict.rounds, tested, wrong, missed), blamed >= {
        f"{p.kind} {p.names[0]}" for p in faults
    }


def _called(kind: str, names: Sequence[str]) -> set[str]:
    """Names with their kinds: of a part that is one of several kinds the others are written out."""
    return {name if " " in name else f"{kind} {name}" for name in names}
