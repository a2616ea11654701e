import importlib.util
from pathlib import Path

from rackwright.base import content
from rackwright.onboard import settings

ROLES = content.folder("roles")


def test_only_what_a_child_needs_is_passed(tmp_path):
    ours = {"HOME": "/root", "PATH": "/usr/bin", "RACKWRIGHT_BMC_PASSWORD": "geheim", "AWS_SECRET_ACCESS_KEY": "geheim"}
    values = settings.environment(ours, 9, tmp_path, ROLES)
    assert "geheim" not in values.values()
    assert values["HOME"] == "/root"
    assert values["PATH"].endswith(":/usr/bin")


def test_all_hosts_at_once_host_keys_checked_and_a_bound_on_connecting(tmp_path):
    values = settings.environment({}, 9, tmp_path, ROLES)
    assert values["ANSIBLE_FORKS"] == "9"
    assert values["ANSIBLE_HOST_KEY_CHECKING"] == "1"
    assert values["ANSIBLE_TIMEOUT"] == str(settings.CONNECT_SECONDS)


def test_mitogen_is_used_where_it_loads(tmp_path):
    values = settings.environment({}, 1, tmp_path, ROLES)
    assert (Path(values["ANSIBLE_STRATEGY_PLUGINS"]) / f"{values['ANSIBLE_STRATEGY']}.py").is_file()


def test_without_mitogen_ansible_falls_back_to_its_own_strategy_with_pipelining(tmp_path, monkeypatch):
    monkeypatch.setattr(importlib.util, "find_spec", lambda _name: None)
    values = settings.environment({}, 1, tmp_path, ROLES)
    assert values["ANSIBLE_STRATEGY"] == "linear"
    assert "ANSIBLE_STRATEGY_PLUGINS" not in values
    assert values["ANSIBLE_PIPELINING"] == "1"
