import re

import pytest

SERVERS = {"time_servers": ["10.64.0.2", "10.64.0.3"]}


@pytest.mark.parametrize(
    ("system", "path", "unit"),
    [("debian-12", "/etc/chrony/chrony.conf", "chrony"), ("rhel-9", "/etc/chrony.conf", "chronyd")],
)
def test_the_clock_asks_the_servers_of_the_site_and_no_others(declared, system, path, unit):
    found = declared("time", os=system, **SERVERS)
    lines = [line for line in found.files[path].splitlines() if line.startswith(("server", "pool", "source"))]
    assert lines == ["server 10.64.0.2 iburst", "server 10.64.0.3 iburst"]
    assert found.units[unit]["restart_on"][0] == path


def test_a_hardware_clock_is_read_besides(declared):
    text = declared("time", time_ptp_device="/dev/ptp0", **SERVERS).files["/etc/chrony/chrony.conf"]
    assert "refclock PHC /dev/ptp0 " in text
    assert "refclock" not in declared("time", **SERVERS).files["/etc/chrony/chrony.conf"]


def test_other_daemons_that_set_the_clock_go(declared):
    assert declared("time", **SERVERS).part("install")["remove"] == ["ntp", "ntpsec", "openntpd"]


def test_a_container_watches_the_clock_of_its_host(declared):
    found = declared("time", facts={"container": True}, **SERVERS)
    assert ' -x"' in found.files["/etc/default/chrony"]
    assert "rtcsync" not in found.files["/etc/chrony/chrony.conf"]


def test_no_servers_and_no_device_are_refused(declared):
    assert "at least one time server" in declared("time", time_servers=[]).refused
    assert "found ptp0" in declared("time", time_ptp_device="ptp0", **SERVERS).refused
    assert declared("time", **SERVERS).refused == ""


def test_a_server_is_looked_for_by_the_name_that_the_site_gave_it_and_not_by_its_beginning(declared):
    found = declared("time", time_servers=["10.64.0.2", "ntp.site"]).verify["Time servers"]
    assert found["run"] == ["chronyc", "-N", "-c", "sources"]
    assert re.search(found["expect"], "^,*,10.64.0.2,2,6,377,4,0.1,0.1,0.1", re.MULTILINE)
    assert not re.search(found["expect"], "^,*,10.64.0.20,2,6,377,4,0.1,0.1,0.1", re.MULTILINE)


def test_a_daemon_that_does_not_answer_is_said(declared):
    """chronyc ends with 1 whether the clock is not right yet or nobody answers; only its words tell (chrony 4.3, tried)."""
    found = declared("time", **SERVERS).verify["Clock"]
    assert re.search(found["expect"], "try: 1, refid: 00000000, correction: 0.000000000, skew: 0.000\n")
    assert not re.search(found["expect"], "506 Cannot talk to daemon\n")
