from pathlib import Path

import pytest

from tests.patience import until

pytestmark = pytest.mark.twin


def test_hosts_answer_under_their_names_with_their_own_everything(twin) -> None:
    assert twin.say("ssh train-001 hostname") == "train-001"
    assert "10.64.0.32/22" in twin.say("ssh train-001 ip -brief address show eth0")
    assert twin.say("ssh train-002 'ls /root; ls /home'") == ""
    assert len(twin.say("ssh train-001 ls /dev/ | grep '^nvidia[0-9]'").split()) == 8
    first, second = (twin.say(f"ssh {node} cat /etc/machine-id") for node in ("train-001", "train-002"))
    assert first != second


def test_nothing_of_a_host_reaches_the_machine_below(twin) -> None:
    before = Path("/proc/sys/vm/swappiness").read_text()
    assert twin.say("ssh train-001 'sysctl -w vm.swappiness=7; sysctl -n vm.swappiness'").splitlines()[-1] == "7"
    assert Path("/proc/sys/vm/swappiness").read_text() == before
    assert twin.say("ssh train-001 sysctl -n net.ipv4.neigh.default.gc_thresh3") == "1024"
    assert twin.say("ssh train-001 'sysctl -q -w net.core.rmem_max=9; sysctl -n net.core.rmem_max'") == "9"
    assert twin.run("ssh train-001 date -s 2020-01-01")[0] != 0
    twin.say("ssh train-001 touch /etc/only-here")
    assert not Path("/etc/only-here").exists()
    assert twin.run("ssh train-002 test -e /etc/only-here")[0] == 1
    assert twin.run("ssh train-001 mknod /tmp/disk b 254 0")[0] != 0


def test_limits_can_be_raised_in_a_session_and_a_service(twin) -> None:
    twin.say(
        'ssh train-001 \'echo "* - memlock unlimited" > /etc/security/limits.d/t.conf; '
        'echo "root - memlock unlimited" >> /etc/security/limits.d/t.conf\''
    )
    assert twin.say("ssh train-001 ulimit -l") == "unlimited"
    unit = "[Service]\\nType=oneshot\\nLimitMEMLOCK=infinity\\nExecStart=/bin/sh -c 'ulimit -l > /run/memlock'\\n"
    twin.say(f'ssh train-001 "printf \\"{unit}\\" > /etc/systemd/system/lock.service; systemctl start lock"')
    assert twin.say("ssh train-001 cat /run/memlock") == "unlimited"
    assert twin.say("ssh train-002 'ulimit -l'") != "unlimited"


def test_a_reboot_keeps_files_and_starts_enabled_services(twin) -> None:
    twin.say("ssh train-002 'touch /etc/kept /run/lost; printf 1 > /etc/passwd.lock; systemctl enable --now munge'")
    assert "cannot lock /etc/passwd" in twin.run("ssh train-002 useradd killed 2>&1")[1]
    twin.run("ssh train-002 reboot")
    _wait(twin, "ssh -o ConnectTimeout=1 train-002 test ! -e /run/lost")
    _wait(twin, "ssh train-002 systemctl is-active munge")
    twin.say("ssh train-002 test -e /etc/kept")
    twin.say(
        "ssh train-002 useradd again"
    )  # locks of killed programs go at boot (tmpfiles.d of Debian's package passwd)


def test_the_bmc_takes_the_power_and_gives_it_back(twin) -> None:
    redfish = 'curl -sf --cacert "$RACKWRIGHT_BMC_CA" -u "$RACKWRIGHT_BMC_USER:$RACKWRIGHT_BMC_PASSWORD"'
    host = "https://10.64.4.33/redfish/v1/Systems/DGX"
    reset = f"{redfish} -X POST -H 'Content-Type: application/json' {host}/Actions/ComputerSystem.Reset -d "
    twin.say(f'{reset} \'{{"ResetType": "ForceOff"}}\'')
    assert twin.run("ssh -o ConnectTimeout=1 train-002 true")[0] == 255
    assert '"PowerState": "Off"' in twin.say(f"{redfish} {host}")
    twin.say(f'{reset} \'{{"ResetType": "On"}}\'')
    assert twin.say("ssh train-002 hostname") == "train-002"
    twin.run("ssh train-002 poweroff")
    _wait(twin, f'{redfish} {host} | grep -q \'"PowerState": "Off"\'')
    twin.say(f'{reset} \'{{"ResetType": "On"}}\'')


def test_nodes_find_the_time(twin) -> None:
    twin.say(
        'ssh train-001 \'echo "server 10.64.0.2 iburst minpoll 0" > /etc/chrony/chrony.conf; '
        "systemctl restart chrony; chronyc waitsync 3000 0.1 0 0.2'"
    )
    assert "Normal" in twin.say("ssh train-001 chronyc tracking")


def test_packages_come_from_the_mirror_of_the_site(twin) -> None:
    assert "/apt" in twin.say("curl -sf http://10.64.0.2:8080/apt/ | grep -o '/apt' | head -1")
    assert "Err" not in twin.say("ssh train-001 apt-get update")


def _wait(twin, command: str) -> None:
    until(lambda: twin.run(command)[0] == 0, command)
