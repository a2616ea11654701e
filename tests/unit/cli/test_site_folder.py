"""What a site brings in a folder beside its file: judged at the gate, signed with the rest, and refused when it is wrong."""

from __future__ import annotations

import json
import shutil
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from rackwright import attest, catalog, collect, design, gate, judge, spec
from rackwright.base.errors import ProblemsError
from rackwright.base.workspace import Workspace
from rackwright.cli.main import main
from rackwright.collect.store import record_cache
from rackwright.flow import site_content
from rackwright.model.access import Access, Secret
from rackwright.model.design import Design
from rackwright.onboard import plan, played_roles, role_refusals, runner
from rackwright.onboard.roles import ordered_roles
from rackwright.twin import tools
from rackwright.twin.hardware.state import build as build_state
from tests import build, site_folder
from tests.handovers import MACHINES, NODES, call, newest_bundle, outside, prepare, verify

SWAPS = b"Filename\tType\tSize\tUsed\tPriority\n/dev/nvme0n1p3\tpartition\t8388604\t0\t-2\n"


@pytest.fixture
def site(tmp_path: Path) -> Path:
    return site_folder.write(tmp_path / "site")


def expanded(site: Path) -> Design:
    loaded = spec.load(site)
    return design.expand(loaded.site, loaded.catalog)


def fill(folder: Path, plan: Design) -> None:
    """Evidence of healthy machines, but for the swap of the second node."""
    requests, outputs = tools.outputs(plan, build_state(plan, MACHINES, seed=1), MACHINES)
    header = {"owed": {node: list(owed) for node, owed in requests.owed.items()}, "adapters": requests.adapters}
    store = collect.Store(folder)
    with store.begin(header, datetime(2026, 11, 21, 9, tzinfo=UTC)) as run:
        for output in outputs:
            swaps = output.collector == "acme_swap" and output.node == NODES[1]
            run.add(output if not swaps else type(output)(output.node, "acme_swap", "", stdout=SWAPS, rc=0))
        record_cache.keep(store, run, collect.library(plan.roots))


@pytest.fixture
def work(site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    fill(tmp_path / "evidence", expanded(site))
    outside(monkeypatch)
    (tmp_path / "work").mkdir()
    return prepare(tmp_path / "evidence", tmp_path / "work", monkeypatch)


def test_a_check_of_the_site_decides_at_the_gate_and_is_signed(site: Path, work: Path, capsys, monkeypatch) -> None:
    _, text = call(capsys, "gate", str(site), "--work", str(work), "--nodes", ",".join(NODES), "--sign")
    assert "acme.swap: swap: 8388604; expected at most 0" in text, text
    bundle = newest_bundle(work)
    code, message = verify(capsys, bundle, "--format", "json")
    assert code == 0, message
    basis = json.loads(message)["facts"]["basis"]
    assert basis["site_folder_sha256"] == judge.basis(expanded(site), "", judge.load_limits(), {})["site_folder_sha256"]
    decisions = json.loads((work / "report/judgement.json").read_text())["decisions"]
    healthy, swapping = (set(decision["blocking"]) for decision in decisions)
    assert swapping - healthy == {"acme.swap"}
    assert "swapoff -a" in (work / "report/index.html").read_text()
    assert (bundle / "site/own/roles/site_swap/state.yml").is_file()
    checked = attest.check_bundle(bundle)
    assert checked.statement is not None
    assert "site/own/validators/checks/acme/swap.py" in checked.statement.files


def test_judging_again_never_runs_code_of_the_bundle(site: Path, work: Path, tmp_path: Path, capsys) -> None:
    call(capsys, "gate", str(site), "--work", str(work), "--nodes", ",".join(NODES), "--sign")
    bundle = newest_bundle(work)
    code, text = verify(capsys, bundle, "--rejudge")
    assert (code, "code in a bundle is never run" in text) == (2, True), text
    code, text = verify(capsys, bundle, "--rejudge", "--site", str(site.parent))
    assert code == 0, text
    assert "every decision and page as they were signed" in text
    neighbour = shutil.copytree(site.parent, tmp_path / "neighbour")
    (neighbour / "own/validators/limits/acme.yaml").write_text("limits: []\n")
    code, text = verify(capsys, bundle, "--rejudge", "--site", str(neighbour))
    assert (code, "not the one that was signed" in text) == (2, True), text


def test_a_change_of_a_role_after_the_judgement_is_noticed(site: Path, work: Path, capsys) -> None:
    call(capsys, "gate", str(site), "--work", str(work), "--nodes", ",".join(NODES), "--sign")
    state = site.parent / "own/roles/site_swap/state.yml"
    state.write_text(state.read_text().replace("= 0", "= 60"))
    code, text = call(capsys, "attest", str(site), "--work", str(work))
    assert (code, "the folder of the site changed since the judgement" in text) == (1, True), text
    signed = newest_bundle(work) / "site/own/roles/site_swap/state.yml"
    signed.write_text(state.read_text())
    code, text = verify(capsys, newest_bundle(work))
    assert (code, "site/own/roles/site_swap/state.yml: the file was changed" in text) == (1, True), text


def test_nothing_of_one_site_is_known_to_another(site: Path) -> None:
    plan_of_site = expanded(site)
    assert "acme.swap" in judge.load_checks(plan_of_site.roots)
    assert "acme.swap" not in judge.load_checks()
    assert "acme_swap" not in collect.library()
    assert judge.load_limits().find("acme.swap_kib") is None
    assert "acme.swap" not in gate.load_gates()["node"].checks
    assert "acme.swap" in gate.load_gates(roots=plan_of_site.roots)["handover"].checks
    assert "acme-h100" not in catalog.load().servers
    assert "site_swap" not in [role.name for role in ordered_roles()]


def test_a_role_of_the_site_is_given_to_its_nodes_and_played_beside_the_others(site: Path) -> None:
    plan_of_site = expanded(site)
    node = plan_of_site.node(NODES[0])
    roles = [role.name for role in plan.node_roles(plan_of_site, node, plan_of_site.site.software.bill(node.pool))]
    assert "site_swap" in roles
    project = played_roles.project(plan_of_site.roots)
    assert (project / "roles/site_swap/state.yml").is_file()
    assert (project / "roles/site.yml").read_bytes() == (build.EXAMPLE.parents[2] / "roles/site.yml").read_bytes()
    assert (project / "templates/slurm").is_dir()


def test_a_role_of_the_site_refuses_in_check_and_in_ansible(site: Path, tmp_path: Path) -> None:
    text = site.read_text().replace("\nsoftware:\n", "\nsoftware:\n  options: {site_swap_off: false}\n", 1)
    site.write_text(text)
    design_of_site = expanded(site)
    assert [problem.path for problem in role_refusals.problems(design_of_site)] == ["software.options.site_swap_off"]
    access = Access("root", tmp_path / "key", tmp_path / "known", "", Secret(""), None)
    hosts = plan.inventory(design_of_site, [NODES[0]], access, {"munge_key": tmp_path / "munge.key"})
    recap = runner.refusals(hosts, Workspace(tmp_path / "work"))
    assert recap is not None
    assert "site_swap: this site never swaps" in recap.hosts[NODES[0]].first_failure


def test_a_role_may_stand_in_the_place_of_a_shipped_one_when_it_says_so(tmp_path: Path) -> None:
    meta = {
        "roles/site_swap/meta/rackwright.yml": "summary: Clock.\nafter: [base]\nreplaces: time\nexpires: 2027-06-01\n"
    }
    roles = {role.name: role for role in ordered_roles(expanded(site_folder.write(tmp_path, meta)).roots)}
    assert "time" not in roles
    waiting = {name for name, role in roles.items() if "site_swap" in role.after}
    assert waiting == {role.name for role in ordered_roles() if "time" in role.after}


def test_a_role_that_is_over_is_refused(site: Path) -> None:
    roots = spec.site_roots(site)
    site_content.refuse_expired(roots, date(2027, 6, 1))
    with pytest.raises(ProblemsError) as error:
        site_content.refuse_expired(roots, date(2027, 6, 2))
    [problem] = error.value.problems
    assert problem.place.endswith("own/roles/site_swap/meta/rackwright.yml:4")
    assert problem.message == "held until 2027-06-01"


def test_every_mistake_is_said_at_once_with_its_line(tmp_path: Path, capsys) -> None:
    wrong = {
        "catalog/servers/acme-h100.yaml": "kind: server\nsku: acme-h100\nrack_units: eight\n",
        "validators/checks/acme/fan.py": "\n\nCHEK = 1\n",
        "validators/checks/acme/heat.py": "import rackwright\nrackwright.heat()\n",
        "validators/checks/gpu/row_remap.py": "CHECK = None\n",
        "validators/collectors/acme_fan.py": "x = (\n",
        "validators/limits/acme.yaml": "limits:\n  - {metric: acme.fan, match: {}, value: 0, unit: rpm, source: x, date: y}\n",
        "validators/gates.yaml": "additions:\n  - {gate: nodes, checks: [acme.swap]}\n",
        "roles/time/meta/rackwright.yml": "summary: Clock.\n",
        "roles/time/meta/argument_specs.yml": "argument_specs: {main: {options: {time_servers: {type: list}}}}\n",
        "chekcs/a.py": "",
    }
    code, text = call(capsys, "check", str(site_folder.write(tmp_path, wrong)))
    assert code == 1
    for place in (
        "own/catalog/servers/acme-h100.yaml:3: rack_units: wrong",
        "own/catalog/servers/acme-h100.yaml:1: psus: key psus is missing",
        "own/validators/checks/acme/heat.py:2: content file",
        "own/validators/checks/gpu/row_remap.py:1: rackwright has a gpu/row_remap.py already",
        "own/validators/collectors/acme_fan.py:1: content file",
        "own/validators/limits/acme.yaml:2: ",
        "own/validators/gates.yaml:2: gate: there is no such gate",
        "own/roles/time/meta/rackwright.yml:1: the name may be that of a shipped role",
        "own/roles/time/meta/rackwright.yml:1: expires: it says no last day",
        "own/chekcs:1: nothing is read from here",
    ):
        assert place in text, (place, text)


def test_a_check_that_no_gate_asks_for_is_refused(tmp_path: Path, capsys) -> None:
    code, text = call(capsys, "check", str(site_folder.write(tmp_path, {"validators/gates.yaml": "gates: []\n"})))
    assert (code, "own/validators/checks/acme/swap.py:1: acme.swap: no gate asks for this check" in text) == (
        1,
        True,
    ), text


def test_a_pattern_that_no_check_has_is_refused(tmp_path: Path, capsys) -> None:
    gates = {"validators/gates.yaml": "additions:\n  - gate: node\n    checks: [acme.*, acme.swop]\n"}
    code, text = call(capsys, "check", str(site_folder.write(tmp_path, gates)))
    assert (code, "own/validators/gates.yaml:3: acme.swop: no check has this name" in text) == (1, True), text


def test_a_folder_that_is_missing_or_lies_elsewhere_is_refused(tmp_path: Path, capsys) -> None:
    site = site_folder.write(tmp_path)
    shutil.rmtree(tmp_path / "own")
    assert "site_folder: the folder is missing" in call(capsys, "check", str(site))[1]
    site.write_text(site.read_text().replace("site_folder: own", "site_folder: ../own"))
    assert "site_folder: wrong value" in call(capsys, "check", str(site))[1]


def test_the_page_of_a_check_of_the_site_is_printed(site: Path, capsys) -> None:
    assert "No node swaps" in call(capsys, "explain", "acme.swap", "--site", str(site))[1]
    assert main(["explain", "acme.swap"]) == 2


def test_a_server_of_an_announced_accelerator_is_refused_with_the_reason(tmp_path: Path, capsys) -> None:
    server = site_folder.server_files()["catalog/servers/acme-h100.yaml"]
    changes = {"catalog/servers/acme-h100.yaml": server.replace("accelerator: h100-sxm\n", "accelerator: rubin\n")}
    site = str(site_folder.write(tmp_path, changes))
    code, text = call(capsys, "check", site)
    assert (code, "rubin is announced, and no driver for it is published" in text) == (1, True), text
    assert "acceptance.calibrations for acme-h100" in text
    code, text = call(capsys, "design", site)
    assert (code, "8 accelerators" in text, "announced" in text) == (0, True, False), text
