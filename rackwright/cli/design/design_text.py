"""A design on one screen: totals, fabrics, kinds of racks, and the findings of the design rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import groupby
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from rackwright.model.verdict import Outcome, Verdict

if TYPE_CHECKING:
    from rackwright.model.design import Design
from rackwright.model.fabric import Fabric

WIDTH = 116
EACH = {Outcome.FAIL: 5, Outcome.DEGRADED: 2, Outcome.INCONCLUSIVE: 1}
"""How many findings of one rule are printed in full."""


def summary(design: Design, verdicts: Sequence[Verdict]) -> Iterable[str]:
    """The text, line by line."""
    totals = design.totals
    yield f"Site {design.site.site} ({design.site.region})"
    yield ""
    yield f"  {totals['nodes']:>8} nodes        {totals['accelerators']:>8} accelerators   {totals['racks']:>6} racks"
    yield f"  {totals['it_kw']:>8.1f} kW peak IT{_flows(totals)}"
    yield ""
    yield from _fabrics(design)
    yield ""
    yield from _racks(design)
    yield ""
    yield from _slices(design)
    yield from _notes(design)
    yield from _findings(verdicts)


def _flows(totals: dict[str, Any]) -> str:
    """Air and coolant; empty for a sketch, which has no plant."""
    air = f"  {totals['air_cfm']:>8} CFM of air" if "air_cfm" in totals else ""
    if not totals.get("liquid_kw"):
        return air
    return f"{air}     {totals['liquid_kw']:.1f} kW into {totals['coolant_liters_per_minute']:.1f} L/min of coolant"


def _fabrics(design: Design) -> Iterable[str]:
    yield f"  {'fabric':<10}{'switch':<20}{'leaf':>6}{'spine':>6}{'core':>6}{'to nodes':>10}{'between':>9}{'bisection':>16}"
    for fabric in design.site.fabrics:
        row = design.totals["fabrics"][fabric.name]
        counts = row["cables"]
        between = sum(count for kind, count in counts.items() if kind != "node_leaf")
        yield (
            f"  {fabric.name:<10}{_switch(fabric):<20}{row['leaf']:>6}{row['spine']:>6}{row['core']:>6}"
            f"{counts['node_leaf']:>10}{between:>9}{row['bisection_gbps']:>11.0f} Gb/s"
        )


def _switch(fabric: Fabric) -> str:
    return f"those of {fabric.switches_of}" if fabric.switches_of else fabric.switch


def _racks(design: Design) -> Iterable[str]:
    """Equal racks of a hall share one line, in order of their positions."""
    yield f"  {'racks':<34}{'hall':<10}{'kind':<13}{'count':>6}{'kW peak':>9}{'kg':>7}"
    rows = design.racks.select("hall", "kind", "sku", "peak_watts", "weight_kg", "rack").iter_rows()
    kinds: dict[tuple[Any, ...], list[str]] = {}
    for *key, rack in rows:
        kinds.setdefault(tuple(key), []).append(rack)
    for (hall, kind, _, watts, kilograms), names in kinds.items():
        yield f"  {rack_range(names):<34}{hall:<10}{kind:<13}{len(names):>6}{watts / 1000:>9.1f}{kilograms:>7.0f}"


def _slices(design: Design) -> Iterable[str]:
    """Rented slices, which stand in no rack."""
    rows = design.studies.get("slices", ())
    if not rows:
        return
    yield f"  {'rented slices':<18}{'instance':<20}{'zone':<16}{'shape':<10}{'slices':>7}{'hosts':>7}{'chips':>8}{'TiB':>8}{'BF16 dense':>14}"
    for row in rows:
        yield (
            f"  {row['name']:<18}{row['instance']:<20}{row['zone']:<16}{row['topology']:<10}{row['slices']:>7}{row['slices'] * row['hosts_per_slice']:>7}"
            f"{row['chips']:>8}{row['memory_gib'] / 1024:>8.1f}{row['bf16_dense_pflops']:>7.1f} PFLOPS"
        )
    yield ""


def rack_range(names: Sequence[str]) -> str:
    """A short name for several racks: a range only if it contains no other rack."""
    groups = {name.rpartition("-r")[0] for name in names}
    numbers = [int(name.rpartition("-r")[2]) for name in names]
    if len(names) == 1:
        return names[0]
    if len(groups) == 1 and numbers == list(range(numbers[0], numbers[0] + len(numbers))):
        return f"{names[0]} ... {names[-1]}"
    return ", ".join(names) if len(names) == 2 else f"{names[0]} and {len(names) - 1} more"


def _notes(design: Design) -> Iterable[str]:
    """Published designs equal to this one, and their errata; unrelated errata are omitted."""
    published = design.studies.get("published", {})
    notes = [f"As published: {match['says']}" for match in published.get("matches", ())]
    errata = published.get("errata", ())
    notes += [f"Erratum: {erratum['says']}" for erratum in errata if erratum["about"].startswith(("design", "circuit"))]
    for text in notes:
        yield from wrap(text, WIDTH, initial_indent="  ", subsequent_indent="    ")
    if notes:
        yield ""


def _findings(verdicts: Sequence[Verdict]) -> Iterable[str]:
    counts = Counter(verdict.outcome for verdict in verdicts)
    rules = len({verdict.check for verdict in verdicts})
    counts_text = ", ".join(f"{counts[outcome]} {outcome.replace('_', ' ')}" for outcome in Outcome if counts[outcome])
    yield f"  {rules} design rules: {counts_text}"
    for outcome, most in EACH.items():
        mine = [verdict for verdict in verdicts if verdict.outcome is outcome]
        for _, group in groupby(mine, key=lambda verdict: verdict.check):
            yield from _rule_lines(list(group), most)
    idle = [verdict.check.removeprefix("design.") for verdict in verdicts if verdict.outcome is Outcome.NOT_RUN]
    if idle:
        text = f"Nothing to judge: {', '.join(idle)}"
        yield from wrap(text, WIDTH, initial_indent="  ", subsequent_indent="    ", break_on_hyphens=False)


def _rule_lines(verdicts: Sequence[Verdict], most: int) -> Iterable[str]:
    for verdict in verdicts[:most]:
        yield f"  {verdict.outcome.upper()} {verdict.check}: {verdict.says}"
        if verdict.next_step:
            yield f"    next: {verdict.next_step}"
    if len(verdicts) > most:
        yield f"    and {len(verdicts) - most} more of this rule (--format json prints all)"
