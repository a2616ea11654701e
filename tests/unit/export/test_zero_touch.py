"""What switches ask for when they start without a configuration: files that their own loaders take, and a file that dnsmasq takes."""

from __future__ import annotations

import hashlib
import json
import subprocess
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


def test_a_nexus_gets_its_configuration_by_serial():
    texts = started("nxos")
    assert texts["conf.FDO25500ZWG"] == texts["compute-leaf-01/startup-config"]
    digest = hashlib.md5(texts["conf.FDO25500ZWG"].encode(), usedforsecurity=False).hexdigest()
    assert texts["conf.FDO25500ZWG.md5"] == f"md5sum={digest}\n"


def test_switches_that_are_not_listed_get_nothing():
    names = {name for name in started("cumulus") if name.endswith("cumulus-ztp")}
    assert names == {"compute-leaf-01/cumulus-ztp"}


def test_systems_without_such_a_start_are_refused(example):
    request = ExportRequest(fabric="compute", url=URL, machines={LISTED.node: LISTED})
    with pytest.raises(ProblemsError, match="how mlnxos starts without a configuration is not written"):
        files(example, request)
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
