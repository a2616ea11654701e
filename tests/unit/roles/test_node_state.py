"""The module as a whole: what a check says of packages, and how a host that says no is told."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

SLURMD = "Id=slurmd.service\nLoadState=loaded\nActiveState=active\nUnitFileState=enabled\nType=notify\nResult=success\n"


class EndedError(Exception):
    pass


@pytest.fixture
def play(host_module, monkeypatch, tmp_path):
    """Plays one part; returns what the module told."""
    module = host_module("node_state")
    monkeypatch.setattr(host_module("rackwright_act").Act.__init__, "__defaults__", (str(tmp_path / "pending"), ()))

    def run(part, roles, *, check=False, **more):
        asked = {
            "part": part,
            "roles": roles,
            "secrets": {},
            "watchers": {},
            "family": "debian",
            "any_source": True,
            "due": [],
        }

        class Module:
            check_mode, _diff = check, True
            params = {**asked, **more}

            def __init__(self, **_):
                pass

            def run_command(self, argv, **_):
                return 0, SLURMD if argv[:2] == ["systemctl", "show"] else "", ""

            def exit_json(self, **told):
                raise EndedError(told)

            def fail_json(self, **told):
                raise EndedError({"failed": True, **told})

        monkeypatch.setattr(module, "AnsibleModule", Module)
        with pytest.raises(EndedError) as ended:
            module.main()
        return ended.value.args[0]

    return SimpleNamespace(run=run, module=module)


@pytest.mark.parametrize("check", [True, False])
def test_packages_that_were_left_half_done_are_a_change_and_only_a_run_ends_them(play, monkeypatch, check):
    finished = []

    class Packages:
        def __init__(self, *_, **__):
            pass

        have = staticmethod(lambda names: {"dkms": ("3.0", False)} if names else {})
        pin = staticmethod(lambda role, packages: None)
        unfinished = staticmethod(lambda: ["man-db"])
        finish = staticmethod(lambda: finished.append(True))

    monkeypatch.setattr(play.module, "Apt", Packages)
    told = play.run("install", [{"role": "kernel", "packages": {"dkms": ""}}], check=check)
    assert told["roles"]["packages"]["changed"] == ["packages that were left half done"]
    assert finished == ([] if check else [True])


def test_a_disk_that_refuses_is_a_sentence_with_the_role_and_no_traceback(play, monkeypatch, host_module, tmp_path):
    def full(*_, **__):
        raise OSError(28, "No space left on device", str(tmp_path / "x"))

    monkeypatch.setattr(host_module("rackwright_files").tempfile, "mkstemp", full)
    told = play.run("configure", [{"role": "nccl", "files": [{"path": str(tmp_path / "x"), "text": "a\n"}]}])
    assert told["failed"]
    assert told["msg"].startswith("nccl: [Errno 28] No space left on device")


def test_a_check_names_the_daemon_that_a_run_would_restart(play, tmp_path):
    files = [{"path": str(tmp_path / "slurm.conf"), "text": "a\n"}]
    watchers = {"slurm_node.unit.slurmd": [str(tmp_path / "*.conf")]}
    units = [{"role": "slurm_node", "units": [{"name": "slurmd", "enabled": True}]}]
    looked = play.run("configure", [{"role": "slurm_config", "files": files}], check=True, watchers=watchers)
    assert looked["due"] == ["slurm_node.unit.slurmd"]
    assert play.run("join", units, check=True, due=looked["due"])["roles"]["slurm_node"]["changed"] == [
        "slurmd restarted"
    ]
    assert not play.run("join", units, check=True)["changed"]
    assert not (tmp_path / "pending").exists()
