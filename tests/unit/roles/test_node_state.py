"""The module as a whole: what a check reports about packages, and how a failure is reported."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

SLURMD = "Id=slurmd.service\nLoadState=loaded\nActiveState=active\nUnitFileState=enabled\nType=notify\nResult=success\n"


def answer(argv, **_):
    return 0, SLURMD if argv[:2] == ["systemctl", "show"] else "", ""


@pytest.fixture
def play(host_module, run_module, monkeypatch, tmp_path):
    """Plays one part; returns what the module told."""
    module = host_module("node_state")
    monkeypatch.setattr(host_module("rackwright_act").Act.__init__, "__defaults__", (str(tmp_path / "pending"), ()))

    def run(part, roles, *, check=False, **more):
        requested = {
            "part": part,
            "roles": roles,
            "secrets": {},
            "watchers": {},
            "family": "debian",
            "any_source": True,
            "due": [],
        }

        monkeypatch.setattr(module, "run_command", answer)
        return run_module(module, {**requested, **more}, check=check)

    return SimpleNamespace(run=run, module=module)


@pytest.mark.parametrize("check", [True, False])
def test_packages_that_were_left_half_done_are_a_change_and_only_a_run_ends_them(play, host_module, monkeypatch, check):
    finished = []

    class Packages:
        def __init__(self, *_, **__):
            pass

        have = staticmethod(lambda names: {"dkms": ("3.0", False)} if names else {})
        pin = staticmethod(lambda role, packages: None)
        unfinished = staticmethod(lambda: ["man-db"])
        finish = staticmethod(lambda: finished.append(True))

    monkeypatch.setattr(host_module("rackwright_parts"), "Apt", Packages)
    reported = play.run("install", [{"role": "kernel", "packages": {"dkms": ""}}], check=check)
    assert reported["roles"]["packages"]["changed"] == ["packages that were left half done"]
    assert finished == ([] if check else [True])


def test_a_disk_that_refuses_is_a_sentence_with_the_role_and_no_traceback(play, monkeypatch, host_module, tmp_path):
    def full(*_, **__):
        raise OSError(28, "No space left on device", str(tmp_path / "x"))

    monkeypatch.setattr(host_module("rackwright_files").tempfile, "mkstemp", full)
    reported = play.run("configure", [{"role": "nccl", "files": [{"path": str(tmp_path / "x"), "text": "a\n"}]}])
    assert reported["failed"]
    assert reported["msg"].startswith("nccl: [Errno 28] No space left on device")


def test_a_file_that_is_replaced_keeps_its_selinux_label(monkeypatch, host_module, tmp_path):
    """restorecon would give another one to a file whose label is not that of its folder (/etc/hosts: net_conf_t in etc_t)."""
    (tmp_path / "hosts").write_text("before\n")
    labels, files = {str(tmp_path / "hosts"): b"system_u:object_r:net_conf_t:s0\0"}, host_module("rackwright_files")

    def read(path, _):
        if path not in labels:
            raise OSError(61, "No data available")
        return labels[path]

    relabelled = []
    monkeypatch.setattr(files.os, "getxattr", read)
    monkeypatch.setattr(files.os, "setxattr", lambda _, name, label: relabelled.append((name, label)))
    files.put(str(tmp_path / "hosts"), "after\n")
    files.put(str(tmp_path / "new"), "new\n")
    assert relabelled == [("security.selinux", b"system_u:object_r:net_conf_t:s0\0")]
    assert (tmp_path / "hosts").read_text() == "after\n"


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


def test_a_look_changes_nothing_and_ends_at_the_first_thing_that_differs(play, tmp_path):
    wrong = {"part": "configure", "role": "nccl", "files": [{"path": str(tmp_path / "nccl.conf"), "text": "a\n"}]}
    never = {"part": "verify", "role": "nccl", "verify": [{"name": "x", "run": ["x"], "expect": "y", "means": "z"}]}
    reported = play.run("look", [never, wrong])
    assert reported == {"changed": False, "as_declared": False, "why": f"nccl: {tmp_path}/nccl.conf"}
    assert not any(tmp_path.iterdir())


def test_a_look_does_not_wait_for_what_may_yet_come_right(play, monkeypatch, host_module):
    monkeypatch.setattr(host_module("rackwright_verify").time, "sleep", lambda seconds: pytest.fail("it waited"))
    late = {"name": "x", "run": ["x"], "expect": "y", "means": "z", "within": 60}
    reported = play.run("look", [{"part": "verify", "role": "nccl", "verify": [late]}])
    assert not reported["as_declared"]


def test_what_a_check_judges_later_is_waited_for_and_not_said(play, monkeypatch, host_module):
    clock = iter(range(100))
    waited = []
    verify = host_module("rackwright_verify").time
    monkeypatch.setattr(verify, "sleep", waited.append)
    monkeypatch.setattr(verify, "monotonic", lambda: float(next(clock)))
    never = {"name": "x", "run": ["x"], "expect": "^sure", "means": "z", "within": 5, "left_to": "a.check"}
    assert not play.run("verify", [{"role": "time", "verify": [never]}])["changed"]
    assert len(waited) == 4
    waited.clear()
    assert not play.run("verify", [{"role": "time", "verify": [{**never, "expect": "^$"}]}])["changed"]
    assert waited == []
    assert not play.run("look", [{"part": "verify", "role": "time", "verify": [never]}])["as_declared"]


def test_a_host_that_is_as_declared_says_so_by_role(play):
    units = {"part": "join", "role": "slurm_node", "units": [{"name": "slurmd", "enabled": True}]}
    reported = play.run("look", [units, {**units, "part": "run"}])
    assert reported["as_declared"]
    assert reported["roles"]["slurm_node"]["changed"] == []
