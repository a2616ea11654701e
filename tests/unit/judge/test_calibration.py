"""Limits that a site makes for its own server: on declared terms, where nothing is published, and visibly."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import date, timedelta
from typing import Any

import pytest
import yaml

from rackwright import compare, design, judge, spec
from rackwright.base import yaml_text
from rackwright.base.errors import ProblemsError
from rackwright.cli.accept.judge_text import calibrated
from rackwright.judge.calibrated_rows import calibrations
from rackwright.model.calibration import Calibration
from rackwright.model.check import CALIBRATED, Limit, NodeEvidence
from rackwright.model.evidence.collective import NodeCollectives
from rackwright.model.verdict import Outcome
from rackwright.twin.campaign import Stage
from rackwright.twin.campaign.play import collect_evidence, judge_scene
from tests.matrix import walk

SERVER, DAY = "dgx-b200", date(2026, 11, 22)
TERMS = Calibration(server=SERVER, nodes=6, runs=3, signed_by="A. Engineer")
Runs = Mapping[str, Mapping[str, NodeEvidence]]


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Stage:
    folder = tmp_path_factory.mktemp("site")
    walk.sized_stage(SERVER, "slurm", folder)
    data = yaml_text.load((folder / "site.yaml").read_text())
    data["acceptance"]["calibrations"] = [TERMS.model_dump()]
    (folder / "site.yaml").write_text(yaml.safe_dump(data))
    loaded = spec.load(folder / "site.yaml")
    plan = design.expand(loaded.site, loaded.catalog)
    return Stage(plan, tuple(node.name for node in plan.nodes("accelerator"))[:8], walk.TAKEN, passes=True)


@pytest.fixture(scope="module")
def runs(stage: Stage) -> Runs:
    return {f"run-{seed}": collect_evidence(stage, replace(stage.healthy, seed=seed)) for seed in range(3)}


@pytest.fixture(scope="module")
def rows(stage: Stage, runs: Runs) -> list[Limit]:
    return calibrate(stage, runs)


def calibrate(stage: Stage, runs: Runs, **terms: Any) -> list[Limit]:
    verdicts = judge_scene(stage, collect_evidence(stage, stage.healthy))
    declared = TERMS.model_copy(update=terms)
    return judge.calibrate(stage.design, declared, runs, stage.checks, stage.limits, verdicts, DAY)


def refusal(stage: Stage, runs: Runs, **terms: Any) -> str:
    with pytest.raises(ProblemsError) as refused:
        calibrate(stage, runs, **terms)
    return str(refused.value)


def gathering(runs: Runs, share: Callable[[str], float]) -> Runs:
    """`runs` with the all-gather of every node at a share of what it was."""
    return {
        run: {name: slowed(stored, share(name)) for name, stored in by_node.items()} for run, by_node in runs.items()
    }


def slowed(stored: NodeEvidence, share: float) -> NodeEvidence:
    record = stored.get(NodeCollectives)
    if record is None:
        return stored
    results = [
        result.model_copy(
            update={
                "rows": [
                    row.model_copy(update={"busbw_gbytes_per_s": row.busbw_gbytes_per_s * share}) for row in result.rows
                ]
            }
        )
        if result.collective == "all_gather"
        else result
        for result in record.results
    ]
    changed = record.model_copy(update={"results": results})
    return replace(stored, records={**dict(stored.records.items()), NodeCollectives: changed})


def with_rows(stage: Stage, rows: list[Limit], tmp_path) -> judge.LimitTable:
    file = tmp_path / "own.yaml"
    file.write_text(calibrated(rows))
    return judge.load_limits([file], stage.limits)


def test_only_what_has_no_published_limit_is_calibrated_and_keyed_to_the_server(stage, rows) -> None:
    # Creates per second have an advisory limit, which a fleet may teach.
    measured = {row.match.get("collective", row.metric) for row in rows}
    assert measured == {"all_gather", "reduce_scatter", "all_to_all", "storage_speed.creates_per_s"}
    for row in rows:
        assert (row.kind, row.samples, row.match["server"], row.match["accelerator"]) == (CALIBRATED, 8, SERVER, "b200")
        assert (row.origin.site, row.origin.signed_by, row.origin.runs, row.origin.left_out) == (
            stage.design.site.site, "A. Engineer", 3, [],
        )  # fmt: skip
        assert row.origin.software["nccl"] == stage.design.site.software.nccl


def test_one_bad_node_makes_no_limit_and_is_named(stage, runs, rows) -> None:
    bad = stage.nodes[2]
    poisoned = calibrate(stage, gathering(runs, lambda name: 0.5 if name == bad else 1.0))
    [row] = [row for row in poisoned if row.match.get("collective") == "all_gather"]
    [healthy] = [row for row in rows if row.match.get("collective") == "all_gather"]
    assert (row.origin.left_out, row.samples) == ([bad], 7)
    assert row.value == pytest.approx(healthy.value, rel=0.005)


def test_a_fleet_that_falls_apart_makes_no_limit(stage, runs) -> None:
    half = gathering(runs, lambda name: 0.9 if name in stage.nodes[:3] else 1.0)
    text = refusal(stage, half, nodes=4)
    assert "all_gather" in text
    assert "differs too far" in text
    assert stage.nodes[0] in text


def test_a_node_whose_runs_differ_does_not_count(stage, runs) -> None:
    first, *others = runs
    unsteady = {first: gathering({first: runs[first]}, lambda name: 0.9 if name == stage.nodes[0] else 1.0)[first]}
    [row] = [
        row for row in calibrate(stage, {**unsteady, **{run: runs[run] for run in others}}) if row.match.get("collective") == "all_gather"
    ]  # fmt: skip
    assert row.origin.left_out == [stage.nodes[0]]


def test_too_few_nodes_or_runs_make_no_limit(stage, runs) -> None:
    few = {
        run: {name: stored for name, stored in by_node.items() if name in stage.nodes[:5]}
        for run, by_node in runs.items()
    }
    assert "0 nodes with 3 runs or more, of 8" in refusal(stage, dict(list(runs.items())[:2]))
    assert "expected: 6 nodes with 3 runs each" in refusal(stage, few)
    assert "5 nodes with 3 runs or more, of 5" in refusal(stage, few)


def test_terms_that_let_good_nodes_be_refused_are_refused(stage, runs) -> None:
    assert "at most 0.04 (policy.warn_share)" in refusal(stage, runs, scatter=0.1)


def test_a_server_with_nothing_to_calibrate_is_refused(stage, runs) -> None:
    assert "no published limit" in refusal(stage, {"empty": {}})


def test_a_fleet_that_fails_a_check_makes_no_limit(stage, runs) -> None:
    verdicts = [verdict.model_copy(update={"outcome": Outcome.FAIL}) for verdict in judge_scene(stage, runs["run-0"])]
    with pytest.raises(ProblemsError, match="refused by a check: train-001"):
        judge.calibrate(stage.design, TERMS, runs, stage.checks, stage.limits, verdicts, DAY)


def test_a_published_limit_is_never_replaced(stage, rows, tmp_path) -> None:
    key = compare.limits_about(stage.expected[0]) | {
        "collective": "all_reduce",
        "nodes": "1",
        "size": "8GiB",
        "transport": "nvls",
    }
    published = stage.limits.find("collective.busbw_gbytes_per_s", **key)
    rival = rows[0].model_copy(
        update={"match": {**rows[0].match, "collective": "all_reduce", "transport": "nvls"}, "value": 1.0}
    )
    same = rival.model_copy(update={"match": published.match | {"server": SERVER}})
    table = with_rows(stage, [rival, rows[1]], tmp_path)
    assert table.find("collective.busbw_gbytes_per_s", **key) == published
    assert with_rows(stage, [same], tmp_path).find("collective.busbw_gbytes_per_s", **key) == published
    assert (
        table.find("collective.busbw_gbytes_per_s", **{**compare.limits_about(stage.expected[0]), **rows[1].match})
        == rows[1]
    )


def test_findings_name_where_a_calibrated_limit_comes_from(stage, runs, rows, tmp_path) -> None:
    table = judge.in_force(stage.design, with_rows(stage, rows, tmp_path), DAY)
    [verdict] = [
        verdict
        for verdict in judge.judge_evidence(stage.design, runs["run-0"], {"collective.in_node": stage.checks["collective.in_node"]}, table, [stage.nodes[0]])
        if verdict.check == "collective.in_node"
    ]  # fmt: skip
    assert verdict.outcome is Outcome.PASS
    slow = gathering(runs, lambda _: 0.5)["run-0"]
    [verdict] = judge.judge_evidence(
        stage.design, slow, {"collective.in_node": stage.checks["collective.in_node"]}, table, [stage.nodes[0]]
    )
    assert verdict.outcome is Outcome.FAIL
    assert "calibrated, no published value" in verdict.source
    assert "signed by A. Engineer" in verdict.source
    assert {entry["signed_by"] for entry in calibrations(table)} == {"A. Engineer"}


@pytest.mark.parametrize(
    ("change", "day", "why"),
    [
        ({"site": "elsewhere"}, DAY, "made on site elsewhere"),
        ({"signed_by": "somebody"}, DAY, "somebody signed it"),
        ({"runs": 2}, DAY, "2 runs made it, and 3 are declared"),
        ({"scatter": 0.2}, DAY, "scatter by 20.0%"),
        ({"software": {"driver": "1", "nccl": "2"}}, DAY, "the software changed since (driver, nccl)"),
        ({}, DAY + timedelta(days=181), "holds for 180 days"),
    ],
)
def test_a_calibration_that_the_site_does_not_stand_for_does_not_count(
    stage, runs, rows, tmp_path, change, day, why
) -> None:
    changed = [row.model_copy(update={"origin": row.origin.model_copy(update=change)}) for row in rows]
    table = with_rows(stage, changed, tmp_path)
    counting = judge.in_force(stage.design, table, day)
    assert not [row for row in counting.rows if row.record.kind == CALIBRATED]
    assert why in counting.lapsed[SERVER]
    assert all(why in problem.message for problem in judge.lapsed_rows(stage.design, table, day))
    finding = stage.checks["collective.in_node"].judge(
        replace(stage.expected[0], limits=counting), runs["run-0"][stage.nodes[0]].get(NodeCollectives)
    )
    assert finding.outcome is Outcome.INCONCLUSIVE
    assert why in finding.says


def test_rows_that_are_declared_count_until_their_last_day(stage, rows, tmp_path) -> None:
    table = with_rows(stage, rows, tmp_path)
    assert judge.in_force(stage.design, table, DAY + timedelta(days=180)) is table
    assert judge.lapsed_rows(stage.design, table, DAY) == []
    site = stage.design.site
    acceptance = site.acceptance.model_copy(update={"calibrations": []})
    undeclared = replace(stage.design, site=site.model_copy(update={"acceptance": acceptance}))
    assert "declares no calibration" in judge.in_force(undeclared, table, DAY).lapsed[SERVER]


def test_every_stage_reads_the_limits_of_a_site_without_calibrations_that_lapsed(stage, rows, tmp_path) -> None:
    folder = tmp_path / "validators" / "limits"
    folder.mkdir(parents=True)
    with_rows(stage, rows, folder)
    of_site = replace(stage.design, roots=(*stage.design.roots, tmp_path))
    counting, lapsed = (judge.limits_in_force(of_site, DAY + timedelta(days=days)) for days in (180, 181))
    assert [len([row for row in table.rows if row.record.kind == CALIBRATED]) for table in (counting, lapsed)] == [
        len(rows),
        0,
    ]
    assert "holds for 180 days" in lapsed.lapsed[SERVER]


def test_limits_of_a_bundle_stand_in_the_place_of_the_shipped_ones(stage, rows, tmp_path) -> None:
    """The site's own are laid over them as over the shipped ones."""
    folder = tmp_path / "validators" / "limits"
    folder.mkdir(parents=True)
    with_rows(stage, rows, folder)
    bundled = sorted((stage.design.roots[0] / "validators" / "limits").glob("*.yaml"))
    roots = (*stage.design.roots, tmp_path)
    assert judge.load_limits(bundled, roots=roots).rows == judge.load_limits(roots=roots).rows


def test_a_calibrated_row_needs_its_origin_and_no_other_row_has_one(stage, rows, tmp_path) -> None:
    for update in ({"origin": None}, {"match": {"accelerator": "b200"}}, {"kind": "measured"}):
        with pytest.raises(ProblemsError, match="origin"):
            with_rows(stage, [rows[0].model_copy(update=update)], tmp_path)
