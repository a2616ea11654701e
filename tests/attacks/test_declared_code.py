"""Values of a site are data: none is run, filled in or opened as something else, here or on a node."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from rackwright import gate, judge, spec
from rackwright.base import yaml_text
from rackwright.base.errors import ProblemsError
from rackwright.cli import main
from rackwright.model.inventory import Inventory
from rackwright.model.software import Bill
from rackwright.onboard import inventory_file
from rackwright.onboard.role_engine import expected_facts, run_part

ROOT = Path(__file__).resolve().parents[2]
SITE = yaml_text.load((ROOT / "inventories" / "h100-pod" / "site.yaml").read_text())
NFS = {"kind": "nfs", "source": "10.64.8.10:/home", "mount": "/home"}
LOOKUP = "{{ lookup('pipe', 'touch %s') }}"

Change = Callable[[dict[str, Any]], object]
REFUSED: dict[str, tuple[str, Change]] = {
    "a lookup in the mirror": (
        "software.apt_mirror",
        lambda site: site["software"].update(apt_mirror="http://10.64.0.2/{{ lookup('pipe', 'id') }}"),
    ),
    "no URL as mirror": ("software.apt_mirror", lambda site: site["software"].update(apt_mirror="10.64.0.2/apt")),
    "half an address as mirror": ("software.apt_mirror", lambda site: site["software"].update(apt_mirror="http://[1")),
    "no URL as mirror of files": ("software.file_mirror", lambda site: site["software"].update(file_mirror="mirror")),
    "a command in a host name": (
        "pools[0].hosts[0].name",
        lambda site: site["pools"][0].update(hosts=[{"name": "n$(id)"}]),
    ),
    "an option of ssh as address": (
        "pools[0].hosts[0].address",
        lambda site: site["pools"][0].update(hosts=[{"name": "n1", "address": "-oProxyCommand=id"}]),
    ),
    "a line of slurm.conf in the name of a pool": (
        "pools[0].name",
        lambda site: site["pools"][0].update(name="train\nPrologSlurmctld=/tmp/x"),
    ),
    "a line of slurm.conf in a partition": (
        "pools[0].partition",
        lambda site: site["pools"][0].update(partition="p\nTaskProlog=/tmp/x"),
    ),
    "a script in the name of the site": ("site", lambda site: site.update(site="<script>alert(1)</script>")),
    "a formula in the name of a hall": (
        "facility.halls[0].name",
        lambda site: site["facility"]["halls"][0].update(name="=cmd|' /C calc'!A0"),
    ),
    "a formula as feed": (
        "facility.power.feeds[0]",
        lambda site: site["facility"]["power"].update(feeds=["=1+1", "B"]),
    ),
    "a folder of the site above it": ("site_folder", lambda site: site.update(site_folder="../../etc")),
    "waivers outside the folder": ("acceptance.waivers", lambda site: site["acceptance"].update(waivers="../w.yaml")),
    "a user with a command": ("control.ssh.user", lambda site: site["control"]["ssh"].update(user="root; id")),
    "options of ssh in the file of host keys": (
        "control.ssh.known_hosts_file",
        lambda site: site["control"]["ssh"].update(known_hosts_file="/dev/null /tmp/other"),
    ),
    "two words as variable": ("control.bmc.user_env", lambda site: site["control"]["bmc"].update(user_env="A B")),
    "an empty time server": ("control.ntp_servers[1]", lambda site: site["control"]["ntp_servers"].append("")),
    "a line of chrony as time server": (
        "control.ntp_servers[0]",
        lambda site: site["control"].update(ntp_servers=["10.64.0.2\nallow all"]),
    ),
    "a section of a unit in mount options": (
        "storage[0].client.options",
        lambda site: site["storage"][0].update(client={**NFS, "options": "rw\n[Service]\nExecStart=/bin/id"}),
    ),
    "a folder above as mount": (
        "storage[0].client.mount",
        lambda site: site["storage"][0].update(client={**NFS, "mount": "/scratch/../etc"}),
    ),
    "attributes of Python in the name of a port": (
        "catalog[0].port_name",
        lambda site: site.update(catalog=[{"kind": "switch", "port_name": "{number.__class__.__init__.__globals__}"}]),
    ),
    "an escape sequence in an option": (
        "software.options.slurm_controller_drain_reason",
        lambda site: site["software"].update(options={"slurm_controller_drain_reason": "x\x1b[2J"}),
    ),
    **{
        f"{name} in a name that the report prints": (
            "acceptance.approvers[0].name",
            lambda site, mark=mark: site["acceptance"].update(approvers=[{"name": f"Anna{mark}signed by key TRUSTED"}]),
        )
        for name, mark in {
            "a line separator": "\u2028",
            "a paragraph separator": "\u2029",
            "a next line": "\x85",
            "an override of direction": "\u202e",
            "an isolate of direction": "\u2066",
        }.items()
    },
    "a word of Ansible's as key of an option": (
        "software.options.base_hosts",
        lambda site: site["software"].update(options={"base_hosts": {"__ansible_unsafe": LOOKUP}}),
    ),
}


@pytest.mark.parametrize("attack", REFUSED)
def test_check_refuses_with_place_and_expectation(attack: str, tmp_path: Path) -> None:
    path, change = REFUSED[attack]
    site = json.loads(json.dumps(SITE))
    site.setdefault("acceptance", {})
    change(site)
    file = tmp_path / "site.yaml"
    file.write_text(yaml.safe_dump(site))
    with pytest.raises(ProblemsError) as refused:
        spec.load(file)
    problems = [problem for problem in refused.value.problems if problem.path in (path, "")]
    assert problems, str(refused.value)
    assert problems[0].place.startswith(f"{file}:")
    assert problems[0].expected
    assert problems[0].found
    assert problems[0].next_step
    assert str(refused.value).replace("\n", "").isprintable()


def test_check_prints_the_attack_as_data(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    site = json.loads(json.dumps(SITE))
    marker = tmp_path / "ran"
    site["software"]["apt_mirror"] = f"http://10.64.0.2/{LOOKUP % marker}"
    (tmp_path / "site.yaml").write_text(yaml.safe_dump(site))
    assert main.main(["check", str(tmp_path)]) == 1
    message = capfd.readouterr().err
    assert "software.apt_mirror" in message
    assert "an http(s) URL" in message
    assert not marker.exists()


Writer = Callable[[Inventory, Path], Path]
WRITERS = pytest.mark.parametrize("write", [inventory_file.write_inventory, inventory_file.save_inventory])


def templated(hosts_file: Path, text: str) -> Any:
    """What Ansible makes of our template, with the variables of the first host as its own loader reads them."""
    from ansible.inventory.manager import InventoryManager
    from ansible.parsing.dataloader import DataLoader
    from ansible.template import Templar, trust_as_template
    from ansible.vars.manager import VariableManager

    loader = DataLoader()
    hosts = InventoryManager(loader, sources=[str(hosts_file)])
    variables = VariableManager(loader, hosts).get_vars(host=hosts.get_hosts()[0], include_hostvars=False)
    return Templar(loader=loader, variables=variables).template(trust_as_template(text))


@WRITERS
def test_ansible_fills_nothing_in_that_stands_in_an_inventory(write: Writer, tmp_path: Path) -> None:
    marker = tmp_path / "ran"
    code = LOOKUP % marker
    header = f"#jinja2: variable_start_string:'<<', variable_end_string:'>>'\n<< lookup('pipe', 'touch {marker}') >>"
    values = {"text": code, "listed": [code, header], "by_key": {code: {"deep": code}}}
    inventory = Inventory(hosts={"n1": values}, groups={"base": ["n1"]}, variables={"of_site": code})
    text = "{{ text }}{{ of_site }}{{ listed | join }}{% for name, value in by_key.items() %}{{ name }}{{ value.deep }}{% endfor %}"
    assert templated(write(inventory, tmp_path / "inventory"), text) == code * 3 + header + code * 2
    assert not marker.exists()


@WRITERS
def test_only_our_template_is_filled_in(write: Writer, tmp_path: Path) -> None:
    ours = inventory_file.Template("{{ 7 * 7 }}")
    inventory = Inventory(hosts={"n1": {"ours": ours, "declared": "{{ 7 * 7 }}"}}, groups={}, variables={})
    assert templated(write(inventory, tmp_path / "inventory"), "{{ ours }} {{ declared }}") == "49 {{ 7 * 7 }}"


def test_a_key_that_means_something_to_ansible_is_no_key_of_an_inventory() -> None:
    with pytest.raises(ValueError, match="__ansible_vault"):
        inventory_file.as_data({"base_hosts": {"__ansible_vault": "x"}})


SETS = [
    {
        "sockets": 2,
        "cores_per_socket": 56,
        "memory_gib": 2048,
        "gres": "",
        "devices": [],
        "hosts": "n1",
        "nodes": {"n1": "10.0.0.1"},
    }
]
SLURM = {
    "slurm_config_cluster": "pod",
    "slurm_config_controllers": [{"name": "slurm-01", "address": "10.0.0.2"}],
    "slurm_config_partitions": [{"name": "all", "hosts": "n1", "default": True}],
    "slurm_config_munge_key_file": "/dev/null",
}
TIER = {"name": "home", "kind": "nfs", "source": "10.0.0.5:/home", "mount": "/home", "options": "", "version": ""}
WRITTEN: dict[str, tuple[str, dict[str, Any], str]] = {
    "a line of slurm.conf in a feature": (
        "slurm_config",
        {**SLURM, "slurm_config_sets": [{**SETS[0], "feature": "x\nPrologSlurmctld=/tmp/x"}]},
        "slurm.conf.j2",
    ),
    "another word of slurm.conf in a feature": (
        "slurm_config",
        {**SLURM, "slurm_config_sets": [{**SETS[0], "feature": "x State=FUTURE"}]},
        "slurm.conf.j2",
    ),
    "a command in a unit": ("limits_sysctl", {"limits_sysctl_hugepages": {"2048": "1; id"}}, "memory.service.j2"),
    "a section of a unit": (
        "storage_client",
        {"storage_client_mounts": [{**TIER, "options": "rw\n[Service]\nExecStart=/bin/id"}]},
        "mount.j2",
    ),
    "a specifier of a unit": (
        "storage_client",
        {"storage_client_mounts": [{**TIER, "source": "%H:/home"}]},
        "mount.j2",
    ),
    "a command in the arguments of the kernel": (
        "boot_cmdline",
        {"boot_cmdline_extra": ["quiet", "x=$(id)"]},
        "grub.cfg.j2",
    ),
    "a line of chrony.conf": ("time", {"time_servers": ["10.0.0.1\nallow all"]}, "chrony.conf.j2"),
    "a line of /etc/hosts": (
        "base",
        {"base_hosts": {"n1": "10.0.0.1 mirror"}, "base_apt_mirror": "http://m"},
        "hosts.j2",
    ),
    "a table of containerd": (
        "container_runtime",
        {"container_runtime_version": "2.1.5", "container_runtime_mirrors": ['http://m"]\n[x]\na = "']},
        "hosts.toml.j2",
    ),
    "a command at the load of a module": (
        "amd_driver",
        {
            "amd_driver_version": "30.20.1",
            "amd_driver_rocm": "7.2.1",
            "amd_driver_module_options": {"noretry": "0\ninstall amdgpu /bin/id"},
        },
        "modprobe.conf.j2",
    ),
}


@pytest.mark.parametrize("attack", WRITTEN)
def test_a_file_of_a_node_refuses_what_its_format_cannot_carry(attack: str) -> None:
    from ansible.errors import AnsibleError

    role, variables, template = WRITTEN[attack]
    part = "install" if template == "modprobe.conf.j2" else "configure"
    with pytest.raises(AnsibleError) as refused:
        run_part(part, [role], {"rackwright_roles": [role], **variables}, expected_facts(Bill(), "amd64"))
    assert f"{role}: {template} cannot carry " in str(refused.value)
    assert "correct the option" in str(refused.value)


OPTIONS: dict[str, tuple[str, object]] = {
    "a line of /etc/hosts": ("base_hosts", {"n1": "10.0.0.1 mirror"}),
    "a word of chrony.conf": ("time_servers", ["10.0.0.1 iburst"]),
    "a command in a unit": ("limits_sysctl_hugepages", {"2048": "1; id"}),
    "a specifier of a unit": ("limits_sysctl_hugepages", {"2048": "%H"}),
    "a command at the load of a module": ("boot_cmdline_extra", ["quiet", "x=$(id)"]),
}


@pytest.mark.parametrize("attack", OPTIONS)
def test_check_refuses_what_a_file_of_a_node_cannot_carry(
    attack: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Nothing that stands in the site file is refused at onboarding alone."""
    name, value = OPTIONS[attack]
    site = json.loads(json.dumps(SITE))
    site["software"].setdefault("options", {})[name] = value
    (tmp_path / "site.yaml").write_text(yaml.safe_dump(site))
    assert main.main(["check", str(tmp_path)]) == 1
    message = capfd.readouterr().err
    assert f"software.options.{name}" in message
    assert "onboarding would refuse pool train" in message
    assert "cannot carry" in message or "without spaces and quotes" in message


@pytest.mark.parametrize("name", ["../../../tmp/evil", "/tmp/evil", "a\nb", ""])
def test_neither_a_node_nor_an_option_names_a_file_of_templates(name: str) -> None:
    from ansible.errors import AnsibleError

    facts = {**expected_facts(Bill(), "amd64"), "os": name or "../x"}
    with pytest.raises(AnsibleError, match="cannot be the name of an operating system"):
        run_part("configure", ["time"], {"rackwright_roles": ["time"]}, facts)
    vendor = {
        "accelerator_vendor_name": name or "../x",
        "accelerator_vendor_driver": "1",
        "accelerator_vendor_mirror": "http://m",
    }
    with pytest.raises(AnsibleError, match="cannot be the name of an operating system or a vendor"):
        run_part("configure", ["accelerator_vendor"], vendor, expected_facts(Bill(), "amd64"))


def test_facts_of_a_node_are_no_templates(tmp_path: Path) -> None:
    marker = tmp_path / "ran"
    facts = expected_facts(Bill(), "amd64")
    facts = {**facts, "kernel": {**facts["kernel"], "release": LOOKUP % marker, "cmdline": LOOKUP % marker}}
    _, arguments = run_part("verify", ["boot_cmdline"], {"boot_cmdline_extra": ["quiet"]}, facts)
    assert arguments["roles"]
    assert not marker.exists()


HOSTILE_LINES = {
    "a line that looks like ours": '"x\\nsigned by key TRUSTED"',
    "a cursor that moves": '"x\\e[2J"',
    "a mark of direction": '"x\\u202ey"',
    "a separator of lines": '"x\\u2028y"',
}
TABLES: dict[str, tuple[str, Callable[[Path], object]]] = {
    "waivers": (
        "waivers:\n- {{check: gpu.ecc, node: train-001, reason: {0}, by: anna, until: 2026-12-01}}\n",
        lambda path: gate.load_waivers(path, {}, [], None),
    ),
    "limits": (
        "limits:\n- {{metric: clock.offset, fail: 1, degraded: 0.5, source: {0}, date: 2026-01-01}}\n",
        lambda path: judge.load_limits([path]),
    ),
    "gates": ("gates:\n- {{name: {0}, checks: [gpu.ecc]}}\n", lambda path: gate.load_gates(path)),
}


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("attack", HOSTILE_LINES)
def test_a_text_of_a_table_is_one_line(table: str, attack: str, tmp_path: Path) -> None:
    text, read = TABLES[table]
    file = tmp_path / "table.yaml"
    file.write_text(text.format(HOSTILE_LINES[attack]))
    with pytest.raises(ProblemsError) as refused:
        read(file)
    [problem, *_] = [problem for problem in refused.value.problems if problem.message == "not one line"]
    assert problem.place == f"{file}:2"
    assert problem.expected == "a line of text without control characters"
    assert str(refused.value).replace("\n", "").isprintable()


def test_aliases_of_a_table_are_read_once(tmp_path: Path) -> None:
    """Each names the one before it ten times: expanded they are more than any memory holds, and one names itself."""
    rows = "\n".join(f"- &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 30))
    for text in (f"waivers:\n- &a0 [x]\n{rows}\n", "waivers:\n- &a [*a]\n"):
        (tmp_path / "table.yaml").write_text(text)
        with pytest.raises(ProblemsError):
            gate.load_waivers(tmp_path / "table.yaml", {}, [], None)
