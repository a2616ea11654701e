import os
import re
import subprocess

import pytest

from rackwright import judge

SERVERS = {"time_servers": ["10.64.0.2", "10.64.0.3"]}


@pytest.mark.parametrize(
    ("system", "path", "unit"),
    [("debian-12", "/etc/chrony/chrony.conf", "chrony"), ("rhel-9", "/etc/chrony.conf", "chronyd")],
)
def test_the_clock_asks_the_servers_of_the_site_and_no_others(declared, system, path, unit):
    role = declared("time", os=system, **SERVERS)
    lines = [line for line in role.files[path].splitlines() if line.startswith(("server", "pool", "source"))]
    assert lines == ["server 10.64.0.2 iburst", "server 10.64.0.3 iburst"]
    assert role.units[unit]["restart_on"][0] == path


def test_a_hardware_clock_is_read_besides(declared):
    text = declared("time", time_ptp_device="/dev/ptp0", **SERVERS).files["/etc/chrony/chrony.conf"]
    assert "refclock PHC /dev/ptp0 " in text
    assert "refclock" not in declared("time", **SERVERS).files["/etc/chrony/chrony.conf"]


def test_other_daemons_that_set_the_clock_go(declared):
    assert declared("time", **SERVERS).part("install")["remove"] == ["ntp", "ntpsec", "openntpd"]


def test_a_container_watches_the_clock_of_its_host(declared):
    role = declared("time", facts={"container": True}, **SERVERS)
    assert ' -x"' in role.files["/etc/default/chrony"]
    assert "rtcsync" not in role.files["/etc/chrony/chrony.conf"]


def test_no_servers_and_no_device_are_refused(declared):
    assert "at least one time server" in declared("time", time_servers=[]).refused
    assert "found ptp0" in declared("time", time_ptp_device="ptp0", **SERVERS).refused
    assert declared("time", **SERVERS).refused == ""


def test_a_server_is_looked_for_by_the_name_that_the_site_gave_it_and_not_by_its_beginning(declared):
    role = declared("time", time_servers=["10.64.0.2", "ntp.site"]).verify["Time servers"]
    assert role["run"] == ["chronyc", "-N", "-c", "sources"]
    assert re.search(role["expect"], "^,*,10.64.0.2,2,6,377,4,0.1,0.1,0.1", re.MULTILINE)
    assert not re.search(role["expect"], "^,*,10.64.0.20,2,6,377,4,0.1,0.1,0.1", re.MULTILINE)


def test_a_daemon_that_does_not_answer_is_said(declared):
    """chronyc ends with 1 and these words (chrony 4.3, tried)."""
    role = declared("time", **SERVERS).verify["Time servers"]
    assert not re.search(role["expect"], "506 Cannot talk to daemon\n")


SURE = "7F000001,10.64.0.2,9,1795248121.47,-0.000001366,0.000000054,0.0000016,-0.014,0.001,0.120,0.0000058,0.0000013,1.0,Normal"
COLD = "00000000,,0,0.0,0.0,0.0,0.0,0.000,0.000,0.000,1.0,1.0,0.0,Not synchronised"


@pytest.mark.parametrize(
    ("line", "sure"),
    [
        (SURE, True),
        (SURE.replace(",Normal", ",Insert second"), True),
        (SURE.replace("0.0000013,1.0", "0.31,1.0"), False),
        (SURE.replace("-0.000001366", "-0.06"), False),
        (SURE.replace("0.000000054", "3.2"), False),
        (SURE.replace("0.120", "900"), False),
        (SURE.replace("0.0000058", "0.12"), False),
        (SURE.replace("0.0000058", "0.08"), True),
        (SURE.replace(",Normal", ",Not synchronised"), False),
        (COLD, False),
        ("506 Cannot talk to daemon", False),
    ],
)
def test_a_clock_is_waited_for_until_its_error_is_within_the_bound(declared, tmp_path, line, sure):
    chronyc = tmp_path / "chronyc"
    chronyc.write_text(f"#!/bin/sh\necho \"$*\" >> {tmp_path}/asked; [ \"$*\" = '-c tracking' ] && echo '{line}'\n")
    chronyc.chmod(0o755)
    role = declared("time", **SERVERS).verify["Clock"]
    path = f"{tmp_path}:{os.environ['PATH']}"
    done = subprocess.run(role["run"], env={"PATH": path}, capture_output=True, text=True, check=False)
    assert bool(re.search(role["expect"], done.stdout)) is sure, done.stdout + done.stderr
    assert len(done.stdout.splitlines()) == 1
    assert (tmp_path / "asked").read_text().splitlines()[1:] == ([] if sure else ["burst 4/8"])


def test_the_bound_is_the_one_that_acceptance_judges_by(declared):
    table = judge.load_limits()
    error, share = table.find("clock.error_seconds"), table.find("clock.delay_share")
    role = declared("time", **SERVERS).verify["Clock"]
    assert role["left_to"] in judge.load_checks()
    assert f"error <= {error.value}\n" in role["run"][2]
    assert f"+ {share.value} * $11 " in role["run"][2]
    assert "error <= 0.2\n" in declared("time", time_error_seconds=0.2, **SERVERS).verify["Clock"]["run"][2]


def test_one_more_poll_is_waited_for_after_the_first_answers(declared):
    """chrony.conf(5): iburst asks four times, two seconds apart; then comes minpoll, 2^6 s."""
    assert float(declared("time", **SERVERS).verify["Clock"]["within"]) == 4 * 2 + 2**6
    assert float(declared("time", time_settle_seconds=5, **SERVERS).verify["Clock"]["within"]) == 5
