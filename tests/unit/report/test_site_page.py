"""The page to look into a site: complete, bounded, safe, and drawn by a real browser."""

from __future__ import annotations

import json
import re
import shutil
import subprocess

import pytest

from rackwright.cli.main import main
from rackwright.flow import site_losses
from rackwright.report import site_page
from tests import build

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


@pytest.fixture(scope="module")
def site():
    design = build.site_design()
    return design, site_losses.losses(design)


@pytest.fixture(scope="module")
def page(site, tmp_path_factory):
    path = tmp_path_factory.mktemp("page") / "site.html"
    path.write_text(site_page.render(*site), encoding="utf-8")
    return path


def data_of(page):
    return json.loads(re.search(r'id="data">(.*?)</script>', page.read_text(encoding="utf-8"))[1])


def test_every_rack_device_cable_and_loss_is_on_the_page(site, page):
    design, losses = site
    data = data_of(page)
    assert [rack[0] for rack in data["racks"]] == design.racks["rack"].to_list()
    assert data["devices"]["name"] == design.devices["device"].to_list()
    first, names, words = design.cables.row(0, named=True), data["devices"]["name"], data["words"]
    ends = [(names[data["cables"][end][0]], words[data["cables"][f"{end}_port"][0]]) for end in ("a", "b")]
    assert ends == [(first["a_device"], first["a_port"]), (first["b_device"], first["b_port"])]
    switches = design.devices.filter(design.devices["kind"] == "switch")["device"]
    expected = {f"rack {rack}" for rack in design.racks["rack"]} | {f"switch {name}" for name in switches}
    assert (
        expected | {f"feed {feed}" for feed in design.site.facility.power.feeds}
        <= losses.keys()
        == data["losses"].keys()
    )


def test_it_loads_nothing_and_text_stays_text(site, page):
    text = page.read_text(encoding="utf-8")
    assert "http" not in text.replace("http://www.w3.org/2000/svg", "")
    assert ".innerHTML" not in text
    design, losses = site
    hostile = {
        element: site_page.ShownLoss("</script><b>", ("<img src=x>",), loss.survives, ())
        for element, loss in losses.items()
    }
    assert site_page.render(design, hostile).count("</script>") == text.count("</script>")


def test_a_large_site_keeps_its_racks_and_leaves_its_cables_out(site, monkeypatch):
    monkeypatch.setattr(site_page, "MOST_CABLES", 3)
    data = site_page.page_data(*site)
    assert data["left_out"] == site[0].cables.height
    assert data["cables"]["name"] == []


def test_of_many_racks_and_switches_each_kind_of_wiring_is_computed_once(site, monkeypatch):
    design, exact = site
    monkeypatch.setattr(site_losses, "MOST", 1)
    alike = site_losses.losses(design)
    assert alike.keys() == exact.keys()
    assert len({loss.of for loss in alike.values()}) < len({loss.of for loss in exact.values()})
    for element, loss in alike.items():
        assert loss.survives == exact[element].survives


@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here")
def test_a_browser_draws_a_loss_and_a_cable(site, page, tmp_path):
    design, _ = site
    cable = design.cables.row(0, named=True)
    for where, texts in {
        "lose/feed/A": ["Without feed A", "accelerators are left"],
        f"cable/{cable['cable']}": [f"Cable {cable['cable']}", f"port {cable['b_port']}", 'class="cable"'],
    }.items():
        argv = [
            CHROMIUM,
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            f"--user-data-dir={tmp_path}/profile",
            "--dump-dom",
            f"{page.as_uri()}#{where}",
        ]
        drawn = subprocess.run(argv, capture_output=True, text=True, timeout=300, check=True).stdout
        assert [text for text in texts if text not in drawn] == []


def test_the_verb_writes_the_page_and_opens_nothing_without_a_screen(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("webbrowser.open", lambda *_: pytest.fail("no browser"))
    assert main(["view", str(build.EXAMPLE), "--out", str(tmp_path / "v.html")]) == 0
    assert "losses can be tried" in capsys.readouterr().out
    assert main(["view", str(build.EXAMPLE), "--out", str(tmp_path / "no" / "v.html")]) == 1
    assert "name another file with --out" in capsys.readouterr().err
