"""Which pods of a twin reach each other, and which accelerators they are given."""

import pytest

from rackwright.twin.guest.products import pod_devices
from rackwright.twin.guest.products.pod_network import may_reach

SPACES = {"lab": {"rackwright.io/tenant": "lab"}, "shop": {}, "gateway": {"rackwright.io/serves-tenants": "true"}}
OPEN = [{"podSelector": {}}, {"namespaceSelector": {"matchLabels": {"rackwright.io/serves-tenants": "true"}}}]


def pod(space, **labels):
    return {"metadata": {"namespace": space, "labels": labels}}


def policy(sources, **spec):
    ingress = [{"from": sources}] if sources is not None else []
    return {"metadata": {"namespace": "lab"}, "spec": {"podSelector": {}, "ingress": ingress, **spec}}


def meets(key, operator, *values):
    return {"matchExpressions": [{"key": key, "operator": operator, **({"values": list(values)} if values else {})}]}


def spaces(key, operator, *values):
    return {"namespaceSelector": meets(key, operator, *values)}


@pytest.mark.parametrize(
    ("source", "policies", "reached"),
    [
        ("shop", [], True),
        ("shop", [policy(OPEN)], False),
        ("lab", [policy(OPEN)], True),
        ("gateway", [policy(OPEN)], True),
        ("lab", [policy(None)], False),
        ("shop", [policy([])], True),
        ("shop", [policy(OPEN), policy([{"namespaceSelector": {}}])], True),
        ("shop", [policy(None, podSelector={"matchLabels": {"app": "other"}})], True),
        ("shop", [policy(None, policyTypes=["Egress"])], True),
        ("gateway", [policy([{**OPEN[1], "podSelector": {"matchLabels": {"app": "proxy"}}}])], False),
        ("gateway", [policy([spaces("x", "Exists")])], False),
        ("gateway", [policy([spaces("x", "DoesNotExist")])], True),
        ("lab", [policy([spaces("rackwright.io/tenant", "In", "lab", "shop")])], True),
        ("shop", [policy([spaces("rackwright.io/tenant", "In", "lab")])], False),
        ("shop", [policy([spaces("rackwright.io/tenant", "NotIn", "lab")])], True),
        ("lab", [policy(None, podSelector=meets("app", "In", "model"))], False),
        ("lab", [policy(None, podSelector=meets("app", "NotIn", "model"))], True),
    ],
)
def test_policies_let_in_whom_they_name(source, policies, reached):
    assert may_reach(pod(source), pod("lab", app="model"), policies, SPACES) is reached


def test_policies_are_about_their_own_namespace():
    assert may_reach(pod("lab"), pod("shop"), [policy(None)], SPACES)


def container(count=0, **variables):
    limits = {"limits": {"nvidia.com/gpu": str(count), "cpu": "4"}} if count else {}
    return {"resources": limits, "env": [{"name": name, "value": value} for name, value in variables.items()]}


def test_accelerators_are_given_once_and_taken_back():
    devices = pod_devices.NodeDevices([["/dev/a0"], ["/dev/a1"], ["/dev/a2"]], shows_all=False)
    assert devices.give("1", container(2)) == ["/dev/a0", "/dev/a1"]
    assert devices.give("2", container(1)) == ["/dev/a2"]
    assert devices.give("3", container()) == []
    devices.take_back("1")
    assert devices.give("4", container(1)) == ["/dev/a0"]


@pytest.mark.parametrize(
    ("shows_all", "default", "accepts", "files"),
    [
        (False, "", None, []),
        (False, "nvidia", None, ["/dev/nvidia0"]),
        (False, "nvidia", "true", ["/dev/nvidia0"]),
        (False, "nvidia", "false", []),
        (True, "", None, ["/dev/nvidia0"]),
    ],
)
def test_the_runtime_of_nvidia_shows_devices_as_it_is_configured(
    tmp_path, monkeypatch, shows_all, default, accepts, files
):
    main, toolkit = tmp_path / "config.toml", tmp_path / "toolkit.toml"
    section = "[plugins.'io.containerd.cri.v1.runtime'.containerd]\n"
    main.write_text(f"version = 3\n{section}" + (f'default_runtime_name = "{default}"\n' if default else ""))
    if accepts:
        toolkit.write_text(f"{pod_devices.UNPRIVILEGED} = {accepts}\n")
    monkeypatch.setattr(pod_devices.containerd_config, "MAIN", str(main))
    monkeypatch.setattr(pod_devices, "TOOLKIT", str(toolkit))
    monkeypatch.setattr(pod_devices.parts, "release", lambda _: "2.1.5")
    devices = pod_devices.NodeDevices([["/dev/nvidia0"]], shows_all=shows_all)
    assert devices.give("1", container(NVIDIA_VISIBLE_DEVICES="0")) == files
    assert devices.give("2", container()) == []
