import re
import subprocess
import sys
from pathlib import Path

import pytest

from rackwright.base import content, yaml_text
from rackwright.base.errors import ProblemsError
from rackwright.onboard import facts, roles
from rackwright.onboard.roles import Role
from rackwright.spec import load

ROOT = Path(__file__).resolve().parents[3]
KNOWN = {role.name: role for role in roles.ordered_roles()}
NAMES = sorted(KNOWN)
SYSTEMS = {"debian-12", "ubuntu-22.04", "ubuntu-24.04", "rhel-9"}
SECTIONS = {"refuse", "unfit", "sources", "remove", "packages", "downloads", "groups", "users", "files"} | {
    "commands", "reboot", "units", "audit", "verify"
}  # fmt: skip


def read(*parts: str):
    return yaml_text.load(Path(content.folder("roles", *parts)).read_text())


def folder(name: str) -> Path:
    return content.folder("roles", name)


def test_every_folder_with_tasks_is_a_role_that_says_what_it_is_for():
    assert sorted(path.parent.parent.name for path in content.folder("roles").glob("*/tasks/main.yml")) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_every_role_says_what_it_takes_and_what_it_is(name):
    specs = read(name, "meta", "argument_specs.yml")["argument_specs"]
    assert specs["main"]["short_description"]
    assert read(name, "meta", "main.yml")["galaxy_info"]["role_name"] == name
    assert list(specs) == ["main"]
    tasks = read(name, "tasks", "main.yml")
    assert [task["ansible.builtin.import_tasks"] for task in tasks] == ["../../role.yml"]


@pytest.mark.parametrize("name", NAMES)
def test_every_option_of_a_role_carries_its_name_and_has_a_default_or_is_required(name):
    defaults = read(name, "defaults", "main.yml") if (folder(name) / "defaults" / "main.yml").exists() else {}
    declared = KNOWN[name].options
    assert set(defaults) <= set(declared)
    for option, reported in declared.items():
        assert reported.get("description"), option
        assert reported.get("required") or option in defaults, option
        assert not (reported.get("required") and option in defaults), option


@pytest.mark.parametrize("name", NAMES)
def test_every_declaration_is_one_that_the_engine_carries_out(name):
    state = folder(name) / "state.yml"
    assert set(yaml_text.load(state.read_text()) or {} if state.exists() else {}) <= SECTIONS


@pytest.mark.parametrize("name", NAMES)
def test_a_role_that_knows_one_operating_system_knows_all_of_them(name):
    systems = {
        path.stem
        for path in folder(name).glob("vars/*-*.yml")
        if path.stem.split("-")[0] in ("debian", "ubuntu", "rhel")
    }
    assert systems in (set(), SYSTEMS), "a role that leaves one out must refuse it and say so"


@pytest.mark.parametrize("name", NAMES)
def test_every_input_is_an_option_and_a_fact_that_there_is(name):
    from rackwright.model.software import Bill

    for option, where in KNOWN[name].inputs.items():
        assert option in KNOWN[name].options, option
        kind, _, fact = where.partition(".")
        names = {"software": Bill.model_fields, "node": facts.of_node(), "site": facts.of_site()}
        assert fact in names[kind], where


def test_readmes_and_entry_points_follow_from_the_roles_own_files():
    result = subprocess.run(
        [sys.executable, ROOT / "tools" / "role_docs", "--check"], capture_output=True, text=True, check=False
    )
    assert result.stdout == "", "run tools/role_docs"
    assert result.returncode == 0, result.stderr


def test_the_inventory_speaks_the_language_of_the_roles(inventory):
    names = {name for role in KNOWN.values() for name in role.options}
    values = {*inventory.variables, *(name for host in inventory.hosts.values() for name in host)}
    assert {name for name in values if not name.startswith(("ansible_", "mitogen_", "rackwright_"))} <= names


def test_every_host_has_what_its_roles_require(inventory):
    for name, host in inventory.hosts.items():
        values = {*host, *inventory.variables}
        needed = {option for role in host["rackwright_roles"] for option in KNOWN[role].required}
        assert needed <= values, name


def test_only_one_file_reboots_a_host_and_it_asks_first():
    for path in content.folder("roles").rglob("*.yml"):
        text = path.read_text()
        if re.search(r"\bansible\.builtin\.reboot\b", text):
            assert path.name == "reboot.yml"
            assert text.index("rackwright_reboot | default('never') == 'allowed'") < text.index(
                "ansible.builtin.reboot"
            )
        assert not re.search(r"run: \[.*\b(shutdown|reboot|poweroff)\b", text), path


def test_every_secret_file_is_marked_as_one():
    for path in content.folder("roles").glob("*/state.yml"):
        safe_load = (yaml_text.load(path.read_text()) or {}).get("files") or []
        for entry in safe_load if isinstance(safe_load, list) else []:
            if re.search(r"key|token|password|secret", str(entry.get("from", ""))):
                assert entry.get("secret") is True, (path, entry)


def test_nodes_come_after_controllers_so_that_a_new_node_is_drained_before_it_registers():
    order = [role.name for role in roles.ordered_roles()]
    assert order.index("slurm_controller") < order.index("slurm_node")
    tasks = [task["name"] for task in read("site.yml")[-1]["tasks"]]
    assert tasks.index("Prepare for hosts that join") < tasks.index("Join")
    assert [unit["late"] for unit in read("slurm_node", "state.yml")["units"] if unit["name"] == "slurmd"] == [True]


@pytest.mark.parametrize("name", NAMES)
def test_a_role_comes_after_what_it_names(name):
    order = [role.name for role in roles.ordered_roles()]
    assert all(order.index(before) < order.index(name) for before in KNOWN[name].after)


@pytest.fixture
def broken(tmp_path, monkeypatch):
    def make(**files: str):
        for name, text in files.items():
            meta = tmp_path / "roles" / name / "meta"
            meta.mkdir(parents=True)
            (meta / "rackwright.yml").write_text(text)
            (meta / "argument_specs.yml").write_text("argument_specs: {main: {options: {}}}\n")
        monkeypatch.setattr(content, "shipped", lambda: (tmp_path,))
        roles.ordered_roles.cache_clear()
        with pytest.raises(ProblemsError) as error:
            roles.ordered_roles()
        return str(error.value.problems)

    yield make
    monkeypatch.undo()
    roles.ordered_roles.cache_clear()


def test_roles_that_wait_for_each_other_are_said_with_the_circle(broken):
    text = broken(a="summary: a\nafter: [b]\n", b="summary: b\nafter: [a]\n")
    assert "roles wait for each other: " in text


def test_a_role_after_an_unknown_one_is_said(broken):
    assert "there is no role nosuch" in broken(a="summary: a\nafter: [nosuch]\n")


def test_an_unknown_key_of_a_role_is_said_with_its_file(broken):
    assert "roles/a/meta/rackwright.yml" in broken(a="summary: a\nhots: {}\n")


def test_traits_hold_any_of_a_list_and_every_line():
    role = Role(name="a", summary="a", hosts={"vendor": ["amd", "nvidia"], "nvswitch": True, "storage": ["nfs"]})
    good = {"vendor": "nvidia", "nvswitch": True, "storage": ["lustre", "nfs"]}
    assert role.applies(good)
    assert not role.applies({**good, "nvswitch": False})
    assert not role.applies({**good, "storage": ["lustre"]})
    assert not role.applies({"vendor": "nvidia"})


def test_a_site_option_that_no_role_has_is_refused(example, access, example_site):
    from rackwright import onboard

    site = load(example_site).site
    software = site.software.model_copy(update={"options": {"nvidia_driver_profilling": False}})
    import dataclasses

    wrong = dataclasses.replace(example, site=site.model_copy(update={"software": software}))
    with pytest.raises(ProblemsError) as error:
        onboard.inventory(wrong, ["train-001"], access, {"munge_key": Path("/x")})
    assert [problem.path for problem in error.value.problems] == ["software.options.nvidia_driver_profilling"]


def test_a_role_whose_own_tasks_nobody_looks_at_makes_its_hosts_go_through_every_act(inventory):
    declared = {name: role.declared for name, role in KNOWN.items()}
    assert not declared["slurm_controller"], "it has join.yml"
    assert not declared["ascend_driver"], "it has act.yml"
    assert declared["kubernetes_node"], "verify looks whether the node has joined"
    assert declared["local_nvme"], "what it has is for a check alone"
    assert inventory.hosts["train-001"]["rackwright_look"]
    assert not inventory.hosts["slurm-01"]["rackwright_look"]
