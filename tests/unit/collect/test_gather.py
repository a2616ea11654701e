from datetime import UTC, datetime
from pathlib import Path

import pytest

from rackwright.base.errors import OutsideError, ProblemsError
from rackwright.collect import Store, gather_evidence, load, verify
from rackwright.collect.output import Output, unanswered_outputs
from rackwright.collect.transports import bmc, fleet
from rackwright.model.access import Access, Secret
from rackwright.model.evidence.accelerator import Accelerators
from rackwright.model.evidence.bmc import BmcEvidence
from rackwright.model.evidence.host import Clock
from tests.build import site_design

NODES = ["train-001", "train-002"]
ACCESS = Access("root", Path("key"), Path("known_hosts"), "admin", Secret("secret"), None)
NOW = datetime(2026, 11, 21, 8, 0, tzinfo=UTC)
CLOCK = b"7F000001,10.64.0.2,9,1.0,0.0002,0.1,0.1,0.1,0.1,0.1,0.1,0.1,1.0,Normal\n"
SYSTEM = b'{"/redfish/v1/": {"Systems": {"@odata.id": "/s"}}, "/s": {"Members": [{"@odata.id": "/s/1"}]}, "/s/1": {"@odata.id": "/s/1"}}'


@pytest.fixture
def store(tmp_path):
    return Store(tmp_path / "evidence")


@pytest.fixture
def site(monkeypatch):
    """Stands in for the machines: train-001 answers its clock, everybody else is dead; BMCs answer."""

    async def hosts(targets, access, zipapp, patience):
        assert zipapp.startswith(b"PK")
        for host in targets:
            answered = [ask for ask in host.asks if host.node == "train-001" and ask.collector == "clock"]
            dead = tuple(ask for ask in host.asks if ask not in answered)
            outputs = [Output(host.node, ask.collector, "", CLOCK, rc=0, tool="chronyc") for ask in answered]
            outputs += unanswered_outputs(host.node, dead, f"{host.address} cannot be reached")
            yield fleet.Arrival(host, outputs)

    async def bmcs(addresses, question, access):
        for node in addresses:
            yield Output(node, question.collector, "", SYSTEM, rc=0)

    monkeypatch.setattr(fleet, "ask_hosts", hosts)
    monkeypatch.setattr(bmc, "ask_bmcs", bmcs)


PDUS = [f"train-r01-{feed}1-pdu" for feed in "ABC"]
"""What feeds the rack of the nodes; here they answer like a BMC."""


def test_evidence_and_errors_of_every_node_come_back_and_are_kept(store, site):
    events = []
    evidence = gather_evidence(
        site_design(), NODES, ACCESS, store, lambda kind, data: events.append((kind, data)), now=lambda: NOW
    )

    assert list(evidence) == [*NODES, *PDUS]
    assert "the documents of a rack PDU" in evidence[PDUS[0]].errors["rack_pdu"]
    assert evidence["train-001"].get(Clock).reference == "10.64.0.2"
    assert evidence["train-002"].get(Clock) is None
    assert (
        evidence["train-002"].errors["clock"] == f"{site_design().node('train-002').inband_address} cannot be reached"
    )
    assert evidence["train-002"].get(BmcEvidence) is not None
    assert evidence["train-001"].get(Accelerators) is None
    assert evidence["train-001"].taken == "2026-11-21T08:00:00+00:00"
    assert load(store) == evidence
    assert verify(store) == []
    kinds = [kind for kind, _ in events]
    assert (kinds[0], kinds[-1], kinds.count("host"), kinds.count("bmc")) == ("start", "end", 4, 5)


def test_raw_output_is_kept_even_when_it_cannot_be_read(store, site):
    gather_evidence(site_design(), NODES, ACCESS, store)
    raw = load(store)["train-001"].raw[Clock]
    assert store.objects.get(raw) == CLOCK


def test_our_own_unusable_key_ends_the_run_with_one_sentence(store, monkeypatch, site):
    async def refuse(*_):
        raise OutsideError("SSH key key cannot be used")
        yield

    monkeypatch.setattr(fleet, "ask_hosts", refuse)
    with pytest.raises(OutsideError, match="SSH key"):
        gather_evidence(site_design(), NODES, ACCESS, store)


def test_changed_evidence_is_not_judged(store, site):
    gather_evidence(site_design(), NODES, ACCESS, store)
    path = store.path(store.latest())
    path.write_text(path.read_text().replace("cannot be reached", "was never there", 1))
    with pytest.raises(ProblemsError, match="changed after it was written"):
        load(store)


def test_an_interrupted_run_can_be_read_as_far_as_it_came(store, site):
    gather_evidence(site_design(), NODES, ACCESS, store)
    path = store.path(store.latest())
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:2]))
    evidence = load(store)
    assert "was never asked or the run ended" in " ".join(evidence["train-002"].errors.values())
