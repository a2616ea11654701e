"""What the parts of node_state do on a host, on real files below a temporary folder and with programs that are caught."""

import http.server
import json
import threading
from pathlib import Path

import pytest


class Module:
    """Stands where AnsibleModule would: records programs, and gives prepared answers."""

    def __init__(self, answers=None, *, check_mode=False) -> None:
        self.check_mode, self.answers, self.ran = check_mode, answers or {}, []

    def run_command(self, argv, **options):
        self.ran.append(list(argv))
        for start, answer in self.answers.items():
            if " ".join(argv).startswith(start):
                return answer
        return 0, "", ""


@pytest.fixture
def parts(host_module):
    return lambda name: host_module(f"rackwright_{name}")


@pytest.fixture
def act(parts, tmp_path):
    def make(answers=None, *, check=False):
        result = parts("act").Act(Module(answers, check_mode=check), pending=str(tmp_path / "pending"))
        result.of("role")
        return result

    return make


def test_a_file_is_written_once_and_its_mode_is_kept(parts, act, tmp_path):
    entry = {"path": str(tmp_path / "a" / "x.conf"), "text": "one\n", "mode": "0600"}
    first, second = act(), act()
    parts("files").bring(first, entry, {})
    parts("files").bring(second, entry, {})
    assert first.roles["role"]["changed"] == [entry["path"]]
    assert second.roles["role"]["changed"] == []
    assert Path(entry["path"]).read_text() == "one\n"
    assert Path(entry["path"]).stat().st_mode & 0o777 == 0o600


def test_a_check_writes_nothing_and_shows_what_it_would(parts, act, tmp_path):
    looked = act(check=True)
    parts("files").bring(looked, {"path": str(tmp_path / "x"), "text": "one\n"}, {"role.cmd": [str(tmp_path / "*")]})
    assert not (tmp_path / "x").exists()
    assert not (tmp_path / "pending").exists()
    assert looked.diffs[0]["after"] == "one\n"
    assert looked.due("role.cmd")


def test_a_secret_is_in_no_difference(parts, act, tmp_path):
    wrote = act()
    parts("files").bring(wrote, {"path": str(tmp_path / "key"), "text": b"\xf5secret", "secret": True}, {})
    assert (tmp_path / "key").read_bytes() == b"\xf5secret"
    assert "secret" not in json.dumps(wrote.diffs)


def test_our_block_goes_and_the_rest_of_the_file_stays(parts, act, tmp_path):
    path = tmp_path / "sshd"
    path.write_text("account required pam_nologin.so\n# BEGIN rackwright\nours\n# END rackwright\nsession x\n")
    entry = {"path": str(path), "block": True, "absent": True}
    for check, changes in ((True, 1), (False, 1), (False, 0)):
        doing = act(check=check)
        parts("files").bring(doing, entry, {})
        assert len(doing.roles["role"]["changed"]) == changes
    assert path.read_text() == "account required pam_nologin.so\nsession x\n"


def test_a_block_leaves_the_rest_of_the_file_alone(parts, act, tmp_path):
    path = tmp_path / "hosts"
    path.write_text("127.0.0.1 localhost\n")
    entry = {"path": str(path), "text": "10.0.0.1 a\n", "block": True}
    parts("files").bring(act(), entry, {})
    parts("files").bring(act(), {**entry, "text": "10.0.0.2 b\n"}, {})
    path.write_text(path.read_text() + "10.9.9.9 by-hand\n")
    parts("files").bring(act(), {**entry, "text": "10.0.0.3 c\n"}, {})
    assert path.read_text().splitlines() == [
        "127.0.0.1 localhost",
        "# BEGIN rackwright",
        "10.0.0.3 c",
        "# END rackwright",
        "10.9.9.9 by-hand",
    ]


def test_a_command_that_a_killed_run_owed_is_done_by_the_next_one(parts, act, tmp_path):
    path, commands = str(tmp_path / "x.conf"), parts("commands")
    entry = {"name": "Rebuild", "run": ["rebuild"], "after_change_of": [path]}
    watchers = {commands.key("role", entry): [path]}
    killed = act()
    parts("files").bring(killed, {"path": path, "text": "new\n"}, watchers)
    later, last = act(), act()
    commands.bring(later, entry)
    assert later.module.ran[0][3:] == ["rebuild"]
    assert not act().due(commands.key("role", entry))
    last = act()
    commands.bring(last, entry)
    assert last.module.ran == []


def test_a_command_that_fails_stays_owed_and_says_its_own_words(parts, act, tmp_path):
    commands, entry = parts("commands"), {"name": "Rebuild", "run": ["rebuild"], "after_change_of": ["/x"]}
    failing = act({"timeout": (7, "", "no space left\n")})
    failing.ask("/x", {commands.key("role", entry): ["/x"]})
    with pytest.raises(parts("act").ActError, match="`rebuild` ended with 7: no space left"):
        commands.bring(failing, entry)
    assert act().due(commands.key("role", entry))


def test_a_command_without_a_test_is_refused(parts, act):
    with pytest.raises(parts("act").ActError, match="has no test"):
        parts("commands").bring(act(), {"name": "Always", "run": ["true"]})


UNIT = "Id=x.service\nLoadState=loaded\nActiveState={active}\nUnitFileState={file}\nType=simple\nResult=success\n"


@pytest.mark.parametrize(
    ("active", "file", "expected"),
    [
        ("active", "enabled", []),
        ("inactive", "enabled", [["systemctl", "start", "x"]]),
        ("active", "disabled", [["systemctl", "enable", "x"]]),
    ],
)
def test_a_unit_is_brought_only_where_it_is_not(parts, act, active, file, expected):
    units = parts("units")
    result = act({"systemctl show": (0, UNIT.format(active=active, file=file), "")})
    units.bring(result, {"name": "x", "enabled": True}, units.states(result, ["x"])["x"])
    assert result.module.ran[1:] == expected


def test_a_unit_restarts_when_a_file_of_it_changed_and_once(parts, act):
    units, entry = parts("units"), {"name": "x", "enabled": True, "restart_on": ["/etc/x*"]}
    result = act({"systemctl show": (0, UNIT.format(active="active", file="enabled"), "")})
    result.ask("/etc/x.conf", {units.key("role", entry): entry["restart_on"]})
    units.bring(result, entry, units.states(result, ["x"])["x"])
    assert result.module.ran[-1] == ["systemctl", "restart", "x"]
    assert not act().due(units.key("role", entry))


def test_a_unit_that_is_not_there_is_said_and_in_a_check_it_is_to_come(parts, act):
    units, missing = parts("units"), {"LoadState": "not-found", "ActiveState": "inactive"}
    with pytest.raises(parts("act").ActError, match="there is no unit x on this host"):
        units.bring(act(), {"name": "x"}, missing)
    looked = act(check=True)
    units.bring(looked, {"name": "x"}, missing)
    assert looked.roles["role"]["changed"]


def test_all_that_is_not_so_is_said_at_once(parts, act, tmp_path):
    verify = parts("verify")
    (tmp_path / "x").write_text("one\n")
    right = {"name": "A", "file": str(tmp_path / "x"), "expect": "^one$", "means": "m"}
    assert verify.problem(act(), right) == ""
    assert "'one'" in verify.problem(act(), {**right, "expect": "^two$"})
    assert "cannot be read" in verify.problem(act(), {**right, "file": str(tmp_path / "y")})
    lines = {"name": "B", "run": ["smi"], "expect": "^580", "every_line": True, "lines": 2, "means": "m"}
    assert verify.problem(act({"timeout": (0, "580\n580\n", "")}), lines) == ""
    assert "'590'" in verify.problem(act({"timeout": (0, "580\n590\n", "")}), lines)
    assert "1 lines, expected 2" in verify.problem(act({"timeout": (0, "580\n", "")}), lines)
    assert "ended with 9" in verify.problem(act({"timeout": (9, "", "no devices\n")}), lines)


def test_packages_are_installed_in_one_transaction_pinned_and_held(parts, act, tmp_path, monkeypatch):
    apt = parts("apt")
    for name, value in {"PREFERENCES": "preferences.d", "JOURNAL": "updates", "OURS": "ours"}.items():
        monkeypatch.setattr(apt, name, str(tmp_path / value))
    (tmp_path / "updates").mkdir()
    result = act()
    manager = apt.Packages(result, any_source=False)
    manager.pin("nvidia_driver", {"nvidia-open": "580.173.02-*", "dkms": ""})
    manager.install(["dkms", "nvidia-open"], {"nvidia-open": "580.173.02-*", "dkms": ""})
    manager.hold(["nvidia-open"])
    words = result.module.ran[-2]
    assert words[-2:] == ["dkms", "nvidia-open=580.173.02-*"]
    assert f"Dir::Etc::sourceparts={tmp_path / 'ours'}" in words
    assert result.module.ran[-1] == ["dpkg", "--set-selections"]
    assert "Pin-Priority: 1001" in (tmp_path / "preferences.d" / "rackwright-nvidia-driver").read_text()


def test_nothing_asked_for_is_not_everything(parts, act):
    """dpkg-query without names lists every package: an empty list of unwanted ones must not remove the system."""
    result = act()
    assert parts("apt").Packages(result, any_source=False).have([]) == {}
    assert parts("dnf").Packages(result, any_source=False).have([]) == {}
    assert result.module.ran == []


@pytest.mark.parametrize(
    ("message", "hint"),
    [
        ("E: The following signatures were invalid: EXPKEYSIG 0A1B rackwright mirror", "has expired"),
        ("E: Failed to fetch http://m/x.deb  Hash Sum mismatch", "rackwright mirror verify"),
        ("E: Could not get lock /var/lib/dpkg/lock-frontend", "another program holds the package database"),
        ("E: You don't have enough free space in /var/cache: No space left", "disk of the host is full"),
    ],
)
def test_what_apt_says_comes_with_what_to_do(parts, act, message, hint):
    manager = parts("apt").Packages(act({"apt-get": (100, "", message)}), any_source=False)
    with pytest.raises(parts("act").ActError, match=hint):
        manager._apt("update")


def test_dnf_enables_the_stream_installs_exactly_and_locks(parts, act, tmp_path, monkeypatch):
    dnf = parts("dnf")
    monkeypatch.setattr(dnf, "LOCKS", str(tmp_path / "versionlock.list"))
    result = act()
    manager = dnf.Packages(result, any_source=False)
    required = {"@nvidia-driver:580-open": "", "kmod-nvidia-open-dkms": "580.173.02-*", "chrony": ""}
    manager.install(sorted(required), required)
    manager.hold(["kmod-nvidia-open-dkms"])
    front = ["dnf", "--assumeyes", "--quiet", "--disablerepo=*", "--enablerepo=rackwright*"]
    assert result.module.ran[0] == [*front, "makecache", "--refresh"]
    assert result.module.ran[1][:-1] == [*front, "module", "enable", "nvidia-driver:580-open"]
    assert result.module.ran[1][-1] == "--setopt=module_stream_switch=True", "or dnf refuses to change the branch"
    assert result.module.ran[2][-2:] == ["chrony", "kmod-nvidia-open-dkms-580.173.02-*"]
    assert result.module.ran[3] == [*front, "versionlock", "add", "kmod-nvidia-open-dkms"]


WANTED = {"nvidia-open": "580.173.02-*", "libcuda1*": "580.173.02-*", "chrony": ""}


def test_what_agrees_is_left_alone(parts):
    have = {"nvidia-open": ("580.173.02-1", True), "libcuda1": ("580.173.02-1", True), "chrony": ("4.3", False)}
    assert parts("versions").compare(have, WANTED) == ([], [])


def test_absent_wrong_and_unheld_packages_are_told_apart(parts):
    have = {"nvidia-open": ("580.173.02-1", False), "libcuda1": ("595.91.07-1", True)}
    assert parts("versions").compare(have, WANTED) == (["chrony", "libcuda1"], ["nvidia-open"])


def test_a_version_pattern_does_not_reach_into_the_next_release(parts):
    matches = parts("versions").matches
    assert matches("580.173.02-1", "580.173.02-*")
    assert not matches("580.173.021-1", "580.173.02-*")
    assert not matches("4.6.0-1", "1:4.6.0-*")


def test_roles_that_disagree_on_a_version_are_refused_by_name(parts):
    with pytest.raises(parts("act").ActError, match=r"x is wanted as 1-\* by a and as 2-\* by b"):
        parts("versions").together({"a": {"x": "1-*"}, "b": {"x": "2-*"}})


def test_a_number_that_another_account_has_is_said_and_not_taken(parts, act):
    with pytest.raises(parts("act").ActError, match="number 0, which the user root has"):
        parts("accounts").bring(act(), [], [{"name": "nobody-knows", "uid": 0, "group": "root"}])
    with pytest.raises(parts("act").ActError, match="number 0, which the group root has"):
        parts("accounts").bring(act(), [{"name": "nobody-knows", "gid": 0}], [])


DAEMON = {"uid": 64999, "group": "daemon", "system": True}


@pytest.mark.parametrize("check", [False, True])
def test_the_account_of_a_daemon_keeps_its_number_while_files_have_it(parts, act, check):
    """`games` and `man` are accounts of every Debian; nothing is changed on this machine, because programs are caught."""
    host = act({"find": (0, "/var/lib/slurm\n", "")}, check=check)
    with pytest.raises(parts("act").ActError) as refused:
        parts("accounts").bring(host, [{"name": "games", "gid": 64999, "system": True}], [{**DAEMON, "name": "man"}])
    group, user = str(refused.value).split("; ")[0], str(refused.value)
    assert (
        "group games has the number 60 on this host and 64999 on the others, and files such as /var/lib/slurm" in group
    )
    assert (
        "usermod --uid 64999 man && find /etc /home /opt /srv /usr/local /var -xdev -uid 6 -exec chown -h man {} +"
        in user
    )
    assert "or give all hosts the number 6" in user
    assert {words[0] for words in host.module.ran} == {"find"}


def test_the_account_of_a_daemon_without_files_gets_the_number_of_the_others(parts, act):
    host = act()
    parts("accounts").bring(
        host, [{"name": "games", "gid": 64999, "system": True}], [{**DAEMON, "name": "man", "group": "man"}]
    )
    assert [words for words in host.module.ran if words[0] != "find"] == [
        ["groupmod", "--gid", "64999", "games"], ["usermod", "--uid", "64999", "man"],
    ]  # fmt: skip


def test_the_account_of_a_daemon_is_made_without_a_home(parts, act):
    host = act()
    parts("accounts").bring(host, [], [{**DAEMON, "name": "nobody-knows", "comment": "c"}])
    [command] = host.module.ran
    assert command[:3] == ["useradd", "--uid", "64999"]
    assert command[-5:] == ["--system", "--no-create-home", "--home-dir", "/nonexistent", "nobody-knows"]


def test_an_account_that_is_only_made_where_it_is_missing_keeps_what_it_is(parts, act):
    host = act()
    entry = {"gid": 64101, "system": True, "only_if_missing": True, "name": "games"}
    parts("accounts").bring(host, [entry], [{**entry, "uid": 64101, "group": "games"}])
    assert host.module.ran == []


def test_a_download_with_another_digest_is_refused_and_leaves_nothing(parts, act, tmp_path):
    (tmp_path / "source").write_bytes(b"wrong")
    entry = {"path": str(tmp_path / "out" / "x.run"), "url": (tmp_path / "source").as_uri(), "sha256": "0" * 64}
    with pytest.raises(parts("act").ActError, match="expected sha256:0000"):
        parts("fetch").bring(act(), entry)
    assert list((tmp_path / "out").iterdir()) == []
    good = {**entry, "sha256": parts("fetch").digest(tmp_path / "source")}
    parts("fetch").bring(act(), good)
    assert (tmp_path / "out" / "x.run").read_bytes() == b"wrong"


def test_a_download_that_breaks_off_is_no_file_though_nobody_gave_its_digest(parts, act, tmp_path):
    class Short(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.send_header("Content-Length", "100")
            self.end_headers()
            self.wfile.write(b"half of a key")

        def log_message(self, *_):
            pass

    with http.server.HTTPServer(("127.0.0.1", 0), Short) as server:
        threading.Thread(target=server.handle_request, daemon=True).start()
        entry = {"path": str(tmp_path / "key.asc"), "url": f"http://127.0.0.1:{server.server_port}/key.asc"}
        with pytest.raises(parts("act").ActError, match="broke off after 13 of 100 bytes"):
            parts("fetch").bring(act(), entry)
    assert list(tmp_path.iterdir()) == []
