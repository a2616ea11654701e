"""Every role on every operating system, with the variables that a site of the tests gives it: whatever a role declares is
complete, and fits what the other roles of the same host declare."""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import pytest

from rackwright.model.design import Design, Node
from rackwright.onboard import facts, plan, roles
from tests.roles import cast
from tests.rotation import of_this_run
from tests.unit.roles.conftest import PARTS, ROOT, SYSTEMS

NAMES = tuple(role.name for role in roles.ordered_roles())
KEY = ROOT / "pyproject.toml"
"""Any file: what is in a secret does not matter here, and that it can be read does."""
FILES = dict.fromkeys(("munge_key", "kubernetes_token"), KEY)
WITHOUT_HEADERS = {"release": "6.1.0-49-amd64", "cmdline": "", "modules": {}, "headers": False}
HOSTS: dict[str, dict[str, Any]] = {
    "container": {"container": True, "kernel": WITHOUT_HEADERS, "dkms": [], "addresses": {}, "cpu": ""},
    "guarded": {"selinux": "enforcing", "firewall": "firewalld"},
    "secure boot": {"secure_boot": "enabled", "reboot_required": True, "ofed": "MLNX_OFED_LINUX-24.10-1.1.4.0"},
}


@pytest.fixture(scope="module", autouse=True)
def _lookups():
    """A role asks whether a file is there, with a plug-in that Ansible finds only after this."""
    from ansible.plugins.loader import init_plugin_loader

    init_plugin_loader()


@cache
def homes() -> dict[str, tuple[Design, Node, dict[str, Any]]]:
    """Role -> a node that has it, with all Ansible variables of that node."""
    by_name: dict[str, tuple[Design, Node, dict[str, Any]]] = {}
    for path in [cast.EXAMPLE, *sorted((cast.HERE / "sites").glob("*.yaml"))]:
        design = cast._stage(path).design
        context = facts.Context(design, FILES)
        observed: set[tuple[str, ...]] = set()
        for node in design.nodes():
            bill = design.site.software.bill(node.pool)
            mine = plan.node_roles(design, node, bill)
            names = tuple(role.name for role in mine)
            if names in observed:
                continue
            observed.add(names)
            for name in names:
                by_name.setdefault(name, (design, node, plan.host_variables(node, mine, bill, context)))
    return by_name


def variables_alone(name: str) -> dict[str, Any]:
    """The variables of a node that has the role, as if it had no other: what all roles of a host declare together is one test below."""
    return {**_without_system(homes()[name][2]), "rackwright_roles": [name]}


def _without_system(variables: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in variables.items() if key != "rackwright_os"}


def texts(value: Any) -> Iterator[str]:
    """Every string below a value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, entry in value.items():
            yield from texts(key)
            yield from texts(entry)
    elif isinstance(value, list):
        for entry in value:
            yield from texts(entry)


def test_every_role_has_a_home():
    assert sorted(homes()) == sorted(NAMES)


@pytest.mark.parametrize("os", of_this_run(SYSTEMS, 2))
@pytest.mark.parametrize("role", NAMES)
def test_a_role_declares_what_is_complete(declared: Callable[..., Any], role: str, os: str):
    declared_role = declared(role, os=os, **variables_alone(role))
    declares = False
    for part in PARTS:
        sections = declared_role.part(part)
        for name, pattern in sections.get("packages", {}).items():
            assert name.strip() == name != ""
            assert isinstance(pattern, str)
            # apt reads a pattern that ends in a star as a prefix, letter for letter; one star more would match nothing.
            assert (
                os.startswith(("rhel", "rocky", "almalinux"))
                or pattern == "*"
                or not pattern.endswith("*")
                or "*" not in pattern[:-1]
            )
            assert not pattern.startswith(("-", ".")), f"{name} has no version: {pattern}"
        for entry in sections.get("files", []):
            assert entry["path"].startswith("/")
            secret = entry["path"] in declared_role.secrets
            assert secret or entry.get("link") or entry.get("absent") or isinstance(entry.get("text"), str), entry[
                "path"
            ]
            assert not entry.get("secret") or "text" not in entry
            assert os.startswith(("debian", "ubuntu")) or not entry["path"].startswith(
                ("/etc/apt", "/etc/default/grub.d")
            )
        for entry in sections.get("commands", []):
            assert entry["name"]
            assert all(isinstance(word, str) for word in entry["run"])
            assert {"after_change_of", "unless", "creates"} & entry.keys(), entry["name"]
            for pattern in entry.get("after_change_of", []):
                assert pattern.startswith("/")
        for entry in sections.get("units", []):
            assert entry["name"].strip() == entry["name"] != ""
            assert entry.get("state", "started") in ("started", "stopped", "none")
            assert isinstance(entry.get("enabled", True), bool)
        for entry in sections.get("verify", []):
            assert entry["name"]
            assert len(entry["means"]) > 10
            assert ("file" in entry) != ("run" in entry)
            assert "run" not in entry or all(isinstance(word, str) for word in entry["run"]), entry["name"]
            for key in ("expect", "expect_not"):
                assert key not in entry or re.compile(entry[key], re.MULTILINE)
            assert "expect" not in entry or not re.search(entry["expect"], "", re.MULTILINE), (
                f"{entry['name']} cannot fail"
            )
            # An exit status alone decides only where it is not excused.
            assert "expect" in entry or "expect_not" in entry or "lines" in entry or "ok_codes" not in entry, entry[
                "name"
            ]
        for entry in sections.get("downloads", []):
            assert entry["path"].startswith("/")
            assert re.match(r"https?://[^/]+/", entry["url"]), entry["url"]
        declares |= bool(sections)
        printed = [text for key, value in sections.items() if key != "files" for text in texts(value)]
        assert not [text for text in printed if "{{" in text or "{%" in text]
    assert declares


@pytest.mark.parametrize("os", of_this_run(["debian-12", "ubuntu-24.04", "rhel-9"], 1))
@pytest.mark.parametrize("role", NAMES)
def test_a_role_says_a_sentence_or_nothing_on_hosts_that_lack_something(declared, role: str, os: str):
    values = variables_alone(role)
    for facts_of_host in HOSTS.values():
        declared_role = declared(role, os=os, facts=facts_of_host, **values)
        for part in PARTS:
            declared_role.part(part)
        assert isinstance(declared_role.reboot, list)
    assert isinstance(declared(role, os=os, **values).refused, str)


@pytest.mark.parametrize("role", NAMES)
@pytest.mark.parametrize("os", ["debian-12", "rhel-9"])
def test_what_is_missing_is_said_and_no_traceback(declared, role: str, os: str):
    """Nothing but the name of the host: a missing option is a sentence that names it."""
    message = declared(role, os=os).refused
    required = {entry.name: entry.required for entry in roles.ordered_roles()}[role]
    assert [option for option in sorted(required) if option not in message] == []
    assert "missing required arguments" in message or not required


@pytest.mark.parametrize("os", ["debian-12", "ubuntu-24.04", "rhel-9"])
def test_roles_of_one_host_want_packages_that_go_together(declared, host_module, os: str):
    versions = host_module("rackwright_versions")
    for values in {node.name: home for _, node, home in homes().values()}.values():
        mine = _without_system(values)
        parts = {role: declared(role, os=os, **mine).part("install") for role in values["rackwright_roles"]}
        required = versions.together({role: part.get("packages", {}) for role, part in parts.items()})
        requested = [name for name in required if not versions.has_wildcard(name)]
        # What one role takes away and another one brings would change with every run.
        for role, part in parts.items():
            gone = [
                name for name in requested if any(fnmatch.fnmatchcase(name, glob) for glob in part.get("remove", []))
            ]
            assert not gone, f"{role} removes what a role of {values['rackwright_pool']} wants: {gone}"
        # What follows the change of a file, and what is audited, comes from all roles of the host at once.
        assert declared("base", os=os, **mine).part("configure")["files"]
        audited = declared("hold_and_audit", os=os, **mine).part("verify")["audit"]
        assert all(set(entry["declared"]) == set(values["rackwright_roles"]) for entry in audited)
