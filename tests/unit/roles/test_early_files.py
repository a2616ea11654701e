"""Files that packages read, what makes a host unfit before it is changed, and commands that change files."""

from __future__ import annotations

from types import SimpleNamespace

from rackwright.onboard.role_engine import load_engine

HostRoles = load_engine().HostRoles


class Role:
    """A role that declares what it was given."""

    def __init__(self, **sections):
        self._sections = sections

    def section(self, name):
        return self._sections.get(name, [])

    def fill_files(self, files, secrets):
        pass


def test_a_file_marked_early_comes_before_the_packages_and_no_second_time():
    role = Role(files=[{"path": "/a", "early": True}, {"path": "/b"}], packages={"x": ""})
    host = HostRoles(lambda name: role, ["nccl"], [], "debian")
    assert host.part("install") == [
        {"role": "nccl", "files": [{"path": "/a", "early": True}], "packages": {"x": ""}},
    ]
    assert host.part("configure") == [{"role": "nccl", "files": [{"path": "/b"}]}]
    none = HostRoles(lambda name: Role(files=[{"path": "/b"}]), ["nccl"], [], "debian")
    assert none.part("install") == []


def test_a_look_is_at_every_part_and_each_says_which_it_is():
    role = Role(files=[{"path": "/a", "early": True}, {"path": "/b"}], units=[{"name": "x", "late": True}])
    host = HostRoles(lambda name: role, ["nccl"], [], "debian")
    assert [(part["part"], min(part)) for part in host.all_parts()] == [
        ("install", "files"),
        ("configure", "files"),
        ("join", "part"),
    ]


def test_a_command_remembers_what_has_to_follow_the_file_that_it_changes(host_module):
    commands, requested = host_module("rackwright_commands"), []
    act = SimpleNamespace(
        role="nvidia_fabric",
        check=True,
        run=lambda argv: (1, "", ""),
        ask=lambda path, watchers: requested.append((path, watchers)),
        changed=lambda what: None,
        done=lambda name: None,
    )
    entry = {"name": "Set a key", "run": ["sed"], "unless": ["false"], "changes": ["/x.cfg"]}
    commands.bring(act, entry, {"nvidia_fabric.unit.x": ["/x.cfg"]})
    assert requested == [("/x.cfg", {"nvidia_fabric.unit.x": ["/x.cfg"]})]
    act.run = lambda argv: (0, "", "")
    commands.bring(act, entry, {})
    assert len(requested) == 1, "nothing was to be done, so nothing follows"


def test_options_of_the_loaded_driver_are_facts(host_module, monkeypatch):
    facts = host_module("node_facts")
    monkeypatch.setattr(facts, "_read", lambda path: 'RmProfilingAdminOnly: 0\nCoherentGPUMemoryMode: "driver"\n')
    assert facts.nvidia_parameters() == {"RmProfilingAdminOnly": "0", "CoherentGPUMemoryMode": "driver"}
    monkeypatch.setattr(facts, "_read", lambda path: "")
    assert facts.nvidia_parameters() == {}


def test_the_interface_of_an_address_is_the_one_that_carries_it(host_module, monkeypatch):
    facts = host_module("node_facts")
    printed = "1: lo    inet 127.0.0.1/8 scope host lo\n7: bond0@if2    inet 10.64.0.16/22 brd 10.64.3.255 scope global bond0\n"
    monkeypatch.setattr(facts, "_run", lambda module, *argv: (0, printed, ""))
    assert facts.addresses(None)["10.64.0.16"] == "bond0"
