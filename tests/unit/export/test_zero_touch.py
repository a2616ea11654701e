"""What switches ask for when they start without a configuration: files that their own loaders take, and a file that dnsmasq takes."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from rackwright.base.errors import ProblemsError
from rackwright.cli.main import main
from rackwright.export import ExportRequest
from rackwright.install.machines_file import DeclaredMachine
from tests.unit.export.switch_sites import REQUEST, SYSTEMS, files, two_rails

GOLDEN = Path(__file__).parents[2] / "golden" / "switches" / "zero-touch"
URL = "http://10.64.0.2:8080/switches"
LISTED = DeclaredMachine("compute-leaf-01", "FDO25500ZWG", "02:00:5e:10:00:01")


def started(system: str) -> dict[str, str]:
    request = replace(REQUEST, url=URL, machines={LISTED.node: LISTED})
    return files(two_rails(system, **SYSTEMS[system]), request)


@pytest.mark.parametrize("system", SYSTEMS)
def test_dnsmasq_takes_the_answers(system, tmp_path, golden):
    text = started(system)["dnsmasq.conf"]
    golden(GOLDEN / f"{system}.conf", text)
    path = tmp_path / "dnsmasq.conf"
    path.write_text(text)
    done = subprocess.run(["/usr/sbin/dnsmasq", "--test", f"--conf-file={path}"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(("system", "file"), [("sonic", "frr.sh"), ("cumulus", "cumulus-ztp")])
def test_scripts_are_scripts(system, file, golden):
    text = started(system)[f"compute-leaf-01/{file}"]
    assert text.startswith("#!/bin/bash\n")
    assert subprocess.run(["bash", "-n"], input=text, text=True, check=False).returncode == 0
    golden(GOLDEN / file, text)


def test_every_url_is_that_of_an_exported_file():
    texts = started("sonic")
    sections = json.loads(texts["compute-leaf-01/ztp.json"])["ztp"]
    assert list(sections) == sorted(sections)
    urls = [sections["01-frr"]["plugin"]["url"]["source"], sections["02-configdb-json"]["url"]["source"]]
    assert all(url.removeprefix(f"{URL}/") in texts for url in urls)
    assert f"{URL}/compute-leaf-01/frr.conf" in texts["compute-leaf-01/frr.sh"]


def test_a_nexus_runs_a_script_that_takes_its_own_configuration_alone(tmp_path, golden):
    texts = started("nxos")
    script = texts["compute-leaf-01/poap.py"]
    golden(GOLDEN / "poap.txt", script)
    lines = script.splitlines(keepends=True)
    assert lines[1] == f'#md5sum="{hashlib.md5("".join(lines[:1] + lines[2:]).encode()).hexdigest()}"\n'
    (tmp_path / "cli.py").write_text(
        f"import shutil\n\ndef cli(line):\n    print(line)\n    if line.startswith('terminal'):\n"
        f"        shutil.copy({str(tmp_path / 'startup-config')!r}, {str(tmp_path / 'poap.cfg')!r})\n"
    )
    (tmp_path / "poap.py").write_text(script.replace("/bootflash/", f"{tmp_path}/"))

    def run(serial: str, text: str) -> subprocess.CompletedProcess[str]:
        (tmp_path / "startup-config").write_text(text)
        command = [sys.executable, str(tmp_path / "poap.py")]
        return subprocess.run(command, env={"POAP_SERIAL": serial}, capture_output=True, text=True, check=False)

    config = texts["compute-leaf-01/startup-config"]
    done = run(LISTED.serial, config)
    assert done.stdout.splitlines() == [
        f"terminal dont-ask ; copy {URL}/compute-leaf-01/startup-config bootflash:poap.cfg vrf management",
        "copy bootflash:poap.cfg scheduled-config",
    ]
    assert "did not arrive whole" in run(LISTED.serial, config[:-9]).stderr
    assert "this switch is not FDO25500ZWG" in run("FDO1", config).stderr


def test_infiniband_switches_start_by_the_commands_that_they_take(example):
    request = ExportRequest(fabric="compute", url=URL, machines={LISTED.node: LISTED})
    conf = files(example, request)["dnsmasq.conf"]
    assert f'tag:compute-leaf-01,option:tftp-server,",{URL}/compute-leaf-01,"' in conf
    assert 'tag:compute-leaf-01,option:bootfile-name,",commands.txt,"' in conf
    fabrics = [fabric.model_copy(update={"switch_system": "nvos"} if fabric.name == "compute" else {}) for fabric in example.site.fabrics]  # fmt: skip
    texts = files(replace(example, site=example.site.model_copy(update={"fabrics": fabrics})), request)
    assert json.loads(texts["compute-leaf-01/ztp.json"]) == {
        "ztp": {"01-commands-list": {"url": f"{URL}/compute-leaf-01/commands.txt"}}
    }
    lines = texts["compute-leaf-01/commands.txt"].splitlines()
    assert "nv set system hostname compute-leaf-01" in lines
    assert all(line.startswith("nv set ") for line in lines)


def test_switches_that_are_not_listed_get_nothing():
    names = {name for name in started("cumulus") if name.endswith("cumulus-ztp")}
    assert names == {"compute-leaf-01/cumulus-ztp"}


def test_systems_without_such_a_start_are_refused(example):
    request = ExportRequest(fabric="compute", url=URL, machines={LISTED.node: LISTED})
    oob = ExportRequest(fabric="oob", url=URL, machines={"oob-switch-01": LISTED})
    with pytest.raises(ProblemsError, match="how a switch of BMCs, whose address is on its ports, starts"):
        files(example, oob)
    with pytest.raises(ProblemsError, match="none of the exported switches is in the list"):
        files(example, replace(request, machines={"x": LISTED}))


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--url", URL], "--machines and --url belong together"),
        (["--machines", "/no/such/file", "--url", "http://x/$(id)"], "give the address of the folder"),
        (["--machines", "/no/such/file", "--url", URL], "cannot be read"),
    ],
)
def test_options_that_do_not_fit(options, says, example_site, capfd):
    assert main(["export", str(example_site), "--to", "switches", "--fabric", "compute", *options]) == 2
    assert says in capfd.readouterr().err


def test_a_list_with_a_switch_that_the_site_lacks(example_site, capfd, tmp_path):
    path = tmp_path / "switches.csv"
    path.write_text("node,serial,mac\ncompute-leaf-1,X1,02:00:5e:10:00:01\n")
    options = ["--fabric", "compute", "--machines", str(path), "--url", URL]
    assert main(["export", str(example_site), "--to", "switches", *options]) == 1
    assert "did you mean compute-leaf-0" in capfd.readouterr().err
