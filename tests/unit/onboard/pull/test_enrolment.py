import json
import subprocess

from rackwright.onboard.pull import enrolment
from rackwright.onboard.pull.listening import PullListening

WHERE = PullListening("10.0.0.5", 8443)


def test_the_script_writes_what_the_agent_needs_and_the_token_of_this_node_alone(keys, tmp_path):
    text = enrolment.script("train-001", keys, WHERE)
    for folder in ("/opt/", "/etc/"):
        text = text.replace(folder, f"{tmp_path}{folder}")
    (tmp_path / "etc" / "systemd" / "system").mkdir(parents=True)
    called = tmp_path / "called"
    stand_in = f'systemctl() {{ echo "$*" >> {called}; }}\n'
    subprocess.run(["sh"], input=(stand_in + text).encode(), check=True)
    config = tmp_path / "etc" / "rackwright" / "pull.json"
    words = json.loads(config.read_text())
    assert (words["node"], words["url"], config.stat().st_mode & 0o777) == ("train-001", "https://10.0.0.5:8443", 0o600)
    assert words["token"] == keys.token("train-001") != keys.token("train-002")
    programs = {path.name for path in (tmp_path / "opt" / "rackwright" / "pull").iterdir()}
    assert programs == {"pull_agent.py", "pull_worker.py", "bootstrap.py"}
    assert "ExecStart=/usr/bin/python3 /opt/rackwright/pull/pull_agent.py" in enrolment.UNIT
    assert called.read_text().splitlines()[-1] == "restart rackwright-pull.service"


def test_who_cannot_be_enrolled_is_named_with_the_reason(keys, tmp_path, monkeypatch):
    program = tmp_path / "ssh"
    program.write_text(
        "#!/bin/sh\ncat >/dev/null\ncase \"$*\" in *10.0.0.2*) echo 'No route to host' >&2; exit 255;; esac\n"
    )
    program.chmod(0o755)
    monkeypatch.setattr(enrolment.settings, "child", lambda _: {"PATH": f"{tmp_path}:/usr/bin:/bin"})
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    common = {"ansible_user": "root", "ansible_ssh_private_key_file": "id", "ansible_ssh_common_args": ""}
    hosts = {f"train-00{number}": {**common, "ansible_host": f"10.0.0.{number}"} for number in (1, 2)}
    assert enrolment.enrol(hosts, keys, WHERE) == {"train-002": "No route to host"}
