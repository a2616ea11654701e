"""What ``rackwright isolate`` prints for people: the plan with its proof and price, and the verdict."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rackwright.isolate.cost import IsolationPrice, PlaySpread
    from rackwright.isolate.parts import FaultPart
    from rackwright.isolate.proof import CoverageProof
    from rackwright.isolate.setup import IsolationSetup
    from rackwright.isolate.verdict import FaultyPart, IsolationVerdict

SHOWN = 12
"""Things of one list that are named; the others are counted."""
NAMES = 4
"""Names of which a part is one."""


def wired(ready: IsolationSetup) -> dict[str, Any]:
    """What the search is about, as plain data."""
    wiring = ready.atoms.wiring
    return {
        "fabric": wiring.fabric,
        "nodes": len(wiring.nodes),
        "rails": sum(len(ports) for ports in wiring.rails),
        "cables": len(wiring.cables),
        "switches": len(wiring.switches),
        "nvlink_domains": len(wiring.planes),
    }


def price(one: IsolationPrice) -> dict[str, Any]:
    """A price as plain data."""
    spreads = {name: vars(getattr(one, name)) for name in ("tests", "rounds", "minutes", "accelerator_hours")}
    return {"faults": one.faults, "plays": one.plays, "bound_tests": one.bound, **spreads}


def plan(ready: IsolationSetup, prices: Sequence[IsolationPrice], minutes: float | None) -> Iterator[str]:
    """Screens, proof, price."""
    about = wired(ready)
    yield (
        f"Fabric {about['fabric']}: {about['nodes']:,} nodes, {about['rails']:,} rails, {about['switches']:,} switches, "
        f"{about['cables']:,} cables between them"
        + (f", {about['nvlink_domains']} NVLink domains" * bool(about["nvlink_domains"]))
    )
    yield "\n  Screens: every round at the same time, no node twice in one"
    for at, round_ in enumerate(ready.screens.rounds, start=1):
        sizes = sorted({len(trial.nodes) for trial in round_})
        how = "over NVLink" if round_[0].over == "nvlink" else "rail to same rail"
        how = f"from rail n to rail n+{round_[0].shift}" if round_[0].shift else how
        span = f"{sizes[0]}" if len(sizes) == 1 else f"{sizes[0]} to {sizes[-1]}"
        yield f"    {at}  {len(round_):>5} tests of {span} nodes, {how}"
    yield ""
    yield from coverage(ready.screens.proof)
    yield ""
    yield from _prices(ready, prices, minutes)


def coverage(proof: CoverageProof) -> Iterator[str]:
    """Counts per kind, and what is left."""
    yield f"  Covered: exercised twice or more, with different partners ({proof.assumption})"
    for one in proof.kinds:
        yield (
            f"    {one.kind:<8}{one.covered:>8,} of {one.parts:>8,}   at least {one.least_tests} times, "
            f"{one.least_partners:,} partners"
        )
    yield f"    {'pair':<8}{proof.pairs_met:>8,} of {proof.pairs:>8,}   met directly: a fault of two nodes alone shows nowhere else"
    if proof.flows_without_way:
        yield f"    {proof.flows_without_way:,} flows between rails that no switch joins were left out"
    for said in proof.advice:
        yield f"    advice   {len(said.names):,} {said.kind}{'s' if said.kind != 'switch' else 'es'} ({_list(said.names)}): {said.why}"
    for left in proof.untested[:SHOWN]:
        yield f"    UNTESTED {left.part.kind} {_names(left.part)}: {left.why}"
    if len(proof.untested) > SHOWN:
        yield f"    and {len(proof.untested) - SHOWN:,} more are not covered"


def _prices(ready: IsolationSetup, prices: Sequence[IsolationPrice], minutes: float | None) -> Iterator[str]:
    yield f"  Price, mean (95 of 100 below), of searches that were played; a test takes {ready.settings.group_minutes:g} minutes"
    yield f"    {'faulty':<8}{'tests':>14}{'rounds':>14}{'minutes':>14}{'accelerator-h':>20}{'bound':>8}"
    for one in prices:
        columns = [_spread(spread) for spread in (one.tests, one.rounds, one.minutes)]
        yield (
            f"    {one.faults:<8}"
            + "".join(f"{text:>14}" for text in columns)
            + (f"{_spread(one.accelerator_hours):>20}{one.bound:>8}")
        )
    yield "    bound: tests that no strategy can do without, by information theory, when tests tell good from bad alone"
    if minutes is not None:
        screens = len(ready.screens.rounds) * ready.settings.group_minutes
        enough = "are enough for" if minutes >= screens else "end before the end of"
        yield f"    {minutes:g} minutes {enough} the screens ({screens:g}); what is open then is said to be open"


def _spread(one: PlaySpread) -> str:
    return f"{one.mean:,.0f} ({one.most:,.0f})"


def verdict(found: IsolationVerdict) -> Iterator[str]:
    """Found, open, untested, and what else fits."""
    state = "nothing more would be asked" if found.complete else "not finished"
    yield f"{found.tests:,} tests in {found.rounds} rounds; {state}"
    for one in found.faulty_parts:
        yield from _found(one)
    for node, share in found.open[:SHOWN]:
        yield f"  open      {node}: faulty with {share:.0%}"
    if len(found.open) > SHOWN:
        yield f"  open      and {len(found.open) - SHOWN:,} nodes more"
    if found.untested:
        yield f"  untested  {_list(found.untested)}: no test of them ran"
    for nodes, why in found.not_run[-SHOWN:]:
        yield f"  not run   {_list(nodes)}: {why or 'no reason was given'}"
    if found.unproven:
        yield f"  unproven  {_list([f'{one.kind} {_names(one)}' for one in found.unproven])}: always behind something faulty"
    yield from _explanations(found)
    yield f"  cleared   {len(found.cleared):,} nodes"
    if found.references:
        yield f"  partners  {_list(found.references)}: best and steadiest readings"
    yield from coverage(found.coverage)


def _explanations(found: IsolationVerdict) -> Iterator[str]:
    for one in found.explanations:
        parts = " and ".join(f"{part.kind} {_names(part)}" for part in one.parts)
        yield f"  fits      {one.probability:>6.1%}  {parts or 'nothing faulty, readings were disturbed'}"


def _found(one: FaultyPart) -> Iterator[str]:
    yield f"  FAULTY    {one.part.kind} {_names(one.part)} ({one.probability:.1%})" + (
        f", of {one.node}" if one.node else ""
    )
    for part, share in one.instead:
        yield f"            or {part.kind} {_names(part)} ({share:.1%})"


def following(rows: Sequence[dict[str, Any]]) -> Iterator[str]:
    """The tests to run next."""
    if rows:
        yield f"  next      round {rows[0]['round']}, {len(rows)} tests (lines of JSON with --out or --format json):"
    for row in rows[:SHOWN]:
        rails = f" on rails {', '.join(map(str, row['rails']))}" if row["rails"] else ""
        yield f"            {_list(row['nodes'])}{rails}" + (" over NVLink" if row["over"] == "nvlink" else "")
    if len(rows) > SHOWN:
        yield f"            and {len(rows) - SHOWN} more"


def _names(part: FaultPart) -> str:
    if len(part.names) == 1:
        return part.names[0]
    more = f" and {len(part.names) - NAMES} more" if len(part.names) > NAMES else ""
    return f"one of {', '.join(part.names[:NAMES])}{more}"


def _list(words: Sequence[str]) -> str:
    more = f" and {len(words) - NAMES} more" if len(words) > NAMES else ""
    return ", ".join(words[:NAMES]) + more
