"""`check` asks what roles would refuse: every rule of every role, of what the site file says."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from rackwright import design, spec
from rackwright.base import content, yaml_text
from rackwright.base.errors import ProblemsError
from rackwright.cli.main import main
from rackwright.model.design import Design
from rackwright.model.software import Bill
from rackwright.onboard import role_refusals, roles
from rackwright.onboard.role_references import references
from tests.rotation import of_this_run

ROOT = Path(__file__).resolve().parents[3]
CASES: dict[str, dict[str, Any]] = yaml_text.load(
    Path(__file__).with_name("role_refusals.yaml").read_text(encoding="utf-8")
)
FILES = {
    "h100": "inventories/h100-pod/site.yaml",
    "gb200": "inventories/gb200-pod/site.yaml",
    "mi300x": "inventories/mi300x-pod/site.yaml",
    "ascend": "tests/sites/ascend.yaml",
    "gaudi": "tests/sites/gaudi.yaml",
}
KUBERNETES = {
    "endpoint": "10.64.0.4:6443",
    "ca_sha256": "0" * 64,
}


@cache
def accepted(name: str) -> Design:
    """A site that no role refuses."""
    loaded = spec.load(ROOT / FILES[name.partition("-")[0]])
    data = loaded.site.model_dump()
    if name.endswith(("-kubernetes", "-servers")):
        data["pools"][0]["scheduler"], data["control"]["slurm"] = "kubernetes", None
        data["control"]["kubernetes"] = KUBERNETES
        data["software"] |= {"containerd": "2.1.5", "kubernetes": "1.34.2"}
    if name.endswith("-servers"):
        network = {"plugin": "calico", "version": "3.30.4", "pods": "10.244.0.0/16", "services": "10.96.0.0/16"}
        servers = {"server": "head-node-1u", "count": 3}
        data["control"]["kubernetes"] = {**KUBERNETES, "version": "1.34.2", "network": network, "servers": servers}
    if name.endswith("-nfs"):
        data["storage"][0]["client"] = {"kind": "nfs", "source": "10.64.0.5:/scratch", "mount": "/scratch"}
    return design.expand(type(loaded.site).model_validate(data), loaded.catalog)


def changed(plan: Design, software: dict[str, Any]) -> Design:
    bill = plan.site.software
    options = {**bill.options, **software.get("options", {})}
    pools = {name: Bill.model_validate(of_pool) for name, of_pool in software.get("pools", {}).items()}
    update = {**software, "options": options, "pools": {**bill.pools, **pools}}
    return replace(plan, site=plan.site.model_copy(update={"software": bill.model_copy(update=update)}))


def rules(section: str) -> Iterator[tuple[str, Path, Any]]:
    for path in sorted(content.folder("roles").glob("*/state.yml")):
        for number, rule in enumerate(yaml_text.load(path.read_text(encoding="utf-8")).get(section) or []):
            yield f"{path.parent.name}.{number}", path.parent, rule


ASKED = [name for name, folder, rule in rules("refuse") if not references(folder, rule["when"]).lookups]


@pytest.mark.parametrize("name", FILES)
def test_no_role_refuses_the_sites_that_are_changed_here(name):
    assert role_refusals.refusals(accepted(name)) == []


@pytest.mark.parametrize("name", of_this_run([name for name in ASKED if "file" not in CASES[name]], 40))
def test_a_site_is_refused_by_every_rule(name):
    case = CASES[name]
    plan = changed(accepted(case["site"]), {key: value for key, value in case.items() if key != "site"})
    role, number = name.split(".")
    by_rule = {(refusal.role, refusal.rule): refusal for refusal in role_refusals.refusals(plan)}
    refusal = by_rule[role, int(number)]
    assert refusal.path.startswith(("software", "pools[0].server", "control", "storage"))
    assert refusal.pools


@pytest.mark.parametrize("name", [name for name in ASKED if "file" in CASES[name]])
def test_what_the_file_may_not_hold_is_refused_before_the_role_is_asked(name, tmp_path):
    data = yaml_text.load((ROOT / FILES[CASES[name]["site"]]).read_text(encoding="utf-8"))
    [(section, fields)] = CASES[name]["file"].items()
    file = tmp_path / "site.yaml"
    file.write_text(yaml.safe_dump({**data, section: {**data[section], **fields}}), encoding="utf-8")
    with pytest.raises(ProblemsError) as refused:
        spec.load(file)
    assert {problem.path for problem in refused.value.problems} == {f"{section}.{field}" for field in fields}


def test_only_a_rule_that_reads_a_file_on_the_machine_that_plays_is_left_to_onboarding():
    lookups = {name for name, folder, rule in rules("refuse") if references(folder, rule["when"]).lookups}
    assert lookups == {"slurm_config.5"}
    assert not CASES.keys() - set(ASKED)


def test_rules_by_facts_of_the_host_are_declared_apart():
    assert not [name for name, folder, rule in rules("refuse") if references(folder, rule["when"]).host_facts]
    assert all(references(folder, rule["when"]).host_facts for _, folder, rule in rules("unfit"))


def test_check_prints_every_refusal_with_its_line_and_the_next_step(tmp_path, capsys):
    text = (ROOT / FILES["h100"]).read_text(encoding="utf-8")
    file = tmp_path / "site.yaml"
    file.write_text(
        text.replace("  gdrcopy:", "  options: {cuda_update: 12.9.1, local_nvme_mount: /usr/scratch}\n  gdrcopy:"),
        encoding="utf-8",
    )
    line = text[: text.index("  gdrcopy:")].count("\n") + 1
    assert main(["check", str(file)]) == 1
    printed = capsys.readouterr().err
    assert (
        f"{file}:{line}: software.options.cuda_update: onboarding would refuse pool train: cuda_update must be"
        in printed
    )
    assert (
        "    found:    cuda_update: 12.9.1, cuda_version: 13.0\n    next:     write it as 13.0.2  [onboard.refused]"
        in printed
    )
    assert f"{file}:{line}: software.options.local_nvme_mount: " in printed
    assert printed.endswith("rackwright: 2 problems found\n")


def test_a_system_without_a_rehearsal_is_refused_with_those_that_have_one(monkeypatch):
    real = roles.ordered_roles()
    without = tuple(role.model_copy(update={"verified_on": ["debian-12", "rocky-9"]}) for role in real)
    monkeypatch.setattr(roles, "ordered_roles", lambda *_: without)
    [problem] = role_refusals.problems(
        changed(accepted("h100"), {"os": "rhel-9", "options": {"base_firewall": "cluster"}})
    )
    assert (problem.path, problem.code) == ("software.os", "onboard.system_not_rehearsed")
    assert (problem.message, problem.expected) == ("no role has been rehearsed on rhel-9", "one of debian-12, rocky-9")


def test_ubuntu_with_a_slurm_that_knows_its_control_groups_is_accepted(tmp_path):
    file = tmp_path / "site.yaml"
    text = (ROOT / FILES["h100"]).read_text(encoding="utf-8")
    file.write_text(text.replace("\nsoftware:", "\nsoftware:\n  os: ubuntu-22.04"), encoding="utf-8")
    assert main(["check", str(file)]) == 1
    options = "\nsoftware:\n  os: ubuntu-22.04\n  options: {slurm_config_version: '22.05'}"
    file.write_text(text.replace("\nsoftware:", options), encoding="utf-8")
    assert main(["check", str(file)]) == 0


def test_a_system_of_a_maker_s_servers_is_refused_on_control_servers():
    pools = {"train": {"os": "dgx-os-7"}}
    assert role_refusals.problems(changed(accepted("h100"), {"os": "ubuntu-24.04", "pools": pools})) == []
    problems = role_refusals.problems(changed(accepted("h100"), {"os": "dgx-os-7"}))
    misplaced = [problem for problem in problems if problem.code == "onboard.system_misplaced"]
    assert [problem.message.split(", and ")[1] for problem in misplaced] == [
        "the slurm servers are none", "the ufm servers are none",
    ]  # fmt: skip
    assert {problem.expected for problem in misplaced} == {"the distribution that it is built on: ubuntu-24.04"}


@pytest.mark.parametrize(("verified", "refused"), [(["debian-12", "ubuntu-24.04"], True), ([], False)])
def test_a_role_that_nobody_rehearsed_on_the_declared_system_is_refused(monkeypatch, verified, refused):
    """A role of a site may leave `verified_on` out."""
    real = roles.ordered_roles()
    mine = tuple(role.model_copy(update={"verified_on": verified}) if role.name == "cuda" else role for role in real)
    monkeypatch.setattr(roles, "ordered_roles", lambda *_: mine)
    options = {"slurm_config_version": "22.05"}
    design = changed(accepted("h100"), {"os": "ubuntu-22.04", "options": options})
    messages = {problem.path: problem.message for problem in role_refusals.problems(design)}
    expected = {"software.os": "role cuda has not been rehearsed on ubuntu-22.04 (train)"}
    assert messages == (expected if refused else {})
