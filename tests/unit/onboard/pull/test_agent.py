import json
import threading

import pytest

from rackwright.base.workspace import Workspace
from rackwright.onboard.pull.pull_keys import PullKeys
from tests.patience import until
from tests.unit.onboard.pull.conftest import digest, events


def result(site):
    return site.book.results.get_nowait()


def test_a_node_waits_until_its_order_is_released_and_plays_it_once(site):
    agent = site.agent("train-001")
    waiting = threading.Thread(target=agent.turn)
    waiting.start()
    until(lambda: site.asks)
    site.release("train-001")
    waiting.join()
    agent.turn()
    name, posted = result(site)
    assert (name, posted["node"], posted["trouble"], site.plays("train-001")) == ("train-001", "train-001", "", 1)
    assert [event["event"] for event in posted["parts"][0]] == ["runner_on_ok", "playbook_on_stats"]
    assert "invocation" not in posted["parts"][0][0]["event_data"]["res"]
    assert site.book.results.empty()


@pytest.mark.parametrize("part", [b"bundle", b"project"])
def test_a_node_whose_bundle_was_changed_plays_nothing_and_says_so(site, part):
    site.release("train-001")
    site.book.files[digest(part)] = part + b" and more"
    agent = site.agent("train-001")
    agent.turn()
    agent.turn()
    _, posted = result(site)
    assert "a file of the bundle was changed" in posted["refused"]
    assert (posted["parts"], site.plays("train-001")) == ([], 0)


@pytest.mark.parametrize("tampered", ["order", "signature"])
def test_an_order_that_the_site_did_not_sign_is_not_played(site, tampered, tmp_path):
    site.release("train-001")
    released = site.book._released["train-001"]
    served = json.loads(released.served)
    if tampered == "order":
        served["order"] = served["order"].replace('"reboot": false', '"reboot": true')
    else:
        served["signature"] = PullKeys.of_site(Workspace(tmp_path / "other")).sign(served["order"].encode())
    released.served = json.dumps(served).encode()
    agent = site.agent("train-001")
    agent.turn()
    agent.turn()
    _, posted = result(site)
    assert "its signature is not that of this site" in posted["refused"]
    assert (posted["parts"], site.plays("train-001")) == ([], 0)


def test_an_order_for_another_node_or_an_older_one_is_not_played(site):
    agent = site.agent("train-001")
    site.release("train-002")
    foreign = site.book._released["train-002"].served
    assert "is for train-002" in agent._played(foreign)["refused"]
    agent._keep("last.json", {"issued": 1e12})
    site.release("train-001")
    assert "older than the last" in agent._played(site.book._released["train-001"].served)["refused"]
    assert site.plays("train-001") == 0


def test_a_node_goes_on_after_its_reboot(site, monkeypatch):
    monkeypatch.setattr(site.program.subprocess, "run", reboot := Commands(site.program.subprocess.run))
    monkeypatch.setattr(site.program.signal, "pause", ended)
    first = site.agent(
        "train-001", events("train-001", failed=1, reasons=["kernel: old"]), events("train-001", reasons=[])
    )
    site.release("train-001", reboot=True)
    with pytest.raises(InterruptedError):
        first.turn()
    assert reboot.requested == ["systemctl reboot"]
    after = site.program.Agent(site.config("train-001"))
    after.turn()
    after.turn()
    _, posted = result(site)
    assert (len(posted["parts"]), site.plays("train-001"), reboot.requested) == (2, 2, ["systemctl reboot"])


def test_without_leave_nobody_reboots(site, monkeypatch):
    monkeypatch.setattr(site.program.subprocess, "run", reboot := Commands(site.program.subprocess.run))
    agent = site.agent("train-001", events("train-001", failed=1, reasons=["kernel: old"]))
    site.release("train-001")
    agent.turn()
    assert reboot.requested == []


def test_a_secret_goes_to_the_node_whose_order_names_it(site, tmp_path):
    (tmp_path / "munge.key").write_bytes(b"key of the cluster")
    site.release("train-001", secrets=["munge.key"])
    site.book._released["train-001"].secrets = {"munge.key": tmp_path / "munge.key"}
    assert b"key of the cluster" not in site.book._released["train-001"].served
    node, neighbour = (site.program.SiteLink(site.config(name)) for name in ("train-001", "train-002"))
    assert list(json.loads(node.post("secrets", {})[1])) == ["munge.key"]
    assert json.loads(neighbour.post("secrets", {})[1]) == {}


def test_a_node_that_the_site_does_not_know_asks_again_soon_and_then_seldom(site):
    agent = site.agent("train-001")
    site.keys.nodes.forget("train-001")
    site.release("train-001")
    waits = [agent.turn() for _ in range(7)]
    assert waits == sorted(waits)
    assert (waits[0] < 3, waits[-1]) == (True, 30)
    assert "a key that this site does not know" in site.book.silent("train-001", 0)
    site.keys.nodes.accept("train-001", (site.folder / "train-001.key.pub").read_text().strip())
    assert agent.turn() == 0
    assert site.plays("train-001") == 1


def test_a_site_with_another_certificate_is_not_spoken_with(site, tmp_path):
    foreign = PullKeys.of_site(Workspace(tmp_path / "other"))
    with pytest.raises(OSError, match="CERTIFICATE_VERIFY_FAILED"):
        site.program.SiteLink(site.config("train-001", certificate=foreign.server_certificate)).post("ask", {})


class Commands:
    """Runs what is requested, except a reboot."""

    def __init__(self, run) -> None:
        self.run, self.requested = run, []

    def __call__(self, words, **options):
        if words[0] != "systemctl":
            return self.run(words, **options)
        self.requested.append(" ".join(words))
        return None


def ended():
    raise InterruptedError("the unit was ended")
