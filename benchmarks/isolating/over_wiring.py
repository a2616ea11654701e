"""Searches over the declared wiring of a sized site: hosts, insides and rails at fault, screens with full coverage included."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from isolating.result import Row

from rackwright import catalog
from rackwright.design import sizing
from rackwright.isolate import SearchResult
from rackwright.isolate.conclude import conclude
from rackwright.isolate.conduct import conduct
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
    made = set_up(sizing.size(ask, catalog.load()).design, load())
    yield f"{NODES} nodes, {FAULTY} faulty parts (host, inside or one rail), over declared wiring, coverage of it included"
    for name, rails in (("read rail by rail", True), ("one reading per test", False)):
        rows = [_search(made, seed, rails=rails) for seed in range(fleets)]
        exact = sum(one for _, one in rows) / len(rows)
        yield f"  {Row.of(NODES, FAULTY, name, [one for one, _ in rows]).line()}  every part named {exact:.1%}"


def _search(made: IsolationSetup, seed: int, *, rails: bool) -> tuple[SearchResult, bool]:
    """One search, and whether every faulty part was found, alone or as one of few in its node."""
    noise = made.settings.search.noise
    faults = random_faults(made.atoms, FAULTY, made.settings.chance, noise, seed)
    isolation = Isolation(made.atoms, made.settings, made.screens, seed=seed)
    conduct(isolation, SimulatedTester(made.atoms, faults, noise, seed=seed, rails=rails))
    said = conclude(isolation)
    owners = {part.names[0].partition("/")[0] for part in faults}
    found = {name for one in said.faulty_parts for kind in [one.part.kind] for name in _called(kind, one.part.names)}
    tested = sum(len(one.trial.nodes) for one in isolation.told)
    wrong, missed = len(set(said.faulty) - owners), len(owners - set(said.faulty))
    return SearchResult(said.tests, said.rounds, tested, wrong, missed), found >= {
        f"{p.kind} {p.names[0]}" for p in faults
    }


def _called(kind: str, names: Sequence[str]) -> set[str]:
    """Names with their kinds: of a part that is one of several kinds the others are written out."""
    return {name if " " in name else f"{kind} {name}" for name in names}
