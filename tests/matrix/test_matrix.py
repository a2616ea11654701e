"""Every server of the catalog with every scheduler comes to the gate as `validators/MATRIX.md` says: `make matrix` writes it anew."""

from fnmatch import fnmatchcase
from pathlib import Path

import pytest

from rackwright import gate, judge
from rackwright.catalog import fabric_presets
from rackwright.twin.campaign import Stage
from tests.matrix import published, rows, walk

CHECKS = judge.node_checks(judge.load_checks())
SITES = walk.sites()
TURN = int(rows.tree_digest(), 16)
TURNS = 11
"""Trees until every site had its turn; odd, so that of a server the schedulers take turns as well."""


def played(turn: int) -> list[tuple[int, tuple[str, str, str]]]:
    """Every eleventh site, with its place in the table; `make matrix` plays all."""
    return [(number, site) for number, site in enumerate(SITES) if number % TURNS == turn % TURNS]


SYSTEMS_COLUMN = 4


@pytest.mark.parametrize(("number", "site"), played(TURN))
def test_a_server_comes_to_the_gate_as_published_and_its_gates_ask_what_it_can_answer(
    number: int, site: tuple[str, str, str], tmp_path: Path
) -> None:
    """With one of its systems, another for every tree; `make matrix` plays all."""
    server, scheduler, fabric = site
    supported = rows.systems_of(server)
    chosen = (supported[(number + TURN // TURNS) % len(supported)],)
    cells = published.site_lines()[number].strip("| ").split(" | ")
    fabric, stage = walk.sized_stage(server, scheduler, tmp_path, fabric)
    assert_gates_ask(stage)
    walked = walk.walk_stage((server, scheduler, fabric), stage, tmp_path, chosen)
    assert all(f"`{system}`" in cells[SYSTEMS_COLUMN] for system in supported)
    assert all(f", {end}, " in f", {cells[SYSTEMS_COLUMN]}, " for end in walked.systems)
    cells[SYSTEMS_COLUMN] = ", ".join(walked.systems)
    assert walked.line == f"| {' | '.join(cells)} |"


def assert_gates_ask(stage: Stage) -> None:
    """They ask a server what its accelerators can answer, and all of it."""
    promised = stage.expected[0]
    accelerator = promised.node.accelerator
    assert accelerator is not None
    where = gate.load_gates()["handover"].where
    answered = {
        capability
        for capability, patterns in where.items()
        if any(
            fnmatchcase(name, pattern) and check.applies(promised)
            for name, check in CHECKS.items()
            for pattern in patterns
        )
    }
    assert answered == set(accelerator.capabilities) & set(where)


def test_in_its_turns_every_site_is_played_and_in_each_all_schedulers_and_another_fabric() -> None:
    turns = [played(turn) for turn in range(TURNS)]
    assert sorted(site for turn in turns for site in turn) == list(enumerate(SITES))
    assert all({site[1] for _, site in turn} == set(rows.SCHEDULERS) for turn in turns)
    assert all(any(site[2] for _, site in turn) for turn in turns)


def test_the_matrix_has_these_rows_and_no_other() -> None:
    assert [tuple(line.strip("| ").split(" | ")[:2]) for line in published.site_lines()] == [site[:2] for site in SITES]


def test_rows_with_hosts_are_rows_of_the_matrix() -> None:
    played = ["/".join(line.strip("| ").split(" | ")[:3]) for line in published.host_lines()]
    assert set(played) <= {row.name for row in rows.rows()}


def test_turn_by_turn_every_row_is_played_by_different_vendors_and_both_schedulers() -> None:
    turns = [rows.rotated(turn, rows.ROTATION) for turn in range(2000)]
    assert all(len({row.server for row in chosen}) == rows.ROTATION for chosen in turns)
    assert all({row.scheduler for row in chosen} == set(rows.SCHEDULERS) for chosen in turns)
    assert {row for chosen in turns for row in chosen} == set(rows.rows())
    assert rows.rotation(rows.ROTATION) == rows.rotation(rows.ROTATION)


def test_rows_are_chosen_by_name() -> None:
    assert rows.select("all") == rows.rows()
    assert {row.scheduler for row in rows.select("mi300x-8u")} == set(rows.SCHEDULERS)
    [row] = rows.select("mi300x-8u/slurm/ubuntu-22.04")
    assert row.name == "mi300x-8u/slurm/ubuntu-22.04"
    with pytest.raises(ValueError, match="no row is called mi300x-8/slurm"):
        rows.select("mi300x-8/slurm")


def test_every_fabric_that_can_be_sized_is_played() -> None:
    assert {*walk.FABRICS, *walk.OTHER_FABRICS} == {preset.name for preset in fabric_presets.load().presets}
