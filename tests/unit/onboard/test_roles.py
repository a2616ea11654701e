import re
from pathlib import Path

import pytest
import yaml

from rackwright import catalog, content

ROLES = sorted(path.parent.parent.name for path in content.folder("roles").glob("*/tasks/main.yml"))


def read(*parts: str):
    return yaml.safe_load(Path(content.folder("roles", *parts)).read_text())


def options(role: str) -> dict:
    return read(role, "meta", "argument_specs.yml")["argument_specs"]["main"].get("options", {})


@pytest.mark.parametrize("role", ROLES)
def test_every_role_says_what_it_takes_and_what_it_is(role):
    assert read(role, "meta", "argument_specs.yml")["argument_specs"]["main"]["short_description"]
    assert read(role, "meta", "main.yml")["galaxy_info"]["role_name"] == role
    assert content.folder("roles", role, "README.md").read_text().startswith(f"# {role}\n")


@pytest.mark.parametrize("role", [role for role in ROLES if content.folder("roles", role, "defaults").is_dir()])
def test_defaults_are_options_and_options_without_default_are_required(role):
    declared, defaults = options(role), read(role, "defaults", "main.yml")
    assert set(defaults) <= set(declared)
    for name, option in declared.items():
        assert option.get("required") or name in defaults, name


@pytest.mark.parametrize(
    "role", [role for role in ROLES if content.folder("roles", role, "tasks", "validate.yml").exists()]
)
def test_a_role_that_can_refuse_does_so_on_the_first_page(role):
    plays = read("site.yml")
    first = next(number for number, play in enumerate(plays) if play["hosts"] == "all")
    validated = [
        task["ansible.builtin.import_role"]["name"]
        for play in plays[:first]
        for task in play["tasks"]
        if task["ansible.builtin.import_role"]["tasks_from"] == "validate" and task["run_once"]
    ]
    assert role in validated
    assert options(role) == read(role, "meta", "argument_specs.yml")["argument_specs"]["validate"]["options"]


def test_every_group_of_a_server_is_a_role_and_is_played():
    groups = {group for server in catalog.load().servers.values() for group in server.ansible_groups}
    page = content.folder("roles", "site.yml").read_text()
    assert groups <= set(ROLES)
    for group in groups:
        assert f"'{group}' in group_names" in page


def test_the_inventory_speaks_the_language_of_the_roles(inventory):
    known = {name for role in ROLES for name in options(role)}
    given = {*inventory.variables, *(name for host in inventory.hosts.values() for name in host)}
    ours = {name for name in given if not name.startswith(("ansible_", "rackwright_"))}
    assert ours <= known
    needed = {name for role in ROLES for name, option in options(role).items() if option.get("required")}
    assert needed <= ours


def test_nothing_reboots_a_host_or_lets_a_secret_through():
    for path in content.folder("roles").rglob("*.yml"):
        text = path.read_text()
        assert not re.search(r"\bansible\.builtin\.reboot\b|\bshutdown\b", text), path
    key = read("slurm_config", "tasks", "configure.yml")[0]
    assert key["ansible.builtin.copy"]["dest"] == "/etc/munge/munge.key"
    assert key["no_log"] is True


def test_nodes_come_after_controllers_so_that_a_new_node_is_drained_before_it_registers():
    names = [task["ansible.builtin.import_role"]["name"] for play in read("site.yml") for task in play["tasks"]]
    assert names.index("slurm_controller") < names.index("slurm_node")
